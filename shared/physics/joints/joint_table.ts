/**
 * The joints on the stage, ascending by id, with their rows.
 *
 * Islands find joints in the order of each body's list, which is also the order of solving. The table keeps the lists
 * descending by id. A new joint is added at the front, which keeps the order. A load restores it.
 */
import { BodyRecord, type EntityRecord } from "../stage/entity.ts";
import { canonicalizeFields } from "../core/fields.ts";
import { IslandJoints } from "./island_joints.ts";
import { type Joint, JointRecord } from "./joint.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { ANGLE, type BodyRow } from "../core/body_rows.ts";
import { REFERENCE_MAX } from "./joint_form.ts";
import * as jointLayout from "./joint_rows.ts";
import { JointRows } from "./joint_rows.ts";
import { BODY_FLAGS, BODY_INTS, EDITED, FIRST_FIXTURE, NONE, UNSAVED } from "../core/body_rows.ts";
import { FIXTURE_INTS, NEXT_FIXTURE } from "../core/fixture_rows.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import { FULL_TURN, wholeTurns } from "../core/limits.ts";
import { StageError } from "../core/types.ts";
import { findById, removeById } from "../../sorted_list.ts";

const { LOWER, UPPER, MOTOR_MAX, FREQUENCY_HZ, DAMPING_RATIO } = jointLayout;
const { JOINT_DEFINITION, JOINT_FLAGS, COLLIDES, NO_EDGE } = jointLayout;

/**
 * A joint that broke because its force exceeded `breakForce`. It is not on the stage any more. Only the fields and the
 * entities of its handle are still valid.
 */
export interface BrokenJoint {
  readonly joint: Joint;
  /** The largest force in a world step of that tick, N. */
  readonly force: number;
}

/** A joint that a load restores. */
export interface SavedJoint {
  readonly id: number;
  readonly compiled: CompiledJoint;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
}

/** All joints of one stage, by id and by definition. */
export class JointTable {
  readonly compiledJoints: readonly CompiledJoint[];
  /** Ascending by id. */
  readonly all: JointRecord[] = [];
  /** Counts the changes of the list. */
  changes = 0;
  /** The joints that broke in the last tick, ascending by id. */
  readonly broken: BrokenJoint[] = [];
  readonly #world: World;
  readonly #contacts: Contacts;
  readonly #rows = new JointRows();
  /** The record of each row. */
  readonly #records: JointRecord[] = [];
  /** By definition index: handles ascending by id. */
  readonly #handles: Joint[][];
  /** Whether a declared joint can break. */
  readonly #canBreak: boolean;

