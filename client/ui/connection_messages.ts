/**
 * Describes each state of the connection in a sentence for the player: what happened, and what the
 * page does next.
 */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, STOPPING, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import { FOREIGN_ANSWER, TRY_LATER } from "../net/join_refusal.ts";
import type { ViewWords } from "../presentation/view.ts";
import type { Remedy } from "./lobby.ts";

/** After this time without a definitive tick, the player gets a message, ms. */
const STARVED_MS = 1000;

/** A refusal that another attempt would only meet again. */
export interface Refusal {
  readonly text: string;
  readonly remedy?: Remedy;
  /** Whether page and server differ in version. */
  readonly isOutdated?: boolean;
  /**
   * Whether the match and its seats are over, so that players who enter the room again begin anew.
   */
  readonly endsMatch?: boolean;
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  [CloseCode.version]: {
    text: "This page and the server are of different versions. Please reload.",
    remedy: "reload",
    isOutdated: true,
  },
  [CloseCode.game]: {
    text: "This page and the server play different games. Please reload.",
    remedy: "reload",
  },
  [CloseCode.roomCode]: { text: "A room is four letters, A to Z." },
  [CloseCode.roomFull]: {
    text: "This room is full. You can watch it, or choose another.",
    remedy: "watch",
  },
  [CloseCode.replaced]: { text: "You came in elsewhere: this page has let go of your seat." },
  [CloseCode.roomFailed]: { text: "This match failed and is over.", endsMatch: true },
  [CloseCode.flood]: { text: "The server closed the connection: it got too many messages." },
  [CloseCode.kicked]: { text: "An operator has taken you out of this match." },
  [CloseCode.roomClosed]: { text: "An operator has closed this room." },
  [CloseCode.idle]: {
    text: "You did not play for a while, so your seat went to others.",
    remedy: "watch",
  },
  [CloseCode.addressFull]: {
    text: "Too many players, rooms or watchers come from your network address.",
  },
  [CloseCode.displaced]: {
    text:
      "The server is full, and your place went to somebody else: your network had more places than theirs.",
  },
  [CloseCode.unauthorised]: { text: "You may not come in here." },
  [CloseCode.roomTaken]: { text: "No free room was found. Please try again." },
  [CloseCode.differs]: {
    text: "This page computes another match than the server. Please reload it.",
    remedy: "reload",
  },
  [CloseCode.protocol]: {
    text: "The server did not understand this page. Please reload.",
    remedy: "reload",
  },
};

/** How a practice match ends that the player did not leave. */
export const PRACTICE_FAILED: Refusal = {
  text: "The practice match does not run on this page.",
  endsMatch: true,
};

/** Close codes that come with a sentence for the player as their reason. */
const IN_SERVERS_WORDS: ReadonlySet<number> = new Set([
  CloseCode.unauthorised,
  CloseCode.roomFailed,
]);
/**
 * How many attempts in a row must get a ticket but no socket. A single one may be a lost packet.
 */
const BLOCKED_ATTEMPTS = 2;

/**
 * Finds the refusal behind a close code; undefined if the page tries again by itself.
 * @param reason the server's words, which say best why a player may not come in, or why a match is
 *   over
 */
export function refusalOf(closeCode: number, reason = ""): Refusal | undefined {
  const refusal = REFUSALS[closeCode];
  return refusal !== undefined && reason !== "" && IN_SERVERS_WORDS.has(closeCode)
    ? { ...refusal, text: reason }
    : refusal;
}

/** The connection's state, as far as a message needs it. */
export interface ConnectionState {
  /**
   * "connecting": the server has not answered yet. "away": the page is disconnected and waits for
   * the next attempt.
   */
  readonly phase: "connecting" | "playing" | "away";
  /** Whether the page was in the match before, and shows its last frame. */
  readonly wasJoined: boolean;
  /** The last connection's close code; 0 if none ended. */
  readonly closeCode: number;
  /** The reason beside it. */
  readonly closeReason: string;
  /** How many attempts in a row got a ticket but no socket. */
  readonly unopened: number;
  /** How many attempts in a row got no answer at all. */
  readonly unanswered: number;
  /** Whether the device has no network at all. */
  readonly isOffline: boolean;
  /** Whether the server logs its matches, which then outlive it. */
  readonly keepsMatches: boolean;
  /** Time until the next attempt, ms. */
  readonly retryInMs: number;
  /** How much longer the seat is reserved, ms; 0 or less if it is not. */
  readonly seatReservedMs: number;
  /** Time since the newest definitive tick arrived, ms. */
  readonly silentMs: number;
  /** How long the page was hidden, ms, while it is still catching up; otherwise undefined. */
  readonly hiddenMs: number | undefined;
  /**
   * Set if the page just came back, but to another match, to another seat, or to an earlier tick;
   * otherwise undefined.
   */
  readonly beganAnew: "match" | "seat" | "undone" | undefined;
  /** The server's newest notice to everyone; empty for none. */
  readonly announced: string;
  /** Whether an NPC plays for the player, who did nothing for a while. */
  readonly isPlayedByNpc: boolean;
  /** Whether the own body is not in the arena yet. */
  readonly isWaitingForBody: boolean;
  /** Whether a player's page hosts the match, and no server. */
  readonly isPageRoom: boolean;
}

