/**
 * The layout of joints in a snapshot, ascending by id, and the check of hostile words:
 *
 *     id | definition | entity A | entity B | flags, if the type may have limits or a motor
 *        | both joints, of a gear | values | constants, if the definition is changeable | fields
 *
 * The values are those that change: anchors, impulses and so on (`JointForm.names`). Other
 * constants are left out.
 */
import type { JointTable, SavedJoint } from "../joints/joint_table.ts";
import type { BodyRecord } from "../stage/entity.ts";
import { firstInvalidField, loadFields, saveFields } from "../core/fields.ts";
import { canMove, IMPULSE_MAX } from "../joints/joint_form.ts";
import type { FieldType } from "../../body_list.ts";
import type { GearedJoints, JointRecord } from "../joints/joint.ts";
import type { CompiledJoint } from "../joints/compiled_joints.ts";
import { type CompiledArchetype, mayBeDynamic } from "../stage/compiled_archetypes.ts";
import { JointFlag, JointValue } from "../joints/joint_rows.ts";
import { areSameWords, Header } from "./layout.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/** Offsets in a joint. */
const JOINT_ID = 0;
const JOINT_KIND = 1;
const JOINT_ENTITY_A = 2;
const JOINT_ENTITY_B = 3;
const FIRST_WORDS = 4;
/** The ids of the two joints of a gear follow. */
const GEAR_WORDS = 2;
/** flags = limits on << 2 | motor on << 3 */
const SAVED_LIMIT_ON = 4;
const SAVED_MOTOR_ON = 8;

/** A row's values without those of a world step. Written and read by the check of hostile words. */
const scratch = new Float64Array(JointValue.STRIDE);

/** The number of words of one joint. */
export function jointWords({ form, isGear, changing, layout }: CompiledJoint): number {
  const gear = isGear ? GEAR_WORDS : 0;
  return FIRST_WORDS + (form.driven ? 1 : 0) + gear + form.names.length + changing.length +
    layout.names.length;
}

/**
 * Writes all joints behind the snapshot's last word.
 * @param areThere whether the snapshot has the words of the saved state there; then only joints
 * that may have changed are rewritten
 * @returns the cursor behind the joints
 * @throws StageError for a field whose value its type cannot hold
 */
function saveJoints(joints: JointTable, into: Snapshot, cursor: number, areThere: boolean): number {
  for (let i = 0; i < joints.all.length; i++) {
    const record = joints.all[i]!;
    const mayDiffer = joints.isUnsaved(record) || record.compiled.layout.names.length > 0;
    if (!areThere || mayDiffer) saveJoint(record, into, cursor);
    cursor += jointWords(record.compiled);
  }
  return cursor;
}

/**
 * Writes one joint from `cursor` on, where the snapshot has room.
 * @throws StageError as `saveJoints`
 */
export function saveJoint(record: JointRecord, into: Snapshot, cursor: number): void {
  const { words, floats } = into;
  const { compiled: { index, form, changing, layout }, rows: { values }, at } = record;
  words[cursor + JOINT_ID] = record.id;
  words[cursor + JOINT_KIND] = index;
  words[cursor + JOINT_ENTITY_A] = record.a.id;
  words[cursor + JOINT_ENTITY_B] = record.b.id;
  cursor += FIRST_WORDS;
  if (form.driven) {
    words[cursor++] = (record.has(JointFlag.LIMIT_ON) ? SAVED_LIMIT_ON : 0) |
      (record.has(JointFlag.MOTOR_ON) ? SAVED_MOTOR_ON : 0);
  }
  if (record.geared !== undefined) { for (const { id } of record.geared) words[cursor++] = id; }
  for (let i = 0; i < form.names.length; i++) floats[cursor++] = values[at + i]!;
  for (let i = 0; i < changing.length; i++) floats[cursor++] = values[at + changing[i]!.at]!;
  saveFields(record.fields, layout, record, into, cursor);
}

/** The joints of a snapshot that is checked. */
export interface SavedJoints {
  readonly count: number;
  /** Index of their first word. */
  readonly at: number;
  /** The record of an entity with a body. */
  readonly recordOf: (id: number) => BodyRecord;
  /**
   * The words of the saved state, if it has the joints that are on the stage. Then only what
   * differs is restored.
   */
  readonly sameAs: Snapshot | undefined;
}

