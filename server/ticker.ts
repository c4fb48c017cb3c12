/**
 * Runs the server's ticks on its only real clock. Ticks are due at absolute times, so the lateness
 * of one tick does not delay the next (DESIGN 12.4 compares `setInterval`):
 *
 *     due(k) = origin + k / hz
 *
 * After a delay the ticker drops all due ticks but the newest `CATCH_UP_TICKS_MAX`, reports their
 * number, and runs the others at once. The dropped ticks are the oldest ones. So the ticks that run
 * are due when their numbers say: a clock that counts ticks from the newest due time is right at
 * once.
 *
 * While the process stands still, commands arrive at its sockets in time, and when it goes on, its
 * timers fire before any socket is read. A tick that ran then would throw those commands away. So
 * the ticker looks at its clock shortly before a tick is due. The event loop reads the sockets
 * between that look and the tick:
 *
 *     look, 5 ms before · sockets · due, run
 *     look, too late    · two turns in which sockets are read · drop the oldest · run
 */
import { LATE_MS } from "./match/tick_times.ts";
import { RecentTicks } from "./recent_ticks.ts";
import type { Clock } from "../shared/netcode/link.ts";

/** Milliseconds since the process began. */
export const clock: Clock = { now: () => performance.now() };

/** Milliseconds since 1970. If the machine's clock is set back, this one is not. */
export const unixClock: Clock = { now: () => performance.timeOrigin + performance.now() };

/**
 * Milliseconds since 1970 by the machine's clock now, for times that other machines compare with
 * theirs. It goes back if that clock is set back, and is right again as soon as that clock is.
 */
export const wallClock: Clock = { now: () => Date.now() };

/** A time of day as ISO 8601. @param ms since 1970; by default now */
export function isoTime(ms?: number): string {
  return new Date(ms ?? Date.now()).toISOString();
}

/** Resolves after a time, ms. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Due ticks that may run in one go. At 20 Hz 4 ticks are 200 ms, enough for a pause of the garbage
 * collector or of a busy machine. With a higher limit a machine that is too slow would fall ever
 * further behind.
 */
export const CATCH_UP_TICKS_MAX = 4;

/**
 * The ticker looks so long before a tick is due, ms. Commands that arrive before the look are
 * taken, whatever pause of the process follows.
 */
export const LOOK_MS = 5;

/**
 * Turns of the event loop that a late tick gives to the sockets. The first one brings nearly all
 * that had arrived, and the second one what comes in several steps, as datagrams do. A turn is a
 * timer of 0 ms, because the loop waits for its sockets then. It does not before an immediate:
 * after eight of those, half of the messages were still unread.
 */
export const READING_TURNS_MAX = 2;

/** A flood of messages ends the reading when it has lasted for so long, ms (`hurry`). */
export const READING_MS_MAX = 5;

/** The clock and timer that a ticker uses. Tests replace them. */
export interface Scheduler extends Clock {
  /**
   * Calls `action` once, `delayMs` from now or a little later.
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
  /** Called in the middle between two ticks, but not after a late tick. */
  onMidTick?(): void;
  /**
   * Called when ticks were dropped, before the next one runs.
   * @param ticks number of ticks that will never run, at least 1
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
  /** When the reading began for which a late tick waits, ms; undefined if none waits. */
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

  /** Lateness of the next tick at this moment, ms; 0 if it is not due. */
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

  /** No tick runs after this returns. */
  stop(): void {
    this.#cancel?.();
    this.#cancelMidTick?.();
    this.#cancel = this.#cancelMidTick = undefined;
  }

  /**
   * Call it with each message that a peer sends in excess, and with each hello. A late tick that
   * has waited for the sockets for `READING_MS_MAX` runs within this call, and what is left unread
   * is read after it. So such messages delay no tick.
   */
  hurry(): void {
    if (!this.#isRunning() || !this.#mustReadFirst()) return;
    const nowMs = this.#scheduler.now();
    // While sockets are read, the timer of a tick that comes due cannot fire.
    this.#readingMs ??= nowMs;
    if (nowMs - this.#readingMs < READING_MS_MAX) return;
    this.#cancel!();
    this.#endReading();
  }

  /** Shortly before a tick is due. The sockets are read before the next timer fires. */
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
      // Commands for a tick that came due while others were caught up wait in the sockets as well.
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

  /** Whether the next tick is late, and the sockets have not been read since it was due. */
  #mustReadFirst(): boolean {
    return this.overdueMs > LATE_MS && this.#readMs < this.#dueMs();
  }

  /** Lets the event loop read the sockets, and then runs what is due. @param turns at least 1 */
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

  /** Calls `action` at a time, or soon if it has passed. */
  #callAt(timeMs: number, action: () => void): void {
    // Rounded up: a timer has whole milliseconds. One that fires early would find no due tick.
    const delayMs = Math.ceil(Math.max(0, timeMs - this.#scheduler.now()));
    this.#cancel = this.#scheduler.after(delayMs, action);
  }

  /** The middle before the next tick. */
  #scheduleMidTick(): void {
    const { onMidTick, hz } = this.#options;
    const delayMs = Math.ceil(this.#dueMs() - 500 / hz - this.#scheduler.now());
    this.#cancelMidTick?.();
    this.#cancelMidTick = onMidTick === undefined || delayMs <= 0
      ? undefined
      : this.#scheduler.after(delayMs, () => {
        // After a stall the tick is next: it recognises the messages that have waited.
        if (!this.#isDue()) onMidTick();
      });
  }
}
