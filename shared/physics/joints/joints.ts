/**
 * A stage's joints as the author sees them. They come and go between ticks by the rules, break by force at the end of
 * `advance`, and vanish with an entity that they hold; all that they remember is part of the state.
 */
import type { Bonds, BrokenJoint } from "./joint_table.ts";
import { BodyRecord, type Entity } from "../stage/entity.ts";
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import { type Bond, Joint } from "./joint.ts";
import type { BondKind } from "./compiled_joints.ts";
import {
  ANCHOR_MAX,
  type DrivenJoint,
  LENGTH_MAX,
  LENGTH_MIN,
  LIMIT_FREE,
  NUMBERS_MAX,
} from "../planck/joint_planck.ts";
import type { PlanckBody, Vector } from "../planck/planck.ts";
import { JOINTS_MAX } from "./joint_snapshot.ts";
import { checkPosition } from "../core/limits.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { requireRecord } from "../stage/entity_checks.ts";
import { checkId } from "../stage/snapshot_layout.ts";
import { type FieldSpec, type JointAt, type JointKind, StageError } from "../core/types.ts";

export { type BrokenJoint, Joint };

/** What joints need of their stage's state. */
export interface JointStage {
  readonly entities: EntityTable;
  readonly bonds: Bonds;
  nextId: number;
}

const numbers = new Float64Array(NUMBERS_MAX);

/** All joints of one stage. */
export class Joints {
  readonly #bonds: Bonds;
  readonly #stage: JointStage;
  readonly #edit: () => void;
  readonly #kindOf: ReadonlyMap<JointKind, BondKind>;
  readonly #held: Joint[] = [];

  /** @param edit called before every change; throws where none is allowed */
  constructor(stage: JointStage, edit: () => void) {
    this.#bonds = stage.bonds;
    this.#stage = stage;
    this.#edit = edit;
    this.#kindOf = new Map(stage.bonds.kinds.map((kind) => [kind.definition, kind]));
  }

  /** At most `JOINTS_MAX`. */
  get count(): number {
    return this.#bonds.all.length;
  }

  /** Of the last `advance`: broken by force at its end, ascending id. Not part of the state, empty after `load`. */
  get broken(): readonly BrokenJoint[] {
    return this.#bonds.broken;
  }

  /**
   * Joins two that are on the stage, as they are now; one of them may be the ground. Both wake up. The joint gets the next id.
   * @throws StageError naming joint and field: for a kind that is not declared, for two of which none can move, for values that
   * are missing, not finite or out of bounds, and when the stage is full
   */
  add<S extends FieldSpec>(kind: JointKind<S>, a: Entity, b: Entity, at: JointAt<S>): Joint<S> {
    const bondKind = this.#declared(kind);
    const { nextId } = this.#stage, name = `joint ${nextId} ${kind.name}`;
    checkId(name, nextId);
    const recordA = this.#joinable(name, a), recordB = this.#joinable(name, b);
    if (recordA === recordB) throw new StageError(`${name}: both ends hold ${recordA}`);
    if (!recordA.body.isDynamic() && !recordB.body.isDynamic()) {
      throw new StageError(`${name}: neither ${recordA} nor ${recordB} can be moved by it`);
    }
    checkAt(name, kind, at);
    const numbers = describe(name, bondKind, recordA.body, recordB.body, at), fields = fieldsOf(name, bondKind, at);
    if (this.count >= JOINTS_MAX) throw new StageError(`${name}: ${JOINTS_MAX} joints are on the stage`);
    this.#edit();
    const bond = this.#bonds.add(bondKind, this.#stage.nextId++, recordA, recordB);
    bondKind.form.write(bond.planck, numbers);
    const { driven } = bond;
    if (driven !== undefined) {
      driven.m_enableLimit = bondKind.hasLimits;
      driven.m_enableMotor = bondKind.hasMotor;
    }
    Object.assign(bond.fields, fields);
    wake(bond);
    return bond.joint as Joint<FieldSpec> as Joint<S>;
  }

  /** What it held wakes up. @throws StageError where it is not on this stage */
  remove(joint: Joint): void {
    const bond = this.#onStage(joint);
    this.#edit();
    this.#bonds.remove(bond);
  }

