/** Joints: the stretch of a chain with a heavy end, and the speed that a pendulum keeps. */
import {
  type BodySpec,
  type Engine,
  type Pin,
  type Rate,
  type Scene,
} from "../../engines/scene.ts";

const GRAVITY = 10;
const LINKS = 10;
const LINK_HALF = 0.25;
const HEAVY = 100;
/** World steps per tick that an author may declare, at 20 Hz. The chain is measured at each. */
const SUBSTEPS = [2, 4, 8];
const ARM_M = 5;
const SPEED = 10;

/**
 * A chain that hangs from the ground at the origin. Its last link has a hundred times the mass of
 * the others.
 */
function chainScene(): Scene {
  const bodies: BodySpec[] = [];
  const pins: Pin[] = [];
  for (let i = 0; i < LINKS; i++) {
    const density = i === LINKS - 1 ? HEAVY : 1;
    bodies.push({
      parts: [{ shape: { box: [LINK_HALF, 0.1] }, density }],
      x: (2 * i + 1) * LINK_HALF,
      y: 0,
    });
    pins.push({ a: i - 1, b: i, x: 2 * i * LINK_HALF, y: 0 });
  }
  return { gravity: GRAVITY, ground: [{ shape: { box: [1, 1], y: 50 } }], bodies, pins };
}

/**
 * Metres that the gaps of the chain add up to, at the worst end of a tick while it swings down and
 * hangs.
 */
function chainStretch(engine: Engine, substeps: number, seconds: number): number {
  const scene = chainScene();
  const rate = { tickHz: 20, substeps };
  const world = engine.build(scene, rate);
  let worst = 0;

  for (let tick = 0; tick < seconds * rate.tickHz; tick++) {
    world.tick();
    let gaps = 0;
    let endX = 0;
    let endY = 0;
    for (let i = 0; i < LINKS; i++) {
      const { x, y, angle } = world.motionOf(i);
      const dx = LINK_HALF * Math.cos(angle);
      const dy = LINK_HALF * Math.sin(angle);
      gaps += Math.hypot(x - dx - endX, y - dy - endY);
      endX = x + dx;
      endY = y + dy;
    }
    worst = Math.max(worst, gaps);
  }

  world.free();
  return Number(worst.toFixed(3));
}

/** The share of its speed that a ball pinned to the ground 5 m away keeps, without gravity. */
function pendulumKeeps(engine: Engine, rate: Rate, seconds: number): number {
  const world = engine.build({
    gravity: 0,
    ground: [{ shape: { box: [1, 1], y: 50 } }],
    bodies: [{ parts: [{ shape: { circle: 0.5 } }], x: ARM_M, y: 0, vy: SPEED }],
    pins: [{ a: -1, b: 0, x: 0, y: 0 }],
  }, rate);
  // The first tick makes the ball turn with its arm, which costs speed once.
  world.tick();
  const speed = (): number => Math.hypot(world.motionOf(0).vx, world.motionOf(0).vy);
  const before = speed();
  for (let tick = 0; tick < seconds * rate.tickHz; tick++) world.tick();
  const share = speed() / before;
  world.free();
  return Number(share.toFixed(3));
}

export interface JointReport {
  /** Metres; the least of the numbers of steps that an author may declare. */
  readonly chainStretchM: number;
  /** By number of world steps per tick. */
  readonly chainStretchBySubstepsM: Readonly<Record<string, number>>;
  readonly pendulumKeeps: number;
}

/** Lets the chain and the pendulum swing for so many seconds. */
export function measureJoints(engine: Engine, seconds: number): JointReport {
  const bySubsteps = Object.fromEntries(
    SUBSTEPS.map((count) => [count, chainStretch(engine, count, seconds)]),
  );
  return {
    chainStretchM: Math.min(...Object.values(bySubsteps)),
    chainStretchBySubstepsM: bySubsteps,
    pendulumKeeps: pendulumKeeps(engine, { tickHz: 20, substeps: 2 }, seconds),
  };
}
