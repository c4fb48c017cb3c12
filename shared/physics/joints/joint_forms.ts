/**
 * All types of joints that there are: the only place that names them all. A page whose game lists
 * some of them with `jointsOf` does not contain this file, nor the solvers of the others.
 */
import { DISTANCE } from "./solvers/distance.ts";
import { GEAR } from "./solvers/gear.ts";
import type { JointForm } from "./joint_form.ts";
import { FILTER } from "./solvers/filter.ts";
import { FRICTION, MOTOR } from "./solvers/motor.ts";
import { MOUSE } from "./solvers/mouse.ts";
import { PRISMATIC } from "./solvers/prismatic.ts";
import { PULLEY } from "./solvers/pulley.ts";
import { REVOLUTE } from "./solvers/revolute.ts";
import { ROPE } from "./solvers/rope.ts";
import { WELD } from "./solvers/weld.ts";
import { WHEEL } from "./solvers/wheel.ts";

/** The types, in the order in which an error lists them. */
export const JOINT_FORMS: readonly JointForm[] = [
  REVOLUTE,
  PRISMATIC,
  DISTANCE,
  ROPE,
  WELD,
  WHEEL,
  MOUSE,
  MOTOR,
  FRICTION,
  PULLEY,
  GEAR,
  FILTER,
];
