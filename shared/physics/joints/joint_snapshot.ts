/**
 * The layout of joints in a snapshot, ascending by id, and the check of hostile words:
 *
 *     id | definition | entity A | entity B | flags, if the type may have limits and a motor | values | fields
 *
 * The values are those that change: anchors, impulses and so on (`JointForm.names`). Declared constants are left out.
 */
import type { JointTable, SavedJoint } from "./joint_table.ts";
import type { BodyRecord } from "../stage/entity.ts";
import { firstInvalidField, loadFields, saveFields } from "../core/fields.ts";
import type { JointRecord } from "./joint.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import type { CompiledArchetype } from "../stage/compiled_archetypes.ts";
import { LIMIT_EQUAL, LIMIT_FREE, NUMBERS_MAX } from "../planck/joint_planck.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/** As many as entities, which is enough for a chain of all of them. */
export const JOINTS_MAX = 1024;

/** Offsets in a joint. */
const JOINT_ID = 0, JOINT_KIND = 1, JOINT_ENTITY_A = 2, JOINT_ENTITY_B = 3;
const JOINT_WORDS = 4;
/** flags = side of its limits | limits on << 2 | motor on << 3 */
const LIMIT_ON = 4;
const MOTOR_ON = 8;

const scratch = new Float64Array(NUMBERS_MAX);

/** The number of words of one joint. */
export function jointWords({ form, layout }: CompiledJoint): number {
  return JOINT_WORDS + (form.driven ? 1 : 0) + form.names.length + layout.names.length;
}

/** @returns the cursor behind the joints @throws StageError for a field whose value its type cannot hold */
export function saveJoints(joints: JointTable, into: Snapshot, cursor: number): number {
  for (let i = 0; i < joints.all.length; i++) cursor = saveJoint(joints.all[i]!, into, cursor);
  return cursor;
}

function saveJoint(record: JointRecord, into: Snapshot, cursor: number): number {
  const { words, floats } = into, { compiled: { index, form, layout }, driven } = record;
  words[cursor + JOINT_ID] = record.id;
  words[cursor + JOINT_KIND] = index;
  words[cursor + JOINT_ENTITY_A] = record.a.id;
  words[cursor + JOINT_ENTITY_B] = record.b.id;
  cursor += JOINT_WORDS;
  if (driven !== undefined) {
    const { m_limitState: side, m_enableLimit: limit, m_enableMotor: motor } = driven;
    words[cursor++] = side | (limit ? LIMIT_ON : 0) | (motor ? MOTOR_ON : 0);
  }
  form.read(record.planck, scratch);
  for (let i = 0; i < form.names.length; i++) floats[cursor++] = scratch[i]!;
  return saveFields(record.fields, layout, record, into, cursor);
}

/**
 * Restores all joints. Bodies must have their poses. Contacts must follow, because joints prevent contacts, and so must
 * the sleep of bodies, because joints that appear or vanish wake them.
 * @param recordOf the record of an entity with a body
 * @returns the cursor behind the joints
 */
export function loadJoints(
  joints: JointTable,
  count: number,
  from: Snapshot,
  cursor: number,
  recordOf: (id: number) => BodyRecord,
): number {
  const { words } = from, saved: SavedJoint[] = [];
  let end = cursor;
  for (let i = 0; i < count; i++) {
    const id = words[end + JOINT_ID]!, compiled = joints.compiledJoints[words[end + JOINT_KIND]!]!;
    const a = recordOf(words[end + JOINT_ENTITY_A]!), b = recordOf(words[end + JOINT_ENTITY_B]!);
    saved.push({ id, compiled, a, b });
    end += jointWords(compiled);
  }
  joints.restore(saved);
  for (let i = 0; i < count; i++) cursor = loadJoint(joints.all[i]!, from, cursor);
  return cursor;
}

function loadJoint(
  { compiled: { form, layout }, planck, driven, fields }: JointRecord,
  from: Snapshot,
  cursor: number,
): number {
  const { words, floats } = from;
  cursor += JOINT_WORDS;
  if (driven !== undefined) {
    const flags = words[cursor++]!;
    driven.m_limitState = flags & LIMIT_EQUAL;
    driven.m_enableLimit = (flags & LIMIT_ON) !== 0;
    driven.m_enableMotor = (flags & MOTOR_ON) !== 0;
  }
  for (let i = 0; i < form.names.length; i++) scratch[i] = floats[cursor++]!;
  form.write(planck, scratch);
  return loadFields(fields, layout, from, cursor);
}

