/** Chains: bodies that cross their inner corners at 10 m/s, and a loop full of bodies. */
import { type BodySpec, type Engine, type Part, type Rate, RATES } from "../../engines/scene.ts";
import { Random } from "../../../../shared/random.ts";

const GRAVITY = 10;
/**
 * m/s. A ball that begins to slide without spin rolls at two thirds of its speed: at 10 m/s, too.
 */
const SPEED = 10;
const BALL_SPEED = 15;
const SEGMENTS = 120;
/** Seconds until a ball rolls, and of the whole crossing at most; metres after which it ends. */
const CALM_S = 1;
const CROSSING_S = 20;
const CROSSING_M = 115;

type Point = readonly [x: number, y: number];

/** 120 segments of 1 m, seen from above, and gentle hills of 30 cm. */
const FLAT: readonly Point[] = Array.from({ length: SEGMENTS + 1 }, (_, i) => [i - 2, 0]);
const HILLS: readonly Point[] = FLAT.map(([x]) => [x, 0.3 * Math.sin(0.05 * x)]);

/** Metres: how much the body's distance from the chain changes, and how far it goes. */
export interface Crossing {
  readonly hopM: number;
  readonly wentM: number;
}

/** @returns the distance of a place from the nearest segment, metres */
function distanceTo(points: readonly Point[], x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 0; i + 1 < points.length; i++) {
    const [x1, y1] = points[i]!;
    const [x2, y2] = points[i + 1]!;
    const dx = x2 - x1;
    const dy = y2 - y1;
    const share = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    nearest = Math.min(nearest, Math.hypot(x - x1 - share * dx, y - y1 - share * dy));
  }
  return nearest;
}

/** Sends one body over a chain. */
export function crossChain(
  engine: Engine,
  points: readonly Point[],
  part: Part,
  rate: Rate,
): Crossing {
  const body: BodySpec = {
    parts: [part],
    x: 0,
    y: 0.51,
    vx: "circle" in part.shape ? BALL_SPEED : SPEED,
  };
  const ground = [{ shape: { chain: points }, friction: part.friction ?? 0.6 }];
  const world = engine.build({ gravity: GRAVITY, ground, bodies: [body] }, rate);
  let least = Infinity;
  let most = -Infinity;
  let went = 0;

  for (let tick = 0; tick < CROSSING_S * rate.tickHz; tick++) {
    world.tick();
    const { x, y } = world.motionOf(0);
    const distance = distanceTo(points, x, y);
    if (x > CROSSING_M) break;
    went = x;
    if (tick < CALM_S * rate.tickHz) continue;
    least = Math.min(least, distance);
    most = Math.max(most, distance);
  }

  world.free();
  return { hopM: Number((most - least).toFixed(4)), wentM: Math.round(went) };
}

/** Crosses at both rates. @returns the larger hop and the shorter way */
function cross(engine: Engine, points: readonly Point[], part: Part): Crossing {
  const both = RATES.map((rate) => crossChain(engine, points, part, rate));
  return {
    hopM: Math.max(...both.map(({ hopM }) => hopM)),
    wentM: Math.min(...both.map(({ wentM }) => wentM)),
  };
}

const LOOP_CORNERS = 24;
const LOOP_BODIES = 50;
/** Metres: radii of the loop's outward and inward corners in turn. */
const LOOP_RADII = [6.5, 5] as const;
/** rad/s of the loop, and m/s: the greatest initial speed of a body on each axis. */
const LOOP_TURNING = 1.5;
const LOOP_SPEED_MAX = 12;
const LOOP_SHAPES: readonly Part["shape"][] = [{ circle: 0.3 }, { box: [0.3, 0.3] }, {
  box: [0.5, 0.15],
}];

/** Bodies of mixed shapes that have left a star that turns. @param restitution of everything */
function escapeLoop(engine: Engine, seconds: number, restitution: number, rate: Rate): number {
  const random = new Random(3);
  const speed = () => (2 * random.fraction() - 1) * LOOP_SPEED_MAX;
  const chain = Array.from({ length: LOOP_CORNERS }, (_, i): Point => {
    const angle = 2 * Math.PI * i / LOOP_CORNERS;
    const radius = LOOP_RADII[i % 2]!;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const star: BodySpec = {
    parts: [{ shape: { chain, loop: true }, restitution }],
    x: 0,
    y: 0,
    turning: LOOP_TURNING,
  };
  const bodies = Array.from({ length: LOOP_BODIES }, (_, i): BodySpec => ({
    parts: [{ shape: LOOP_SHAPES[i % LOOP_SHAPES.length]!, restitution }],
    x: -3.5 + i % 10 * 0.78,
    y: -2 + Math.floor(i / 10) * 0.9,
    vx: speed(),
    vy: speed(),
  }));
  const ground = [{ shape: { box: [1, 1] as const, y: 100 } }];
  const world = engine.build({ gravity: GRAVITY, ground, bodies: [star, ...bodies] }, rate);
  for (let tick = 0; tick < seconds * rate.tickHz; tick++) world.tick();
  let escaped = 0;
  for (let i = 1; i <= LOOP_BODIES; i++) {
    const { x, y } = world.motionOf(i);
    if (!(Math.hypot(x, y) < LOOP_RADII[0])) escaped++;
  }
  world.free();
  return escaped;
}

export interface ChainReport {
  /**
   * A ball of radius 0.5 m over flat ground and over hills; crates of friction 0.1 and 0 over flat
   * ground.
   */
  readonly chain: {
    readonly ball: Crossing;
    readonly ballOnHills: Crossing;
    readonly crate: Crossing;
    readonly slipperyCrate: Crossing;
  };
  /** At both rates, with restitution 0 and 0.8. */
  readonly loopEscaped: number;
}

/** @param seconds how long the loop turns */
export function measureChains(engine: Engine, seconds: number): ChainReport {
  const ball = { shape: { circle: 0.5 } };
  const crate = { shape: { box: [0.5, 0.5] as const } };
  return {
    chain: {
      ball: cross(engine, FLAT, ball),
      ballOnHills: cross(engine, HILLS, ball),
      crate: cross(engine, FLAT, { ...crate, friction: 0.1 }),
      slipperyCrate: cross(engine, FLAT, { ...crate, friction: 0 }),
    },
    loopEscaped: RATES.flatMap((rate) =>
      [0, 0.8].map((restitution) => escapeLoop(engine, seconds, restitution, rate))
    )
      .reduce((sum, escaped) => sum + escaped),
  };
}
