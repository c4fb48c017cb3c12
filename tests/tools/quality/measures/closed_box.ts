/**
 * Energy of many balls in a closed box: restitution 1, no friction, so that nothing but the solver
 * changes it.
 */
import { Random } from "../../../../shared/random.ts";
import {
  type BodySpec,
  type Engine,
  massOf,
  type Rate,
  RATES,
  type Scene,
  type World,
} from "../../engines/scene.ts";

const GRAVITY = 10;
/** Half the inner side of the box, and half the thickness of its walls, metres. */
const HALF = 2;
const WALL = 0.5;
const BALLS = 12;
const RADIUS_M = 0.25;
/** m/s, the greatest initial speed on each axis. */
const SPEED_MAX = 4;
const SEEDS = [1, 2, 3, 4, 5];

function ball(i: number, random: Random): BodySpec {
  const [vx, vy] = [random.fraction(), random.fraction()].map((share) =>
    (2 * share - 1) * SPEED_MAX
  );
  return {
    parts: [{ shape: { circle: RADIUS_M }, friction: 0, restitution: 1 }],
    x: -1.2 + (i % 4) * 0.8,
    y: -1.2 + Math.floor(i / 4) * 0.8,
    vx: vx!,
    vy: vy!,
  };
}

function sceneOf(seed: number): Scene {
  const random = new Random(seed);
  const off = HALF + WALL;
  const long = HALF + 2 * WALL;
  const wall = (x: number, y: number) => ({
    shape: { box: [x === 0 ? long : WALL, y === 0 ? long : WALL] as const, x, y },
    friction: 0,
    restitution: 1,
  });
  return {
    gravity: GRAVITY,
    ground: [wall(0, -off), wall(0, off), wall(-off, 0), wall(off, 0)],
    bodies: Array.from({ length: BALLS }, (_, i) => ball(i, random)),
  };
}

/**
 * Joules above rest on the floor.
 * @param lag the speed by which a stored speed lags, see `bounces.ts`
 */
function energyOf(world: World, { bodies }: Scene, lag: number): number {
  let energy = 0;
  bodies.forEach((body, i) => {
    const { y, vx, vy } = world.motionOf(i);
    energy += massOf(body) * ((vx * vx + (vy - lag) ** 2) / 2 + GRAVITY * (y + HALF - RADIUS_M));
  });
  return energy;
}

interface Run {
  /** Energy at the end over the energy at the start. */
  readonly ratio: number;
  /** Metres: the deepest overlap of a ball with a wall at the end of a tick. */
  readonly depthM: number;
}

function run(engine: Engine, rate: Rate, seed: number, seconds: number): Run {
  const { tickHz, substeps, solverSteps = 1 } = rate;
  const scene = sceneOf(seed);
  const world = engine.build(scene, rate);
  const lag = GRAVITY / (tickHz * substeps * solverSteps * engine.integrations) / 2;
  const before = energyOf(world, scene, 0);
  let depthM = 0;
  for (let tick = 0; tick < seconds * tickHz; tick++) {
    world.tick();
    for (let i = 0; i < BALLS; i++) {
      const { x, y } = world.motionOf(i);
      depthM = Math.max(depthM, Math.max(Math.abs(x), Math.abs(y)) + RADIUS_M - HALF);
    }
  }
  const ratio = energyOf(world, scene, lag) / before;
  world.free();
  return { ratio, depthM };
}

export interface ClosedBoxReport {
  /** The run's ratio that is the farthest from 1. */
  readonly closedBoxEnergyRatio: number;
  /** The smallest and the largest of all runs. */
  readonly closedBoxEnergyRange: readonly [number, number];
  readonly closedBoxDepthMaxM: number;
}

/** Measures the energy after so many seconds over the energy at the start. */
export function measureClosedBox(
  engine: Engine,
  seconds: number,
  rates: readonly Rate[] = RATES,
): ClosedBoxReport {
  const runs = rates.flatMap((rate) => SEEDS.map((seed) => run(engine, rate, seed, seconds)));
  const ratios = runs.map(({ ratio }) => Number(ratio.toFixed(3)));
  ratios.sort((a, b) => Math.abs(b - 1) - Math.abs(a - 1));
  return {
    closedBoxEnergyRatio: ratios[0]!,
    closedBoxEnergyRange: [Math.min(...ratios), Math.max(...ratios)],
    closedBoxDepthMaxM: Number(Math.max(...runs.map(({ depthM }) => depthM)).toFixed(4)),
  };
}
