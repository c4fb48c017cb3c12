/**
 * The types of joints that a stage has, by name: the only place that names them all. A type without
 * an entry here is refused, and a bundler drops the file of its solver.
 */
import { DISTANCE } from "./solvers/distance.ts";
import { GEAR } from "./solvers/gear.ts";
import type { JointForm } from "./joint_form.ts";
import type { JointType } from "../core/types.ts";
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
export const JOINT_FORMS: Readonly<Record<JointType, JointForm>> = {
  revolute: REVOLUTE,
  prismatic: PRISMATIC,
  distance: DISTANCE,
  rope: ROPE,
  weld: WELD,
  wheel: WHEEL,
  mouse: MOUSE,
  motor: MOTOR,
  friction: FRICTION,
  pulley: PULLEY,
  gear: GEAR,
  filter: FILTER,
};
