/** Stacks and pyramids: what stands for a minute, and how far its parts drift. */
import { type BodySpec, type Engine, type Part, RATES, type Scene } from "../../engines/scene.ts";

const GRAVITY = 10;
const HALF = 0.4;
const PITCH = 2 * HALF + 0.01;
/** Metres. A part that has moved farther from its place has fallen. */
const FALLEN_M = 0.3;
const HEAVY = 100;
/** A floor at y = 0. */
export const FLOOR: readonly Part[] = [{ shape: { box: [50, 0.5], y: -0.5 } }];

function crate(column: number, row: number, density = 1): BodySpec {
  return {
    parts: [{ shape: { box: [HALF, HALF] }, density }],
    x: column * PITCH,
    y: HALF + 0.01 + row * PITCH,
  };
}

/** @param densityOf by row, kg/m² */
function stack(rows: number, densityOf: (row: number) => number = () => 1): BodySpec[] {
  return Array.from({ length: rows }, (_, row) => crate(0, row, densityOf(row)));
}

/** @param base crates in the lowest row; each row above has one less */
export function pyramid(base: number): BodySpec[] {
  return Array.from(
    { length: base },
    (_, row) => Array.from({ length: base - row }, (_, i) => crate(i + row / 2 - base / 2, row)),
  ).flat();
}

const SCENES: Readonly<Record<string, readonly BodySpec[]>> = {
  stack8: stack(8),
  stack12: stack(12),
  stack16: stack(16),
  stack8Bouncy: stack(8).map((body) => ({
    ...body,
    parts: body.parts.map((part) => ({ ...part, restitution: 0.5 })),
  })),
  stack12HeavyTop: stack(12, (row) => row === 11 ? HEAVY : 1),
  stack12Growing: stack(12, (row) => HEAVY ** (row / 11)),
  stack12Alternating: stack(12, (row) => row % 2 === 0 ? 1 : HEAVY),
  pyramid10: pyramid(10),
  pyramid19: pyramid(19),
};

/**
 * Metres that the part farthest from its place is away, at each rate. The way to the resting places
 * counts.
 */
function driftOf(engine: Engine, bodies: readonly BodySpec[], seconds: number): number[] {
  const scene: Scene = { gravity: GRAVITY, ground: FLOOR, bodies };
  return RATES.map((rate) => {
    const world = engine.build(scene, rate);
    for (let tick = 0; tick < seconds * rate.tickHz; tick++) world.tick();
    const drift = Math.max(...bodies.map(({ x, y }, i) => {
      const motion = world.motionOf(i);
      return Math.hypot(motion.x - x, motion.y - y);
    }));
    world.free();
    return Number(drift.toFixed(3));
  });
}

export interface StandingReport {
  /** By scene: how far its parts are from their places, metres, at 20 Hz × 2 and at 60 Hz × 1. */
  readonly driftM: Readonly<Record<string, readonly number[]>>;
  /** The scenes that stand at every rate. */
  readonly stands: readonly string[];
  readonly heavyTopStands: boolean;
}

/** Lets every scene stand for so many seconds. */
export function measureStanding(engine: Engine, seconds: number): StandingReport {
  const driftM = Object.fromEntries(
    Object.entries(SCENES).map(([name, bodies]) => [name, driftOf(engine, bodies, seconds)]),
  );
  const stands = Object.keys(driftM).filter((name) =>
    driftM[name]!.every((drift) => drift < FALLEN_M)
  );
  return { driftM, stands, heavyTopStands: stands.includes("stack12HeavyTop") };
}
