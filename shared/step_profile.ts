/**
 * Where the time of a stage's ticks goes. Shared code reads no clock, so whoever looks gives one.
 *
 *     const profile = new StepProfile(() => performance.now());
 *     stage.profile = profile;
 *
 * Each part of a step adds the time since the part before it. A stage without a profile tests one
 * field at each of these places.
 */

/** The parts of a step, in the order in which a tick passes them. */
export enum StepPart {
  /** Poses of bodies on paths, and the ways of projectiles with their hits. */
  MOVERS = 0,
  /** AABBs, and the search for new pairs. */
  BROAD_PHASE = 1,
  /** Touches and manifolds of the pairs, `shouldCollide` and `landsOn`. */
  NARROW_PHASE = 2,
  /** Islands with their velocities and positions, joints too. */
  SOLVER = 3,
  /** Times of impact, and what passes sensors. */
  IMPACTS = 4,
  /** The lists of the tick, and joints that break. */
  EVENTS = 5,
  /** `endTick`: all that makes the state one that a snapshot holds. */
  CANONICALIZE = 6,
  SAVE = 7,
  LOAD = 8,
}

/** The names of the parts, by their numbers. */
export const STEP_PART_NAMES = [
  "movers",
  "broadPhase",
  "narrowPhase",
  "solver",
  "impacts",
  "events",
  "canonicalize",
  "save",
  "load",
] as const;

export type StepPartName = typeof STEP_PART_NAMES[number];

/** The times of one or several stages since `clear`. It is no part of any state. */
export class StepProfile {
  /** Ticks that ended, saves and loads. */
  ticks = 0;
  saves = 0;
  loads = 0;
  readonly #clock: () => number;
  readonly #elapsed = new Float64Array(STEP_PART_NAMES.length);
  #since = 0;

  /** @param clock the time now, in any unit; the times of the parts have the same */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** A part of a step begins after something that does not count. The stage calls it. */
  begin(): void {
    this.#since = this.#clock();
  }

  /** A part of a step ends, and the next one begins. The stage calls it. */
  end(part: StepPart): void {
    const now = this.#clock();
    this.#elapsed[part]! += now - this.#since;
    this.#since = now;
  }

  /** The time that each part has taken, in all ticks, saves and loads together. */
  get elapsed(): Readonly<Record<StepPartName, number>> {
    return Object.fromEntries(
      STEP_PART_NAMES.map((name, part) => [name, this.#elapsed[part]!]),
    ) as Record<StepPartName, number>;
  }

  /** Begins anew. */
  clear(): void {
    this.#elapsed.fill(0);
    this.ticks = this.saves = this.loads = 0;
  }
}
