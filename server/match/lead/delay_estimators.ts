/**
 * Two estimates of the next command's delay, and the lead of least cost by each. DESIGN 8 calls the
 * quick one A and the slow one B; DESIGN 12.2 shows how little single parameters matter.
 *
 *     quick:  location + spread · argmin over z of (z + price/spread · P(Z > z)),   Z = (delay − location) / spread
 *     slow:   argmin over d of (d + price · P(delay > d))
 *
 * The quick estimator follows the present width of the jitter at once and remembers the shape of
 * its tail for minutes. The slow estimator remembers rare stalls at their full length in ms.
 */
import { DecayingHistogram } from "./decaying_histogram.ts";

/**
 * Ticks of history. If a client has received nothing for longer, its commands are scored by the
 * oldest tick.
 */
const ADVICE_HISTORY_TICKS = 64;

/**
 * What a late command costs: `priceMs` of waiting; and the largest accepted share of late commands.
 */
export interface LateCost {
  readonly priceMs: number;
  readonly lateShareMax: number;
}

/**
 * Columns of the history: the quick estimator's location and spread, and each estimator's lead, ms.
 */
const LOCATION = 0;
const SPREAD = 1;
export const QUICK_LEAD = 2;
export const SLOW_LEAD = 3;
const COLUMNS = 4;

/**
 * The estimators' values in the newest ticks. A command is scored by the newest tick that its
 * client had received, because that tick carried the advice that the client followed.
 */
export class TickHistory {
  readonly #values = new Float64Array(ADVICE_HISTORY_TICKS * COLUMNS);
  #newest = 0;