/**
 * Restores all joints. Bodies must have their poses. Contacts must follow, because joints prevent
 * contacts, and so must the sleep of bodies, because joints that appear or vanish wake them.
 */
function loadJoints(
  joints: JointTable,
  { count, at, recordOf, sameAs }: SavedJoints,
  from: Snapshot,
): void {
  const areThere = hasSavedJoints(joints, count, from, at);
  if (!areThere) joints.restore(savedJoints(joints, count, from, at, recordOf));
  joints.retypeAll();
  for (let i = 0, cursor = at; i < count; i++) {
    const record = joints.all[i]!;
    const length = jointWords(record.compiled);
    const isSame = areThere && sameAs !== undefined && !joints.isUnsaved(record) &&
      areSameWords(sameAs, from, cursor, length);
    if (!isSame || record.compiled.layout.names.length > 0) loadJoint(record, from, cursor);
    cursor += length;
  }
}

/**
 * Whether the table has exactly the saved joints, as it mostly does after a rollback of a few
 * ticks.
 */
function hasSavedJoints(
  joints: JointTable,
  count: number,
  { words }: Snapshot,
  cursor: number,
): boolean {
  if (joints.all.length !== count) return false;
  for (let i = 0; i < count; i++) {
    const record = joints.all[i]!;
    const { compiled, a, b } = record;
    const isSame = record.id === words[cursor + JOINT_ID] &&
      compiled.index === words[cursor + JOINT_KIND] &&
      a.id === words[cursor + JOINT_ENTITY_A] && b.id === words[cursor + JOINT_ENTITY_B] &&
      joints.hasBodies(record);
    if (!isSame) return false;
    if (record.geared !== undefined && !hasJointsAt(record.geared, words, cursor)) return false;
    cursor += jointWords(compiled);
  }
  return true;
}

/** Whether a gear, whose words begin at the cursor, couples these joints. */
function hasJointsAt([first, second]: GearedJoints, words: Uint32Array, cursor: number): boolean {
  return words[cursor + FIRST_WORDS] === first.id && words[cursor + FIRST_WORDS + 1] === second.id;
}

/** The ids of the joints of a gear, whose words begin at the cursor; undefined for other types. */
function gearedAt(
  { isGear }: CompiledJoint,
  words: Uint32Array,
  cursor: number,
): [number, number] | undefined {
  return isGear ? [words[cursor + FIRST_WORDS]!, words[cursor + FIRST_WORDS + 1]!] : undefined;
}

function savedJoints(
  joints: JointTable,
  count: number,
  { words }: Snapshot,
  cursor: number,
  recordOf: (id: number) => BodyRecord,
): SavedJoint[] {
  const saved: SavedJoint[] = [];
  for (let i = 0; i < count; i++) {
    const id = words[cursor + JOINT_ID]!;
    const compiled = joints.compiledJoints[words[cursor + JOINT_KIND]!]!;
    const a = recordOf(words[cursor + JOINT_ENTITY_A]!);
    const b = recordOf(words[cursor + JOINT_ENTITY_B]!);
    saved.push({ id, compiled, a, b, geared: gearedAt(compiled, words, cursor) });
    cursor += jointWords(compiled);
  }
  return saved;
}

function loadJoint(record: JointRecord, from: Snapshot, cursor: number): void {
  const { words, floats } = from;
  const { compiled: { form, changing, layout }, rows: { values }, at } = record;
  cursor += FIRST_WORDS;
  if (form.driven) {
    const flags = words[cursor++]!;
    record.setFlag(JointFlag.LIMIT_ON, (flags & SAVED_LIMIT_ON) !== 0);
    record.setFlag(JointFlag.MOTOR_ON, (flags & SAVED_MOTOR_ON) !== 0);
  }
  if (record.geared !== undefined) cursor += GEAR_WORDS;
  for (let i = 0; i < form.names.length; i++) values[at + i] = floats[cursor++]!;
  for (let i = 0; i < changing.length; i++) values[at + changing[i]!.at] = floats[cursor++]!;
  loadFields(record.fields, layout, from, cursor);
}

/** The part of a snapshot that is checked already, and the declarations. */
export interface JointCheck {
  readonly compiledJoints: readonly CompiledJoint[];
  /** All ids are smaller. */
  readonly nextId: number;
  /** The archetype of an entity or of the ground; undefined if there is none with this id. */
  readonly archetypeOf: (id: number) => CompiledArchetype | undefined;
}

