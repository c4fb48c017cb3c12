/**
 * Two ways to guess how long the next command will take, and the lead that is cheapest by each. DESIGN 8 calls them A and B.
 *
 *     quick:  location + spread · argmin over z of (z + price/spread · P(Z > z)),   Z = (delay − location) / spread
 *     slow:   argmin over d of (d + price · P(delay > d))
 *
 * The quick one knows at once how wide the jitter is now, and from long ago what its tail looks like; the slow one remembers
 * rare stalls for what they were, in ms.
 */
import { DecayingHistogram } from "./decaying_histogram.ts";

/** How many ticks back it is remembered what was advised: a client that is farther behind than that cannot be judged. */
const ADVICE_HISTORY_TICKS = 64;

/**
 * No more late than this by either estimate, whatever the waiting costs. A line that is quiet but for pauses or stalls is narrow,
 * so its price is low, and is late where it matters: of late commands one in twenty moves the own dragon by more than 5 cm.
 */
const LATE_SHARE_MAX = 0.015;

/** What is remembered of a tick: the quick one's location and spread, and what each estimator has wanted, ms. */
const LOCATION = 0, SPREAD = 1;
export const QUICK_LEAD = 2, SLOW_LEAD = 3;
const COLUMNS = 4;

/** What is worked out once a tick, kept for when the client's commands show what it knew of it. */
export class TickHistory {
  readonly #values = new Float64Array(ADVICE_HISTORY_TICKS * COLUMNS);
  #newest = 0;

