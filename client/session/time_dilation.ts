/**
 * When is it time for the next tick? This client runs ahead of the server by its lead, so that its commands are there in time.
 *
 *     head(now) = server(now) + lead,     lead moves toward the advised one by at most 5 % of real time
 *
 * The head is continuous, and a command is sent at the moment when it reaches the command's tick: so the phase is locked, and a
 * command comes as much before its tick as the advice wants, not up to a tick earlier.
 *
 * `server(now)` is what the round trips at the join say, and drifts along with the clocks, hardly faster than they do: an error
 * that stays is the same in every lead and every delay, so the advice contains it; one that jumps would look like jitter. The
 * clock jumps only at the join, after a pause, or when it is off by more than half a second.
 */

/** Faster or slower than 5 % a player would feel (DESIGN 12.3: lightyear's figure); a little less, for timers are not exact. */
const RATE_MAX = 0.0495;
/** How soon a small difference would be gone at the rate it begins with, ms. */
const CONVERGE_MS = 200;
/** Half a second off is no drift: a tab was hidden or a line changed. */
const LEAD_JUMP_MS = 500;
/** What a corrected server clock moves by at a time: once a second, as fast as clocks that differ by 300 ppm. */
const ANCHOR_STEP_MS = 0.3;
/** An error this large is no drift: the machine slept. Nothing but a new beginning helps. */
const ANCHOR_JUMP_MS = 250;

export class TimeDilation {
  readonly #tickMs: number;
  /** The server's tick at the local time 0. */
  #serverTicksAtZero = 0;
  #headTicks = 0;
  #nowMs = 0;
  #advisedMs = 0;

  constructor(tickHz: number) {
    this.#tickMs = 1000 / tickHz;
  }

  /** Begins, or begins anew. @param serverTicks where the server's clock is at `nowMs` */
  begin(nowMs: number, { serverTicks, leadMs }: { serverTicks: number; leadMs: number }): void {
    this.#nowMs = nowMs;
    this.#serverTicksAtZero = serverTicks - nowMs / this.#tickMs;
    this.#advisedMs = leadMs;
    this.#headTicks = serverTicks + leadMs / this.#tickMs;
  }

  /** Corrects where the server's clock is, a little at a time; the head stays where it is, so the lead changes. */
  anchor(nowMs: number, serverTicks: number): void {
    this.advance(nowMs);
    const errorMs = (serverTicks - nowMs / this.#tickMs - this.#serverTicksAtZero) * this.#tickMs;
    const stepMs = Math.abs(errorMs) > ANCHOR_JUMP_MS
      ? errorMs
      : Math.max(-ANCHOR_STEP_MS, Math.min(ANCHOR_STEP_MS, errorMs));
    this.#serverTicksAtZero += stepMs / this.#tickMs;
  }

  /** Takes the server's advice: from now on, not for the time since the last `advance`. */
  advise(nowMs: number, leadMs: number): void {
    this.advance(nowMs);
    this.#advisedMs = leadMs;
  }

  /** Lets time pass. */
  advance(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#nowMs);
    const missingMs = this.#advisedMs - this.leadMs;
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#headTicks += elapsedMs * (1 + this.#rate(missingMs, elapsedMs)) / this.#tickMs;
    if (Math.abs(this.#advisedMs - this.leadMs) > LEAD_JUMP_MS) this.#headTicks = this.#headTicksAt(this.#advisedMs);
  }

  /** The tick that the head should be at now, with its fraction. */
  get headTicks(): number {
    return this.#headTicks;
  }

  /** How far ahead of the server this client is now, ms. */
  get leadMs(): number {
    return (this.#headTicks - this.#serverTicks) * this.#tickMs;
  }

  /** Where the server's clock will be in so many ms, in ticks. */
  serverTicksIn(ms: number): number {
    return this.#serverTicks + ms / this.#tickMs;
  }

  /** What the server has advised last, ms; before that the lead to begin with. */
  get advisedMs(): number {
    return this.#advisedMs;
  }

  /** When the head reaches `tick`, at the present rate. */
  dueMs(tick: number): number {
    const missingMs = this.#advisedMs - this.leadMs;
    return this.#nowMs + (tick - this.#headTicks) * this.#tickMs / (1 + this.#rate(missingMs, 0));
  }

  /** Never past the goal within one step, however long it is. */
  #rate(missingMs: number, elapsedMs: number): number {
    const rate = missingMs / Math.max(CONVERGE_MS, elapsedMs);
    return Math.max(-RATE_MAX, Math.min(RATE_MAX, rate));
  }

  get #serverTicks(): number {
    return this.#serverTicksAtZero + this.#nowMs / this.#tickMs;
  }

  #headTicksAt(leadMs: number): number {
    return this.#serverTicks + leadMs / this.#tickMs;
  }
}
