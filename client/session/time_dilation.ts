/**
 * Runs this client's clock ahead of the server's by its lead, so that commands arrive in time.
 *
 *     head(now) = server(now) + lead,     lead moves toward the advised one by at most 5 % of real time
 *
 * The head is continuous. An input delay lets the simulation follow it later (`input_delay.ts`).
 * The client sends a command at the moment when the head reaches the command's tick. This locks the
 * phase: the command arrives as long before its tick as the advice means, instead of up to a tick
 * earlier.
 *
 * `server(now)` starts from the round trips at the join and drifts along with the clocks, hardly
 * faster than they do. A constant error does no harm, because it is the same in every lead and
 * every delay, so the advice contains it; an error that jumps would look like jitter. The lead
 * jumps only at the join, or when it is off by more than half a second.
 */

/**
 * Players feel more than 5 % (DESIGN 12.3: lightyear's figure). The limit is slightly lower,
 * because timers are not exact.
 */
export const RATE_MAX = 0.0495;
/** After this time, at its initial rate, a small difference would be gone, ms. */
const CONVERGE_MS = 200;
/**
 * A larger error in the lead does not come from drift, ms: a tab was hidden, or the network
 * changed.
 */
const LEAD_JUMP_MS = 500;
/**
 * The most by which one correction moves the server clock, ms. At one pong a second it follows
 * clocks that differ by 300 ppm.
 */
const ANCHOR_STEP_MS = 0.3;
/**
 * A larger error in the server clock does not come from drift, ms: a machine slept. It is corrected
 * at once.
 */
const ANCHOR_JUMP_MS = 250;
/**
 * A page sends a command late if it is busy when the command is due. Up to this much lateness
 * counts as the network's, ms, and the advice makes up for it; the rest stays the page's own. In
 * the lab, pages with frames that take 16 to 300 ms then run leads that exceed what their reliable
 * link needs by at most 55 ms. With frames up to 60 ms, one command in a hundred is late.
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
   * jump, or a large error, is corrected at once, and the head moves along, so the lead stays. The
   * same holds for an error that puts the head behind the server, because no command would be in
   * time, and the server advises only clients that send some.
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

  /** Shifts the server's clock, and the head with it. */
  shift(ticks: number): void {
    this.#serverTicksAtZero += ticks;
    this.#headTicks += ticks;
  }

  /**
   * Takes the server's advice, which applies from now on but not to the time since the last
   * `advance`.
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

  /** The head in ticks, with a fraction. */
  get headTicks(): number {
    return this.#headTicks;
  }

  /** How far ahead of the server this client is now, ms. */
  get leadMs(): number {
    return (this.#headTicks - this.#serverTicks) * this.#tickMs;
  }

  /** The server's clock `ms` from now, in ticks. */
  serverTicksIn(ms: number): number {
    return this.#serverTicks + ms / this.#tickMs;
  }

  /**
   * Computes the lead to report with a command for `tick` that is sent now. A command that goes out
   * too late reports a shorter lead, because otherwise the server would take all its delay for the
   * network's.
   */
  leadMsOf(tick: number, nowMs: number): number {
    const aheadMs = (tick - this.#serverTicksAtZero) * this.#tickMs - nowMs;
    return Math.min(this.leadMs, aheadMs + LATENESS_MS_MAX);
  }

  /** The newest advised lead, ms; before any advice, the initial lead. */
  get advisedMs(): number {
    return this.#advisedMs;
  }

  /** When the head will reach `tick` at the present rate, ms. */
  dueMs(tick: number): number {
    const missingMs = this.#advisedMs - this.leadMs;
    return this.#nowMs + (tick - this.#headTicks) * this.#tickMs / (1 + this.#rate(missingMs, 0));
  }

  /**
   * Computes the relative correction to the rate. One step never overshoots the advised lead,
   * however long it takes.
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
