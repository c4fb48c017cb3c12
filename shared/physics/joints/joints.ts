/**
 * A stage's joints as the game's author sees them. The rules add and remove them. `advance` breaks the overloaded ones.
 * A joint is also removed with one of its entities. All values of joints are part of the state.
 */
import type { BrokenJoint, JointTable } from "./joint_table.ts";
import { BodyRecord, type Entity } from "../stage/entity.ts";
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import { Joint, type JointRecord } from "./joint.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { ANCHOR_MAX, LENGTH_MAX, LENGTH_MIN } from "./joint_form.ts";
import { LASTING_VALUES_MAX, LIMIT_ON, LIMIT_SIDE, MOTOR_ON, SIDE_FREE } from "./joint_rows.ts";
import { ANGLE, type BodyRow, COS, ORIGIN_X, ORIGIN_Y, SIN } from "../core/body_rows.ts";
import { checkPosition, checkWithin } from "../core/limits.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import { requireRecord } from "../stage/entity_checks.ts";
import { checkId, JOINTS_MAX } from "../snapshot/layout.ts";
import { type FieldSpec, type JointDef, type JointPlacement, StageError } from "../core/types.ts";

export { type BrokenJoint, Joint };

/** The part of a stage's state that joints use. */
export interface JointStage {
  readonly entities: EntityTable;
  /** The id of the next entity or joint. */
  nextId: number;
}

const scratch = new Float64Array(LASTING_VALUES_MAX);

/**
 * All joints of one stage.
 *
 * A method throws a `StageError` for a joint or an entity that is not on this stage. It also throws for a value that is
 * not finite or out of bounds. A refused call changes nothing.
 */
export class Joints {
  readonly #table: JointTable;
  readonly #stage: JointStage;
  readonly #beginEdit: () => void;
  readonly #compiledOf: ReadonlyMap<JointDef, CompiledJoint>;
  readonly #ofEntity: Joint[] = [];

  /** @param beginEdit called before every change; throws in a phase of the stage that allows none */
  constructor(stage: JointStage, table: JointTable, beginEdit: () => void) {
    this.#table = table;
    this.#stage = stage;
    this.#beginEdit = beginEdit;
    this.#compiledOf = new Map(table.compiledJoints.map((compiled) => [compiled.definition, compiled]));
  }

  /** The number of joints, 0 … `JOINTS_MAX`. */
  get count(): number {
    return this.#table.all.length;
  }

  /**
   * The joints that broke at the end of the last `advance`, ascending by id. Not part of the state; empty after `load`.
   */
  get broken(): readonly BrokenJoint[] {
    return this.#table.broken;
  }

  /**
   * Joins two entities at their present poses. One of them may be the ground. Both wake up. The joint gets the next id.
   * @throws StageError also for a definition that is not declared, and for two entities that a joint cannot move. It
   * also throws for values that are missing and if the stage is full. The message names the joint and the field
   */
  add<S extends FieldSpec>(definition: JointDef<S>, a: Entity, b: Entity, at: JointPlacement<S>): Joint<S> {
    const compiled = this.#compiledFor(definition);
    const { nextId } = this.#stage, name = `joint ${nextId} ${definition.name}`;
    checkId(name, nextId);
    const recordA = this.#requireBody(name, a), recordB = this.#requireBody(name, b);
    if (recordA === recordB) throw new StageError(`${name}: both ends hold ${recordA}`);
    if (!recordA.isDynamic && !recordB.isDynamic) {
      throw new StageError(`${name}: neither ${recordA} nor ${recordB} can be moved by it`);
    }
    checkPlacement(name, definition, at);
    const initialValues = initialValuesOf(name, compiled, recordA, recordB, at),
      fields = initialFieldsOf(name, compiled, at);
    if (this.count >= JOINTS_MAX) throw new StageError(`${name}: ${JOINTS_MAX} joints are on the stage`);
    this.#beginEdit();
    const record = this.#table.add(compiled, this.#stage.nextId++, recordA, recordB);
    record.rows.values.set(initialValues, record.at);
    record.setFlag(LIMIT_ON, compiled.hasLimits);
    record.setFlag(MOTOR_ON, compiled.hasMotor);
    Object.assign(record.fields, fields);
    this.#table.wake(record);
    return record.joint as Joint<FieldSpec> as Joint<S>;
  }

  /** Removes a joint. Its entities wake up. @throws StageError */
  remove(joint: Joint): void {
    const record = this.#onStage(joint);
    this.#beginEdit();
    this.#table.remove(record);
  }

  /** The joint with this id, or undefined. */
  get(id: number): Joint | undefined {
    return this.#table.get(id)?.joint;
  }

  /**
   * All joints of one definition, ascending by id. The array is live: it is valid until a joint is added or removed.
   * @throws StageError for a definition that is not declared
   */
  all<S extends FieldSpec>(definition: JointDef<S>): readonly Joint<S>[] {
    return this.#table.handlesOf(this.#compiledFor(definition)) as readonly Joint<FieldSpec>[] as readonly Joint<S>[];
  }