  /** As if it had always been so. */
  fill(column: number, value: number): void {
    for (let i = column; i < this.#values.length; i += COLUMNS) this.#values[i] = value;
  }

  /** A newer tick than all before: what was last put is in force, and was in the ticks between. */
  beginTick(tick: number): void {
    const values = this.#values, before = offsetOf(this.#newest);
    for (let missed = Math.max(this.#newest + 1, tick - ADVICE_HISTORY_TICKS + 1); missed <= tick; missed++) {
      const offset = offsetOf(missed);
      for (let i = 0; i < COLUMNS; i++) values[offset + i] = values[before + i]!;
    }
    this.#newest = tick;
  }

  /** From the tick that has begun on. */
  set(column: number, value: number): void {
    this.#values[offsetOf(this.#newest) + column] = value;
  }

  /** The value of `tick`, or of the nearest tick that is remembered. */
  get(column: number, tick: number): number {
    const nearest = Math.min(this.#newest, Math.max(tick, this.#newest - ADVICE_HISTORY_TICKS + 1, 0));
    return this.#values[offsetOf(nearest) + column]!;
  }
}

function offsetOf(tick: number): number {
  return tick % ADVICE_HISTORY_TICKS * COLUMNS;
}

/** The location follows the newest delay by this share of the way. */
const LOCATION_GAIN = 0.2;
/** The spread widens quickly and narrows slowly: too narrow costs late commands, too wide some ms. */
const SPREAD_GAIN_UP = 1 / 15;
const SPREAD_GAIN_DOWN = 1 / 50;
/** One outlier moves neither by more than as many spreads: outliers are the tail's business. */
const STEP_SPREADS_MAX = 3.5;
/** Timers and rounding alone are as wide as this, ms. */
const SPREAD_MS_MIN = 0.5;
/** At the first command: of the margin that the client took after its pings. */
const SPREAD_PER_MARGIN = 0.25;
/** The tail in spreads: a stall of 300 ms on a quiet line is eighty of them. */
const TAIL = { from: -2, bins: 328, width: 0.25, decay: 0.9998 };
/** Before anything is known the tail is taken for an exponential one, as certain as so many commands. */
const TAIL_PRIOR_COMMANDS = 300;
const TAIL_PRIOR_STEP = 0.5;
const TAIL_PRIOR_DECAY = 0.65;

/** Location, spread, and the tail of what is divided by the spread. */
export class QuickEstimator {
  readonly #tail = new DecayingHistogram(TAIL);
  readonly #history: TickHistory;
  #locationMs = 0;
  #spreadMs = SPREAD_MS_MIN;

  /** @param history where it keeps its own */
  constructor(history: TickHistory) {
    this.#history = history;
    let share = 1 - TAIL_PRIOR_DECAY;
    for (let z = 0; z < 20; z += TAIL_PRIOR_STEP) {
      this.#tail.add(z, TAIL_PRIOR_COMMANDS * share / 2);
      share *= TAIL_PRIOR_DECAY;
    }
  }

  /** The first delay is known. @param marginMs how much longer a lead the client had taken */
  begin(delayMs: number, marginMs: number): void {
    this.#locationMs = delayMs;
    this.#spreadMs = Math.max(SPREAD_MS_MIN, SPREAD_PER_MARGIN * marginMs);
    this.#history.fill(LOCATION, this.#locationMs);
    this.#history.fill(SPREAD, this.#spreadMs);
  }

  /** How far a delay is from the ordinary one, ms; an outlier counts as a few spreads. */
  distanceMs(delayMs: number): number {
    return Math.min(Math.abs(delayMs - this.#locationMs), STEP_SPREADS_MAX * this.#spreadMs);
  }

  /** Takes note of a delay. @param received the newest tick whose advice its sender had */
  observe(delayMs: number, received: number): void {
    // Against what was in force for this command: judged by what is known since, a stall would look foreseen.
    this.#tail.add((delayMs - this.#history.get(LOCATION, received)) / this.#history.get(SPREAD, received));
  }

  /** Moves with the newest delay of the tick that has begun. @returns the lead that is cheapest, ms */
  endTick({ delayMs, priceMs }: { delayMs: number; priceMs: number }): number {
    const distanceMs = this.distanceMs(delayMs);
    const gain = distanceMs > this.#spreadMs ? SPREAD_GAIN_UP : SPREAD_GAIN_DOWN;
    this.#locationMs += LOCATION_GAIN * (delayMs < this.#locationMs ? -distanceMs : distanceMs);
    this.#spreadMs = Math.max(SPREAD_MS_MIN, this.#spreadMs + gain * (distanceMs - this.#spreadMs));
    this.#history.set(LOCATION, this.#locationMs);
    this.#history.set(SPREAD, this.#spreadMs);
    return this.#locationMs + this.#spreadMs * this.#tail.cheapestBound(priceMs / this.#spreadMs, LATE_SHARE_MAX);
  }
}

/** Delays in ms; one beyond the last bin is a stall that no lead should prepare for. Half forgotten after 35 s. */
const DELAYS = { from: 0, bins: 800, width: 1, decay: 0.999 };
/** The first delay counts as so many: a stall in the first seconds is one command in a hundred, not one in ten. */
const FIRST_DELAY_COMMANDS = 300;
/** The slow lead comes down by at most so much a tick, ms: 10 ms a second. */
const SHRINK_MS = 0.5;
/** It is worked out anew only so often, in ticks: its histogram is long and changes little. */
const RECOMPUTE_TICKS = 4;

/** The histogram of delays. */
export class SlowEstimator {
  readonly #delays = new DecayingHistogram(DELAYS);
  #boundMs = 0;
  #leadMs = 0;

  /** The first delay is known. */
  begin(delayMs: number): void {
    this.#delays.add(delayMs, FIRST_DELAY_COMMANDS);
  }

  observe(delayMs: number): void {
    this.#delays.add(delayMs);
  }

  /** Once a tick. @returns the lead that is cheapest, ms */
  endTick(tick: number, priceMs: number): number {
    if (tick % RECOMPUTE_TICKS === 0 || this.#boundMs === 0) {
      this.#boundMs = this.#delays.cheapestBound(priceMs, LATE_SHARE_MAX);
    }
    this.#leadMs = Math.max(this.#boundMs, this.#leadMs - SHRINK_MS);
    return this.#leadMs;
  }
}