  /** Undefined where there is none. */
  get(id: number): Joint | undefined {
    return this.#bonds.get(id)?.joint;
  }

  /** All of one kind, ascending id: a live array, valid until the next joint comes or goes. @throws StageError */
  all<S extends FieldSpec>(kind: JointKind<S>): readonly Joint<S>[] {
    return this.#bonds.jointsOf(this.#declared(kind)) as readonly Joint<FieldSpec>[] as readonly Joint<S>[];
  }

  /** All that hold this entity (or the ground), ascending id. Valid until the next call. @throws StageError */
  of(entity: Entity): readonly Joint[] {
    const entityRecord = requireRecord(this.#stage.entities, entity);
    this.#held.length = 0;
    for (const bond of this.#bonds.all) {
      if (bond.a === entityRecord || bond.b === entityRecord) this.#held.push(bond.joint);
    }
    return this.#held;
  }

  /**
   * Starts or stops its motor, or has it strive for another speed: rad/s or m/s, at most 1e4. Both ends wake up where that
   * changes anything. @throws StageError naming joint and field; for a kind without a motor, too
   */
  setMotor(joint: Joint, { on, speed }: { readonly on?: boolean; readonly speed?: number }): void {
    const bond = this.#onStage(joint), driven = this.#having("motor", bond, bond.kind.hasMotor);
    const toOn = on ?? driven.m_enableMotor, toSpeed = Math.fround(speed ?? driven.m_motorSpeed);
    checkOn(bond, "motor", toOn);
    checkWithin(bond, "motorSpeed", toSpeed, bond.kind.motorSpeedMax);
    this.#edit();
    if (toOn === driven.m_enableMotor && toSpeed === driven.m_motorSpeed) return;
    driven.m_enableMotor = toOn;
    driven.m_motorSpeed = toSpeed;
    wake(bond);
  }

  /** Has its limits hold, or not. Both ends wake up where that changes anything. @throws StageError as `setMotor` does */
  setLimit(joint: Joint, on: boolean): void {
    const bond = this.#onStage(joint), driven = this.#having("limits", bond, bond.kind.hasLimits);
    checkOn(bond, "limit", on);
    this.#edit();
    if (on === driven.m_enableLimit) return;
    driven.m_enableLimit = on;
    driven.m_limitState = LIMIT_FREE;
    driven.m_impulse.z = 0;
    wake(bond);
  }

  /** Of a distance or rope, metres, 1/128 … 1e5. Both ends wake up where that changes anything. @throws StageError */
  setLength(joint: Joint, length: number): void {
    const bond = this.#onStage(joint), { form } = bond.kind, place = form.names.indexOf("length");
    if (place < 0) throw new StageError(`${bond} has no length`);
    checkLength(bond, length);
    this.#edit();
    form.read(bond.planck, numbers);
    if (Math.fround(length) === numbers[place]) return;
    numbers[place] = Math.fround(length);
    form.write(bond.planck, numbers);
    wake(bond);
  }

  #declared(kind: JointKind): BondKind {
    const bondKind = this.#kindOf.get(kind);
    if (bondKind === undefined) throw new StageError(`joint ${kind.name} is not declared on this stage`);
    return bondKind;
  }

  #onStage(joint: Joint): Bond {
    const bond = this.#bonds.get(joint.id);
    if (bond?.joint !== joint) throw new StageError(`joint ${joint.id} ${joint.kind.name} is not on this stage`);
    return bond;
  }

  #joinable(name: string, entity: Entity): BodyRecord {
    const { entities } = this.#stage, record = entities.get(entity.id);
    if (record?.entity !== entity) {
      throw new StageError(`${name}: entity ${entity.id} ${entity.archetype.name} is not on this stage`);
    }
    if (!(record instanceof BodyRecord)) throw new StageError(`${name}: ${record} is a cast, which no joint can hold`);
    return record;
  }

  #having(what: string, bond: Bond, has: boolean): DrivenJoint {
    if (!has || bond.driven === undefined) throw new StageError(`${bond} has no ${what}`);
    return bond.driven;
  }
}

