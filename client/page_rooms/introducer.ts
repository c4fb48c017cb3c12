/**
 * A page's socket to the server that introduces it (`shared/introductions.ts`). A host keeps it open
 * for those who come later; a page that joins needs it for one text and its answer.
 */
import {
  ANOTHER_HOST,
  type FromServer,
  INTRODUCTION_BYTES_MAX,
  INTRODUCTIONS_PATH,
  type ToServer,
} from "../../shared/introductions.ts";

/** How long the answer of a host may take, ms. */
const ANSWER_MS_MAX = 10_000;
/** How long a host waits before it opens its socket again, ms. */
const AGAIN_MS = 2000;

export const NO_SERVER = "The server that introduces the pages does not answer.";

/** Why a page did not get into the room: a sentence for the player. */
export class IntroductionError extends Error {
  override readonly name = "IntroductionError";
}

/** A room at a server. */
export interface IntroducedRoom {
  /** http://… or https://…, without a path. */
  readonly origin: string;
  /** The game's id. */
  readonly game: string;
  /** Four letters A–Z. */
  readonly room: string;
}

/**
 * Sends a text to the host of a room.
 * @returns the host's answer
 * @throws IntroductionError without a host or an answer
 */
export async function called(room: IntroducedRoom, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = new WebSocket(addressOf(room));
  const timer = setTimeout(
    () => reject(new IntroductionError("The page that hosts this room does not answer.")),
    ANSWER_MS_MAX,
  );
  socket.onopen = () => socket.send(JSON.stringify({ type: "call", text } satisfies ToServer));
  socket.onmessage = ({ data }) => {
    const message = messageIn(data);
    if (message?.type === "answer") resolve(message.text);
    if (message?.type === "nobody") {
      reject(new IntroductionError("No page hosts this room any more."));
    }
  };
  socket.onclose = () => reject(new IntroductionError(NO_SERVER));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
  }
}

export interface HostedRoomOptions {
  readonly room: IntroducedRoom;
  /** What all pages of the room know, 32 hexadecimal digits. */
  readonly claim: string;
  /** Returns the answer to another page's text; undefined for none. */
  readonly onCall: (text: string) => Promise<string | undefined>;
  /** Called when another page of the room has taken the place: the two have to find each other. */
  readonly onOther: () => void;
}

/** The place of a room's host at the server. It comes back after a lost connection. */
export class HostedRoom {
  readonly #options: HostedRoomOptions;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** Settled with the first answer: whether the room is this page's; undefined without one. */
  readonly opened: Promise<boolean | undefined>;
  readonly #onOpened: (isHost: boolean | undefined) => void;

  constructor(options: HostedRoomOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS_MAX);
    this.opened = promise.finally(() => clearTimeout(timer));
    this.#onOpened = resolve;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#onOpened(false);
    this.#socket?.close();
  }

  #open(): void {
    const { room, claim } = this.#options;
    const socket = this.#socket = new WebSocket(addressOf(room));
    socket.onopen = () => socket.send(JSON.stringify({ type: "host", claim } satisfies ToServer));
    socket.onmessage = ({ data }) => void this.#receive(socket, messageIn(data));
    socket.onclose = ({ reason }) => {
      if (this.#isClosed) return;
      if (reason === ANOTHER_HOST) this.#options.onOther();
      this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  async #receive(socket: WebSocket, message: FromServer | undefined): Promise<void> {
    if (message?.type === "host") this.#onOpened(message.isHost);
    if (message?.type !== "call") return;
    // A text that is no introduction gets no answer, and its page is told so by the time it waits
    const text = await this.#options.onCall(message.text).catch(() => undefined);
    if (text === undefined || socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ type: "answer", to: message.from, text } satisfies ToServer));
  }
}

function addressOf({ origin, game, room }: IntroducedRoom): string {
  const query = new URLSearchParams({ game, room });
  return `${origin.replace("http", "ws")}${INTRODUCTIONS_PATH}?${query}`;
}

/** @returns undefined for anything but a message of this server's */
function messageIn(data: unknown): FromServer | undefined {
  if (typeof data !== "string" || data.length > 2 * INTRODUCTION_BYTES_MAX) return undefined;
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message as FromServer : undefined;
  } catch {
    return undefined;
  }
}
