/**
 * How far this machine can run ahead of what is definitive. A rollback steps all of that again, so who is slow and runs far
 * ahead gets slower and slower: he is held back to what he can step again in half a tick's time. His commands go out all the
 * same; he sees what they do a little later.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { RESIMULATION_TICKS_MAX } from "./predictor.ts";

/** The share of a tick's time for a rollback; the rest is for pictures. */
const SHARE_OF_TICK = 0.5;
/** A dearer step moves the estimate up by a fifth, a cheaper one down: it ends at the median, and one pause hardly moves it. */
const GAIN = 1.2;
/** What a step is taken for at first, and at the least, ms. */
const STEP_MS_FIRST = 0.5, STEP_MS_MIN = 0.05;
/** Whoever cannot afford that much plays, if badly, on a line of some 100 ms. */
const AHEAD_TICKS_MIN = 3;

export class PredictionBudget {
  readonly #clock: Clock;
  readonly #budgetMs: number;
  #stepMs = STEP_MS_FIRST;

  constructor(tickHz: number, clock: Clock) {
    this.#clock = clock;
    this.#budgetMs = SHARE_OF_TICK * 1000 / tickHz;
  }

  /** Steps again, and takes note of what it costs. @param resimulate says how many ticks it was */
  measure(resimulate: () => number): number {
    const beganMs = this.#clock.now();
    const steps = resimulate();
    if (steps > 0) this.#addSample((this.#clock.now() - beganMs) / steps);
    return steps;
  }

  /** How many ticks it may run ahead of the newest definitive one. */
  get aheadTicks(): Tick {
    const affordable = Math.floor(this.#budgetMs / this.#stepMs);
    return Math.max(AHEAD_TICKS_MIN, Math.min(RESIMULATION_TICKS_MAX, affordable));
  }

  #addSample(stepMs: number): void {
    const factor = stepMs > this.#stepMs ? GAIN : 1 / GAIN;
    this.#stepMs = Math.max(STEP_MS_MIN, Math.min(this.#budgetMs, this.#stepMs * factor));
  }
}
