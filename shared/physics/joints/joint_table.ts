/**
 * Which joints are on the stage, ascending by id, and planck's lists of them. planck solves joints in the order of these lists,
 * so they are kept in descending order of id, on the world and on each body: what creation gives and a load must restore.
 */
import type { FlatBroadPhase } from "../collision/broad_phase.ts";
import { BodyRecord, type EntityRecord } from "../stage/entity.ts";
import { canonicalizeFields } from "../core/fields.ts";
import { Bond, bondOf, type Joint } from "./joint.ts";
import type { BondKind } from "./compiled_joints.ts";
import { NUMBERS_MAX, REFERENCE_MAX } from "../planck/joint_planck.ts";
import {
  newJoint,
  type PlanckBody,
  type PlanckJoint,
  type PlanckJointEdge,
  type PlanckWorld,
} from "../planck/planck.ts";
import { TURN, wholeTurns } from "../core/limits.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { StageError } from "../core/types.ts";

const numbers = new Float64Array(NUMBERS_MAX);

/** A joint that took more than its kind's `breakForce`: gone from the stage, its handle is only good for its fields and entities. */
export interface BrokenJoint {
  readonly joint: Joint;
  /** N: the most that it took in a world step of that tick. */
  readonly force: number;
}

/** What a load makes a joint of. */
export interface Wanted {
  readonly id: number;
  readonly kind: BondKind;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
}

