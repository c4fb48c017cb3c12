/**
 * The joints on the stage, ascending by id, and planck's lists of them.
 *
 * planck solves joints in the order of its lists, one of the world and one of each body. The table keeps them
 * descending by id. planck adds a new joint at the front, which keeps the order. A load restores it.
 */
import type { BroadPhase } from "../collision/broad_phase.ts";
import { BodyRecord, type EntityRecord } from "../stage/entity.ts";
import { canonicalizeFields } from "../core/fields.ts";
import { type Joint, JointRecord, jointRecordOf } from "./joint.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { NUMBERS_MAX, REFERENCE_MAX } from "../planck/joint_planck.ts";
import {
  newJoint,
  type PlanckBody,
  type PlanckJoint,
  type PlanckJointEdge,
  type PlanckWorld,
} from "../planck/planck.ts";
import { FULL_TURN, wholeTurns } from "../core/limits.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { StageError } from "../core/types.ts";
import { findById, removeById } from "../../sorted_list.ts";

const scratch = new Float64Array(NUMBERS_MAX);

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
  /** The joints that broke in the last tick, ascending by id. */
  readonly broken: BrokenJoint[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: BroadPhase;
  readonly #entities: EntityTable;
  /** By definition index: handles ascending by id. */
  readonly #handles: Joint[][];

  constructor(
    world: PlanckWorld,
    broadPhase: BroadPhase,
    entities: EntityTable,
    compiledJoints: readonly CompiledJoint[],
  ) {
    this.#world = world;
    this.#broadPhase = broadPhase;
    this.#entities = entities;
    this.compiledJoints = compiledJoints;
    this.#handles = compiledJoints.map(() => []);
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
    return record;
  }

  /**
   * Removes a joint. Its bodies wake up. The next world step makes the contacts between them that the joint prevented.
   */
  remove(record: JointRecord): void {
    removeById(this.all, record.id);
    removeById(this.#handles[record.compiled.index]!, record.id);
    this.#destroy(record);
    this.#world.m_newFixture = true;
  }

  /** Removes all joints of an entity. */
  removeAllOf(record: EntityRecord): void {
    if (!(record instanceof BodyRecord)) return;
    const { body } = record;
    while (body.m_jointList !== null) this.remove(jointRecordOf(body.m_jointList.joint));
  }

  /** Clears the results of the last tick, before a tick's physics and at a load. */
  beginTick(): void {
    this.broken.length = 0;
    for (let i = 0; i < this.all.length; i++) this.all[i]!.peakForce = 0;
  }

  /** Updates the peak forces after each world step, because a jolt lasts no longer than one. */
  trackPeakForces(): void {
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!;
      if (record.compiled.breakForce < Infinity) record.peakForce = Math.max(record.peakForce, record.force);
    }
  }

  /** Removes the joints whose peak force was too large, after the last world step. */
  breakOverloaded(): void {
    for (let i = 0; i < this.all.length;) {
      const record = this.all[i]!;
      if (record.peakForce > record.compiled.breakForce) {
        this.broken.push({ joint: record.joint, force: record.peakForce });
        this.remove(record);
      } else i++;
    }
  }

  /**
   * Rounds all values to 32 bits and checks all fields. It must run before the bodies are canonicalized, because it
   * needs their angles with the whole turns that they are about to lose.
   * @throws StageError for a value or a field out of bounds
   */
  canonicalize(): void {
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!, { form, layout } = record.compiled;
      canonicalizeFields(record.fields, layout, record);
      form.read(record.planck, scratch);
      if (form.referenceAt >= 0) {
        const turns = wholeTurns(record.b.body.m_sweep.a) - wholeTurns(record.a.body.m_sweep.a);
        scratch[form.referenceAt] = withoutTurns(scratch[form.referenceAt]!, turns);
      }
      for (let k = 0; k < form.maxima.length; k++) {
        scratch[k] = Math.fround(scratch[k]!);
        if (!(Math.abs(scratch[k]!) <= form.maxima[k]!)) {
          throw new StageError(`${record}: ${form.names[k]} is ${scratch[k]}`);
        }
      }
      form.write(record.planck, scratch);
    }
  }

  /** Corrects the reference angles of a body's joints after whole turns were added to its angle. */
  shiftWholeTurns({ body }: BodyRecord, turns: number): void {
    for (let edge = body.m_jointList; edge !== null; edge = edge.next) {
      const { planck, b, compiled: { form } } = jointRecordOf(edge.joint);
      if (form.referenceAt < 0) continue;
      form.read(planck, scratch);
      scratch[form.referenceAt] = withoutTurns(scratch[form.referenceAt]!, b.body === body ? -turns : turns);
      form.write(planck, scratch);
    }
  }

  /**
   * Makes the table hold exactly these joints, ascending by id. Their values come later. On a mispredicted timeline an
   * id may belong to another definition or join other entities. planck has already destroyed the joints of bodies that
   * are gone.
   */
  restore(saved: readonly SavedJoint[]): void {
    const before = this.all.slice();
    this.all.length = 0;
    for (const handles of this.#handles) handles.length = 0;
    let old = 0, hasNew = false;
    for (const each of saved) {
      while (old < before.length && before[old]!.id < each.id) this.#discard(before[old++]!);
      const same = before[old]?.id === each.id ? before[old++] : undefined;
      if (same !== undefined && matches(same, each)) {
        this.#append(same);
        continue;
      }
      if (same !== undefined) this.#discard(same);
      this.#append(this.#create(each.compiled, each.id, each.a, each.b));
      hasNew = true;
    }
    while (old < before.length) this.#discard(before[old++]!);
    if (hasNew) this.#relink();
  }

  #append(record: JointRecord): void {
    this.all.push(record);
    this.#handles[record.compiled.index]!.push(record.joint);
  }

  #create(compiled: CompiledJoint, id: number, a: BodyRecord, b: BodyRecord): JointRecord {
    const planck = newJoint(compiled.definition.type, a.body, b.body, compiled.collide);
    compiled.form.fix(planck, compiled);
    if (!compiled.collide) this.#destroyContactsBetween(a.body, b.body);
    this.#world.createJoint(planck);
    return new JointRecord(id, compiled, a, b, planck);
  }

  /** Destroys a joint that a load does not restore, unless planck destroyed it with one of its bodies. */
  #discard(record: JointRecord): void {
    if (this.#entities.get(record.a.id) === record.a && this.#entities.get(record.b.id) === record.b) {
      this.#destroy(record);
    }
  }

  #destroy({ planck, a, b }: JointRecord): void {
    this.#world.destroyJoint(planck);
    this.#touchProxies(a);
    this.#touchProxies(b);
  }

  /** Destroys their contacts at once. planck would do so in its next step. The bodies that touched wake up. */
  #destroyContactsBetween(a: PlanckBody, b: PlanckBody): void {
    for (let edge = a.m_contactList, next; edge !== null; edge = next) {
      next = edge.next;
      if (edge.other === b) this.#world.destroyContact(edge.contact);
    }
  }

  /** Makes the broad phase find the body's pairs again. The ground has no moving AABBs. */
  #touchProxies({ id, fixtures }: BodyRecord): void {
    if (id === 0) return;
    for (const fixture of fixtures) this.#broadPhase.touchProxy(fixture.m_proxies[0].proxyId);
  }

  /** Restores the order of planck's lists. */
  #relink(): void {
    for (const { a, b } of this.all) a.body.m_jointList = b.body.m_jointList = null;
    let next: PlanckJoint | null = null;
    for (const { a, b, planck } of this.all) {
      planck.m_next = next;
      if (next !== null) next.m_prev = planck;
      next = planck;
      linkFirst(a.body, planck.m_edgeA);
      linkFirst(b.body, planck.m_edgeB);
    }
    if (next !== null) next.m_prev = null;
    this.#world.m_jointList = next;
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

function linkFirst(body: PlanckBody, edge: PlanckJointEdge): void {
  edge.prev = null;
  edge.next = body.m_jointList;
  if (edge.next !== null) edge.next.prev = edge;
  body.m_jointList = edge;
}
