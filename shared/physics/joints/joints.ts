/**
 * A stage's joints as the game's author sees them. The rules add and remove them. `advance` breaks
 * the overloaded ones. A joint is also removed with one of its entities. All values of joints are
 * part of the state.
 */
import type { BrokenJoint, JointTable } from "./joint_table.ts";
import { BodyRecord, type Entity } from "../stage/entity.ts";
import { Joint, type JointEnds, type JointRecord } from "./joint.ts";
import {
  checkLength,
  checkPlacement,
  initialFieldsOf,
  initialGearValuesOf,
  initialValuesOf,
  type Owner,
} from "./joint_placement.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import {
  FIELDS_ONLY,
  SET_LIMITS_OPTIONS,
  SET_MOTOR_OPTIONS,
  SET_OFFSET_OPTIONS,
  SET_SPRING_OPTIONS,
  SET_STRENGTH_OPTIONS,
} from "./joint_options.ts";
import { ANCHOR_MAX } from "./joint_form.ts";
import { JointFlag, JointValue } from "./joint_rows.ts";
import { checkOptions } from "../core/declaration_checks.ts";
import {
  checkAngle,
  checkPosition,
  checkWithin,
  JOINTS_MAX,
  POSITION_MAX,
  SURPLUS_MAX,
  within,
} from "../core/limits.ts";
import type { FieldValues } from "../core/fields.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import type { StagePhase } from "../stage/internals.ts";
import { requireRecord } from "../stage/entity_checks.ts";
import { checkId } from "../snapshot/layout.ts";
import { type FieldSpec, type JointDef, type JointPlacement, StageError } from "../core/types.ts";

export { type BrokenJoint, Joint };

/** The part of a stage's state that joints use. */
export interface JointStage {
  readonly entities: EntityTable;
  readonly phase: StagePhase;
  /** The id of the next entity or joint. */
  nextId: number;
}

/** Of a joint that has none. */
const NO_VALUES = new Float64Array(0);

/** The numbers of a joint that setters change, by the names of its constants. */
type ChangedNumbers = Readonly<Record<string, number | undefined>>;

/**
 * All joints of one stage.
 *
 * A method throws a `StageError` for a joint or an entity that is not on this stage. It also throws
 * for a value that is not finite or out of bounds. A refused call changes nothing.
 */
export class Joints {
  readonly #table: JointTable;
  readonly #stage: JointStage;
  readonly #compiledOf: ReadonlyMap<JointDef, CompiledJoint>;

