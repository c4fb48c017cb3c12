/**
 * Sinking: how deep bodies are pressed into floors that do not give way, at every length of step. A
 * crate lies on marbles, light crates carry heavy ones, and plates of up to 3,000 kg/m² fall
 * between two walls on what lies below.
 */
import {
  type BodySpec,
  type Engine,
  type Part,
  type Rate,
  type Scene,
  STEP_RATES,
} from "../../engines/scene.ts";

const GRAVITY = 10;
/** Seconds that a scene runs: what is pressed down has come to rest. */
const SECONDS = 6;

/**
 * Floors whose upper side is y = 0: a thick box, one of 10 cm, and a chain. Bodies are on the left
 * of a chain.
 */
const FLOORS: Readonly<Record<string, Part>> = {
  box: { shape: { box: [20, 1], y: -1 } },
  thinBox: { shape: { box: [20, 0.05], y: -0.05 } },
  chain: { shape: { chain: Array.from({ length: 21 }, (_, i) => [20 - 2 * i, 0] as const) } },
};

function ball(x: number, radius: number, density = 1): BodySpec {
  return { parts: [{ shape: { circle: radius }, density }], x, y: radius + 0.01 };
}

function crate(half: readonly [number, number], y: number, density: number, x = 0): BodySpec {
  return { parts: [{ shape: { box: half }, density }], x, y };
}

/** A crate of 2.4 m on two marbles. */
function marbles(radius: number, density: number): BodySpec[] {
  return [ball(-0.8, radius), ball(0.7, radius), crate([1.2, 1.2], 2 * radius + 1.22, density)];
}

/** Crates of 60 cm, each `ratio` times as heavy as the one below. */
function heavyStack(rows: number, ratio: number): BodySpec[] {
  return Array.from(
    { length: rows },
    (_, row) => crate([0.3, 0.3], 0.31 + row * 0.62, ratio ** row),
  );
}

/** A plate that falls on marbles and crates, at 4 m/s. */
function press(density: number, below: readonly BodySpec[]): BodySpec[] {
  return [...below, { ...crate([1.9, 0.2], 1.6, density), vy: -4 }];
}

const SMALL_CRATES = [-1.5, -0.6, 0.3, 1.2].map((x) => crate([0.12, 0.12], 0.13, 1, x));
const MIXED = [
  ball(-1.5, 0.1),
  crate([0.3, 0.05], 0.06, 1, -0.7),
  ball(0.1, 0.25),
  crate([0.1, 0.2], 0.21, 1, 1.2),
];

/** The bodies of each scene. Walls at x = ±2 keep a press above what it presses. */
const LOADS: Readonly<Record<string, readonly BodySpec[]>> = {
  "marbles of 15 cm, 1:81": marbles(0.15, 1),
  "marbles of 30 cm, 1:204": marbles(0.3, 10),
  "marbles of 15 cm, 1:815": marbles(0.15, 10),
  "marbles of 8 cm, 1:1146": marbles(0.08, 4),
  "a stack that grows by 4": heavyStack(5, 4),
  "a stack that grows by 10": heavyStack(4, 10),
  "a press on marbles": press(100, [-1.5, -0.5, 0.5, 1.5].map((x) => ball(x, 0.12))),
  "a press on small crates": press(300, SMALL_CRATES),
  "a press on all sorts": press(3000, MIXED),
};
const WALLS: readonly Part[] = [-2.5, 2.5].map((x) => ({
  shape: { box: [0.5, 3], x, y: 3 },
  friction: 0,
}));

const SCENES: readonly Scene[] = Object.entries(LOADS).flatMap(([name, bodies]) =>
  Object.values(FLOORS).map((floor) => ({
    gravity: GRAVITY,
    ground: name.includes("press") ? [floor, ...WALLS] : [floor],
    bodies,
  }))
);

/** @returns how deep a body's lowest point is below y = 0, metres */
function depthOf(
  { parts: [part] }: BodySpec,
  { y, angle }: { readonly y: number; readonly angle: number },
): number {
  const { shape } = part!;
  if ("circle" in shape) return shape.circle - y;
  if (!("box" in shape)) throw new Error("a body of a sinking scene is a ball or a box");
  const [halfWidth, halfHeight] = shape.box;
  return halfHeight * Math.abs(Math.cos(angle)) + halfWidth * Math.abs(Math.sin(angle)) - y;
}

/** @returns the depth of the deepest body at the end of any tick, metres */
function deepest(engine: Engine, scene: Scene, rate: Rate): number {
  const world = engine.build(scene, rate);
  let depthM = 0;
  for (let tick = 0; tick < SECONDS * rate.tickHz; tick++) {
    world.tick();
    scene.bodies.forEach((body, i) => depthM = Math.max(depthM, depthOf(body, world.motionOf(i))));
  }
  world.free();
  return depthM;
}

export interface SinkingReport {
  /** Scenes, each at every rate. */
  readonly scenes: number;
  /** Metres: the deepest that a body was in its floor at the end of a tick. */
  readonly worstM: number;
}

/** Presses bodies into floors at all four rates. */
export function measureSinking(engine: Engine): SinkingReport {
  const depths = SCENES.flatMap((scene) => STEP_RATES.map((rate) => deepest(engine, scene, rate)));
  return { scenes: depths.length, worstM: Number(Math.max(...depths).toFixed(4)) };
}