/** What a player reads when the server has not come back after all quick attempts. */
export function silenceOf({ keepsMatches }: Pick<ConnectionState, "keepsMatches">): string {
  const saved = keepsMatches ? " The match is saved, and goes on when it is back." : "";
  return `The server has not answered for half a minute.${saved} This page goes on looking for it.`;
}

/** The game's words in these messages. */
type ConnectionWords = Pick<ViewWords, "arriving" | "takenOver">;

/** What a device without any network is told in a match. */
const OFFLINE = "You are offline. This page goes on by itself when you are back.";

/** Words the message in one or two sentences; empty while all is well. */
export function connectionMessageOf(state: ConnectionState, words: ConnectionWords): string {
  // A word about the server would be wrong: it is well, as far as anybody here can know.
  const isOffline = state.isOffline && !state.isPageRoom;
  if (isOffline && (state.phase !== "playing" || state.silentMs > STARVED_MS)) {
    return `${OFFLINE}${seatOf(state, words)}`;
  }
  if (state.phase === "away") {
    const attempt = state.closeCode === CloseCode.noRoom ? "Looking again" : "Trying again";
    return `${lossOf(state)} ${attempt} ${inSeconds(state.retryInMs)}${seatOf(state, words)}`;
  }
  if (state.phase === "connecting") {
    return state.wasJoined ? `Connecting again…${seatOf(state, words)}` : "Connecting…";
  }
  if (state.hiddenMs !== undefined) return `Back after ${seconds(state.hiddenMs)}. Catching up…`;
  if (state.silentMs > STARVED_MS) {
    const host = state.isPageRoom ? "host" : "server";
    return `Nothing from the ${host} for ${seconds(state.silentMs, Math.floor)}. Catching up…`;
  }
  if (state.beganAnew === "undone") {
    return "The last seconds were undone. The match goes on from there.";
  }
  if (state.announced !== "") return state.announced;
  if (state.beganAnew === "match") return "A new match has begun.";
  if (state.beganAnew === "seat") return "Your old seat is gone. You start anew.";
  if (state.isPlayedByNpc) {
    return `${words.takenOver} while you do nothing. Press anything to take over.`;
  }
  return state.isWaitingForBody ? words.arriving : "";
}

/** Says in a sentence why there is no connection. */
export function lossOf(
  { closeCode, closeReason, wasJoined, unopened, unanswered, isPageRoom }: ConnectionState,
): string {
  if (isPageRoom) {
    return wasJoined
      ? "The player who hosted is gone. Another player's device takes over."
      : "The device that hosts this room does not answer.";
  }
  if (unopened >= BLOCKED_ATTEMPTS) {
    return "The server answers, but no WebSocket opens. A firewall or a proxy may block it.";
  }
  if (closeCode === FOREIGN_ANSWER || closeCode === TRY_LATER) return closeReason;
  if (closeCode === GOING_AWAY && closeReason === StopReason.kept) {
    return "The server is restarting. The match goes on when it is back.";
  }
  if (closeCode === GOING_AWAY && closeReason === StopReason.moved) {
    return "The match moves to another server.";
  }
  if (closeCode === GOING_AWAY && closeReason === StopReason.over) {
    return "The server is restarting. The match is over.";
  }
  if (closeCode === GOING_AWAY || closeReason === STOPPING) return "The server is restarting.";
  if (closeCode === CloseCode.noRoom) {
    return wasJoined
      ? "Nobody plays here any more."
      : "Nobody plays in this room. Play in it, or wait for somebody.";
  }

  if (closeCode === CloseCode.busy) return "The server is full at the moment.";
  return wasJoined && unanswered === 0 ? "Connection lost." : "The server does not answer.";
}

/**
 * Words the promise to keep the player's seat. While the server is away, time stands still for a
 * seat; to be careful, the page stops promising it after the time for which a running server would
 * keep it.
 *
 * If nothing answers, the server may have crashed, or only this page's network may be gone. So the
 * page says what holds in both cases: nothing if the match would be lost with the server.
 */
function seatOf(
  { seatReservedMs, closeCode, closeReason, unanswered, isOffline, keepsMatches, wasJoined }:
    ConnectionState,
  { takenOver }: ConnectionWords,
): string {
  const isUnanswered = unanswered > 0 && !isOffline && closeCode !== GOING_AWAY;
  if (isUnanswered) {
    if (!keepsMatches || !wasJoined) return "";
    return seatReservedMs <= 0
      ? " The match is saved."
      : ` The match is saved, and your seat waits for ${seconds(seatReservedMs)} at least.`;
  }
  if (seatReservedMs <= 0) return "";
  const isKept = closeReason === StopReason.kept || closeReason === StopReason.moved;
  if (closeCode === GOING_AWAY) return isKept ? " Your seat waits for you." : "";
  return ` ${takenOver}; its seat is yours for ${seconds(seatReservedMs)}.`;
}

function inSeconds(ms: number): string {
  return ms <= 0 ? "now…" : `in ${seconds(ms)}…`;
}

function seconds(ms: number, round = Math.ceil): string {
  return `${Math.max(1, round(ms / 1000))} s`;
}
