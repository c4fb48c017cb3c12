/**
 * Which joints are on the stage, ascending by id, and planck's lists of them. planck solves joints in the order of these lists,
 * so they are kept in descending order of id, on the world and on each body: what creation gives and a load must restore.
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

/** A joint that took more than its kind's `breakForce`: gone from the stage, its handle is only good for its fields and entities. */
export interface BrokenJoint {
  readonly joint: Joint;
  /** N: the most that it took in a world step of that tick. */
  readonly force: number;
}

/** What a load makes a joint of. */
export interface SavedJoint {
  readonly id: number;
  readonly compiled: CompiledJoint;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
}

/** All joints of one stage, by id and by kind. */
export class JointTable {
  readonly compiledJoints: readonly CompiledJoint[];
  /** Ascending by id. */
  readonly all: JointRecord[] = [];
  /** Of the last tick, ascending by id. */
  readonly broken: BrokenJoint[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: BroadPhase;
  readonly #entities: EntityTable;
  /** By kind index: handles ascending by id. */
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

  get(id: number): JointRecord | undefined {
    return findById(this.all, id);
  }

  handlesOf(compiled: CompiledJoint): readonly Joint[] {
    return this.#handles[compiled.index]!;
  }

  /** Holds both from now on; every number of it is 0. Its id must be larger than all others. */
  add(compiled: CompiledJoint, id: number, a: BodyRecord, b: BodyRecord): JointRecord {
    const record = this.#create(compiled, id, a, b);
    this.#append(record);
    return record;
  }

  /** Takes it away; what it held wakes up, and may touch where it might not before. */
  remove(record: JointRecord): void {
    removeById(this.all, record.id);
    removeById(this.#handles[record.compiled.index]!, record.id);
    this.#destroy(record);
    this.#world.m_newFixture = true;
  }

  /** Takes every joint away that holds this one. */
  removeAllOf(record: EntityRecord): void {
    if (!(record instanceof BodyRecord)) return;
    const { body } = record;
    while (body.m_jointList !== null) this.remove(jointRecordOf(body.m_jointList.joint));
  }

  /** Before a tick's physics, and where all is forgotten. */
  beginTick(): void {
    this.broken.length = 0;
    for (let i = 0; i < this.all.length; i++) this.all[i]!.peakForce = 0;
  }

  /** After each world step: a jolt takes no longer than one. */
  trackPeakForces(): void {
    for (let i = 0; i < this.all.length; i++) {
      const record = this.all[i]!;
      if (record.compiled.breakForce < Infinity) record.peakForce = Math.max(record.peakForce, record.force);
    }
  }

  /** After the last one: whatever took too much is gone. */
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
   * Before the bodies are canonicalized: rounds every number to 32 bits and checks all fields.
   * @throws StageError naming joint and field
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

  /** Whole turns were added to a body's angle: what its joints measure against it stays as it is. */
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
   * Makes the joints exactly these, ascending by id, whatever their numbers. On a mispredicted timeline the same id may be
   * another kind or hold others, and what held entities that are gone went with them.
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

  /** What a load has no use for; planck's joint is gone already where one of its bodies is. */
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

  /** Takes their contacts away; planck would only do so in its next step. What rested on the other wakes up. */
  #destroyContactsBetween(a: PlanckBody, b: PlanckBody): void {
    for (let edge = a.m_contactList, next; edge !== null; edge = next) {
      next = edge.next;
      if (edge.other === b) this.#world.destroyContact(edge.contact);
    }
  }

  /** Has its pairs looked for anew. The ground's boxes never move. */
  #touchProxies({ id, fixtures }: BodyRecord): void {
    if (id === 0) return;
    for (const fixture of fixtures) this.#broadPhase.touchProxy(fixture.m_proxies[0].proxyId);
  }

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

/** A joint's reference angle when its b has lost so many whole turns more than its a: what it measures stays as it is. */
function withoutTurns(angle: number, turns: number): number {
  if (turns === 0) return angle;
  angle -= turns * FULL_TURN;
  // only what turns freely comes so far, and whole turns change nothing for it
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
