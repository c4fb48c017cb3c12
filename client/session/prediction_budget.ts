/**
 * Limits how far this client predicts ahead of the definitive tick, by its machine's speed.
 *
 * A rollback steps all predicted ticks again, so a slow client that is far ahead would get slower
 * and slower (DESIGN 12.3: Mortal Kombat). Therefore it predicts only as many ticks as it can
 * resimulate in half a tick's time. Its commands go out on time all the same, and the player sees
 * their effect a little later.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { RESIMULATION_TICKS_MAX } from "./predictor.ts";

/** The share of a tick's time that a rollback may take; the rest is for frames. */
const SHARE_OF_TICK = 0.5;
/**
 * A more expensive step raises the estimate by a fifth, a cheaper one lowers it. So the estimate
 * converges to the median, and a single pause hardly moves it.
 */
const GAIN = 1.2;
/** The initial and the lowest estimate, ms per step. */
const STEP_MS_FIRST = 0.5;
const STEP_MS_MIN = 0.05;
/** The lower limit. It suffices to play, if badly, at a round trip of about 100 ms. */
const AHEAD_TICKS_MIN = 3;

export class PredictionBudget {
  readonly #clock: Clock;
  readonly #budgetMs: number;
  #stepMs = STEP_MS_FIRST;

  constructor(tickHz: number, clock: Clock) {
    this.#clock = clock;
    this.#budgetMs = SHARE_OF_TICK * 1000 / tickHz;
  }

  /**
   * Runs `resimulate` and measures its cost per step.
   * @param resimulate returns how many ticks it stepped
   * @returns that number
   */
  measure(resimulate: () => number): number {
    const beganMs = this.#clock.now();
    const steps = resimulate();
    if (steps > 0) this.#addSample((this.#clock.now() - beganMs) / steps);
    return steps;
  }

  /**
   * The limit in ticks beyond the newest definitive one, `AHEAD_TICKS_MIN` …
   * `RESIMULATION_TICKS_MAX`.
   */
  get aheadTicks(): Tick {
    const affordable = Math.floor(this.#budgetMs / this.#stepMs);
    return Math.max(AHEAD_TICKS_MIN, Math.min(RESIMULATION_TICKS_MAX, affordable));
  }

  #addSample(stepMs: number): void {
    const factor = stepMs > this.#stepMs ? GAIN : 1 / GAIN;
    this.#stepMs = Math.max(STEP_MS_MIN, Math.min(this.#budgetMs, this.#stepMs * factor));
  }
}
