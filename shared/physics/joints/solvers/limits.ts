/**
 * The limits of a revolute angle or a prismatic translation C. Both act in each iteration, and
 * before they are reached, so that a step of h seconds ends at a limit and not behind it:
 *
 *     −max( 0, C − lower ) / h ≤ dC/dt ≤ max( 0, upper − C ) / h
 *
 * One impulse is that of both: > 0 where the lower one pushes, < 0 where the upper one does. Beyond
 * a limit, the correction of positions leads back to it.
 */
import { HINGE_SPRING } from "./hinge_spring.ts";
import { JointInt, type JointRows, JointValue, LimitSide } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";

/** Values of one world step, before those of the spring: the two bounds of dC/dt, rad/s or m/s. */
export const LEAST_SPEED = HINGE_SPRING - 2;
export const MOST_SPEED = LEAST_SPEED + 1;

/** Places in a joint's row, of its type. */
export interface LimitPlaces {
  /** The impulses of limits and motor. */
  readonly impulseAt: number;
  readonly motorImpulseAt: number;
  /** Limits less than twice as far apart are one. Radians or metres. */
  readonly slop: number;
}

/**
 * Finds the side that is reached and the bounds of the speed, and prepares the impulses of limits and
 * motor for the warm start.
 * @param now the present angle or translation
 */
export function prepareLimits(
  { values, ints }: JointRows,
  joint: number,
  now: number,
  { impulseAt, motorImpulseAt, slop }: LimitPlaces,
): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const lower = values[j + JointValue.LOWER]!;
  const upper = values[j + JointValue.UPPER]!;
  if (Math.abs(upper - lower) < 2 * slop) {
    ints[i + JointInt.LIMIT_SIDE] = LimitSide.EQUAL;
    return;
  }

  let side = LimitSide.FREE;
  if (now <= lower) side = LimitSide.LOWER;
  else if (now >= upper) side = LimitSide.UPPER;
  ints[i + JointInt.LIMIT_SIDE] = side;

  // How fast it may come to either limit
  const stepsPerS = solverScratch.step[Step.STEPS_PER_S]!;
  values[j + LEAST_SPEED] = now > lower ? (lower - now) * stepsPerS : 0;
  values[j + MOST_SPEED] = now < upper ? (upper - now) * stepsPerS : 0;

  // A limit that is no longer near begins with no impulse
  const old = values[j + impulseAt]!;
  if (old > 0 ? now > lower + slop : now < upper - slop) values[j + impulseAt] = 0;

  // The motor lets go: what it presses against the limit is dropped from both, because these two
  // impulses only hold each other. The motor would have to take its own back first, some of it in
  // each iteration, before it could turn round.
  const limit = values[j + impulseAt]!;
  const motor = values[j + motorImpulseAt]!;
  if (limit * motor >= 0) return;
  const sum = limit + motor;
  const isMotorLess = Math.abs(motor) <= Math.abs(limit);
  values[j + motorImpulseAt] = isMotorLess ? 0 : sum;
  values[j + impulseAt] = isMotorLess ? sum : 0;
}