/** The part of a snapshot that is checked already, and the declarations. */
export interface JointCheck {
  readonly compiledJoints: readonly CompiledJoint[];
  /** All ids are smaller. */
  readonly nextId: number;
  /** By id: the archetypes of all entities and of the ground. */
  readonly archetypeOf: ReadonlyMap<number, CompiledArchetype>;
}

/** Whether a joint can move an entity of this archetype. */
function isMovable(archetype: CompiledArchetype): boolean {
  return archetype.index !== 0 && archetype.path === undefined;
}

/** @returns the cursor behind the joints @throws SnapshotError for words that cannot be so many joints */
export function checkJoints(check: JointCheck, count: number, from: Snapshot, cursor: number): number {
  const { words, length } = from;
  for (let i = 0, before = 0; i < count; i++) {
    refuseIf(cursor + JOINT_WORDS > length, "ends within a joint");
    const id = words[cursor + JOINT_ID]!, compiled = check.compiledJoints[words[cursor + JOINT_KIND]!];
    const a = words[cursor + JOINT_ENTITY_A]!, b = words[cursor + JOINT_ENTITY_B]!;
    refuseIf(id <= before || id >= check.nextId || check.archetypeOf.has(id), "has ids of joints out of order");
    refuseIf(compiled === undefined, "has an unknown kind of joint");
    const archetypeA = check.archetypeOf.get(a), archetypeB = check.archetypeOf.get(b);
    refuseIf(
      archetypeA?.projectile !== undefined || archetypeB?.projectile !== undefined,
      "has a joint of a projectile",
    );
    refuseIf(archetypeA === undefined || archetypeB === undefined, "has a joint of nobody");
    refuseIf(a === b || !(isMovable(archetypeA!) || isMovable(archetypeB!)), "has a joint that can move nobody");
    refuseIf(cursor + jointWords(compiled!) > length, "ends within a joint");
    checkValues(compiled!, from, cursor + JOINT_WORDS);
    cursor += jointWords(compiled!);
    before = id;
  }
  return cursor;
}

function checkValues(compiled: CompiledJoint, from: Snapshot, cursor: number): void {
  const { form, layout } = compiled;
  if (form.driven) checkFlags(compiled, from.words[cursor++]!);
  for (let i = 0; i < form.names.length; i++) {
    scratch[i] = from.floats[cursor++]!;
    refuseIf(!(Math.abs(scratch[i]!) <= form.maxima[i]!), `has a joint whose ${form.names[i]} is out of bounds`);
  }
  refuseIf(!form.sound(scratch), "has a joint of no length or direction");
  refuseIf(firstInvalidField(layout, from, cursor) >= 0, "has a field of a joint that does not fit");
}

function checkFlags({ hasLimits, hasMotor, limitsEqual }: CompiledJoint, flags: number): void {
  const side = flags & LIMIT_EQUAL, limitOn = (flags & LIMIT_ON) !== 0, motorOn = (flags & MOTOR_ON) !== 0;
  const wrongSide = side !== LIMIT_FREE && (!limitOn || (side === LIMIT_EQUAL) !== limitsEqual);
  const wrong = flags > (LIMIT_EQUAL | LIMIT_ON | MOTOR_ON) || (limitOn && !hasLimits) || (motorOn && !hasMotor);
  refuseIf(wrong || wrongSide, "has a joint with impossible flags");
}

const JOINT_LABELS = ["id", "kind", "entity A", "entity B"];

/**
 * @returns one label per word of the joint at the cursor, e.g. "joint 12 lever motorImpulse", "joint 12 lever.ageTicks"
 */
export function jointLabels(compiledJoints: readonly CompiledJoint[], { words }: Snapshot, cursor: number): string[] {
  const { form, layout, definition } = compiledJoints[words[cursor + JOINT_KIND]!]!;
  const owner = `joint ${words[cursor + JOINT_ID]} ${definition.name}`;
  const own = [...JOINT_LABELS, ...(form.driven ? ["flags"] : []), ...form.names];
  return [...own.map((name) => `${owner} ${name}`), ...layout.names.map((name) => `${owner}.${name}`)];
}