  /** All joints of an entity or of the ground, ascending by id. Valid until the next call. @throws StageError */
  of(entity: Entity): readonly Joint[] {
    const entityRecord = requireRecord(this.#stage.entities, entity);
    this.#ofEntity.length = 0;
    for (const record of this.#table.all) {
      if (record.a === entityRecord || record.b === entityRecord) this.#ofEntity.push(record.joint);
    }
    return this.#ofEntity;
  }

  /**
   * Starts or stops a motor, or sets its target speed. An omitted option stays. A change wakes both entities.
   * @param options.speed rad/s or m/s, at most 1e4
   * @throws StageError also for a definition without a motor
   */
  setMotor(joint: Joint, { on, speed }: { readonly on?: boolean; readonly speed?: number }): void {
    const record = this.#onStage(joint), { compiled } = record;
    if (!compiled.hasMotor) throw new StageError(`${record} has no motor`);
    const toOn = on ?? record.has(MOTOR_ON), toSpeed = Math.fround(speed ?? record.motorSpeed);
    checkBoolean(record, "motor", toOn);
    checkWithin(toSpeed, compiled.motorSpeedMax, record, "motorSpeed");
    this.#beginEdit();
    if (toOn === record.has(MOTOR_ON) && toSpeed === record.motorSpeed) return;
    record.setFlag(MOTOR_ON, toOn);
    record.rows.values[record.at + compiled.form.motorSpeedAt] = toSpeed;
    this.#table.wake(record);
  }

  /**
   * Switches the limits on or off. A change wakes both entities.
   * @throws StageError also for a definition without limits
   */
  setLimit(joint: Joint, on: boolean): void {
    const record = this.#onStage(joint), { compiled, rows } = record;
    if (!compiled.hasLimits) throw new StageError(`${record} has no limits`);
    checkBoolean(record, "limit", on);
    this.#beginEdit();
    if (on === record.has(LIMIT_ON)) return;
    record.setFlag(LIMIT_ON, on);
    rows.ints[record.intsAt + LIMIT_SIDE] = SIDE_FREE;
    rows.values[record.at + compiled.form.limitImpulseAt] = 0;
    this.#table.wake(record);
  }

  /**
   * Sets the length of a distance joint or the maximum length of a rope. A change wakes both entities.
   * @param length metres, 1/128 … 1e5
   * @throws StageError also for the other types
   */
  setLength(joint: Joint, length: number): void {
    const record = this.#onStage(joint), { compiled: { form }, rows: { values } } = record;
    const index = form.names.indexOf("length");
    if (index < 0) throw new StageError(`${record} has no length`);
    checkLength(record, length);
    this.#beginEdit();
    if (Math.fround(length) === values[record.at + index]) return;
    values[record.at + index] = Math.fround(length);
    this.#table.wake(record);
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
}

/**
 * The values of a new joint. They are rounded at once, so that they read the same before and after the end of the tick.
 */
function initialValuesOf(
  name: string,
  compiled: CompiledJoint,
  a: BodyRow,
  b: BodyRow,
  at: JointPlacement,
): Float64Array {
  const { x, y, bx = x, by = y, axis } = at;
  const anchorA = toLocal(a, x, y), anchorB = toLocal(b, bx, by);
  const values: Record<string, number> = {
    "anchorA.x": anchorA.x,
    "anchorA.y": anchorA.y,
    "anchorB.x": anchorB.x,
    "anchorB.y": anchorB.y,
    referenceAngle: b.values[b.offset + ANGLE]! - a.values[a.offset + ANGLE]!,
    motorSpeed: compiled.motorSpeed,
    length: at.length ?? Math.sqrt((bx - x) * (bx - x) + (by - y) * (by - y)),
  };
  for (const anchor of ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"]) {
    checkWithin(values[anchor]!, ANCHOR_MAX, name, anchor);
  }
  if (compiled.form.names.includes("length")) checkLength(name, values["length"]!);
  if (axis !== undefined) {
    const c = a.values[a.offset + COS]!, s = a.values[a.offset + SIN]!;
    const length = Math.sqrt(axis.x * axis.x + axis.y * axis.y);
    values["axis.x"] = (c * axis.x + s * axis.y) / length;
    values["axis.y"] = (c * axis.y - s * axis.x) / length;
  }
  const { names } = compiled.form;
  names.forEach((name, i) => scratch[i] = Math.fround(values[name] ?? 0));
  return scratch.subarray(0, names.length);
}

/** @returns a point of the stage in the body's frame */
function toLocal({ values, offset }: BodyRow, x: number, y: number): { readonly x: number; readonly y: number } {
  const dx = x - values[offset + ORIGIN_X]!, dy = y - values[offset + ORIGIN_Y]!;
  const c = values[offset + COS]!, s = values[offset + SIN]!;
  return { x: c * dx + s * dy, y: c * dy - s * dx };
}

function initialFieldsOf(name: string, compiled: CompiledJoint, at: JointPlacement): FieldValues {
  for (const field in at.fields) {
    if (!compiled.layout.names.includes(field)) throw new StageError(`${name} has no field ${field}`);
  }
  const fields = Object.assign(createFields(compiled.layout), at.fields);
  canonicalizeFields(fields, compiled.layout, name);
  return fields;
}

/** @throws StageError if a value is missing that the type needs, or if the type does not have a given one */
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

/** The owner of a number, named in errors. */
interface Owner {
  toString(): string;
}

function checkLength(owner: Owner, length: number): void {
  if (!(length >= LENGTH_MIN) || !(length <= LENGTH_MAX)) {
    throw new StageError(`${owner}: length is ${length}; ${LENGTH_MIN} to ${LENGTH_MAX} are allowed`);
  }
}

/** Untyped code may give other values. */
function checkBoolean(owner: Owner, what: string, on: boolean): void {
  if (typeof on !== "boolean") throw new StageError(`${owner}: ${what} is ${on}; true and false are allowed`);
}
