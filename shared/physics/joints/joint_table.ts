/**
 * The joints on the stage, ascending by id, with their rows.
 *
 * Islands find joints in the order of each body's list, which is also the order of solving. The
 * table keeps the lists descending by id. A new joint is added at the front, which keeps the order.
 * A load restores it.
 */
import { type CompiledArchetype, isUpright, mayBeDynamic } from "../stage/compiled_archetypes.ts";
import { BodyRecord, type EntityRecord } from "../stage/entity.ts";
import { HandleList } from "../../handle_list.ts";
import { canonicalizeFields, type HeldValues } from "../core/fields.ts";
import { IslandJoints } from "./island_joints.ts";
import { type Joint, type JointEnds, JointRecord } from "./joint.ts";
import { type CompiledJoint, mayTouch } from "./compiled_joints.ts";
import { Body, BodyFlag, BodyInt, type BodyRow } from "../core/body_rows.ts";
import { canMove, holdsNothing, holdsPlace, IMPULSE_MAX, REFERENCE_MAX } from "./joint_form.ts";
import {
  GEAR_CONSTANT,
  JointFlag,
  JointInt,
  JointRows,
  JointValue,
  NO_EDGE,
} from "./joint_rows.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import { FULL_TURN, JOINTS_MAX, wholeTurns } from "../core/limits.ts";
import { StageError } from "../core/types.ts";
import { findById, removeById } from "../../sorted_list.ts";

/**
 * A joint that broke because its force exceeded `breakForce`, or its torque `breakTorque`. It is not
 * on the stage any more. Only the fields and the entities of its handle are still valid.
 */
export interface BrokenJoint {
  readonly joint: Joint;
  /** The largest force in a world step of that tick, N. */
  readonly force: number;
  /** The largest torque in one, N·m, >= 0. */
  readonly torque: number;
}

/** A joint that a load restores. */
export interface SavedJoint {
  readonly id: number;
  readonly compiled: CompiledJoint;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
  /** Of a gear: the ids of its joints, which are smaller. */
  readonly geared: readonly [first: number, second: number] | undefined;
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
  /** The gears among the joints, ascending by id. */
  readonly #gears: JointRecord[] = [];
  /** By definition index: handles ascending by id. */
  readonly #handles: readonly HandleList<Joint>[];
  readonly #solver: IslandJoints;
  /** Whether a declared joint can break. */
  readonly #canBreak: boolean;
  /** Whether a body of the declaration can stop to be dynamic while joints hold it. */
  readonly #canRest: boolean;