/**
 * @param sameAs a valid state with the same entities: equal joints at the same place are valid, too
 * @returns the cursor behind the joints
 * @throws SnapshotError for words that cannot be so many joints
 */
function checkJoints(
  check: JointCheck,
  count: number,
  from: Snapshot,
  cursor: number,
  sameAs: Snapshot | undefined,
): number {
  const { words, length } = from;
  const start = cursor;
  let savedCount = sameAs === undefined ? 0 : sameAs.words[Header.JOINT_COUNT]!;

  for (let i = 0, before = 0; i < count; i++) {
    refuseIf(cursor + FIRST_WORDS > length, "ends within a joint");
    const id = words[cursor + JOINT_ID]!;
    const compiled = check.compiledJoints[words[cursor + JOINT_KIND]!];
    refuseIf(id <= before || id >= check.nextId, "has ids of joints out of order");
    refuseIf(compiled === undefined, "has an unknown kind of joint");
    const end = cursor + jointWords(compiled!);
    refuseIf(end > length, "ends within a joint");

    // The first other joint ends the equal places.
    if (i < savedCount && !areSameWords(sameAs!, from, cursor, FIRST_WORDS)) savedCount = i;
    if (i >= savedCount || !areSameWords(sameAs!, from, cursor, end - cursor)) {
      checkJoint(check, compiled!, from, cursor, start);
    }

    cursor = end;
    before = id;
  }

  return cursor;
}

/** @param start the first word of all joints */
function checkJoint(
  check: JointCheck,
  compiled: CompiledJoint,
  from: Snapshot,
  cursor: number,
  start: number,
): void {
  const { words } = from;
  const { archetypeOf } = check;

  // Between two entities that it can move
  const a = words[cursor + JOINT_ENTITY_A]!, b = words[cursor + JOINT_ENTITY_B]!;
  refuseIf(archetypeOf(words[cursor + JOINT_ID]!) !== undefined, "has ids of joints out of order");
  const archetypeA = archetypeOf(a);
  const archetypeB = archetypeOf(b);
  const isShot = archetypeA?.projectile !== undefined || archetypeB?.projectile !== undefined;
  refuseIf(isShot, "has a joint of a projectile");
  refuseIf(archetypeA === undefined || archetypeB === undefined, "has a joint of nobody");
  const movesEnough = canMove(compiled.form, mayBeDynamic(archetypeA!), mayBeDynamic(archetypeB!));
  refuseIf(a === b || !movesEnough, "has a joint that can move nobody");

  const geared = gearedAt(compiled, words, cursor);
  if (geared !== undefined) {
    refuseIf(geared[0] === geared[1], "has a gear of one joint");
    checkCoupled(check, geared[0], a, from, { start, end: cursor });
    checkCoupled(check, geared[1], b, from, { start, end: cursor });
  }

  checkValues(compiled, from, cursor + FIRST_WORDS);
}

/**
 * Checks that a joint of a gear is among those from `start` to `end`, and that `b` is its second
 * entity.
 */
function checkCoupled(
  { compiledJoints }: JointCheck,
  id: number,
  b: number,
  { words }: Snapshot,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  let cursor = start;
  while (cursor < end && words[cursor + JOINT_ID] !== id) {
    cursor += jointWords(compiledJoints[words[cursor + JOINT_KIND]!]!);
  }
  refuseIf(cursor >= end, "has a gear of no joint");
  const { type } = compiledJoints[words[cursor + JOINT_KIND]!]!.definition;
  refuseIf(type !== "revolute" && type !== "prismatic", "has a gear of joints that none couples");
  refuseIf(words[cursor + JOINT_ENTITY_B] !== b, "has a gear of other entities than its joints");
}