  constructor(
    world: World,
    contacts: Contacts,
    compiledJoints: readonly CompiledJoint[],
  ) {
    this.#world = world;
    this.#contacts = contacts;
    this.compiledJoints = compiledJoints;
    this.#handles = compiledJoints.map(() => []);
    this.#canBreak = compiledJoints.some(({ breakForce }) => breakForce < Infinity);
    world.joints = new IslandJoints(world.bodies, this.#rows, compiledJoints.map(({ form }) => form));
  }

  /** The record with this id, or undefined. */
  get(id: number): JointRecord | undefined {
    return findById(this.all, id);
  }

  /** The handles of one definition, ascending by id: a live array. */
  handlesOf(compiled: CompiledJoint): readonly Joint[] {
    return this.#handles[compiled.index]!;
  }

  /** Adds a joint whose values are all 0. Its id must be larger than all others. */
  add(compiled: CompiledJoint, id: number, a: BodyRecord, b: BodyRecord): JointRecord {
    const record = this.#create(compiled, id, a, b);
    this.#append(record);
    this.changes++;
    return record;
  }

  /**
   * Removes a joint. Its bodies wake up. The next world step makes the contacts between them that the joint prevented.
   */
  remove(record: JointRecord): void {
    removeById(this.all, record.id);
    removeById(this.#handles[record.compiled.index]!, record.id);
    this.#destroy(record);
    this.#world.hasNewPairs = true;
    this.changes++;
  }

  /** Whether its values may have changed since the stage was saved or loaded: they change only with a body's. */
  isUnsaved(record: JointRecord): boolean {
    return this.#hasFlag(record, UNSAVED);
  }

  /** Whether one of its bodies has the flag. */
  #hasFlag({ a, b }: JointRecord, flag: number): boolean {
    const { ints } = this.#world.bodies;
    return ((ints[a.row * BODY_INTS + BODY_FLAGS]! | ints[b.row * BODY_INTS + BODY_FLAGS]!) & flag) !== 0;
  }

  /** Wakes both bodies of a joint. */
  wake({ a, b }: JointRecord): void {
    for (const { id, row } of [a, b]) if (id !== 0) this.#world.wake(row);
  }

  /** Removes all joints of an entity. */
  removeAllOf(record: EntityRecord): void {
    if (!(record instanceof BodyRecord)) return;
    const rows = this.#rows, { row } = record;
    for (let edge; (edge = rows.firstEdge(row)) !== NO_EDGE;) this.remove(this.#records[edge >> 1]!);
  }

  /** Clears the results of the last tick, before a tick's physics and at a load. */
  beginTick(): void {
    this.broken.length = 0;
    if (!this.#canBreak) return;
    for (let i = 0; i < this.all.length; i++) this.all[i]!.peakForce = 0;
  }

  /** Updates the peak forces after each world step, because a jolt lasts no longer than one. */
  trackPeakForces(): void {
    if (!this.#canBreak) return;
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!;
      if (record.compiled.breakForce < Infinity) record.peakForce = Math.max(record.peakForce, record.force);
    }
  }

  /** Removes the joints whose peak force was too large, after the last world step. */
  breakOverloaded(): void {
    if (!this.#canBreak) return;
    for (let i = 0; i < this.all.length;) {
      const record = this.all[i]!;
      if (record.peakForce > record.compiled.breakForce) {
        this.broken.push({ joint: record.joint, force: record.peakForce });
        this.remove(record);
      } else i++;
    }
  }

  /**
   * Checks all fields, and rounds the values of joints with an `EDITED` body to 32 bits: no others change. It must run before the bodies are
   * canonicalized, because it needs their angles with the whole turns that they are about to lose.
   * @throws StageError for a value or a field out of bounds
   */
  canonicalize(): void {
    const { values } = this.#rows;
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!, { form: { referenceAt }, layout } = record.compiled;
      if (layout.names.length > 0) canonicalizeFields(record.fields, layout, record);
      if (!this.#hasFlag(record, EDITED)) continue;
      const turns = referenceAt < 0 ? 0 : wholeTurns(angleOf(record.b)) - wholeTurns(angleOf(record.a));
      if (turns !== 0) values[record.at + referenceAt] = withoutTurns(values[record.at + referenceAt]!, turns);
      this.#round(record);
    }
  }

  #round(record: JointRecord): void {
    const { values } = this.#rows, { at, compiled: { form: { names, maxima } } } = record;
    for (let k = 0; k < maxima.length; k++) {
      const value = Math.fround(values[at + k]!);
      values[at + k] = value;
      if (!(Math.abs(value) <= maxima[k]!)) throw new StageError(`${record}: ${names[k]} is ${value}`);
    }
  }

  /** Corrects the reference angles of a body's joints after whole turns were added to its angle. */
  shiftWholeTurns({ row }: BodyRecord, turns: number): void {
    const rows = this.#rows;
    for (let edge = rows.firstEdge(row); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      const { at, b, compiled: { form: { referenceAt } } } = this.#records[edge >> 1]!;
      if (referenceAt < 0) continue;
      const reference = rows.values[at + referenceAt]!;
      rows.values[at + referenceAt] = withoutTurns(reference, b.row === row ? -turns : turns);
    }
  }

  /**
   * Makes the table hold exactly these joints, ascending by id. Their values come later. On a mispredicted timeline an
   * id may belong to another definition or join other entities. The bodies of the old joints may be gone.
   */
  restore(saved: readonly SavedJoint[]): void {
    const before = this.all.slice();
    this.changes++;
    this.all.length = 0;
    for (const handles of this.#handles) handles.length = 0;
    this.#rows.unlinkAll();
    let old = 0;
    for (const each of saved) {
      while (old < before.length && before[old]!.id < each.id) this.#discard(before[old++]!);
      const same = before[old]?.id === each.id ? before[old++] : undefined;
      if (same !== undefined && matches(same, each)) {
        this.#rows.link(same.row);
        this.#append(same);
        continue;
      }
      if (same !== undefined) this.#discard(same);
      this.#append(this.#create(each.compiled, each.id, each.a, each.b));
    }
    while (old < before.length) this.#discard(before[old++]!);
  }

  #append(record: JointRecord): void {
    this.all.push(record);
    this.#handles[record.compiled.index]!.push(record.joint);
  }

  #create(compiled: CompiledJoint, id: number, a: BodyRecord, b: BodyRecord): JointRecord {
    if (!compiled.collide) this.#contacts.removeBetween(a.row, b.row);
    const record = new JointRecord(id, compiled, a, b, this.#rows), { at, intsAt } = record;
    const { values, ints } = this.#rows;
    values[at + LOWER] = compiled.lower;
    values[at + UPPER] = compiled.upper;
    values[at + MOTOR_MAX] = compiled.motorMax;
    values[at + FREQUENCY_HZ] = compiled.frequencyHz;
    values[at + DAMPING_RATIO] = compiled.dampingRatio;
    ints[intsAt + JOINT_DEFINITION] = compiled.index;
    ints[intsAt + JOINT_FLAGS] = compiled.collide ? COLLIDES : 0;
    this.#records[record.row] = record;
    return record;
  }

  /** Whether both entities of a joint are on the stage. On another timeline others may have their ids. */
  hasBodies({ a, b }: Pick<JointRecord, "a" | "b">): boolean {
    const { owners } = this.#world;
    return owners[a.row] === a && owners[b.row] === b;
  }

  /** Drops a joint that a load does not restore. The load has emptied all lists. */
  #discard({ row, a, b }: JointRecord): void {
    this.#rows.release(row);
    if (!this.hasBodies({ a, b })) return;
    this.#touchProxies(a);
    this.#touchProxies(b);
  }

  #destroy({ row, a, b }: JointRecord): void {
    this.#rows.unlink(row);
    this.#rows.release(row);
    for (const end of [a, b]) {
      this.#world.wake(end.row);
      this.#touchProxies(end);
    }
  }

  /** Makes the broad phase find the body's pairs again. The ground has no moving AABBs. */
  #touchProxies({ id, row }: BodyRecord): void {
    if (id === 0) return;
    const { bodies, fixtures } = this.#world;
    for (let fixture = bodies.ints[row * BODY_INTS + FIRST_FIXTURE]!; fixture !== NONE;) {
      this.#contacts.broadPhase.touchProxy(fixture);
      fixture = fixtures.ints[fixture * FIXTURE_INTS + NEXT_FIXTURE]!;
    }
  }
}

/**
 * @returns a reference angle after b has lost `turns` whole turns more than a, so that the measured angle is unchanged
 */
function withoutTurns(angle: number, turns: number): number {
  if (turns === 0) return angle;
  angle -= turns * FULL_TURN;
  // Only a joint without limits comes so far, and whole turns make no difference to it.
  return Math.abs(angle) > REFERENCE_MAX ? angle - Math.round(angle / FULL_TURN) * FULL_TURN : angle;
}

function matches(record: JointRecord, { compiled, a, b }: SavedJoint): boolean {
  return record.compiled === compiled && record.a === a && record.b === b;
}

function angleOf({ values, offset }: BodyRow): number {
  return values[offset + ANGLE]!;
}
