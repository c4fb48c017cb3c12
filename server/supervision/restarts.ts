/** Limits how often a process that has died is restarted. */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Rate } from "../../shared/flags.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";

/**
 * Restarts of a process that has died. The first ones come at once, because players wait. If it
 * dies again and again, it may take a core for half a minute, and then almost nothing.
 */
const RESTARTS: Rate = { burst: 30, perSecond: 0.1 };
/** How long a process waits for its next restart after using up its restarts, ms. */
const RESTART_WAIT_MS = 1_000;

export class Restarts {
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #stopped = Promise.withResolvers<void>();
  #isStopped = false;

  constructor({ clock, wait }: { clock: Clock; wait: (ms: number) => Promise<void> }) {
    this.#bucket = new TokenBucket(RESTARTS, clock.now());
    this.#clock = clock;
    this.#wait = wait;
  }

  /** Resolves when `stop` is called. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends restarts. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
  }

  /** Waits until the process may be restarted. @returns whether it may; false after `stop` */
  async next(): Promise<boolean> {
    while (!this.#isStopped && !this.#bucket.take(this.#clock.now())) {
      await Promise.race([this.#wait(RESTART_WAIT_MS), this.stopped]);
    }
    return !this.#isStopped;
  }
}
