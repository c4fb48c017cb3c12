/** Decides how long a client waits before it tries to get back to its server (SPEC 8.8). */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";

/**
 * The mean wait before each of the first attempts, ms. A cut connection is often back at once.
 * Another machine takes over a dead one's match after a second; a machine that is asked within 0.3 s
 * may still name the dead one.
 */
const RETRY_MS = [0, 250, 500] as const;
/**
 * After these come so many attempts each second: a server that crashed is back within some seconds,
 * and its players should not wait any longer than for it.
 */
const PROBE_MS = 1_000;
const PROBES = 30;
/** How many attempts follow each other quickly: for half a minute, if each fails at once. */
export const QUICK_ATTEMPTS = RETRY_MS.length + PROBES;
/** The mean wait after all of them, ms. It repeats for ever, because a page may be open all night. */
const PATIENT_RETRY_MS = 4_000;
/** The mean wait after a full server's refusal, or for a room without players, ms. */
const REFUSED_RETRY_MS = 10_000;
const REFUSED_CODES: ReadonlySet<number> = new Set([CloseCode.busy, CloseCode.noRoom]);
/**
 * By which share each wait is longer or shorter at most, so that a hall full of pages does not come
 * back at once.
 */
const JITTER = 0.5;
/**
 * The least time between the starts of two attempts, ms, even if an event promises a network and
 * ends the wait.
 */
const HURRIED_MS = 250;
/**
 * @param failedAttempts how many attempts failed since the client was last in a match
 * @param options.closeCode the code with which the connection just ended
 * @param options.random a random number, 0 … 1, which spreads many clients' attempts
 * @returns the wait before the next attempt, ms
 */
export function retryDelayMs(
  failedAttempts: number,
  { closeCode, random }: { closeCode: number; random: number },
): number {
  const meanMs = REFUSED_CODES.has(closeCode) ? REFUSED_RETRY_MS : meanWaitMs(failedAttempts);
  return meanMs * (1 - JITTER + 2 * JITTER * random);
}

function meanWaitMs(failedAttempts: number): number {
  if (failedAttempts < RETRY_MS.length) return RETRY_MS[failedAttempts]!;
  return failedAttempts < QUICK_ATTEMPTS ? PROBE_MS : PATIENT_RETRY_MS;
}

/**
 * A connection that takes longer than this many times the usual time for a state cannot carry a
 * match.
 */
const PATIENCE_MAX = 8;

/** One client's attempts to get into its match. All times are on the client's clock, ms. */
export class Attempts {
  #failed = 0;
  #patience = 1;
  #beganMs = -Infinity;
  #isRefused = false;
  /** When the next attempt is due; Infinity during one. */
  dueMs = Infinity;

  /** How many failed since the client was last in the match. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * How many times as long as usual the next attempt waits for its first state, 1 … 8. A client
   * cannot see bytes before the whole message arrived, so a slow connection looks like a dead one.
   * Therefore this doubles whenever a state does not come.
   */
  get patience(): number {
    return this.#patience;
  }

  begin(nowMs: number): void {
    this.#beganMs = nowMs;
    this.dueMs = Infinity;
  }

  /** Call it when the client is in the match. */
  succeeded(): void {
    this.#failed = 0;
  }

  /**
   * Call it when the attempt failed, or the connection ended. The wait counts from the attempt's
   * start, because an attempt that took seconds to fail has waited already.
   * @param options.endedIn the stage in which the connection ended; undefined if unknown
   */
  ended(
    nowMs: number,
    { closeCode, random, endedIn }: {
      closeCode: number;
      random: number;
      endedIn?: string | undefined;
    },
  ): void {
    if (endedIn === "state") this.#patience = Math.min(PATIENCE_MAX, 2 * this.#patience);
    this.#isRefused = REFUSED_CODES.has(closeCode);
    const waitMs = retryDelayMs(this.#failed++, { closeCode, random });
    this.dueMs = Math.max(nowMs, this.#beganMs + waitMs);
  }

  /**
   * Shortens the wait, because the network may be back. After a full server's refusal it does not,
   * because an earlier attempt would not help.
   */
  hurry(nowMs: number): void {
    if (this.dueMs === Infinity || this.#isRefused) return;
    this.dueMs = Math.min(this.dueMs, Math.max(nowMs, this.#beganMs + HURRIED_MS));
  }
}
