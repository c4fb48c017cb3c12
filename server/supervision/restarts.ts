/** How often a process that has died is started again. */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Rate } from "../../shared/flags.ts";
import { TokenBucket } from "../http/token_bucket.ts";

/**
 * Starts of a process that has died: at once, because players wait. If it dies again and again, it
 * may take a core for half a minute, and then nearly nothing.
 */
const RESTARTS: Rate = { burst: 30, perSecond: 0.1 };
/** How long a process without a start left waits for the next one, ms. */
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

  /** No process is started again. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
  }

  /** Waits until the process may be started again. @returns whether it may; false after `stop` */
  async next(): Promise<boolean> {
    while (!this.#isStopped && !this.#bucket.take(this.#clock.now())) {
      await Promise.race([this.#wait(RESTART_WAIT_MS), this.stopped]);
    }
    return !this.#isStopped;
  }
}