  /** Sets a column for all ticks. */
  fill(column: number, value: number): void {
    for (let i = column; i < this.#values.length; i += COLUMNS) this.#values[i] = value;
  }

  /**
   * Begins a tick newer than all before. It inherits the previous tick's values, and so do the
   * ticks in between.
   */
  beginTick(tick: number): void {
    const values = this.#values;
    const before = offsetOf(this.#newest);
    for (
      let missed = Math.max(this.#newest + 1, tick - ADVICE_HISTORY_TICKS + 1);
      missed <= tick;
      missed++
    ) {
      const offset = offsetOf(missed);
      for (let i = 0; i < COLUMNS; i++) values[offset + i] = values[before + i]!;
    }
    this.#newest = tick;
  }

  /** Sets a value of the newest tick. */
  set(column: number, value: number): void {
    this.#values[offsetOf(this.#newest) + column] = value;
  }

  /** The value of `tick`, or of the nearest tick in the history. */
  get(column: number, tick: number): number {
    const nearest = Math.min(
      this.#newest,
      Math.max(tick, this.#newest - ADVICE_HISTORY_TICKS + 1, 0),
    );
    return this.#values[offsetOf(nearest) + column]!;
  }
}

function offsetOf(tick: number): number {
  return tick % ADVICE_HISTORY_TICKS * COLUMNS;
}

/** The share of the distance to the newest delay that the location moves. */
const LOCATION_GAIN = 0.2;
/**
 * The spread widens fast and narrows slowly, because too narrow a spread costs late commands, and
 * too wide a one only some ms.
 */
const SPREAD_GAIN_UP = 1 / 15;
const SPREAD_GAIN_DOWN = 1 / 50;
/** Limits one delay's effect on location and spread, in spreads. The tail covers outliers. */
const STEP_SPREADS_MAX = 3.5;
/** Timers and rounding alone cause this spread, ms. */
const SPREAD_MS_MIN = 0.5;
/** The first spread, as a share of the margin that the client added after its pings. */
const SPREAD_PER_MARGIN = 0.25;
/**
 * The tail's bins in spreads, up to 80, which is a stall of 300 ms on a quiet network. Half of the
 * weight is gone after 3 minutes.
 */
const TAIL = { from: -2, bins: 328, width: 0.25, decay: 0.9998 };
/** Before the first command the tail is exponential, with this many commands' weight. */
const TAIL_PRIOR_COMMANDS = 300;
const TAIL_PRIOR_STEP = 0.5;
const TAIL_PRIOR_DECAY = 0.65;

/** Tracks the delay's location and spread, and the tail of ( delay − location ) / spread. */
export class QuickEstimator {
  readonly #tail = new DecayingHistogram(TAIL);
  readonly #history: TickHistory;
  #locationMs = 0;
  #spreadMs = SPREAD_MS_MIN;

  /** @param history keeps each tick's location and spread */
  constructor(history: TickHistory) {
    this.#history = history;
    let share = 1 - TAIL_PRIOR_DECAY;
    for (let z = 0; z < 20; z += TAIL_PRIOR_STEP) {
      this.#tail.add(z, TAIL_PRIOR_COMMANDS * share / 2);
      share *= TAIL_PRIOR_DECAY;
    }
  }

  /** Starts with the first delay. @param marginMs the first lead − the first delay */
  begin(delayMs: number, marginMs: number): void {
    this.#locationMs = delayMs;
    this.#spreadMs = Math.max(SPREAD_MS_MIN, SPREAD_PER_MARGIN * marginMs);
    this.#history.fill(LOCATION, this.#locationMs);
    this.#history.fill(SPREAD, this.#spreadMs);
  }

  /** A delay's distance from the location, ms; at most `STEP_SPREADS_MAX` spreads. */
  distanceMs(delayMs: number): number {
    return Math.min(Math.abs(delayMs - this.#locationMs), STEP_SPREADS_MAX * this.#spreadMs);
  }

  /** Records a delay. @param received the newest tick from which the client had advice */
  observe(delayMs: number, received: number): void {
    // Measured by the location and spread when the command was sent, because by the present ones a
    // stall would look predicted.
    this.#tail.add(
      (delayMs - this.#history.get(LOCATION, received)) / this.#history.get(SPREAD, received),
    );
  }

  /** Moves location and spread to the newest delay. @returns the lead of least cost, ms */
  endTick(delayMs: number, { priceMs, lateShareMax }: LateCost): number {
    const distanceMs = this.distanceMs(delayMs);
    const gain = distanceMs > this.#spreadMs ? SPREAD_GAIN_UP : SPREAD_GAIN_DOWN;
    this.#locationMs += LOCATION_GAIN * (delayMs < this.#locationMs ? -distanceMs : distanceMs);
    this.#spreadMs = Math.max(SPREAD_MS_MIN, this.#spreadMs + gain * (distanceMs - this.#spreadMs));
    this.#history.set(LOCATION, this.#locationMs);
    this.#history.set(SPREAD, this.#spreadMs);
    return this.#locationMs +
      this.#spreadMs * this.#tail.cheapestBound(priceMs / this.#spreadMs, lateShareMax);
  }
}

/**
 * Bins of delays, ms. A longer delay is a stall that no lead should cover. Half of the weight is
 * gone after 35 s.
 */
const DELAYS = { from: 0, bins: 800, width: 1, decay: 0.999 };
/**
 * The first delay's weight, in commands. It makes a stall in the first seconds count as one command
 * in a hundred instead of one in ten.
 */
const FIRST_DELAY_COMMANDS = 300;
/** Limits how fast the slow lead falls, ms per tick: 10 ms a second. */
const SHRINK_MS = 0.5;
/** Ticks between two searches for the bound, because the histogram is long and changes little. */
const RECOMPUTE_TICKS = 4;

/** A histogram of the delays in ms. */
export class SlowEstimator {
  readonly #delays = new DecayingHistogram(DELAYS);
  #boundMs = 0;
  #leadMs = 0;

  /** Starts with the first delay. */
  begin(delayMs: number): void {
    this.#delays.add(delayMs, FIRST_DELAY_COMMANDS);
  }

  observe(delayMs: number): void {
    this.#delays.add(delayMs);
  }

  /** Ends a tick. @returns the lead of least cost, ms */
  endTick(tick: number, { priceMs, lateShareMax }: LateCost): number {
    if (tick % RECOMPUTE_TICKS === 0 || this.#boundMs === 0) {
      this.#boundMs = this.#delays.cheapestBound(priceMs, lateShareMax);
    }
    this.#leadMs = Math.max(this.#boundMs, this.#leadMs - SHRINK_MS);
    return this.#leadMs;
  }
}
