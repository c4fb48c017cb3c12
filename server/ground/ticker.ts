/**
 * Runs the server's ticks on its only real clock. Ticks are due at absolute times, so one late tick
 * does not delay the next (DESIGN 12.4 compares `setInterval`):
 *
 *     due(k) = origin + k / hz
 *
 * After a delay the ticker runs the newest `CATCH_UP_TICKS_MAX` due ticks at once; it drops the
 * older ones and reports how many. Therefore the ticks that run are due when their numbers say so,
 * and a clock that counts ticks from the newest due time is right at once.
 *
 * While the process stands still, commands keep arriving at its sockets in time, but when it goes
 * on, its timers fire before any socket is read. A tick that ran right then would throw those
 * commands away. So the ticker looks at its clock shortly before a tick is due, and the event loop
 * reads the sockets between that look and the tick:
 *
 *     look, 5 ms before · sockets · due, run
 *     look, too late    · two turns in which sockets are read · drop the oldest · run
 */
import { LATE_MS } from "../match/tick_times.ts";
import { RecentTicks } from "./recent_ticks.ts";
import type { Clock } from "../../shared/netcode/link.ts";

/** Milliseconds since the process began. */
export const clock: Clock = { now: () => performance.now() };

/** Milliseconds since 1970. It does not go back if the machine's clock is set back. */
export const unixClock: Clock = { now: () => performance.timeOrigin + performance.now() };

/**
 * Milliseconds since 1970 by the machine's clock, for times that other machines compare with their
 * own. If that clock is set back, this one follows, and as soon as that clock is right again, so is
 * this one.
 */
export const wallClock: Clock = { now: () => Date.now() };

/** Formats a time of day as ISO 8601. @param ms since 1970; by default now */
export function isoTime(ms?: number): string {
  return new Date(ms ?? Date.now()).toISOString();
}

/** Resolves after a time, ms. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * How many due ticks may run in one go. At 20 Hz, 4 ticks are 200 ms, which covers a pause of the
 * garbage collector or of a busy machine. With a higher limit, a machine that is too slow would
 * fall ever further behind.
 */
export const CATCH_UP_TICKS_MAX = 4;

/**
 * How long before a due tick the ticker looks, ms. Commands that arrive before the look are in time
 * for the tick, however long the process then pauses.
 */
export const LOOK_MS = 5;

/**
 * How many turns of the event loop a late tick leaves to the sockets. The first turn brings nearly
 * everything that had arrived, and the second what comes in several steps, as datagrams do. A turn
 * is a timer of 0 ms, because the loop polls its sockets before such a timer. It does not before an
 * immediate: after eight immediates, half of the messages were still unread.
 */
export const READING_TURNS_MAX = 2;

/** A flood of messages may prolong the reading for this long, ms (`hurry`). */
export const READING_MS_MAX = 5;

/** The clock and timer that a ticker uses. Tests replace them. */
export interface Scheduler extends Clock {
  /**
   * Calls `action` once, after `delayMs` or a little later.
   * @returns a function that cancels the call
   */
  after(delayMs: number, action: () => void): () => void;
}

export const systemScheduler: Scheduler = {
  now: clock.now,
  after(delayMs, action) {
    const id = setTimeout(action, delayMs);
    return () => clearTimeout(id);
  },
};

export interface TickerOptions {
  /** Ticks per second. */
  readonly hz: number;
  /**
   * Runs one tick. The ticker does not catch its errors.
   * @param dueMs due time on the scheduler's clock, not later than now
   */
  onTick(dueMs: number): void;
  /** Called halfway between two ticks, but not after a late tick. */
  onMidTick?(): void;
  /**
   * Called when ticks were dropped, before the next one runs.
   * @param ticks how many ticks will never run, at least 1
   */
  onDropped(ticks: number): void;
  readonly scheduler?: Scheduler;
}

export class Ticker {
  readonly #options: TickerOptions;
  readonly #scheduler: Scheduler;
  readonly #recent: RecentTicks;
  #originMs = 0;
  /** Everything that had arrived by this time has been read, ms. */
  #readMs = -Infinity;
  /** When the reading began that a late tick waits for, ms; undefined if none waits. */
  #readingMs: number | undefined;
  /** Index k of the next due time, from 1. */
  #next = 0;
  #ticks = 0;
  #cancel: (() => void) | undefined;
  #cancelMidTick: (() => void) | undefined;

  constructor(options: TickerOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? systemScheduler;
    this.#recent = new RecentTicks(options.hz);
  }

  /** Number of ticks that have run, without the dropped ones. */
  get ticks(): number {
    return this.#ticks;
  }

