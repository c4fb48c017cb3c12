/** The feature `joints`: stages that list it in their declaration may have joints of all types. */
import type { StageDef, StageFeature } from "../core/types.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import { type CompiledJoint, compileJoints } from "./compiled_joints.ts";
import { JOINT_STREAM, type JointStream } from "../snapshot/joint_stream.ts";
import { JOINT_WORDS, type JointWords } from "../snapshot/joint_words.ts";
import { JointTable } from "./joint_table.ts";
import { Joints, type JointStage } from "./joints.ts";

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

/** The feature `joints`: stages that list it may have joints. */
export const joints: JointsFeature = {
  feature: "joints",
  compile: compileJoints,
  createTable: (world, contacts, compiled, options) =>
    new JointTable(world, contacts, compiled, options),
  createHandles: (stage, table) => new Joints(stage, table),
  words: JOINT_WORDS,
  stream: JOINT_STREAM,
};
