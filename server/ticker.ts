/**
 * The only real clock of the server. Ticks are due at absolute times, so that lateness of one is never passed on to the next:
 *
 *     due(k) = origin + k / hz
 *
 * A server that was held up runs what is due at once, a few ticks at most; what is older than that is dropped and said aloud.
 */
import type { Clock } from "../shared/netcode/link.ts";

/** Milliseconds since the process began. */
export const clock: Clock = { now: () => performance.now() };

/**
 * How many ticks may run in one go: 200 ms at 20 Hz, the hiccup of a garbage collection or a noisy neighbour. More would make
 * a machine that is too slow fall ever further behind, with all its clients waiting.
 */
export const CATCH_UP_TICKS_MAX = 4;

/** What a ticker needs of the machine. Tests give their own. */
export interface Scheduler extends Clock {
  /** Calls `action` once, `delayMs` from now or a little later. @returns how to call it off */
  after(delayMs: number, action: () => void): () => void;
}

const systemScheduler: Scheduler = {
  now: clock.now,
  after(delayMs, action) {
    const id = setTimeout(action, delayMs);
    return () => clearTimeout(id);
  },
};

export interface TickerOptions {
  /** Ticks per second. */
  readonly hz: number;
  /** Runs one tick. @param dueMs when it was due, on the clock; never later than now. What it throws is its owner's to catch. */
  onTick(dueMs: number): void;
  /** Learns that time was dropped. @param ticks how many ticks will never run, at least 1 */
  onDropped(ticks: number): void;
  readonly scheduler?: Scheduler;
}

export class Ticker {
  readonly #options: TickerOptions;
  readonly #scheduler: Scheduler;
  #originMs = 0;
  /** Which due time comes next, from 1. */
  #next = 0;
  #ticks = 0;
  #cancel: (() => void) | undefined;

  constructor(options: TickerOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? systemScheduler;
  }

  /** Ticks run so far; dropped ones are not counted. */
  get ticks(): number {
    return this.#ticks;
  }

  /** How late the next tick is by now, in ms; 0 while it is not due. */
  get overdueMs(): number {
    return Math.max(0, this.#scheduler.now() - this.#dueMs());
  }

  /** The first tick is due one period from now. */
  start(): void {
    this.stop();
    this.#originMs = this.#scheduler.now();
    this.#next = 1;
    this.#scheduleNext();
  }

  /** No tick runs after this returns. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wake(): void {
    try {
      for (let ran = 0; ran < CATCH_UP_TICKS_MAX && this.#isDue(); ran++) this.#run();
      if (this.#isDue()) this.#drop();
    } finally {
      if (this.#isRunning()) this.#scheduleNext();
    }
  }

  #run(): void {
    const dueMs = this.#dueMs();
    this.#next++;
    this.#ticks++;
    this.#options.onTick(dueMs);
  }

  #drop(): void {
    const dropped = Math.floor(((this.#scheduler.now() - this.#dueMs()) * this.#options.hz) / 1000) + 1;
    this.#next += dropped;
    this.#options.onDropped(dropped);
  }

  #isRunning(): boolean {
    return this.#cancel !== undefined;
  }

  #isDue(): boolean {
    return this.#isRunning() && this.#dueMs() <= this.#scheduler.now();
  }

  #dueMs(): number {
    return this.#originMs + (this.#next * 1000) / this.#options.hz;
  }

  #scheduleNext(): void {
    // Rounded up: a timer of whole milliseconds that fires early would only find that nothing is due.
    const delayMs = Math.ceil(Math.max(0, this.#dueMs() - this.#scheduler.now()));
    this.#cancel = this.#scheduler.after(delayMs, () => this.#wake());
  }
}
