/**
 * Runs this client's clock ahead of the server's by its lead, so that its commands arrive in time.
 *
 *     head(now) = server(now) + lead,     lead moves toward the advised one by at most 5 % of real time
 *
 * The head is continuous. An input delay lets the simulation follow it later (`input_delay.ts`).
 * The client sends a command at the moment when the head reaches its tick. This locks the phase:
 * the command arrives as much before its tick as the advice means, not up to a tick earlier.
 *
 * `server(now)` starts from the round trips at the join and drifts along with the clocks, hardly
 * faster than they do. A constant error is the same in every lead and every delay, so the advice
 * contains it. An error that jumps would look like jitter. The lead jumps only at the join, or when
 * it is off by more than half a second.
 */

/**
 * Players feel more than 5 % (DESIGN 12.3: lightyear's figure). The limit is slightly lower,
 * because timers are not exact.
 */
export const RATE_MAX = 0.0495;
/** A small difference would be gone after this time at its initial rate, ms. */
const CONVERGE_MS = 200;
/** A larger error of the lead is no drift, ms: a tab was hidden, or the network changed. */
const LEAD_JUMP_MS = 500;
/**
 * One correction moves the server clock by at most this, ms. At one pong a second it follows clocks
 * that differ by 300 ppm.
 */
const ANCHOR_STEP_MS = 0.3;
/** A larger error of the server clock is no drift, ms: a machine slept. It is corrected at once. */
const ANCHOR_JUMP_MS = 250;
/**
 * A page sends a command late if it is busy when the command is due. So much of that lateness
 * counts as the network's, ms, and the advice makes up for it. The rest is the page's own. In the
 * lab, pages with frames of 16 to 300 ms then have leads of at most 55 ms beyond what their
 * reliable link needs. Up to 60 ms, one command in a hundred is late.
 */
const LATENESS_MS_MAX = 25;

export class TimeDilation {
  readonly #tickMs: number;
  /** The server's tick at local time 0. */
  #serverTicksAtZero = 0;
  #headTicks = 0;
  #nowMs = 0;
  #advisedMs = 0;

  constructor(tickHz: number) {
    this.#tickMs = 1000 / tickHz;
  }

  /**
   * Starts or restarts the clock.
   * @param start.serverTicks the server's clock at `nowMs`, in ticks
   */
  begin(nowMs: number, { serverTicks, leadMs }: { serverTicks: number; leadMs: number }): void {
    this.#nowMs = nowMs;
    this.#serverTicksAtZero = serverTicks - nowMs / this.#tickMs;
    this.#advisedMs = leadMs;
    this.#headTicks = serverTicks + leadMs / this.#tickMs;
  }

  /**
   * Corrects the server clock by a small step. The head stays where it is, so the lead changes. A
   * jump, or a large error, is corrected at once, and the head moves along: the lead stays. So is
   * an error by which the head is behind the server: no command would be in time, and the server
   * advises only those that send some.
   */
  anchor(nowMs: number, serverTicks: number, isJump = false): void {
    this.advance(nowMs);
    const errorTicks = serverTicks - this.#serverTicks;
    const errorMs = errorTicks * this.#tickMs;
    const isBehind = this.leadMs > 0 && errorMs > this.leadMs;
    if (isJump || isBehind || Math.abs(errorMs) > ANCHOR_JUMP_MS) return this.shift(errorTicks);
    this.#serverTicksAtZero += Math.max(-ANCHOR_STEP_MS, Math.min(ANCHOR_STEP_MS, errorMs)) /
      this.#tickMs;
  }

  /** The server's clock jumps, and the head with it. */
  shift(ticks: number): void {
    this.#serverTicksAtZero += ticks;
    this.#headTicks += ticks;
  }

  /**
   * Takes the server's advice. It applies from now on, not to the time since the last `advance`.
   */
  advise(nowMs: number, leadMs: number): void {
    this.advance(nowMs);
    this.#advisedMs = leadMs;
  }

  /** Advances the head to `nowMs`. */
  advance(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#nowMs);
    const missingMs = this.#advisedMs - this.leadMs;
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#headTicks += elapsedMs * (1 + this.#rate(missingMs, elapsedMs)) / this.#tickMs;
    if (Math.abs(this.#advisedMs - this.leadMs) > LEAD_JUMP_MS) {
      this.#headTicks = this.#headTicksAt(this.#advisedMs);
    }
  }

  /** The head with its fraction, in ticks. */
  get headTicks(): number {
    return this.#headTicks;
  }

  /** How far ahead of the server this client is now, ms. */
  get leadMs(): number {
    return (this.#headTicks - this.#serverTicks) * this.#tickMs;
  }

  /** The server's clock in `ms` from now, in ticks. */
  serverTicksIn(ms: number): number {
    return this.#serverTicks + ms / this.#tickMs;
  }

  /**
   * The lead to report with a command for `tick` that is sent now. A command that goes out too late
   * shortens it, because the server takes the rest of its delay for the network's.
   */
  leadMsOf(tick: number, nowMs: number): number {
    const aheadMs = (tick - this.#serverTicksAtZero) * this.#tickMs - nowMs;
    return Math.min(this.leadMs, aheadMs + LATENESS_MS_MAX);
  }

  /** The newest advised lead, ms; before any advice, the lead at the start. */
  get advisedMs(): number {
    return this.#advisedMs;
  }

  /** The time at which the head reaches `tick` at the present rate, ms. */
  dueMs(tick: number): number {
    const missingMs = this.#advisedMs - this.leadMs;
    return this.#nowMs + (tick - this.#headTicks) * this.#tickMs / (1 + this.#rate(missingMs, 0));
  }

  /**
   * The relative correction of the rate. One step never overshoots the advised lead, however long
   * it is.
   */
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
