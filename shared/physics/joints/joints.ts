/**
 * A stage's joints as the author sees them. They come and go between ticks by the rules, break by force at the end of
 * `advance`, and vanish with an entity that they hold; all that they remember is part of the state.
 */
import type { BrokenJoint, JointTable } from "./joint_table.ts";
import { BodyRecord, type Entity } from "../stage/entity.ts";
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import { Joint, type JointRecord } from "./joint.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
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
import { checkPosition, checkWithin } from "../core/limits.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { requireRecord } from "../stage/entity_checks.ts";
import { checkId } from "../stage/snapshot_layout.ts";
import { type FieldSpec, type JointDef, type JointPlacement, StageError } from "../core/types.ts";

export { type BrokenJoint, Joint };

/** What joints need of their stage's state. */
export interface JointStage {
  readonly entities: EntityTable;
  readonly joints: JointTable;
  nextId: number;
}

const scratch = new Float64Array(NUMBERS_MAX);

/** All joints of one stage. */
export class Joints {
  readonly #table: JointTable;
  readonly #stage: JointStage;
  readonly #beginEdit: () => void;
  readonly #compiledOf: ReadonlyMap<JointDef, CompiledJoint>;
  readonly #ofEntity: Joint[] = [];

  /** @param beginEdit called before every change; throws where none is allowed */
  constructor(stage: JointStage, beginEdit: () => void) {
    this.#table = stage.joints;
    this.#stage = stage;
    this.#beginEdit = beginEdit;
    this.#compiledOf = new Map(stage.joints.compiledJoints.map((compiled) => [compiled.definition, compiled]));
  }

  /** At most `JOINTS_MAX`. */
  get count(): number {
    return this.#table.all.length;
  }

  /** Of the last `advance`: broken by force at its end, ascending id. Not part of the state, empty after `load`. */
  get broken(): readonly BrokenJoint[] {
    return this.#table.broken;
  }

  /**
   * Joins two that are on the stage, as they are now; one of them may be the ground. Both wake up. The joint gets the next id.
   * @throws StageError naming joint and field: for a kind that is not declared, for two of which none can move, for values that
   * are missing, not finite or out of bounds, and when the stage is full
   */
  add<S extends FieldSpec>(definition: JointDef<S>, a: Entity, b: Entity, at: JointPlacement<S>): Joint<S> {
    const compiled = this.#compiledFor(definition);
    const { nextId } = this.#stage, name = `joint ${nextId} ${definition.name}`;
    checkId(name, nextId);
    const recordA = this.#requireBody(name, a), recordB = this.#requireBody(name, b);
    if (recordA === recordB) throw new StageError(`${name}: both ends hold ${recordA}`);
    if (!recordA.body.isDynamic() && !recordB.body.isDynamic()) {
      throw new StageError(`${name}: neither ${recordA} nor ${recordB} can be moved by it`);
    }
    checkPlacement(name, definition, at);
    const initialValues = initialValuesOf(name, compiled, recordA.body, recordB.body, at),
      fields = initialFieldsOf(name, compiled, at);
    if (this.count >= JOINTS_MAX) throw new StageError(`${name}: ${JOINTS_MAX} joints are on the stage`);
    this.#beginEdit();
    const record = this.#table.add(compiled, this.#stage.nextId++, recordA, recordB);
    compiled.form.write(record.planck, initialValues);
    const { driven } = record;
    if (driven !== undefined) {
      driven.m_enableLimit = compiled.hasLimits;
      driven.m_enableMotor = compiled.hasMotor;
    }
    Object.assign(record.fields, fields);
    wake(record);
    return record.joint as Joint<FieldSpec> as Joint<S>;
  }

  /** What it held wakes up. @throws StageError where it is not on this stage */
  remove(joint: Joint): void {
    const record = this.#onStage(joint);
    this.#beginEdit();
    this.#table.remove(record);
  }

  /** Undefined where there is none. */
  get(id: number): Joint | undefined {
    return this.#table.get(id)?.joint;
  }

  /** All of one kind, ascending id: a live array, valid until the next joint comes or goes. @throws StageError */
  all<S extends FieldSpec>(definition: JointDef<S>): readonly Joint<S>[] {
    return this.#table.handlesOf(this.#compiledFor(definition)) as readonly Joint<FieldSpec>[] as readonly Joint<S>[];
  }