  constructor(
    world: World,
    contacts: Contacts,
    compiledJoints: readonly CompiledJoint[],
    { canRest = false }: { readonly canRest?: boolean } = {},
  ) {
    this.#world = world;
    this.#contacts = contacts;
    this.compiledJoints = compiledJoints;
    this.#handles = compiledJoints.map(() => new HandleList());
    this.#canBreak = compiledJoints.some(canBreak);
    this.#canRest = canRest;
    this.#solver = new IslandJoints(
      world.bodies,
      this.#rows,
      compiledJoints.map(({ form }) => form),
    );
    world.joints = this.#solver;
  }

  /** The record with this id, or undefined. */
  get(id: number): JointRecord | undefined {
    return findById(this.all, id);
  }

  /** The handles of one definition, ascending by id. The list never changes. */
  handlesOf(compiled: CompiledJoint): readonly Joint[] {
    return this.#handles[compiled.index]!.current;
  }

  /** Adds a joint whose values are all 0. Its id must be larger than all others. */
  add(compiled: CompiledJoint, id: number, ends: JointEnds): JointRecord {
    const record = this.#create(compiled, id, ends);
    this.#append(record);
    this.changes++;
    return record;
  }

  /**
   * Removes a joint, and the gears that couple it. Its bodies wake up. The next world step makes
   * the contacts between them that the joint prevented.
   */
  remove(record: JointRecord): void {
    for (
      let gear;
      (gear = this.#gears.find(({ geared }) => geared!.includes(record))) !== undefined;
    ) {
      this.remove(gear);
    }
    if (record.geared !== undefined) removeById(this.#gears, record.id);
    removeById(this.all, record.id);
    this.#handles[record.compiled.index]!.remove(record.id);
    this.#destroy(record);
    this.#world.hasNewPairs = true;
    this.changes++;
  }

  /**
   * Whether its values may have changed since the stage was saved or loaded: they change only with
   * a body's.
   */
  isUnsaved(record: JointRecord): boolean {
    return this.#hasFlag(record, BodyFlag.UNSAVED);
  }

  /** Whether one of its bodies has the flag. */
  #hasFlag({ a, b }: JointRecord, flag: number): boolean {
    const { ints } = this.#world.bodies;
    return ((ints[a.row * BodyInt.STRIDE + BodyInt.FLAGS]! |
      ints[b.row * BodyInt.STRIDE + BodyInt.FLAGS]!) &
      flag) !== 0;
  }

  /** Wakes both bodies of a joint. */
  wake({ a, b }: JointRecord): void {
    for (const { id, row } of [a, b]) if (id !== 0) this.#world.wake(row);
  }

  /** Wakes all that an entity is joined to. */
  wakeAllOf(record: EntityRecord): void {
    for (const joint of this.#jointsOf(record)) this.wake(joint);
  }

  /** Removes the newest joints beyond `JOINTS_MAX`, at the end of a tick. */
  removeSurplus(held: HeldValues): void {
    const surplus = this.all.length - JOINTS_MAX;
    if (surplus <= 0) return;
    held.add(`${this.all.length} joints are on the stage; the newest ${surplus} have ended`);
    while (this.all.length > JOINTS_MAX) this.remove(this.all.at(-1)!);
  }

  /** Removes all joints of an entity. */
  removeAllOf(record: EntityRecord): void {
    this.#removeOf(record, () => true);
  }

  /**
   * Removes the joints of entities that are about to move as one piece, but for those that hold
   * nothing else: neither another entity nor a point of the stage.
   * @param turns whether the piece also turns: then the impulses, which are vectors of the stage,
   *   are worth nothing
   */
  removeOuter(piece: readonly EntityRecord[], turns: boolean): void {
    for (const record of piece) {
      this.#removeOf(
        record,
        ({ a, b, compiled: { form } }) =>
          !holdsNothing(form) &&
          (holdsPlace(form) || !piece.includes(a) || !piece.includes(b)),
      );
    }
    if (!turns) return;
    for (const record of piece) {
      for (const joint of this.#jointsOf(record)) this.#clearImpulses(joint);
    }
  }

  /**
   * Removes the joints that an entity cannot have as one of another archetype: all of them if it
   * loses its body or changes its angle, otherwise those that could move neither of their bodies
   * any more.
   */
  removeUnfit(record: EntityRecord, archetype: CompiledArchetype): void {
    const keepsPose = archetype.body !== undefined && (record.angle === 0 || !isUpright(archetype));
    const mayMove = (end: BodyRecord) => mayBeDynamic(end === record ? archetype : end.compiled);
    this.#removeOf(
      record,
      ({ a, b, compiled: { form } }) => !keepsPose || !canMove(form, mayMove(a), mayMove(b)),
    );
  }

  /**
   * An entity has become one of another archetype: its joints hold the new body in place of the one
   * in `row`.
   */
  moveAllOf(row: number, to: BodyRecord): void {
    const rows = this.#rows;
    rows.moveList(row, to.row);
    for (let edge = rows.firstEdge(to.row); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      const joint = this.#records[edge >> 1]!;
      if ((edge & 1) === 0) joint.a = to;
      else joint.b = to;
      this.#resettle(joint);
    }
  }

  /**
   * A body has become dynamic, or is so no more: the joints of the entity that can move neither of
   * their bodies now rest, without impulses, and the others hold. All that they hold wakes.
   */
  retype(record: EntityRecord): void {
    for (const joint of this.#jointsOf(record)) this.#resettle(joint);
  }

  #resettle(joint: JointRecord): void {
    const rested = joint.has(JointFlag.RESTS);
    this.#updateRest(joint);
    if (joint.has(JointFlag.RESTS) !== rested) this.#clearImpulses(joint);
    this.wake(joint);
  }

  /** The same for all joints, after a load, which brings the impulses. */
  retypeAll(): void {
    if (!this.#canRest) return;
    for (let i = 0; i < this.all.length; i++) this.#updateRest(this.all[i]!);
  }

  #updateRest(joint: JointRecord): void {
    const { a, b, compiled: { form } } = joint;
    const rests = holdsNothing(form) || !canMove(form, a.isDynamic, b.isDynamic);
    joint.setFlag(JointFlag.RESTS, rests);
  }

  /** The joints of an entity, the newest first, as a new list. */
  #jointsOf(record: EntityRecord): JointRecord[] {
    const rows = this.#rows;
    const joints: JointRecord[] = [];
    if (!(record instanceof BodyRecord)) return joints;
    for (let edge = rows.firstEdge(record.row); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      joints.push(this.#records[edge >> 1]!);
    }
    return joints;
  }

  #removeOf(record: EntityRecord, ends: (joint: JointRecord) => boolean): void {
    for (const joint of this.#jointsOf(record)) {
      // A gear may have ended with a joint that it couples.
      if (this.get(joint.id) === joint && ends(joint)) this.remove(joint);
    }
  }

  #clearImpulses({ rows: { values }, at, compiled: { form } }: JointRecord): void {
    form.maxima.forEach((max, i) => {
      if (max === IMPULSE_MAX) values[at + i] = 0;
    });
  }

  /** Forgets what happened in a tick's physics, at the end of the tick and at a load. */
  clearTick(): void {
    this.broken.length = 0;
    if (!this.#canBreak) return;
    for (let i = 0; i < this.all.length; i++) {
      this.all[i]!.peakForce = this.all[i]!.peakTorque = 0;
    }
  }

  /**
   * Updates the peak forces and torques after each world step, because a jolt lasts no longer than
   * one. Those of a world step are the mean over its solver steps.
   */
  trackPeakForces(): void {
    if (!this.#canBreak) return;
    const { solverSteps } = this.#world;
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!;
      if (!canBreak(record.compiled)) continue;
      const { stepS } = record.compiled;
      const force = this.#solver.earlierImpulseOf(record.row) / stepS + record.force;
      const torque = this.#solver.earlierTwistOf(record.row) / stepS + record.torque;
      record.peakForce = Math.max(record.peakForce, force / solverSteps);
      record.peakTorque = Math.max(record.peakTorque, Math.abs(torque / solverSteps));
    }
  }

  /** Removes the joints whose peak force or torque was too large, after the last world step. */
  breakOverloaded(): void {
    if (!this.#canBreak) return;
    for (let i = 0; i < this.all.length;) {
      const record = this.all[i]!;
      const { joint, peakForce, peakTorque, compiled: { breakForce, breakTorque } } = record;
      if (peakForce > breakForce || peakTorque > breakTorque) {
        this.broken.push({ joint, force: peakForce, torque: peakTorque });
        this.remove(record);
      } else i++;
    }
  }

  /**
   * Checks all fields, and rounds the values of joints with a `BodyFlag.DIRTY` body to 32 bits: no
   * others change. It must run before the bodies are canonicalized, because it needs their angles
   * with the whole turns that they are about to lose.
   * @param held notes what is held at its bound
   * @throws StageError for a value that is not a number
   */
  canonicalize(held: HeldValues): void {
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!;
      const { form: { referenceAt }, layout } = record.compiled;
      if (layout.names.length > 0) canonicalizeFields(record.fields, layout, record, held);
      if (!this.#hasFlag(record, BodyFlag.DIRTY)) continue;
      const turns = referenceAt < 0
        ? 0
        : wholeTurns(angleOf(record.b)) - wholeTurns(angleOf(record.a));
      if (turns !== 0) this.#shiftReference(record, turns);
      this.#round(record);
    }
  }

  #round(record: JointRecord): void {
    const { values } = this.#rows;
    const { at, compiled: { form: { names, maxima } } } = record;
    for (let k = 0; k < maxima.length; k++) {
      const value = Math.fround(values[at + k]!);
      values[at + k] = value;
      if (Math.abs(value) <= maxima[k]!) continue;
      if (Number.isNaN(value)) throw new StageError(`${record}: ${names[k]} is ${value}`);
      values[at + k] = Math.sign(value) * Math.fround(maxima[k]!);
    }
  }

  /** Corrects the reference angles of a body's joints after whole turns were added to its angle. */
  shiftWholeTurns({ row }: BodyRecord, turns: number): void {
    const rows = this.#rows;
    for (let edge = rows.firstEdge(row); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      const record = this.#records[edge >> 1]!;
      if (record.compiled.form.referenceAt >= 0) {
        this.#shiftReference(record, record.b.row === row ? -turns : turns);
      }
    }
  }

  /**
   * Corrects a reference angle after b has lost `turns` whole turns more than a. If that makes the
   * reference too large, the joint's angle loses whole turns, too, and so do the constants of its
   * gears.
   */
  #shiftReference(record: JointRecord, turns: number): void {
    const { values } = this.#rows;
    const at = record.at + record.compiled.form.referenceAt;
    const exact = values[at]! - turns * FULL_TURN;
    const bounded = withinReference(exact);
    values[at] = bounded;
    if (bounded === exact) return;
    const turn = Math.round((exact - bounded) / FULL_TURN) * FULL_TURN;
    for (const gear of this.#gears) {
      const [first, second] = gear.geared!;
      const constant = gear.at + GEAR_CONSTANT;
      if (first === record) values[constant] = Math.fround(values[constant]! + turn);
      else if (second === record) {
        values[constant] = Math.fround(
          values[constant]! + values[gear.at + JointValue.RATIO]! * turn,
        );
      } else continue;
      this.#world.edit(gear.a.row);
    }
  }

  /**
   * Makes the table hold exactly these joints, ascending by id. Their values come later. On a
   * mispredicted timeline an id may belong to another definition or join other entities. The bodies
   * of the old joints may be gone.
   */
  restore(saved: readonly SavedJoint[]): void {
    const before = this.all.slice();
    this.changes++;
    this.all.length = 0;
    this.#gears.length = 0;
    for (const handles of this.#handles) handles.clear();
    this.#rows.unlinkAll();
    let old = 0;

    for (const each of saved) {
      while (old < before.length && before[old]!.id < each.id) this.#discard(before[old++]!);
      const same = before[old]?.id === each.id ? before[old++] : undefined;
      const ends = this.#endsOf(each);
      if (same !== undefined && matches(same, each.compiled, ends)) {
        this.#rows.link(same.row);
        this.#append(same);
        continue;
      }
      if (same !== undefined) this.#discard(same);
      this.#append(this.#create(each.compiled, each.id, ends));
    }

    while (old < before.length) this.#discard(before[old++]!);
  }

  /** The ends of a joint whose own joints, if it is a gear, are on the stage. */
  #endsOf({ a, b, geared }: SavedJoint): JointEnds {
    return { a, b, geared: geared && [this.get(geared[0])!, this.get(geared[1])!] };
  }

  #append(record: JointRecord): void {
    this.all.push(record);
    if (record.geared !== undefined) this.#gears.push(record);
    this.#handles[record.compiled.index]!.append(record.joint);
  }

  #create(compiled: CompiledJoint, id: number, ends: JointEnds): JointRecord {
    const collides = mayTouch(compiled, ends.a, ends.b);
    if (!collides) this.#contacts.removeBetween(ends.a.row, ends.b.row);
    const record = new JointRecord(id, compiled, ends, this.#rows);
    const { at, intsAt, geared } = record;
    const { values, ints } = this.#rows;
    for (const constant of compiled.constants) values[at + constant.at] = constant.value;
    ints[intsAt + JointInt.DEFINITION] = compiled.index;
    ints[intsAt + JointInt.FLAGS] = collides ? JointFlag.COLLIDES : 0;
    if (geared !== undefined) {
      const [first, second] = geared;
      ints[intsAt + JointInt.FIRST_JOINT] = first.row;
      ints[intsAt + JointInt.SECOND_JOINT] = second.row;
      record.setFlag(JointFlag.FIRST_SLIDES, first.compiled.definition.type === "prismatic");
      record.setFlag(JointFlag.SECOND_SLIDES, second.compiled.definition.type === "prismatic");
    }
    this.#records[record.row] = record;
    this.#updateRest(record);
    return record;
  }

  /**
   * Whether both entities of a joint are on the stage. On another timeline others may have their
   * ids.
   */
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
    if (id !== 0) this.#contacts.touchProxies(row);
  }
}

function canBreak({ breakForce, breakTorque }: CompiledJoint): boolean {
  return breakForce < Infinity || breakTorque < Infinity;
}

/** @returns a reference angle, less whole turns if it is too large */
function withinReference(angle: number): number {
  // Only a joint without limits comes so far. Whole turns make a difference to its gears alone.
  return Math.abs(angle) > REFERENCE_MAX
    ? angle - Math.round(angle / FULL_TURN) * FULL_TURN
    : angle;
}

function matches(
  record: JointRecord,
  compiled: CompiledJoint,
  { a, b, geared }: JointEnds,
): boolean {
  return record.compiled === compiled && record.a === a && record.b === b &&
    record.geared?.[0] === geared?.[0] &&
    record.geared?.[1] === geared?.[1];
}

function angleOf({ values, offset }: BodyRow): number {
  return values[offset + Body.ANGLE]!;
}
