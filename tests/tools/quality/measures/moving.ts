/**
 * Bodies that move over, through and into others: slopes, bullets, a tumbler, a cradle and a row of
 * tiles.
 */
import { type BodySpec, type Engine, type Part, type Scene } from "../../engines/scene.ts";

const GRAVITY = 10;
const RATE = { tickHz: 20, substeps: 2 };

/** Whether a crate of friction 0.5 has slipped on a slope of so many radians. */
function slips(engine: Engine, slope: number): boolean {
  const shape = { box: [20, 0.5], y: -0.5, angle: slope } as const;
  const off = 0.41;

  // The slope turns about its own centre, 0.5 m below the origin.
  const scene: Scene = {
    gravity: GRAVITY,
    ground: [{ shape, friction: 0.5 }],
    bodies: [{
      parts: [{ shape: { box: [0.4, 0.4] }, friction: 0.5 }],
      x: -Math.sin(slope) * (0.5 + off),
      y: -0.5 + Math.cos(slope) * (0.5 + off),
      angle: slope,
    }],
  };
  const world = engine.build(scene, RATE);
  for (let tick = 0; tick < 20; tick++) world.tick();
  const before = world.motionOf(0);
  const { x, y } = { x: before.x, y: before.y };
  for (let tick = 0; tick < 100; tick++) world.tick();
  const after = world.motionOf(0);
  const moved = Math.hypot(after.x - x, after.y - y);
  world.free();
  return moved > 0.05;
}

/** Degrees between the slope at which a crate begins to slip and Coulomb's atan(friction). */
function slipError(engine: Engine): number {
  let low = 0.3;
  let high = 0.6;
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    if (slips(engine, middle)) high = middle;
    else low = middle;
  }
  return Number(((low + high) / 2 - Math.atan(0.5)).toFixed(5)) * 180 / Math.PI;
}

const BULLET_RADIUS_M = 0.1;
/** m/s. A stage's bodies move at most 2 m in a world step: 80 m/s here. */
const BULLET_SPEEDS = [20, 30, 40, 50, 60, 70, 78];

/**
 * Bullets that got through a plate of 10 cm: fixed plates first, then dynamic ones of a hundred
 * times the mass.
 */
function bulletsThrough(engine: Engine): number {
  let through = 0;
  for (const isFixed of [true, false]) {
    for (const speed of BULLET_SPEEDS) {
      const plate = { shape: { box: [0.05, 2] as const }, density: 8 };
      const bodies: BodySpec[] = [{
        parts: [{ shape: { circle: BULLET_RADIUS_M } }],
        x: -10 - speed * 0.003,
        y: 0,
        vx: speed,
        bullet: true,
      }];
      if (!isFixed) bodies.push({ parts: [plate], x: 0, y: 0 });
      const far: Part = { shape: { box: [1, 1], x: 0, y: 100 } };
      const world = engine.build({ gravity: 0, ground: isFixed ? [plate] : [far], bodies }, RATE);
      for (let tick = 0; tick < 40; tick++) world.tick();
      const plateX = isFixed ? 0 : world.motionOf(1).x;
      if (world.motionOf(0).x > plateX) through++;
      world.free();
    }
  }

  return through;
}

/** Metres. */
const DRUM_WALL = 0.25;
const TUMBLED_HALF = 0.2;
const TUMBLED_PITCH = 0.5;

/**
 * A square drum that turns a quarter turn per second: body 0. Crates in columns and rows follow it.
 */