  /** All that hold this entity (or the ground), ascending id. Valid until the next call. @throws StageError */
  of(entity: Entity): readonly Joint[] {
    const entityRecord = requireRecord(this.#stage.entities, entity);
    this.#ofEntity.length = 0;
    for (const record of this.#table.all) {
      if (record.a === entityRecord || record.b === entityRecord) this.#ofEntity.push(record.joint);
    }
    return this.#ofEntity;
  }

  /**
   * Starts or stops its motor, or has it strive for another speed: rad/s or m/s, at most 1e4. Both ends wake up where that
   * changes anything. @throws StageError naming joint and field; for a kind without a motor, too
   */
  setMotor(joint: Joint, { on, speed }: { readonly on?: boolean; readonly speed?: number }): void {
    const record = this.#onStage(joint), driven = this.#requireDriven("motor", record, record.compiled.hasMotor);
    const toOn = on ?? driven.m_enableMotor, toSpeed = Math.fround(speed ?? driven.m_motorSpeed);
    checkBoolean(record, "motor", toOn);
    checkWithin(toSpeed, record.compiled.motorSpeedMax, record, "motorSpeed");
    this.#beginEdit();
    if (toOn === driven.m_enableMotor && toSpeed === driven.m_motorSpeed) return;
    driven.m_enableMotor = toOn;
    driven.m_motorSpeed = toSpeed;
    wake(record);
  }

  /** Has its limits hold, or not. Both ends wake up where that changes anything. @throws StageError as `setMotor` does */
  setLimit(joint: Joint, on: boolean): void {
    const record = this.#onStage(joint), driven = this.#requireDriven("limits", record, record.compiled.hasLimits);
    checkBoolean(record, "limit", on);
    this.#beginEdit();
    if (on === driven.m_enableLimit) return;
    driven.m_enableLimit = on;
    driven.m_limitState = LIMIT_FREE;
    driven.m_impulse.z = 0;
    wake(record);
  }

  /** Of a distance or rope, metres, 1/128 … 1e5. Both ends wake up where that changes anything. @throws StageError */
  setLength(joint: Joint, length: number): void {
    const record = this.#onStage(joint), { form } = record.compiled, index = form.names.indexOf("length");
    if (index < 0) throw new StageError(`${record} has no length`);
    checkLength(record, length);
    this.#beginEdit();
    form.read(record.planck, scratch);
    if (Math.fround(length) === scratch[index]) return;
    scratch[index] = Math.fround(length);
    form.write(record.planck, scratch);
    wake(record);
  }

  #compiledFor(definition: JointDef): CompiledJoint {
    const compiled = this.#compiledOf.get(definition);
    if (compiled === undefined) throw new StageError(`joint ${definition.name} is not declared on this stage`);
    return compiled;
  }

  #onStage(joint: Joint): JointRecord {
    const record = this.#table.get(joint.id);
    if (record?.joint !== joint) {
      throw new StageError(`joint ${joint.id} ${joint.definition.name} is not on this stage`);
    }
    return record;
  }

  #requireBody(name: string, entity: Entity): BodyRecord {
    const { entities } = this.#stage, record = entities.get(entity.id);
    if (record?.entity !== entity) {
      throw new StageError(`${name}: entity ${entity.id} ${entity.archetype.name} is not on this stage`);
    }
    if (!(record instanceof BodyRecord)) {
      throw new StageError(`${name}: ${record} is a projectile, which no joint can hold`);
    }
    return record;
  }

  #requireDriven(what: string, record: JointRecord, has: boolean): DrivenJoint {
    if (!has || record.driven === undefined) throw new StageError(`${record} has no ${what}`);
    return record.driven;
  }
}

/** What the joint's numbers are when it is made: rounded at once, so that nobody reads others before the tick is closed. */
function initialValuesOf(
  name: string,
  compiled: CompiledJoint,
  a: PlanckBody,
  b: PlanckBody,
  at: JointPlacement,
): Float64Array {
  const { x, y, bx = x, by = y, axis } = at;
  const anchorA = toLocal(a, x, y), anchorB = toLocal(b, bx, by);
  const values: Record<string, number> = {
    "anchorA.x": anchorA.x,
    "anchorA.y": anchorA.y,
    "anchorB.x": anchorB.x,
    "anchorB.y": anchorB.y,
    referenceAngle: b.m_sweep.a - a.m_sweep.a,
    motorSpeed: compiled.motorSpeed,
    length: at.length ?? Math.sqrt((bx - x) * (bx - x) + (by - y) * (by - y)),
  };
  for (const anchor of ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"]) {
    checkWithin(values[anchor]!, ANCHOR_MAX, name, anchor);
  }
  if (compiled.form.names.includes("length")) checkLength(name, values["length"]!);
  if (axis !== undefined) {
    const { q } = a.m_xf, long = Math.sqrt(axis.x * axis.x + axis.y * axis.y);
    values["axis.x"] = (q.c * axis.x + q.s * axis.y) / long;
    values["axis.y"] = (q.c * axis.y - q.s * axis.x) / long;
  }
  scratch.fill(0);
  compiled.form.names.forEach((number, i) => scratch[i] = Math.fround(values[number] ?? 0));
  return scratch;
}

/** From the world into the body's frame. */
function toLocal({ m_xf: { p, q } }: PlanckBody, x: number, y: number): Vector {
  const dx = x - p.x, dy = y - p.y;
  return { x: q.c * dx + q.s * dy, y: q.c * dy - q.s * dx };
}

function initialFieldsOf(name: string, compiled: CompiledJoint, at: JointPlacement): FieldValues {
  for (const field in at.fields) {
    if (!compiled.layout.names.includes(field)) throw new StageError(`${name} has no field ${field}`);
  }
  const fields = Object.assign(createFields(compiled.layout), at.fields);
  canonicalizeFields(fields, compiled.layout, name);
  return fields;
}

/** That all is given that the type needs, and nothing else. */
function checkPlacement(name: string, { type }: JointDef, { x, y, bx, by, axis, length }: JointPlacement): void {
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
  checkWithin(axis.x, LENGTH_MAX, name, "axis.x");
  checkWithin(axis.y, LENGTH_MAX, name, "axis.y");
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

/** For callers whose types are not checked. */
function checkBoolean(owner: Owner, what: string, on: boolean): void {
  if (typeof on !== "boolean") throw new StageError(`${owner}: ${what} is ${on}; true and false are allowed`);
}

function wake({ a, b }: JointRecord): void {
  if (a.id !== 0) a.body.setAwake(true);
  if (b.id !== 0) b.body.setAwake(true);
}
