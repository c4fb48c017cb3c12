/**
 * Joints in the body stream. A joint is a body without motion, and its fields are the words of its
 * snapshot, but for its id, its definition and its impulses. Only warm starting needs impulses: a
 * joint that stays on the client keeps its own, another one begins with none.
 */
import type { Body, BodyField, BodyList, BodySchema, Drift } from "../../body_list.ts";
import type { CompiledJoint } from "../joints/compiled_joints.ts";
import type { JointRecord } from "../joints/joint.ts";
import type { JointTable } from "../joints/joint_table.ts";
import type { CompiledArchetype } from "../stage/compiled_archetypes.ts";
import type { BodyRecord } from "../stage/entity.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { Snapshot, SnapshotError } from "../../snapshot.ts";
import { JOINTS_MAX } from "../core/limits.ts";
import { JOINT_WORDS, jointWords, saveJoint, wordsOf } from "./joint_words.ts";

/**
 * The words in front that a body has of its own: id and definition. The next two are the entities.
 */
const KEY_WORDS = 2;

const scratch = {
  /** The words of one joint, written and read by `fillJoint`. */
  joint: new Snapshot(),
  /** Those of the list that is being adopted, written by `readJoint`, read by `JointAdoption`. */
  incoming: new Snapshot(),
};

/**
 * Metres by which a body is off if these values are off by 1: a length and a mouse joint's target
 * are distances, and a motor's speed acts for one tick until it is corrected, as a velocity does.
 * All other values change rarely, and wrong ones throw bodies about.
 */
const METRES_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ...[["length", 1], ["target.x", 1], ["target.y", 1]] as const,
  ["motorSpeed", 0.05],
]);

/** A word of a joint that the stream has. */
interface StreamedWord {
  /** Its place among the words of the joint. */
  readonly at: number;
  readonly field: BodyField;
  readonly isFlags: boolean;
}

/** A field of a joint's kind, with how it changes by itself. */
type DriftOf = (field: string) => Drift;

function streamedWords(compiled: CompiledJoint, driftOf: DriftOf): StreamedWord[] {
  return wordsOf(compiled).flatMap(({ name, type, isField, isImpulse }, at) => {
    if (at < KEY_WORDS || isImpulse) return [];
    const metresPerUnit = isField ? undefined : METRES_PER_UNIT.get(name);
    const field = {
      name,
      type,
      drift: isField ? driftOf(name) : 0,
      ...(metresPerUnit !== undefined && { metresPerUnit }),
    };
    return [{ at, field, isFlags: !isField && name === "flags" }];
  });
}

const NO_DRIFT: DriftOf = () => 0;

/** The words of each definition. */
const wordsByDefinition = new WeakMap<CompiledJoint, readonly StreamedWord[]>();

function cachedWords(compiled: CompiledJoint): readonly StreamedWord[] {
  let words = wordsByDefinition.get(compiled);
  if (words === undefined) {
    wordsByDefinition.set(compiled, words = streamedWords(compiled, NO_DRIFT));
  }
  return words;
}

function schemaOf(compiled: CompiledJoint, driftOf: DriftOf): BodySchema {
  return {
    name: compiled.definition.name,
    isProjectile: false,
    isJoint: true,
    moves: false,
    turns: false,
    gravityUnits: 0,
    fields: streamedWords(compiled, driftOf).map(({ field }) => field),
  };
}

function fillJoint(record: JointRecord, body: Body): void {
  const { joint } = scratch;
  joint.reserve(jointWords(record.compiled));
  saveJoint(record, joint, 0);
  for (const { at } of cachedWords(record.compiled)) body.fieldBits.push(joint.words[at]!);
  body.x = record.joint.ax;
  body.y = record.joint.ay;
}

/** The part of a stage's state that the stream of joints uses. */
export interface StreamedStage {
  readonly archetypes: readonly CompiledArchetype[];
  readonly compiledJoints: readonly CompiledJoint[];
  readonly entities: Pick<EntityTable, "get">;
  readonly joints: JointTable | undefined;
}

/**
 * @returns a function that adds the joints with smaller ids than the given one that the list does
 *   not have yet
 */
function fillJoints({ archetypes, joints }: StreamedStage, out: BodyList): (id: number) => void {
  const { all } = joints!;
  let next = 0;
  return (id) => {
    for (; next < all.length && all[next]!.id < id; next++) {
      const record = all[next]!;
      fillJoint(record, out.add(record.id, archetypes.length + record.compiled.index));
    }
  };
}

/** A joint of a list. */
interface ListedJoint {
  readonly body: Body;
  readonly compiled: CompiledJoint;
}

/** The adoption of the joints of one list. */
class JointAdoption {
  readonly #state: StreamedStage;
  readonly #from: BodyList;
  readonly #listed = new Map<number, ListedJoint>();
  /** The ids of those that the stage does not have yet, or has with other values. */
  readonly #changed: number[] = [];

