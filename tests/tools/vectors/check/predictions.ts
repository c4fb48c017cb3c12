/** Motions and fields, predicted (WIRE 8.2). */
import { assertEquals } from "@std/assert";
import type { Drift } from "../../../../shared/body_list.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import { type Motion, motionOf, quantizedOf } from "../meanings/sent_bodies.ts";

type Pair = readonly [number, number];

/**
 * Gravity, n, the motion, the motion as predicted, the new velocity, and the place with that
 * velocity.
 */
export type MotionRow = readonly [
  gravity: number,
  n: number,
  motion: Motion,
  predicted: Motion,
  velocity: Pair,
  place: Pair,
];

/** The parts of a row that are given: gravity, n, the motion, and the new velocity. */
export type MotionQuestion = readonly [gravity: number, n: number, motion: Motion, velocity: Pair];

export interface MotionCase {
  readonly about: string;
  readonly tickHz: number;
  readonly worldStepsPerTick: number;
  readonly rows: readonly MotionRow[];
}

/** Clock, value, n, and the value as predicted. */
export type ClockRow = readonly [clock: Drift, value: number, n: number, predicted: number];

export interface ClockCase {
  readonly about: string;
  readonly clocks: readonly ClockRow[];
}

export function predictMotion(
  { tickHz, worldStepsPerTick }: Omit<MotionCase, "rows" | "about">,
  [gravity, n, motion, velocity]: MotionQuestion,
): MotionRow {
  const schema = {
    name: "body",
    isProjectile: false,
    isJoint: false,
    moves: true,
    turns: true,
    gravityUnits: gravity,
    fields: [],
  };
  const model = new BodyModel({ schemas: [schema], substeps: worldStepsPerTick }, tickHz);
  const baseline = quantizedOf({ kind: 0, motion, fields: [] }, 1000);
  const next = model.predict(baseline, 1000 + n);
  const predicted = motionOf(next);
  [next.vx, next.vy] = velocity;
  model.repredictPosition(baseline, next);
  return [gravity, n, motion, predicted, velocity, [next.x, next.y]];
}

export function predictClock(clock: Drift, value: number, n: number): ClockRow {
  const fields = [{ name: "clock", type: "u32" as const, drift: clock }];
  const schema = {
    name: "match",
    isProjectile: false,
    isJoint: false,
    moves: false,
    turns: false,
    gravityUnits: 0,
    fields,
  };
  const model = new BodyModel({ schemas: [schema], substeps: 1 }, 20);
  return [
    clock,
    value,
    n,
    model.predict(quantizedOf({ kind: 0, fields: [value] }, 7), 7 + n).fieldBits[0]!,
  ];
}

export function checkPredictions(each: MotionCase | ClockCase): void {
  if ("clocks" in each) {
    for (const row of each.clocks) assertEquals(predictClock(row[0], row[1], row[2]), row);
  } else {for (const row of each.rows) {
      assertEquals(predictMotion(each, [row[0], row[1], row[2], row[4]]), row);
    }}
}
