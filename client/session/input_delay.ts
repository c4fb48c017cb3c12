/**
 * Input delay: the head runs some ticks behind the client's clock, so that it guesses fewer ticks
 * for other players.
 *
 *     clock(now) = server(now) + lead        the client issues each command when its clock reaches the command's tick
 *     head(now)  = clock(now) − delay        a key acts when the head reaches that tick
 *
 * The server does not notice, because each command arrives as early as without a delay. The player
 * pays, because their own keys show later. INVERSUS raises its delay with the network for the same
 * reason.
 *
 * A changed delay moves gradually, and meanwhile only the head runs faster or slower. Commands go
 * out by the clock, one for each tick, so no press is lost, repeated or merged.
 */
import { RATE_MAX } from "./time_dilation.ts";

/** A player's choice: a delay in ticks, or one that follows from the network. */
export const INPUT_DELAYS = ["automatic", 0, 1, 2, 3] as const;
export type InputDelayChoice = typeof INPUT_DELAYS[number];

/**
 * From the n-th lead on, ms, the delay is n ticks. DESIGN 8 argues the leads from what a tick of
 * delay gains.
 */
const LEADS_MS = [125, 225, 325] as const;
/** A delay stays until the lead is this much shorter than the one at which it began, ms. */
const HYSTERESIS_MS = 25;
/**
 * How long a lead must call for another delay, ms. Spikes in the advised lead are over sooner. A
 * connection that gets worse again and again keeps its delay, because hands adapt to a delay but
 * not to its changes.
 */
const RAISE_AFTER_MS = 3000;
const LOWER_AFTER_MS = 20_000;

/**
 * Computes the automatic delay for a lead, whole ticks 0 … 3.
 * @param delayTicks the delay in force, which a small change keeps
 */
export function automaticDelay(leadMs: number, delayTicks: number): number {
  const least = LEADS_MS.filter((fromMs) => leadMs >= fromMs).length;
  const most = LEADS_MS.filter((fromMs) => leadMs >= fromMs - HYSTERESIS_MS).length;
  return Math.max(least, Math.min(most, delayTicks));
}

export class InputDelay {
  readonly #tickMs: number;
  #nowMs = 0;
  #clockTicks = 0;
  /** The delay in force, with a fraction while it changes. */
  #ticks = 0;
  /** The delay toward which it moves, whole ticks. */
  #targetTicks = 0;
  /**
   * Since when the lead calls for a longer delay, or a shorter one, ms; the time of the last
   * `advance` if it does not.
   */
  #longerSinceMs = 0;
  #shorterSinceMs = 0;

  constructor(tickHz: number) {
    this.#tickMs = 1000 / tickHz;
  }

  /**
   * Starts with the delay that fits at once, because the player has not played yet.
   * @param start.clockTicks the clock at `nowMs`
   */
  begin(
    nowMs: number,
    { clockTicks, choice, leadMs }: {
      clockTicks: number;
      choice: InputDelayChoice;
      leadMs: number;
    },
  ): void {
    this.#nowMs = this.#longerSinceMs = this.#shorterSinceMs = nowMs;
    this.#clockTicks = clockTicks;
    this.#ticks = this.#targetTicks = choice === "automatic" ? automaticDelay(leadMs, 0) : choice;
  }

  /**
   * Moves the delay. The head's rate stays within 5 % of real time, so the lead (SPEC 5.2) takes
   * precedence.
   * @param options.clockTicks the clock at `nowMs`
   * @param options.leadMs the advised lead, ms
   */
  advance(
    nowMs: number,
    { clockTicks, choice, leadMs }: {
      clockTicks: number;
      choice: InputDelayChoice;
      leadMs: number;
    },
  ): void {
    this.#targetTicks = choice === "automatic" ? this.#automaticTarget(nowMs, leadMs) : choice;
    const elapsedTicks = Math.max(0, nowMs - this.#nowMs) / this.#tickMs;
    const dilation = clockTicks - this.#clockTicks - elapsedTicks;
    const room = RATE_MAX * elapsedTicks;
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#clockTicks = clockTicks;
    const down = Math.min(0, dilation - room);
    const up = Math.max(0, dilation + room);
    this.#ticks += Math.max(down, Math.min(up, this.#targetTicks - this.#ticks));
  }

  /** The delay in force, ticks 0 … 3. */
  get ticks(): number {
    return this.#ticks;
  }

  #automaticTarget(nowMs: number, leadMs: number): number {
    const target = this.#targetTicks;
    const fitting = automaticDelay(leadMs, target);
    if (fitting <= target) this.#longerSinceMs = nowMs;
    if (fitting >= target) this.#shorterSinceMs = nowMs;
    const isDue = nowMs - this.#longerSinceMs >= RAISE_AFTER_MS ||
      nowMs - this.#shorterSinceMs >= LOWER_AFTER_MS;
    if (!isDue) return target;
    this.#longerSinceMs = this.#shorterSinceMs = nowMs;
    return target + Math.sign(fitting - target);
  }
}