  constructor(state: StreamedStage, from: BodyList) {
    this.#state = state;
    this.#from = from;
  }

  /** Takes a body of the list, ascending by id. @returns whether it is a joint */
  take(body: Body): boolean {
    const { archetypes, compiledJoints } = this.#state;
    const compiled = compiledJoints[body.schemaIndex - archetypes.length];
    if (compiled === undefined) return false;
    this.#listed.set(body.entity, { body, compiled });
    return true;
  }

  /**
   * Checks the joints. The stage stays as it is. It must precede `removeOthers`, because it takes
   * impulses from the stage.
   * @param nextId all ids are smaller
   * @throws SnapshotError for joints that no stage of this declaration can have
   */
  check(nextId: number): void {
    const { archetypes, compiledJoints } = this.#state;
    const { incoming } = scratch;
    const listed = this.#listed;
    if (listed.size > JOINTS_MAX) throw new SnapshotError("a list of too many joints");
    incoming.length = 0;
    for (const each of listed.values()) {
      const cursor = incoming.length;
      const { entity } = each.body;
      incoming.reserve(cursor + jointWords(each.compiled));
      incoming.length = cursor + jointWords(each.compiled);
      if (!readJoint(this.#table.get(entity), each, cursor)) this.#changed.push(entity);
    }
    const archetypeOf = (id: number) =>
      archetypes[id === 0 ? 0 : this.#from.find(id)?.schemaIndex ?? -1];
    JOINT_WORDS.check(
      { compiledJoints, nextId, archetypeOf },
      listed.size,
      incoming,
      0,
      undefined,
    );
  }

  /**
   * Removes the joints that the list does not have. Their bodies wake up. It must run before the
   * entities change.
   */
  removeOthers(): void {
    for (const record of this.#table.all.slice()) {
      const listed = this.#listed.get(record.id);
      if (listed !== undefined && isOf(record, listed)) continue;
      // The removal of another joint may have taken this one with it.
      if (this.#table.get(record.id) === record) this.#table.remove(record);
    }
  }

  /**
   * Makes the joints those of the list. Bodies must have their poses. The bodies of changed joints
   * wake up.
   */
  load(): void {
    const recordOf = (id: number) => this.#state.entities.get(id) as BodyRecord;
    JOINT_WORDS.load(
      this.#table,
      { count: this.#listed.size, at: 0, recordOf, sameAs: undefined },
      scratch.incoming,
    );
    for (const id of this.#changed) this.#table.wake(this.#table.get(id)!);
  }

  get #table(): JointTable {
    return this.#state.joints!;
  }
}

/**
 * Writes the words of a joint to `scratch.incoming`.
 * @returns whether the stage has the joint with equal values
 */
function readJoint(record: JointRecord | undefined, listed: ListedJoint, cursor: number): boolean {
  const { body: { entity, fieldBits }, compiled } = listed;
  const { incoming } = scratch;
  const { words } = incoming;
  const streamed = cachedWords(compiled);
  const isSame = isOf(record, listed);
  if (isSame) saveJoint(record, incoming, cursor);
  const flags = streamed.findIndex(({ isFlags }) => isFlags);
  const hasSameFlags = flags < 0 || words[cursor + streamed[flags]!.at] === fieldBits[flags];
  const keeps = isSame && hasSameFlags;

  // Impulses of limits and motors that were switched are those of another joint.
  if (!keeps) words.fill(0, cursor, cursor + jointWords(compiled));
  words[cursor] = entity;
  words[cursor + 1] = compiled.index;
  let isEqual = keeps;
  streamed.forEach(({ at }, i) => {
    const word = fieldBits[i] ?? 0;
    isEqual &&= word === words[cursor + at];
    words[cursor + at] = word;
  });
  return isEqual;
}

/** Whether the record is of the listed definition and joins the listed entities. */
function isOf(
  record: JointRecord | undefined,
  { compiled, body: { fieldBits: [a, b] } }: ListedJoint,
): record is JointRecord {
  return record !== undefined && record.compiled === compiled && record.a.id === a &&
    record.b.id === b;
}

/** Joints in the body stream, as a stage with joints fills and adopts them. */
export interface JointStream {
  /** The schema of one definition. */
  schemaOf(compiled: CompiledJoint, driftOf: DriftOf): BodySchema;
  /** See `fillJoints`. */
  fill(state: StreamedStage, out: BodyList): (id: number) => void;
  /** Begins to adopt the joints of a list: `take`, `check`, `removeOthers`, and `load` last. */
  adopt(state: StreamedStage, from: BodyList): JointAdoption;
}

export const JOINT_STREAM: JointStream = {
  schemaOf,
  fill: fillJoints,
  adopt: (state, from) => new JointAdoption(state, from),
};