export function tumbler(
  { half, columns, rows }: { half: number; columns: number; rows: number },
): Scene {
  const wall = (x: number, y: number): Part => ({
    shape: {
      box: [x === 0 ? half + DRUM_WALL : DRUM_WALL, y === 0 ? half + DRUM_WALL : DRUM_WALL],
      x,
      y,
    },
  });
  const drum: BodySpec = {
    parts: [wall(0, -half), wall(0, half), wall(-half, 0), wall(half, 0)],
    x: 0,
    y: 0,
    turning: Math.PI / 2,
  };
  const crates = Array.from({ length: columns * rows }, (_, i) => ({
    parts: [{ shape: { box: [TUMBLED_HALF, TUMBLED_HALF] as const } }],
    x: (i % columns - (columns - 1) / 2) * TUMBLED_PITCH,
    y: (Math.floor(i / columns) - (rows - 1) / 2) * TUMBLED_PITCH,
  }));
  return {
    gravity: GRAVITY,
    ground: [{ shape: { box: [1, 1], y: 100 } }],
    bodies: [drum, ...crates],
  };
}

/** Crates that have left the drum. */
function tumblerEscaped(engine: Engine, seconds: number): number {
  const half = 4;
  const columns = 10;
  const rows = 10;
  const world = engine.build(tumbler({ half, columns, rows }), RATE);
  for (let tick = 0; tick < seconds * RATE.tickHz; tick++) world.tick();
  let escaped = 0;
  for (let i = 1; i <= columns * rows; i++) {
    const { x, y } = world.motionOf(i);
    if (Math.hypot(x, y) > Math.SQRT2 * half) escaped++;
  }
  world.free();
  return escaped;
}

/** The share of the speed that the last of five touching balls takes over from the first. */
function cradlePasses(engine: Engine): number {
  const ball = (x: number, vx: number): BodySpec => ({
    parts: [{ shape: { circle: 0.5 }, friction: 0, restitution: 1 }],
    x,
    y: 0,
    vx,
  });
  const bodies = [ball(-3, 4), ...[0, 1, 2, 3].map((i) => ball(i, 0))];
  const world = engine.build(
    { gravity: 0, ground: [{ shape: { box: [1, 1], y: 100 } }], bodies },
    RATE,
  );
  for (let tick = 0; tick < 40; tick++) world.tick();
  const share = world.motionOf(4).vx / 4;
  world.free();
  return Number(share.toFixed(3));
}

/** A row of tiles of 1 m, and a body that crosses it at 10 m/s. */
function crossTiles(engine: Engine, part: Part): { hopM: number; keeps: number } {
  const ground = Array.from(
    { length: 120 },
    (_, i): Part => ({ shape: { box: [0.5, 0.5], x: i + 0.5, y: -0.5 } }),
  );
  const restY = 0.51;
  const world = engine.build({
    gravity: GRAVITY,
    ground,
    bodies: [{ parts: [part], x: 1.5, y: restY, vx: 10 }],
  }, RATE);
  let hopM = 0;
  for (let tick = 0; tick < 100; tick++) {
    world.tick();
    hopM = Math.max(hopM, world.motionOf(0).y - restY);
  }
  const { vx } = world.motionOf(0);
  world.free();
  return { hopM: Number(hopM.toFixed(4)), keeps: Number((vx / 10).toFixed(3)) };
}

export interface MovingReport {
  readonly slipErrorDegrees: number;
  readonly bulletsThrough: number;
  readonly tumblerEscaped: number;
  readonly cradlePasses: number;
  /** Metres that the body hops, and the share of its speed after 5 s. */
  readonly rolling: { readonly hopM: number; readonly keeps: number };
  readonly sliding: { readonly hopM: number; readonly keeps: number };
}

/** @param seconds how long the tumbler turns */
export function measureMoving(engine: Engine, seconds: number): MovingReport {
  return {
    slipErrorDegrees: Number(slipError(engine).toFixed(2)),
    bulletsThrough: bulletsThrough(engine),
    tumblerEscaped: tumblerEscaped(engine, seconds),
    cradlePasses: cradlePasses(engine),
    rolling: crossTiles(engine, { shape: { circle: 0.5 } }),
    sliding: crossTiles(engine, { shape: { box: [0.5, 0.5] }, friction: 0.01 }),
  };
}
