/**
 * Remembers in which rooms this browser played, and when, so that the list of replays can mark a
 * player's own matches. Nothing of it is sent.
 */
import { hostedName } from "./home.ts";

/** How many are remembered, the newest ones: as many as the list of replays shows. */
const PLAYED_MAX = 50;
/** How far the clocks of this device and of the server may differ, s. */
const SKEW_SECONDS_MAX = 60;

/** One time that the player came into a room. */
interface Played {
  readonly room: string;
  /** s since 1970, by this device's clock. */
  readonly at: number;
}

function key(): string {
  return `wyvern.played.${hostedName()}`;
}

/** What is remembered, the newest last. */
function load(): Played[] {
  try {
    const played: unknown = JSON.parse(localStorage.getItem(key()) ?? "[]");
    return Array.isArray(played) ? played : [];
  } catch {
    return []; // storage is switched off, or something else wrote there
  }
}

/** Call it when the player comes into a room. */
export function rememberPlayed(room: string): void {
  const played = [...load(), { room, at: Math.round(Date.now() / 1000) }];
  try {
    localStorage.setItem(key(), JSON.stringify(played.slice(-PLAYED_MAX)));
  } catch {
    // As above.
  }
}

/** @returns whether this browser came into that match, as far as it remembers */
export function playedIn(
  { room, startedAt, seconds }: {
    readonly room: string;
    /** s since 1970, by the server's clock. */
    readonly startedAt: number;
    /** How long the match lasted. */
    readonly seconds: number;
  },
): boolean {
  const from = startedAt - SKEW_SECONDS_MAX;
  const to = startedAt + seconds + SKEW_SECONDS_MAX;
  return load().some((played) => played?.room === room && played.at >= from && played.at <= to);
}
