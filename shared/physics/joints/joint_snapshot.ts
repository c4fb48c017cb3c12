/**
 * How joints lie in a snapshot, ascending by id, each kind its own words:
 *
 *     id | kind | entity A | entity B | flags, of kinds that may have limits and a motor | its numbers | its fields
 *
 * What a kind declares is constant and left out.
 */
import type { Bonds, Wanted } from "./joint_table.ts";
import type { BodyRecord } from "../stage/entity.ts";
import { firstUnfit, loadFields, saveFields } from "../core/fields.ts";
import type { Bond } from "./joint.ts";
import type { BondKind } from "./compiled_joints.ts";
import type { Kind } from "../stage/compiled_archetypes.ts";
import { LIMIT_EQUAL, LIMIT_FREE, NUMBERS_MAX } from "../planck/joint_planck.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/** As many as there may be entities: a chain that holds all of them. */
export const JOINTS_MAX = 1024;

const JOINT = ["id", "kind", "entity A", "entity B"];
/** The flags word: which side of its limits | limits on << 2 | motor on << 3. */
const LIMIT_ON = 4;
const MOTOR_ON = 8;

const numbers = new Float64Array(NUMBERS_MAX);

/** How many words one joint of a kind has. */
export function jointWords({ form, layout }: BondKind): number {
  return JOINT.length + (form.driven ? 1 : 0) + form.names.length + layout.names.length;
}

/** @returns the place after them @throws StageError where a field was assigned a value that its type cannot hold */
export function saveJoints(bonds: Bonds, into: Snapshot, at: number): number {
  for (let i = 0; i < bonds.all.length; i++) at = saveJoint(bonds.all[i]!, into, at);
  return at;
}

function saveJoint(bond: Bond, into: Snapshot, at: number): number {
  const { words, floats } = into, { kind: { index, form, layout }, driven } = bond;
  words[at] = bond.id;
  words[at + 1] = index;
  words[at + 2] = bond.a.id;
  words[at + 3] = bond.b.id;
  at += JOINT.length;
  if (driven !== undefined) {
    const { m_limitState: side, m_enableLimit: limit, m_enableMotor: motor } = driven;
    words[at++] = side | (limit ? LIMIT_ON : 0) | (motor ? MOTOR_ON : 0);
  }
  form.read(bond.planck, numbers);
  for (let i = 0; i < form.names.length; i++) floats[at++] = numbers[i]!;
  return saveFields(bond.fields, layout, bond, into, at);
}

/**
 * After the poses and before the contacts, which joints filter, and before sleep, because joints that come and go wake bodies.
 * @returns the place after them
 */
export function loadJoints(
  bonds: Bonds,
  count: number,
  from: Snapshot,
  at: number,
  recordOf: (id: number) => BodyRecord,
): number {
  const { words } = from, wanted: Wanted[] = [];
  let end = at;
  for (let i = 0; i < count; i++) {
    const kind = bonds.kinds[words[end + 1]!]!;
    wanted.push({ id: words[end]!, kind, a: recordOf(words[end + 2]!), b: recordOf(words[end + 3]!) });
    end += jointWords(kind);
  }
  bonds.become(wanted);
  for (let i = 0; i < count; i++) at = loadJoint(bonds.all[i]!, from, at);
  return at;
}

function loadJoint({ kind: { form, layout }, planck, driven, fields }: Bond, from: Snapshot, at: number): number {
  const { words, floats } = from;
  at += JOINT.length;
  if (driven !== undefined) {
    const flags = words[at++]!;
    driven.m_limitState = flags & LIMIT_EQUAL;
    driven.m_enableLimit = (flags & LIMIT_ON) !== 0;
    driven.m_enableMotor = (flags & MOTOR_ON) !== 0;
  }
  for (let i = 0; i < form.names.length; i++) numbers[i] = floats[at++]!;
  form.write(planck, numbers);
  return loadFields(fields, layout, from, at);
}

/** What a check knows so far. */
export interface JointCheck {
  readonly kinds: readonly BondKind[];
  /** Below this. */
  readonly nextId: number;
  /** Of every entity, and the ground's. */
  readonly kindOf: ReadonlyMap<number, Kind>;
}

/** Whether a joint could move it. */
function isMovable(kind: Kind): boolean {
  return kind.index !== 0 && kind.path === undefined;
}

/** @returns the place after them @throws SnapshotError where these words cannot be so many joints */
export function checkJoints(check: JointCheck, count: number, from: Snapshot, at: number): number {
  const { words, length } = from;
  for (let i = 0, before = 0; i < count; i++) {
    refuseIf(at + JOINT.length > length, "ends within a joint");
    const id = words[at]!, kind = check.kinds[words[at + 1]!], a = words[at + 2]!, b = words[at + 3]!;
    refuseIf(id <= before || id >= check.nextId || check.kindOf.has(id), "has ids of joints out of order");
    refuseIf(kind === undefined, "has an unknown kind of joint");
    const kindA = check.kindOf.get(a), kindB = check.kindOf.get(b);
    refuseIf(kindA?.cast !== undefined || kindB?.cast !== undefined, "has a joint of a cast");
    refuseIf(kindA === undefined || kindB === undefined, "has a joint of nobody");
    refuseIf(a === b || !(isMovable(kindA!) || isMovable(kindB!)), "has a joint that can move nobody");
    refuseIf(at + jointWords(kind!) > length, "ends within a joint");
    checkNumbers(kind!, from, at + JOINT.length);
    at += jointWords(kind!);
    before = id;
  }
  return at;
}

function checkNumbers(kind: BondKind, from: Snapshot, at: number): void {
  const { form, layout } = kind;
  if (form.driven) checkFlags(kind, from.words[at++]!);
  for (let i = 0; i < form.names.length; i++) {
    numbers[i] = from.floats[at++]!;
    refuseIf(!(Math.abs(numbers[i]!) <= form.maxima[i]!), `has a joint whose ${form.names[i]} is out of bounds`);
  }
  refuseIf(!form.sound(numbers), "has a joint of no length or direction");
  refuseIf(firstUnfit(layout, from, at) >= 0, "has a field of a joint that does not fit");
}

function checkFlags({ hasLimits, hasMotor, limitsEqual }: BondKind, flags: number): void {
  const side = flags & LIMIT_EQUAL, limitOn = (flags & LIMIT_ON) !== 0, motorOn = (flags & MOTOR_ON) !== 0;
  const wrongSide = side !== LIMIT_FREE && (!limitOn || (side === LIMIT_EQUAL) !== limitsEqual);
  const wrong = flags > (LIMIT_EQUAL | LIMIT_ON | MOTOR_ON) || (limitOn && !hasLimits) || (motorOn && !hasMotor);
  refuseIf(wrong || wrongSide, "has a joint with impossible flags");
}

/** What each word of the joint at this place is, e.g. "joint 12 lever motorImpulse", "joint 12 lever.ageTicks". */
export function jointNames(kinds: readonly BondKind[], { words }: Snapshot, at: number): string[] {
  const { form, layout, definition } = kinds[words[at + 1]!]!, owner = `joint ${words[at]} ${definition.name}`;
  const own = [...JOINT, ...(form.driven ? ["flags"] : []), ...form.names];
  return [...own.map((name) => `${owner} ${name}`), ...layout.names.map((name) => `${owner}.${name}`)];
}
