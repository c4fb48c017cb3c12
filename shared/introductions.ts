/**
 * What a page that hosts a room, or joins one, and a server with `--signalling` tell each other so
 * that the pages find each other. The server carries texts between them and has no match. All are
 * JSON on a WebSocket.
 */

/** Where the WebSocket is; `?game=ID&room=CODE` names the room. */
export const INTRODUCTIONS_PATH = "/introductions";
/** `GET` answers an `IntroductionsOffer`; without properties by a server that introduces nobody. */
export const INTRODUCTIONS_API = "/api/introductions";
/** The longest message either way, bytes: a description with a few dozen addresses. */
export const INTRODUCTION_BYTES_MAX = 16_384;

/** Why a host's socket is closed when another page takes its place. */
export const ANOTHER_HOST = "another page hosts the room now";

/** How pages connect. */
export interface IntroductionsOffer {
  /** STUN and TURN servers, as `RTCConfiguration.iceServers` takes them. */
  readonly iceServers: readonly {
    readonly urls: string;
    readonly username?: string;
    readonly credential?: string;
  }[];
  /** Whether pages connect through the TURN servers alone, so that they learn no addresses. */
  readonly relayOnly: boolean;
}

/** What a page sends. */
export type ToServer =
  /** It hosts the room. All pages of a room know its claim, 32 hexadecimal digits. */
  | { readonly type: "host"; readonly claim: string }
  /** It hosts the room, and so many more people may be led there. */
  | { readonly type: "seats"; readonly seats: number }
  /**
   * Its player wants to play with anybody. If no room is open to them, this one is from now on, with
   * so many seats for others; `except` is a room that they could not get into.
   */
  | {
    readonly type: "play";
    readonly claim: string;
    readonly seats: number;
    readonly except: string;
  }
  /** A text to the host. */
  | { readonly type: "call"; readonly text: string }
  /** The host's answer to a page. */
  | { readonly type: "answer"; readonly to: number; readonly text: string };

/** What the server sends. */
export type FromServer =
  /** Whether the page's claim to the room counts. */
  | { readonly type: "host"; readonly isHost: boolean }
  /** Where the player is led: to the page's own room if it shall host it. */
  | { readonly type: "room"; readonly room: string }
  /** A page's text to the host. */
  | { readonly type: "call"; readonly from: number; readonly text: string }
  /** The host's answer. */
  | { readonly type: "answer"; readonly text: string }
  /** Nobody hosts the room. `isKept` says that its next host may come any moment. */
  | { readonly type: "nobody"; readonly isKept: boolean };