/** All joints of one stage, by id and by kind. */
export class Bonds {
  readonly kinds: readonly BondKind[];
  /** Ascending by id. */
  readonly all: Bond[] = [];
  /** Of the last tick, ascending by id. */
  readonly broken: BrokenJoint[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: FlatBroadPhase;
  readonly #entities: EntityTable;
  /** By kind index: handles ascending by id. */
  readonly #joints: Joint[][];

  constructor(world: PlanckWorld, broadPhase: FlatBroadPhase, entities: EntityTable, kinds: readonly BondKind[]) {
    this.#world = world;
    this.#broadPhase = broadPhase;
    this.#entities = entities;
    this.kinds = kinds;
    this.#joints = kinds.map(() => []);
  }

  get(id: number): Bond | undefined {
    const bond = this.all[this.#placeOf(id)];
    return bond?.id === id ? bond : undefined;
  }

  jointsOf(kind: BondKind): readonly Joint[] {
    return this.#joints[kind.index]!;
  }

  /** Holds both from now on; every number of it is 0. Its id must be larger than all others. */
  add(kind: BondKind, id: number, a: BodyRecord, b: BodyRecord): Bond {
    const bond = this.#create(kind, id, a, b);
    this.#list(bond);
    return bond;
  }

  /** Takes it away; what it held wakes up, and may touch where it might not before. */
  remove(bond: Bond): void {
    this.all.splice(this.#placeOf(bond.id), 1);
    const joints = this.#joints[bond.kind.index]!;
    joints.splice(joints.indexOf(bond.joint), 1);
    this.#destroy(bond);
    this.#world.m_newFixture = true;
  }

  /** Takes every joint away that holds this one. */
  removeOf(record: EntityRecord): void {
    if (!(record instanceof BodyRecord)) return;
    const { body } = record;
    while (body.m_jointList !== null) this.remove(bondOf(body.m_jointList.joint));
  }

  /** Before a tick's physics, and where all is forgotten. */
  begin(): void {
    this.broken.length = 0;
    for (let i = 0; i < this.all.length; i++) this.all[i]!.peak = 0;
  }

  /** After each world step: a jolt takes no longer than one. */
  see(): void {
    for (let i = 0; i < this.all.length; i++) {
      const bond = this.all[i]!;
      if (bond.kind.breakForce < Infinity) bond.peak = Math.max(bond.peak, bond.force);
    }
  }

  /** After the last one: whatever took too much is gone. */
  end(): void {
    for (let i = 0; i < this.all.length;) {
      const bond = this.all[i]!;
      if (bond.peak > bond.kind.breakForce) {
        this.broken.push({ joint: bond.joint, force: bond.peak });
        this.remove(bond);
      } else i++;
    }
  }

  /**
   * Before the bodies are canonicalized: rounds every number to 32 bits and checks all fields.
   * @throws StageError naming joint and field
   */
  canonicalize(): void {
    for (let i = 0; i < this.all.length; i++) {
      const bond = this.all[i]!, { form, layout } = bond.kind;
      canonicalizeFields(bond.fields, layout, bond);
      form.read(bond.planck, numbers);
      if (form.referenceAt >= 0) {
        const turns = wholeTurns(bond.b.body.m_sweep.a) - wholeTurns(bond.a.body.m_sweep.a);
        numbers[form.referenceAt] = withoutTurns(numbers[form.referenceAt]!, turns);
      }
      for (let k = 0; k < form.maxima.length; k++) {
        numbers[k] = Math.fround(numbers[k]!);
        if (!(Math.abs(numbers[k]!) <= form.maxima[k]!)) {
          throw new StageError(`${bond}: ${form.names[k]} is ${numbers[k]}`);
        }
      }
      form.write(bond.planck, numbers);
    }
  }

  /** Whole turns were added to a body's angle: what its joints measure against it stays as it is. */
  followTurns({ body }: BodyRecord, turns: number): void {
    for (let edge = body.m_jointList; edge !== null; edge = edge.next) {
      const { planck, b, kind: { form } } = bondOf(edge.joint);
      if (form.referenceAt < 0) continue;
      form.read(planck, numbers);
      numbers[form.referenceAt] = withoutTurns(numbers[form.referenceAt]!, b.body === body ? -turns : turns);
      form.write(planck, numbers);
    }
  }

  /**
   * Makes the joints exactly these, ascending by id, whatever their numbers. On a mispredicted timeline the same id may be
   * another kind or hold others, and what held entities that are gone went with them.
   */
  become(wanted: readonly Wanted[]): void {
    const before = this.all.slice();
    this.all.length = 0;
    for (const joints of this.#joints) joints.length = 0;
    let old = 0, made = false;
    for (const each of wanted) {
      while (old < before.length && before[old]!.id < each.id) this.#drop(before[old++]!);
      const same = before[old]?.id === each.id ? before[old++] : undefined;
      if (same !== undefined && isWanted(same, each)) {
        this.#list(same);
        continue;
      }
      if (same !== undefined) this.#drop(same);
      this.#list(this.#create(each.kind, each.id, each.a, each.b));
      made = true;
    }
    while (old < before.length) this.#drop(before[old++]!);
    if (made) this.#relink();
  }

  #list(bond: Bond): void {
    this.all.push(bond);
    this.#joints[bond.kind.index]!.push(bond.joint);
  }

  #create(kind: BondKind, id: number, a: BodyRecord, b: BodyRecord): Bond {
    const planck = newJoint(kind.definition.type, a.body, b.body, kind.collide);
    kind.form.fix(planck, kind);
    if (!kind.collide) this.#separate(a.body, b.body);
    this.#world.createJoint(planck);
    return new Bond(id, kind, a, b, planck);
  }

  /** What a load has no use for; planck's joint is gone already where one of its bodies is. */
  #drop(bond: Bond): void {
    if (this.#entities.get(bond.a.id) === bond.a && this.#entities.get(bond.b.id) === bond.b) this.#destroy(bond);
  }

  #destroy({ planck, a, b }: Bond): void {
    this.#world.destroyJoint(planck);
    this.#touch(a);
    this.#touch(b);
  }

  /** Takes their contacts away; planck would only do so in its next step. What rested on the other wakes up. */
  #separate(a: PlanckBody, b: PlanckBody): void {
    for (let edge = a.m_contactList, next; edge !== null; edge = next) {
      next = edge.next;
      if (edge.other === b) this.#world.destroyContact(edge.contact);
    }
  }

  /** Has its pairs looked for anew. The ground's boxes never move. */
  #touch({ id, fixtures }: BodyRecord): void {
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

  /** The first place whose id is not smaller. */
  #placeOf(id: number): number {
    let low = 0, high = this.all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle]!.id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A joint's reference angle when its b has lost so many whole turns more than its a: what it measures stays as it is. */
function withoutTurns(angle: number, turns: number): number {
  if (turns === 0) return angle;
  angle -= turns * TURN;
  // only what turns freely comes so far, and does not mind whole turns
  return Math.abs(angle) > REFERENCE_MAX ? angle - Math.round(angle / TURN) * TURN : angle;
}

function isWanted(bond: Bond, { kind, a, b }: Wanted): boolean {
  return bond.kind === kind && bond.a === a && bond.b === b;
}

function linkFirst(body: PlanckBody, edge: PlanckJointEdge): void {
  edge.prev = null;
  edge.next = body.m_jointList;
  if (edge.next !== null) edge.next.prev = edge;
  body.m_jointList = edge;
}