  /** How late the next tick is at this moment, ms; 0 if it is not due. */
  get overdueMs(): number {
    return Math.max(0, this.#scheduler.now() - this.#dueMs());
  }

  /** The share of the last five seconds' ticks that have run, 0 … 1. */
  get recentShare(): number {
    return this.#recent.share(this.#scheduler.now(), this.overdueMs);
  }

  /** Starts, or restarts, the clock. The first tick is due one period from now. */
  start(): void {
    this.stop();
    this.#originMs = this.#scheduler.now();
    this.#next = 1;
    this.#readMs = -Infinity;
    this.#readingMs = undefined;
    this.#scheduleNext();
  }

  /** Stops the clock: no tick runs after this returns. */
  stop(): void {
    this.#cancel?.();
    this.#cancelMidTick?.();
    this.#cancel = this.#cancelMidTick = undefined;
  }

  /**
   * Call it with each message that a peer sends in excess, and with each hello. If a late tick has
   * waited `READING_MS_MAX` for the sockets, it runs within this call, and what is still unread is
   * read afterwards. Such messages therefore delay no tick.
   */
  hurry(): void {
    if (!this.#isRunning() || !this.#mustReadFirst()) return;
    const nowMs = this.#scheduler.now();
    // While sockets are read, the timer of a due tick cannot fire.
    this.#readingMs ??= nowMs;
    if (nowMs - this.#readingMs < READING_MS_MAX) return;
    this.#cancel!();
    this.#endReading();
  }

  /**
   * Looks at the clock shortly before a tick is due. The sockets are read before the next timer
   * fires.
   */
  #look(): void {
    const dueMs = this.#dueMs();
    const nowMs = this.#scheduler.now();
    if (nowMs < dueMs) {
      this.#readMs = nowMs;
      this.#callAt(dueMs, () => this.#wake());
    } else if (this.#readMs < dueMs) this.#readFirst(READING_TURNS_MAX);
    else this.#wake();
  }

  #wake(): void {
    if (this.#mustReadFirst()) return this.#readFirst(READING_TURNS_MAX);
    try {
      this.#dropOldest();
      // If a tick came due while others were caught up, its commands wait in the sockets as well.
      for (
        let ran = 0;
        ran < CATCH_UP_TICKS_MAX && this.#isDue() && !this.#mustReadFirst();
        ran++
      ) {
        this.#run();
      }
    } finally {
      if (this.#isRunning()) this.#scheduleNext();
    }
  }

  /** Whether the next tick is late and the sockets have not been read since it was due. */
  #mustReadFirst(): boolean {
    return this.overdueMs > LATE_MS && this.#readMs < this.#dueMs();
  }

  /** Lets the event loop read the sockets, then runs what is due. @param turns at least 1 */
  #readFirst(turns: number): void {
    this.#readingMs ??= this.#scheduler.now();
    this.#cancel = this.#scheduler.after(
      0,
      () => turns > 1 ? this.#readFirst(turns - 1) : this.#endReading(),
    );
  }

  #endReading(): void {
    this.#readMs = this.#readingMs!;
    this.#readingMs = undefined;
    this.#wake();
  }

  #run(): void {
    const dueMs = this.#dueMs();
    this.#next++;
    this.#ticks++;
    this.#options.onTick(dueMs);
  }

  /** Drops the due ticks that will not be caught up. */
  #dropOldest(): void {
    const due = Math.floor(((this.#scheduler.now() - this.#dueMs()) * this.#options.hz) / 1000) + 1;
    if (due <= CATCH_UP_TICKS_MAX) return;
    this.#next += due - CATCH_UP_TICKS_MAX;
    this.#recent.drop(due - CATCH_UP_TICKS_MAX, this.#scheduler.now());
    this.#options.onDropped(due - CATCH_UP_TICKS_MAX);
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
    if (this.#mustReadFirst()) return this.#readFirst(READING_TURNS_MAX);
    this.#callAt(this.#dueMs() - LOOK_MS, () => this.#look());
    this.#scheduleMidTick();
  }

  /** Calls `action` at a time, or soon if that time has passed. */
  #callAt(timeMs: number, action: () => void): void {
    // Rounded up, because timers take whole milliseconds, and one that fired early would find no
    // due tick.
    const delayMs = Math.ceil(Math.max(0, timeMs - this.#scheduler.now()));
    this.#cancel = this.#scheduler.after(delayMs, action);
  }

  /** Schedules the middle before the next tick. */
  #scheduleMidTick(): void {
    const { onMidTick, hz } = this.#options;
    const delayMs = Math.ceil(this.#dueMs() - 500 / hz - this.#scheduler.now());
    this.#cancelMidTick?.();
    this.#cancelMidTick = onMidTick === undefined || delayMs <= 0
      ? undefined
      : this.#scheduler.after(delayMs, () => {
        // After a stall the tick comes first, because it recognises the messages that waited.
        if (!this.#isDue()) onMidTick();
      });
  }
}