function checkValues(compiled: CompiledJoint, from: Snapshot, cursor: number): void {
  const { form, changing, layout } = compiled;
  const flags = from.words[cursor]!;

  // Past the flags and the coupled joints, which others check
  if (form.driven) cursor++;
  if (compiled.isGear) cursor += GEAR_WORDS;

  // What each joint of the type has
  for (let i = 0; i < form.names.length; i++) {
    scratch[i] = from.floats[cursor++]!;
    refuseIf(
      !(Math.abs(scratch[i]!) <= form.maxima[i]!),
      `has a joint whose ${form.names[i]} is out of bounds`,
    );
  }

  refuseIf(!form.isSound(scratch, 0), "has a joint of no length or direction");

  // What the rules may change
  scratch[JointValue.LOWER] = compiled.lower;
  scratch[JointValue.UPPER] = compiled.upper;
  for (let i = 0; i < changing.length; i++) {
    const { name, at, min, max } = changing[i]!;
    const value = scratch[at] = from.floats[cursor++]!;
    refuseIf(!(value >= min && value <= max), `has a joint whose ${name} is out of bounds`);
  }

  refuseIf(
    scratch[JointValue.LOWER]! > scratch[JointValue.UPPER]!,
    "has a joint whose limits are exchanged",
  );
  if (form.driven) checkFlags(compiled, flags);
  refuseIf(
    firstInvalidField(layout, from, cursor) >= 0,
    "has a field of a joint that does not fit",
  );
}

function checkFlags({ hasLimits, hasMotor }: CompiledJoint, flags: number): void {
  const allowed = (hasLimits ? SAVED_LIMIT_ON : 0) | (hasMotor ? SAVED_MOTOR_ON : 0);
  refuseIf((flags & ~allowed) !== 0, "has a joint with impossible flags");
}

const JOINT_LABELS = ["id", "kind", "entity A", "entity B"];

/** One word of a joint. */
export interface JointWord {
  readonly name: string;
  readonly type: FieldType;
  /** Whether it is a declared field. */
  readonly isField: boolean;
  /** Whether it is an impulse, which only warm starting needs. */
  readonly isImpulse: boolean;
}

/** The words of a joint in their order. */
export function wordsOf({ form, definition, changing, layout }: CompiledJoint): JointWord[] {
  const own = { isField: false, isImpulse: false };
  const gear = definition.type === "gear" ? ["first joint", "second joint"] : [];
  const integers = [...JOINT_LABELS, ...(form.driven ? ["flags"] : []), ...gear];
  return [
    ...integers.map((name) => ({ ...own, name, type: "u32" as const })),
    ...form.names.map((name, i) => ({
      name,
      type: "f32" as const,
      isField: false,
      isImpulse: form.maxima[i] === IMPULSE_MAX,
    })),
    ...changing.map(({ name }) => ({ ...own, name, type: "f32" as const })),
    ...layout.names.map((name, i) => ({
      name,
      type: layout.types[i]!,
      isField: true,
      isImpulse: false,
    })),
  ];
}

/**
 * @returns one label per word of the joint at the cursor, e.g. "joint 12 lever motorImpulse",
 *   "joint 12 lever.ageTicks"
 */
function jointLabels(
  compiledJoints: readonly CompiledJoint[],
  { words }: Snapshot,
  cursor: number,
): string[] {
  const compiled = compiledJoints[words[cursor + JOINT_KIND]!]!;
  const owner = `joint ${words[cursor + JOINT_ID]} ${compiled.definition.name}`;
  return wordsOf(compiled).map(({ name, isField }) => `${owner}${isField ? "." : " "}${name}`);
}

/** The words of joints in a snapshot, as a stage with joints writes, reads and checks them. */
export interface JointWords {
  /** The number of words of one joint. */
  countOf(compiled: CompiledJoint): number;
  /**
   * Writes all joints behind the snapshot's last word.
   * @param areThere whether the words of the saved state are there already
   * @returns the cursor behind the joints
   * @throws StageError for a field whose value its type cannot hold
   */
  save(table: JointTable, into: Snapshot, cursor: number, areThere: boolean): number;
  /** Restores all joints; see `loadJoints` for what must precede and follow. */
  load(table: JointTable, joints: SavedJoints, from: Snapshot): void;
  /**
   * @returns the cursor behind the joints
   * @throws SnapshotError for words that cannot be so many joints
   */
  check(
    check: JointCheck,
    count: number,
    from: Snapshot,
    cursor: number,
    sameAs: Snapshot | undefined,
  ): number;
  /** @returns one label per word of the joint at the cursor */
  labelsOf(compiled: readonly CompiledJoint[], from: Snapshot, cursor: number): string[];
}

export const JOINT_WORDS: JointWords = {
  countOf: jointWords,
  save: saveJoints,
  load: loadJoints,
  check: checkJoints,
  labelsOf: jointLabels,
};