  constructor(stage: JointStage, table: JointTable) {
    this.#table = table;
    this.#stage = stage;
    this.#compiledOf = new Map(
      table.compiledJoints.map((compiled) => [compiled.definition, compiled]),
    );
  }

  /** The number of joints: at the end of a tick 0 … `JOINTS_MAX`. */
  get count(): number {
    return this.#table.all.length;
  }

  /**
   * The joints that broke at the end of this tick's physics, ascending by id. Not part of the
   * state.
   * @throws StageError before `advance` and after `endTick`, because only this tick has the list
   */
  get broken(): readonly BrokenJoint[] {
    this.#stage.phase.requireAdvanced("joints.broken");
    return this.#table.broken;
  }

  /**
   * Joins two entities at their present poses. The newest joints beyond `JOINTS_MAX` end when the
   * tick ends. One of them may be the ground. Both wake up. The joint gets the next id.
   * @throws StageError also for a definition that is not declared, and for two entities that a
   * joint cannot move. It also throws for values that are missing and if the stage is full. The
   * message names the joint and the field
   */
  add<S extends FieldSpec>(
    definition: JointDef<S>,
    a: Entity,
    b: Entity,
    at: JointPlacement<S>,
  ): Joint<S> {
    const compiled = this.#compiledFor(definition);
    const { nextId } = this.#stage;
    const name = `joint ${nextId} ${definition.name}`;
    checkId(name, nextId);

    const ends = this.#movable(name, compiled, a, b);
    if (definition.type === "gear") {
      throw new StageError(`${name}: a gear couples two joints; addGear() makes it`);
    }
    if (definition.type === "filter") {
      throw new StageError(`${name}: a filter has no place; addFilter() makes it`);
    }

    // Where, and with what fields
    checkPlacement(name, compiled, at);
    const initialValues = initialValuesOf(name, compiled, ends.a, ends.b, at);
    const fields = initialFieldsOf(name, compiled, at);
    return this.#add(name, compiled, ends, initialValues, fields) as Joint<FieldSpec> as Joint<S>;
  }

  /** Two bodies that such a joint can move. @throws StageError */
  #movable(
    name: string,
    { definition: { type }, form }: CompiledJoint,
    one: Entity,
    other: Entity,
  ) {
    const a = this.#requireBody(name, one);
    const b = this.#requireBody(name, other);
    if (a === b) throw new StageError(`${name}: both ends hold ${a}`);
    if (!a.isDynamic && !b.isDynamic) {
      throw new StageError(`${name}: neither ${a} nor ${b} can be moved by it`);
    }
    if (form.moves === "b" && !b.isDynamic) {
      throw new StageError(`${name}: a ${type} joint cannot move ${b}, its b`);
    }
    return { a, b };
  }

  /**
   * Couples two joints, revolute or prismatic, by the ratio of the definition. The gear's a and b
   * are the b's of the two joints, which must be two dynamic bodies. The gear ends with either
   * joint. All wake up. It gets the next id.
   * @throws StageError also for other joints, for a definition that is not a gear, and as `add`
   */
  addGear<S extends FieldSpec>(
    definition: JointDef<S>,
    first: Joint,
    second: Joint,
    at: Pick<JointPlacement<S>, "fields"> = {},
  ): Joint<S> {
    const compiled = this.#compiledFor(definition);
    const name = `joint ${this.#stage.nextId} ${definition.name}`;
    if (definition.type !== "gear") throw new StageError(`${name} is no gear: add() makes it`);
    checkOptions(at, FIELDS_ONLY, name);
    checkId(name, this.#stage.nextId);
    const geared = [this.#coupled(name, first), this.#coupled(name, second)] as const;
    const [{ b: a }, { b }] = geared;
    if (a === b) throw new StageError(`${name}: both joints hold ${a} as their b`);
    const initialValues = initialGearValuesOf(compiled, ...geared);
    const fields = initialFieldsOf(name, compiled, at);
    return this.#add(name, compiled, { a, b, geared }, initialValues, fields) as Joint<
      FieldSpec
    > as Joint<S>;
  }

  /**
   * Keeps two entities from touching each other, as long as the joint is there. Nothing else of
   * them changes, however far apart they are, and a teleport does not end it. One of them may be
   * the ground, all of it. Both wake up.
   * @throws StageError also for another type of joint, and for two entities that are not dynamic
   */
  addFilter<S extends FieldSpec>(
    definition: JointDef<S>,
    a: Entity,
    b: Entity,
    at: Pick<JointPlacement<S>, "fields"> = {},
  ): Joint<S> {
    const compiled = this.#compiledFor(definition);
    const name = `joint ${this.#stage.nextId} ${definition.name}`;
    if (definition.type !== "filter") {
      throw new StageError(`${name} is no filter: add() or addGear() makes it`);
    }
    checkOptions(at, FIELDS_ONLY, name);
    checkId(name, this.#stage.nextId);
    const ends = this.#movable(name, compiled, a, b);
    const fields = initialFieldsOf(name, compiled, at);
    return this.#add(name, compiled, ends, NO_VALUES, fields) as Joint<FieldSpec> as Joint<S>;
  }

  /** A joint that a gear may couple. */
  #coupled(name: string, joint: Joint): JointRecord {
    const record = this.#onStage(joint);
    const { type } = record.compiled.definition;
    if (type !== "revolute" && type !== "prismatic") {
      throw new StageError(
        `${name}: ${record} is a ${type} joint; a gear couples revolute and prismatic ones`,
      );
    }
    if (!record.b.isDynamic) {
      throw new StageError(`${name}: a gear cannot move ${record.b}, the b of ${record}`);
    }
    return record;
  }

  #add(
    name: string,
    compiled: CompiledJoint,
    ends: JointEnds,
    initialValues: Float64Array,
    fields: FieldValues,
  ): Joint {
    if (this.count >= JOINTS_MAX + SURPLUS_MAX) {
      throw new StageError(`${name}: ${this.count} joints are on the stage`);
    }
    this.#stage.phase.beginEdit();
    const record = this.#table.add(compiled, this.#stage.nextId++, ends);
    record.rows.values.set(initialValues, record.at);
    record.setFlag(JointFlag.LIMIT_ON, compiled.hasLimits);
    record.setFlag(JointFlag.MOTOR_ON, compiled.hasMotor);
    Object.assign(record.fields, fields);
    this.#table.wake(record);
    return record.joint;
  }

  /** Removes a joint. Its entities wake up. @throws StageError */
  remove(joint: Joint): void {
    const record = this.#onStage(joint);
    this.#stage.phase.beginEdit();
    this.#table.remove(record);
  }

  /** The joint with this id, or undefined. */
  get(id: number): Joint | undefined {
    return this.#table.get(id)?.joint;
  }

  /**
   * All joints of one definition, ascending by id, as they are now. The list never changes.
   * @throws StageError for a definition that is not declared
   */
  all<S extends FieldSpec>(definition: JointDef<S>): readonly Joint<S>[] {
    return this.#table.handlesOf(this.#compiledFor(definition)) as readonly Joint<
      FieldSpec
    >[] as readonly Joint<S>[];
  }

  /**
   * All joints of an entity or of the ground, ascending by id, as a new list.
   * @throws StageError
   */
  of(entity: Entity): readonly Joint[] {
    const entityRecord = requireRecord(this.#stage.entities, entity);
    const joints: Joint[] = [];
    for (const record of this.#table.all) {
      if (record.a === entityRecord || record.b === entityRecord) joints.push(record.joint);
    }
    return joints;
  }

  /**
   * Starts or stops a motor, or sets its target speed or its strength. An omitted option stays. A
   * change wakes both entities.
   * @param options.speed rad/s or m/s, at most 1e4
   * @param options.torqueMax N·m, 0 … 1e9; for revolute and wheel joints whose definition is
   *   changeable
   * @param options.forceMax N, 0 … 1e9; for prismatic joints whose definition is changeable
   * @throws StageError also for a definition without a motor
   */
  setMotor(joint: Joint, options: {
    readonly on?: boolean;
    readonly speed?: number;
    readonly torqueMax?: number;
    readonly forceMax?: number;
  }): void {
    const record = this.#onStage(joint);
    const { compiled } = record;
    const { on, speed, torqueMax, forceMax } = options;
    checkOptions(options, SET_MOTOR_OPTIONS, record);
    if (!compiled.hasMotor) throw new StageError(`${record} has no motor`);
    const toOn = on === undefined ? record.has(JointFlag.MOTOR_ON) : on;
    checkBoolean(record, "motor", toOn);
    if (speed !== undefined) checkWithin(speed, compiled.motorSpeedMax, record, "motorSpeed");
    const toSpeed = Math.fround(speed === undefined ? record.motorSpeed : speed);
    const change = this.#checkedChange(record, { torqueMax, forceMax });
    this.#stage.phase.beginEdit();
    const isSame = toOn === record.has(JointFlag.MOTOR_ON) && toSpeed === record.motorSpeed;
    if (!change() && isSame) return;
    record.setFlag(JointFlag.MOTOR_ON, toOn);
    record.rows.values[record.at + compiled.form.motorSpeedAt] = toSpeed;
    this.#table.wake(record);
  }

  /**
   * Switches the limits on or off, or sets them. An omitted option stays. A change wakes both
   * entities.
   * @param options.lower radians within ±1,024, or metres within ±1e5, of a distance joint 1/128 …
   *   1e5; at most `upper`; if the definition is changeable
   * @throws StageError also for a definition without limits
   */
  setLimits(
    joint: Joint,
    options: { readonly on?: boolean; readonly lower?: number; readonly upper?: number },
  ): void {
    const record = this.#onStage(joint);
    const { compiled, rows } = record;
    const { lower, upper, on = record.has(JointFlag.LIMIT_ON) } = options;
    checkOptions(options, SET_LIMITS_OPTIONS, record);
    if (!compiled.hasLimits) throw new StageError(`${record} has no limits`);
    checkBoolean(record, "limit", on);
    const change = this.#checkedChange(record, { lower, upper });
    const toLower = Math.fround(lower ?? joint.lower);
    const toUpper = Math.fround(upper ?? joint.upper);
    if (toLower > toUpper) {
      throw new StageError(`${record}: lower is ${toLower}, more than upper, which is ${toUpper}`);
    }
    this.#stage.phase.beginEdit();
    if (!change() && on === record.has(JointFlag.LIMIT_ON)) return;
    record.setFlag(JointFlag.LIMIT_ON, on);
    rows.values[record.at + compiled.form.limitImpulseAt] = 0;
    this.#table.wake(record);
  }

  /**
   * Sets the spring of a joint whose definition is changeable and has one. An omitted option stays. A change wakes both entities.
   * @param options.frequencyHz more than 0, at most half of the world steps per second
   * @param options.dampingRatio 0 … 10
   */
  setSpring(
    joint: Joint,
    options: { readonly frequencyHz?: number; readonly dampingRatio?: number },
  ): void {
    const record = this.#onStage(joint);
    const { frequencyHz, dampingRatio } = options;
    checkOptions(options, SET_SPRING_OPTIONS, record);
    this.#setNumbers(record, { frequencyHz, dampingRatio });
  }

  /**
   * Sets the largest force of a mouse, motor or friction joint, and the largest torque of the
   * latter two, if the definition is changeable. An omitted option stays. A change wakes both
   * entities.
   * @param options.forceMax N, 0 … 1e9
   * @param options.torqueMax N·m, 0 … 1e9
   */
  setStrength(
    joint: Joint,
    options: { readonly forceMax?: number; readonly torqueMax?: number },
  ): void {
    const record = this.#onStage(joint);
    const { forceMax, torqueMax } = options;
    checkOptions(options, SET_STRENGTH_OPTIONS, record);
    if (record.compiled.hasMotor) {
      throw new StageError(`${record} has a motor: setMotor() sets its strength`);
    }
    this.#setNumbers(record, { forceMax, torqueMax });
  }

  /**
   * Moves the target of a mouse joint. A change wakes both entities.
   * @param x metres in the frame of the stage, at most 101,024
   * @throws StageError also for the other types
   */
  setTarget(joint: Joint, x: number, y: number): void {
    const record = this.#onStage(joint);
    if (record.compiled.definition.type !== "mouse") {
      throw new StageError(`${record} has no target`);
    }
    checkPosition(record, x, y);
    this.#setValues(record, [[JointValue.ANCHOR_AX, within(x, POSITION_MAX)], [
      JointValue.ANCHOR_AY,
      within(y, POSITION_MAX),
    ]]);
  }

  /**
   * Sets the offset of a motor joint: the place of b's anchor in a's frame, metres, at most 1e5,
   * and the angle of b against a, radians, at most 1,024. An omitted option stays. A change wakes
   * both entities.
   * @throws StageError also for the other types
   */
  setOffset(
    joint: Joint,
    offset: { readonly x?: number; readonly y?: number; readonly angle?: number },
  ): void {
    const record = this.#onStage(joint);
    const { compiled: { definition, form }, rows: { values }, at } = record;
    const { x, y, angle } = offset;
    checkOptions(offset, SET_OFFSET_OPTIONS, record);
    if (definition.type !== "motor") throw new StageError(`${record} has no offset`);
    const toX = x === undefined ? values[at + JointValue.ANCHOR_AX]! : x;
    const toY = y === undefined ? values[at + JointValue.ANCHOR_AY]! : y;
    checkWithin(toX, ANCHOR_MAX, record, "x");
    checkWithin(toY, ANCHOR_MAX, record, "y");
    if (angle !== undefined) checkAngle(record, angle);
    const toAngle = angle === undefined ? values[at + form.referenceAt]! : angle;
    this.#setValues(record, [[JointValue.ANCHOR_AX, toX], [JointValue.ANCHOR_AY, toY], [
      form.referenceAt,
      toAngle,
    ]]);
  }

  /**
   * Sets the length of a distance joint or of a pulley, or the maximum length of a rope. A change
   * wakes both entities. A shorter one draws them together without doing work: what circles on it
   * keeps its speed, not its angular momentum.
   * @param length metres, 1/128 … 1e5
   * @throws StageError also for the other types
   */
  setLength(joint: Joint, length: number): void {
    const record = this.#onStage(joint);
    const index = record.compiled.form.names.indexOf("length");
    if (index < 0) throw new StageError(`${record} has no length`);
    checkLength(record, length);
    this.#setValues(record, [[index, length]]);
  }

  #setNumbers(record: JointRecord, numbers: ChangedNumbers): void {
    const change = this.#checkedChange(record, numbers);
    this.#stage.phase.beginEdit();
    if (change()) this.#table.wake(record);
  }

  /**
   * @returns a function that sets the numbers, and returns whether one differs
   * @throws StageError for a number out of bounds, or one that the definition does not have or
   *   allow to change
   */
  #checkedChange(record: JointRecord, numbers: ChangedNumbers): () => boolean {
    const { compiled: { changing, constants } } = record;
    const changes: [at: number, value: number][] = [];

    for (const [name, number] of Object.entries(numbers)) {
      if (number === undefined) continue;
      const constant = changing.find((each) => each.name === name);
      const value = Math.fround(number);
      if (constant === undefined) {
        const isThere = constants.some((each) => each.name === name);
        throw new StageError(
          `${record} has no ${name}${isThere ? " that may change: it is not changeable" : ""}`,
        );
      }
      if (typeof number !== "number" || !(value >= constant.min && value <= constant.max)) {
        throw new StageError(
          `${record}: ${name} is ${number}; ${constant.min} to ${constant.max} are allowed`,
        );
      }
      changes.push([constant.at, value]);
    }

    return () => write(record, changes);
  }

  /** Sets values of a row. */
  #setValues(
    record: JointRecord,
    changes: readonly (readonly [at: number, value: number])[],
  ): void {
    this.#stage.phase.beginEdit();
    if (write(record, changes)) this.#table.wake(record);
  }

  #compiledFor(definition: JointDef): CompiledJoint {
    const compiled = this.#compiledOf.get(definition);
    if (compiled === undefined) {
      throw new StageError(`joint ${definition.name} is not declared on this stage`);
    }
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
    const { entities } = this.#stage;
    const record = entities.get(entity.id);
    if (record?.entity !== entity) {
      throw new StageError(
        `${name}: entity ${entity.id} ${entity.archetype.name} is not on this stage`,
      );
    }
    if (!(record instanceof BodyRecord)) {
      throw new StageError(`${name}: ${record} is a projectile, which no joint can hold`);
    }
    return record;
  }
}

/** Writes values of a joint's row, rounded to 32 bits. @returns whether one differs */
function write(
  { rows: { values }, at }: JointRecord,
  changes: readonly (readonly [at: number, value: number])[],
): boolean {
  let differs = false;
  for (const [index, value] of changes) {
    if (values[at + index] === Math.fround(value)) continue;
    values[at + index] = Math.fround(value);
    differs = true;
  }
  return differs;
}

/** Untyped code may give other values. */
function checkBoolean(owner: Owner, what: string, on: boolean): void {
  if (typeof on !== "boolean") {
    throw new StageError(`${owner}: ${what} is ${on}; true and false are allowed`);
  }
}
