/**
 * The filter joint: two bodies that do not touch each other, and nothing else holds them. It is in
 * no island, so it has nothing to solve.
 */
import type { JointForm } from "../joint_form.ts";

/** The type `filter`, for `jointsOf`. */
export const FILTER: JointForm = {
  type: "filter",
  parts: [],
  driven: false,
  moves: "one",
  names: [],
  maxima: [],
  referenceAt: -1,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: () => true,
  impulse: () => 0,
  twist: () => 0,
  prepare: () => {},
  solveVelocity: () => {},
  solvePosition: () => true,
};