/** What the joint's numbers are when it is made: rounded at once, so that nobody reads others before the tick is closed. */
function describe(name: string, kind: BondKind, a: PlanckBody, b: PlanckBody, at: JointAt): Float64Array {
  const { x, y, bx = x, by = y, axis } = at;
  const anchorA = toLocal(a, x, y), anchorB = toLocal(b, bx, by);
  const values: Record<string, number> = {
    "anchorA.x": anchorA.x,
    "anchorA.y": anchorA.y,
    "anchorB.x": anchorB.x,
    "anchorB.y": anchorB.y,
    referenceAngle: b.m_sweep.a - a.m_sweep.a,
    motorSpeed: kind.motorSpeed,
    length: at.length ?? Math.sqrt((bx - x) * (bx - x) + (by - y) * (by - y)),
  };
  for (const anchor of ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"]) {
    checkWithin(name, anchor, values[anchor]!, ANCHOR_MAX);
  }
  if (kind.form.names.includes("length")) checkLength(name, values["length"]!);
  if (axis !== undefined) {
    const { q } = a.m_xf, long = Math.sqrt(axis.x * axis.x + axis.y * axis.y);
    values["axis.x"] = (q.c * axis.x + q.s * axis.y) / long;
    values["axis.y"] = (q.c * axis.y - q.s * axis.x) / long;
  }
  numbers.fill(0);
  kind.form.names.forEach((number, i) => numbers[i] = Math.fround(values[number] ?? 0));
  return numbers;
}

/** From the world into the body's frame. */
function toLocal({ m_xf: { p, q } }: PlanckBody, x: number, y: number): Vector {
  const dx = x - p.x, dy = y - p.y;
  return { x: q.c * dx + q.s * dy, y: q.c * dy - q.s * dx };
}

function fieldsOf(name: string, kind: BondKind, at: JointAt): FieldValues {
  for (const field in at.fields) {
    if (!kind.layout.names.includes(field)) throw new StageError(`${name} has no field ${field}`);
  }
  const fields = Object.assign(createFields(kind.layout), at.fields);
  canonicalizeFields(fields, kind.layout, name);
  return fields;
}

/** That all is given that the type needs, and nothing else. */
function checkAt(name: string, { type }: JointKind, { x, y, bx, by, axis, length }: JointAt): void {
  checkPosition(name, x, y);
  if (type === "distance" || type === "rope") {
    if (bx === undefined || by === undefined) throw new StageError(`${name}: bx and by are missing`);
    checkPosition(`${name}, end b`, bx, by);
  } else if (bx !== undefined || by !== undefined || length !== undefined) {
    throw new StageError(`${name}: bx, by and length are for distance and rope joints; this is a ${type} one`);
  }
  if ((axis !== undefined) !== (type === "prismatic")) {
    throw new StageError(`${name}: axis is for prismatic joints, which need it; this is a ${type} one`);
  }
  if (axis === undefined) return;
  checkWithin(name, "axis.x", axis.x, LENGTH_MAX);
  checkWithin(name, "axis.y", axis.y, LENGTH_MAX);
  if (Math.max(Math.abs(axis.x), Math.abs(axis.y)) < LENGTH_MIN) throw new StageError(`${name}: axis has no direction`);
}

/** Who a number belongs to, for errors. */
interface Owner {
  toString(): string;
}

function checkLength(owner: Owner, length: number): void {
  if (!(length >= LENGTH_MIN) || !(length <= LENGTH_MAX)) {
    throw new StageError(`${owner}: length is ${length}; ${LENGTH_MIN} to ${LENGTH_MAX} are allowed`);
  }
}

function checkWithin(owner: Owner, what: string, value: number, max: number): void {
  if (!(Math.abs(value) <= max)) throw new StageError(`${owner}: ${what} is ${value}; at most ${max} is allowed`);
}

/** For callers whose types are not checked. */
function checkOn(owner: Owner, what: string, on: boolean): void {
  if (typeof on !== "boolean") throw new StageError(`${owner}: ${what} is ${on}; true and false are allowed`);
}

function wake({ a, b }: Bond): void {
  if (a.id !== 0) a.body.setAwake(true);
  if (b.id !== 0) b.body.setAwake(true);
}
