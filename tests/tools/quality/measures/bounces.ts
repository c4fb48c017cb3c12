/**
 * Bounces: a ball drops on flat ground, and each bounce is compared with its ideal, drop ·
 * restitution^(2 · bounce).
 *
 * A symplectic step of h seconds adds gravity before it moves, so a stored speed v lags by half a
 * step. The height of a bounce is therefore read from any place of the parabola:
 *
 *     height = y − radius + (v − g h / 2)² / 2g
 */
import { type Engine, type Rate, RATES, type Scene } from "../../engines/scene.ts";

const GRAVITY = 10;
const RADII_M = [0.25, 0.5, 1];
const LOWEST_M = 0.15;
const HIGHEST_M = 12;
/** A drop's bounces from here on have gained or lost energy. */
const ABOVE = 1.1;
const BELOW = 0.8;
const FULL_BOUNCES = 15;
/**
 * The bounce that is measured with restitution 0.5, and the bounds of its height as shares of its
 * ideal.
 */
const HALF_BOUNCES = 3;
const HALF_MIN = 0.8;
const HALF_MAX = 1.1;
/** Metres. The engines keep bodies up to 1 cm apart, so a lower bounce has no measurable height. */
const IDEAL_MIN_M = 0.01;

/**
 * The places of a declaration that can have a restitution. A pair's own restitution is the stage's
 * alone.
 */
type Place = "ball" | "ground" | "pair";

interface Drop {
  readonly heightM: number;
  readonly radiusM: number;
  readonly rate: Rate;
  readonly restitution: number;
  readonly place: Place;
  /** The bounce whose height is measured. */
  readonly bounce: number;
}

interface Outcome {
  /** Height of the measured bounce over the ideal one; 0 if it never came. */
  readonly share: number;
  /** Metres: the deepest overlap at the end of a tick. */
  readonly depthM: number;
}

export interface Bounces {
  readonly tried: number;
  readonly above: number;
  readonly below: number;
  readonly worst: number;
  readonly lowest: number;
}

export interface BounceReport {
  readonly bounces: Bounces;
  readonly halfBounces: Bounces;
  readonly depthMaxM: number;
}

function sceneOf({ heightM, radiusM, restitution, place }: Drop): Scene {
  const scene = {
    gravity: GRAVITY,
    ground: [{
      shape: { box: [20, 0.5] as const, y: -0.5 },
      restitution: place === "ground" ? restitution : 0,
    }],
    bodies: [{
      parts: [{ shape: { circle: radiusM }, restitution: place === "ball" ? restitution : 0 }],
      x: 0,
      y: radiusM + heightM,
    }],
  };
  return place === "pair" ? { ...scene, groundPairRestitution: restitution } : scene;
}

/**
 * Drops one ball. A tick in which the ball gained speed against gravity has a bounce; adjacent such
 * ticks have one.
 */
function drop(engine: Engine, options: Drop): Outcome {
  const { heightM, radiusM, restitution, bounce, rate } = options;
  const { tickHz, substeps, solverSteps = 1 } = rate;
  const world = engine.build(sceneOf(options), rate);
  const ideal = heightM * restitution ** (2 * bounce);
  const lag = GRAVITY / (tickHz * substeps * solverSteps * engine.integrations) / 2;

  // The time of all bounces up to the measured one, and half as much again.
  const fallS = Math.sqrt(2 * heightM / GRAVITY);
  const ticksMax = Math.ceil((2 * bounce + 2) * fallS * 1.5 * tickHz) + tickHz;
  let bounces = 0;
  let wasBounce = false;
  let before = 0;
  let highestY = -Infinity;
  let height = 0;
  let depthM = 0;

  for (let tick = 0; tick < ticksMax && bounces <= bounce; tick++) {
    world.tick();
    const { y, vy } = world.motionOf(0);
    const isBounce = vy > before - 0.5 * GRAVITY / tickHz;
    if (isBounce && !wasBounce) bounces++;
    wasBounce = isBounce;
    before = vy;
    depthM = Math.max(depthM, radiusM - y);
    if (bounces !== bounce || y <= highestY) continue;
    highestY = y;
    height = y - radiusM + (vy - lag) ** 2 / (2 * GRAVITY);
  }

  world.free();
  return { share: height / ideal, depthM };
}

/**
 * @returns `count` heights between the lowest and the highest, evenly on a logarithmic scale.
 *   Metres
 */
export function heightsOf(count: number): number[] {
  return Array.from(
    { length: count },
    (_, i) => LOWEST_M * (HIGHEST_M / LOWEST_M) ** (i / (count - 1)),
  );
}

function placesOf({ hasPairRestitution }: Engine): readonly Place[] {
  return hasPairRestitution ? ["ball", "ground", "pair"] : ["ball", "ground"];
}

/** Counts drops. A drop counts as above or below if it is so for one of the places. */
class Tally {
  readonly #min: number;
  readonly #max: number;
  #tried = 0;
  #above = 0;
  #below = 0;
  #worst = 0;
  #lowest = Infinity;

  constructor(min: number, max: number) {
    this.#min = min;
    this.#max = max;
  }

  add(shares: readonly number[]): void {
    const most = Math.max(...shares);
    const least = Math.min(...shares);
    this.#tried++;
    if (!(most <= this.#max)) this.#above++;
    if (!(least >= this.#min)) this.#below++;
    this.#worst = Math.max(this.#worst, most);
    this.#lowest = Math.min(this.#lowest, least);
  }

  get report(): Bounces {
    const [worst, lowest] = [this.#worst, this.#lowest].map((share) => Number(share.toFixed(3)));
    return {
      tried: this.#tried,
      above: this.#above,
      below: this.#below,
      worst: worst!,
      lowest: lowest!,
    };
  }
}

/**
 * Drops balls of three radii at two rates.
 * @param heights drop heights, metres
 */
export function measureBounces(
  engine: Engine,
  heights: readonly number[],
  rates: readonly Rate[] = RATES,
): BounceReport {
  const full = new Tally(BELOW, ABOVE);
  const half = new Tally(HALF_MIN, HALF_MAX);
  let depthMaxM = 0;
  const dropAll = (tally: Tally, options: Omit<Drop, "place">): void => {
    const outcomes = placesOf(engine).map((place) => drop(engine, { ...options, place }));
    tally.add(outcomes.map(({ share }) => share));
    depthMaxM = Math.max(depthMaxM, ...outcomes.map(({ depthM }) => depthM));
  };

  for (const rate of rates) {
    for (const radiusM of RADII_M) {
      for (const heightM of heights) {
        const common = { heightM, radiusM, rate };
        dropAll(full, { ...common, restitution: 1, bounce: FULL_BOUNCES });
        const isMeasurable = heightM * 0.5 ** (2 * HALF_BOUNCES) >= IDEAL_MIN_M;
        if (isMeasurable) dropAll(half, { ...common, restitution: 0.5, bounce: HALF_BOUNCES });
        // Without restitution only the depth counts.
        depthMaxM = Math.max(
          depthMaxM,
          drop(engine, { ...common, restitution: 0, place: "ball", bounce: 1 }).depthM,
        );
      }
    }
  }

  return {
    bounces: full.report,
    halfBounces: half.report,
    depthMaxM: Number(depthMaxM.toFixed(4)),
  };
}
