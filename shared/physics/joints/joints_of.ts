/** The feature `joints`, with the types of joints that a stage lists. */
import type { StageDef, StageFeature } from "../core/types.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import { type CompiledJoint, compileJoints } from "./compiled_joints.ts";
import type { JointForm } from "./joint_form.ts";
import { JOINT_STREAM, type JointStream } from "../snapshot/joint_stream.ts";
import { JOINT_WORDS, type JointWords } from "../snapshot/joint_words.ts";
import { JointTable } from "./joint_table.ts";
import { Joints, type JointStage } from "./joints.ts";

export { DISTANCE } from "./solvers/distance.ts";
export { FILTER } from "./solvers/filter.ts";
export { GEAR } from "./solvers/gear.ts";
export { FRICTION, MOTOR } from "./solvers/motor.ts";
export { MOUSE } from "./solvers/mouse.ts";
export { PRISMATIC } from "./solvers/prismatic.ts";
export { PULLEY } from "./solvers/pulley.ts";
export { REVOLUTE } from "./solvers/revolute.ts";
export { ROPE } from "./solvers/rope.ts";
export { WELD } from "./solvers/weld.ts";
export { WHEEL } from "./solvers/wheel.ts";

/**
 * Joints: their declaration, their table, their handles, their words in a snapshot, and in the body
 * stream.
 */
export interface JointsFeature extends StageFeature<"joints"> {
  /** @throws StageError for a definition that is wrong */
  compile(def: StageDef): readonly CompiledJoint[];
  /** @param options.canRest whether a body may stop to be dynamic while joints hold it */
  createTable(
    world: World,
    contacts: Contacts,
    compiled: readonly CompiledJoint[],
    options: { readonly canRest?: boolean },
  ): JointTable;
  createHandles(stage: JointStage, table: JointTable): Joints;
  readonly words: JointWords;
  readonly stream: JointStream;
}

/**
 * Makes the feature `joints` for stages that have few types of joints, so that a page has only their
 * solvers.
 * @param types such as `REVOLUTE` and `ROPE`
 */
export function jointsOf(...types: readonly JointForm[]): JointsFeature {
  return {
    feature: "joints",
    compile: (def) => compileJoints(def, types),
    createTable: (world, contacts, compiled, options) =>
      new JointTable(world, contacts, compiled, options),
    createHandles: (stage, table) => new Joints(stage, table),
    words: JOINT_WORDS,
    stream: JOINT_STREAM,
  };
}
