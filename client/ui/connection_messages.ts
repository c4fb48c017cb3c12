/** Every state of the line in words for the player: one sentence that says what is, and what happens next by itself. */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import type { ViewWords } from "../presentation/view.ts";
import type { Remedy } from "./lobby.ts";

/** Nothing definitive for this long: the player should be told, ms. */
const STARVED_MS = 1000;
/** How long the server keeps a lost player's seat, ms (SPEC 3.3). */
const SEAT_RESERVED_MS = 30_000;
/** RFC 6455 §7.4.1, "going away": a server that is stopped on purpose, and mostly started again. */
const GOING_AWAY = 1001;

/** A refusal that another try would only meet again. */
export interface Refusal {
  readonly text: string;
  readonly remedy?: Remedy;
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  [CloseCode.version]: {
    text: "This page and the server are of different versions. Please reload.",
    remedy: "reload",
  },
  [CloseCode.game]: { text: "This page and the server play different games. Please reload.", remedy: "reload" },
  [CloseCode.roomCode]: { text: "A room is four letters, A to Z." },
  [CloseCode.roomFull]: { text: "This room is full. You can watch it, or choose another.", remedy: "watch" },
  [CloseCode.replaced]: { text: "You came in elsewhere: this page has let go of your seat." },
  [CloseCode.flood]: { text: "The server closed the line: it got too many messages." },
  [CloseCode.protocol]: { text: "The server did not understand this page. Please reload.", remedy: "reload" },
};

/** Undefined for a close after which the page tries again by itself. */
export function refusalOf(closeCode: number): Refusal | undefined {
  return REFUSALS[closeCode];
}

/** How the line is, as far as words need it. */
export interface ConnectionState {
  /** "connecting": asked, not answered. "away": the line is lost, or never was there. */
  readonly phase: "connecting" | "playing" | "away";
  /** Has been in before: what is shown is the last picture. */
  readonly wasJoined: boolean;
  /** Why the last line ended; 0 where none has. */
  readonly closeCode: number;
  /** Until the next try, ms. */
  readonly retryInMs: number;
  /** Since the line was lost, ms; undefined where no seat is kept. */
  readonly disconnectedMs: number | undefined;
  /** Since anything definitive came, ms. */
  readonly silentMs: number;
  /** How long the page was hidden, ms, while it is still catching up; otherwise undefined. */
  readonly hiddenMs: number | undefined;
  /** The own body is not in the arena yet. */
  readonly isWaitingForBody: boolean;
}

/** The game's words in these messages. */
type ConnectionWords = Pick<ViewWords, "arriving" | "takenOver">;

/** One sentence or two; empty while all is well. */
export function connectionMessageOf(state: ConnectionState, words: ConnectionWords): string {
  if (state.phase === "away") {
    return `${lossOf(state)} Trying again ${inSeconds(state.retryInMs)}${seatOf(state, words)}`;
  }
  if (state.phase === "connecting") return state.wasJoined ? `Connecting again…${seatOf(state, words)}` : "Connecting…";
  if (state.hiddenMs !== undefined) return `Back after ${seconds(state.hiddenMs)}. Catching up…`;
  if (state.silentMs > STARVED_MS) {
    return `Nothing from the server for ${seconds(state.silentMs, Math.floor)}. Catching up…`;
  }
  return state.isWaitingForBody ? words.arriving : "";
}

function lossOf({ closeCode, wasJoined }: ConnectionState): string {
  if (closeCode === GOING_AWAY) return "The server is restarting.";
  return wasJoined ? "Connection lost." : "The server does not answer.";
}

function seatOf({ disconnectedMs }: ConnectionState, { takenOver }: ConnectionWords): string {
  if (disconnectedMs === undefined || disconnectedMs >= SEAT_RESERVED_MS) return "";
  return ` ${takenOver}; its seat is yours for ${seconds(SEAT_RESERVED_MS - disconnectedMs)}.`;
}

function inSeconds(ms: number): string {
  return ms <= 0 ? "now…" : `in ${seconds(ms)}…`;
}

function seconds(ms: number, round = Math.ceil): string {
  return `${Math.max(1, round(ms / 1000))} s`;
}
