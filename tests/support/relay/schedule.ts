/**
 * Actions at moments of `performance.now`, by one timer. A timer of Deno takes whole milliseconds
 * and fires a constant time later. So an action runs up to half a millisecond early, or late, and
 * on average in time; a busy process is later.
 */

/** Half of a timer's unit, ms. */
const EARLY_MS = 0.5;
/** A timer of Deno 2.9.6 fires so much later than it should, ms: `setTimeout(…, 1)` takes 2.14. */
const TIMER_LATE_MS = 1.1;

interface Due {
  readonly atMs: number;
  readonly action: () => void;
}

export class Schedule {
  /** In the order of their time; equal times in the order of their call. */
  readonly #due: Due[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAtMs = Infinity;

  get length(): number {
    return this.#due.length;
  }

  /** Runs an action at a time, ms on `performance.now`. */
  at(atMs: number, action: () => void): void {
    let index = this.#due.length;
    while (index > 0 && this.#due[index - 1]!.atMs > atMs) index--;
    this.#due.splice(index, 0, { atMs, action });
    this.#arm();
  }

  /** Forgets all actions. */
  clear(): void {
    this.#due.length = 0;
    clearTimeout(this.#timer);
    this.#timerAtMs = Infinity;
  }

  #arm(): void {
    const atMs = this.#due[0]?.atMs ?? Infinity;
    if (atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(
      () => this.#run(),
      Math.max(0, Math.round(atMs - TIMER_LATE_MS - performance.now())),
    );
  }

  #run(): void {
    this.#timerAtMs = Infinity;
    while (this.#due.length > 0 && this.#due[0]!.atMs <= performance.now() + EARLY_MS) {
      this.#due.shift()!.action();
    }
    this.#arm();
  }
}
