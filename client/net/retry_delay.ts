/**
 * How long a client waits before it tries to get back onto its server (SPEC 8.8), and whether it
 * does so at all.
 */
import { CloseCode } from "../../shared/netcode/wire/messages.ts";

/**
 * The mean wait before each attempt, ms. A cut connection is often back at once. Another machine
 * has the match of a dead one after a second; a machine that is asked earlier than 0.3 s after its
 * end may still name it. The last wait repeats for ever: a page may be open all night.
 */
const RETRY_MS = [0, 250, 500, 1000, 2000, 4000] as const;
/** The mean wait after a hello to a full server, or for a room in which nobody plays, ms. */
const REFUSED_RETRY_MS = 10_000;
const REFUSED_CODES: ReadonlySet<number> = new Set([CloseCode.busy, CloseCode.noRoom]);
/**
 * Each wait is longer or shorter by up to this share, so that a hall full of pages does not come
 * back at once.
 */
const JITTER = 0.5;
/**
 * An event that promises a network ends a wait, but attempts begin no closer together than this,
 * ms.
 */
const HURRIED_MS = 250;
/**
 * @param failedAttempts attempts since the client was last in a match
 * @param options.closeCode that of the connection that has just ended
 * @param options.random a random number, 0 … 1: it spreads the attempts of many clients
 * @returns the wait before the next attempt, ms
 */
export function retryDelayMs(
  failedAttempts: number,
  { closeCode, random }: { closeCode: number; random: number },
): number {
  const meanMs = REFUSED_CODES.has(closeCode)
    ? REFUSED_RETRY_MS
    : RETRY_MS[Math.min(failedAttempts, RETRY_MS.length - 1)]!;
  return meanMs * (1 - JITTER + 2 * JITTER * random);
}

/**
 * A connection that takes longer than eight times the usual time for a state cannot carry a match.
 */
const PATIENCE_MAX = 8;

/** The attempts of one client to be in its match. All times are on the client's clock, ms. */
export class Attempts {
  #failed = 0;
  #patience = 1;
  #beganMs = -Infinity;
  #isRefused = false;
  /** When the next one is due; Infinity while one is under way. */
  dueMs = Infinity;

  /** How many have failed since the client was last in the match. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * How many times as long as usual the next attempt waits for its first state, 1 … 8. No client
   * sees the bytes of a message that has not arrived as a whole, so a slow connection looks like a
   * dead one. It doubles with each state in vain.
   */
  get patience(): number {
    return this.#patience;
  }

  begin(nowMs: number): void {
    this.#beganMs = nowMs;
    this.dueMs = Infinity;
  }

  /** The client is in the match. */
  succeeded(): void {
    this.#failed = 0;
  }

  /**
   * The attempt has failed, or the connection has ended. The wait counts from when the attempt
   * began: one that took seconds to fail has waited already.
   * @param options.endedIn the stage in which the connection has ended; undefined if it is not
   *   known
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

  /** The network may be back. A full server gains nothing by an earlier attempt. */
  hurry(nowMs: number): void {
    if (this.dueMs === Infinity || this.#isRefused) return;
    this.dueMs = Math.min(this.dueMs, Math.max(nowMs, this.#beganMs + HURRIED_MS));
  }
}
