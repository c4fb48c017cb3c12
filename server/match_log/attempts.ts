/**
 * The attempts to continue a match, as kept beside its log and among nodes. Two kinds are counted
 * separately. A **failure** is the match's own: it hung or was too slow, in a trial or in play. An
 * attempt that **has begun** but never finished may have any cause: perhaps the process was killed
 * meanwhile, or the match used up all its memory.
 *
 *     2 failures within 60 s of play, or 5 attempts that came to no end → set aside
 */
import type { Tick } from "../../shared/netcode/game.ts";

/** After this many failures a match is set aside. */
export const FAILURES_MAX = 2;
/** After this much play, s, an earlier failure no longer counts. */
const FORGIVEN_SECONDS = 60;
/** An attempt takes 0.2 s, so a process is not killed in five of them in a row by chance. */
export const BEGUN_MAX = 5;
/** The wait between two attempts, ms, in which a busy machine may recover. */
export const BACK_OFF_MS = 1_000;

/** The attempts so far. */
export interface Attempts {
  readonly failures: number;
  /** The match's tick at the newest failure. */
  readonly tick: Tick;
  /** Attempts that have begun since the match was last played. */
  readonly begun: number;
}

export const NO_ATTEMPTS: Attempts = { failures: 0, tick: 0, begun: 0 };

/** Adds a failure. @param tick of the match */
export function failedAgain(
  attempts: Attempts,
  { tick, tickHz }: { tick: Tick; tickHz: number },
): Attempts {
  const isForgiven = tick - attempts.tick > FORGIVEN_SECONDS * tickHz;
  return { ...attempts, failures: isForgiven ? 1 : attempts.failures + 1, tick };
}

/** Why a match is set aside without another attempt; undefined if it may have one. */
export function hopelessnessOf({ failures, begun }: Attempts): string | undefined {
  if (failures >= FAILURES_MAX) {
    return `it failed ${failures} times within ${FORGIVEN_SECONDS} s of play`;
  }
  return begun >= BEGUN_MAX ? `${begun} attempts to go on with it came to no end` : undefined;
}
