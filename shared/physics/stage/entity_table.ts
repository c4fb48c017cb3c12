/**
 * The entities on the stage, ascending by id: all of them, those with a body, and the projectiles.
 */
import { Body, BodyFlag, BodyInt, NONE } from "../core/body_rows.ts";
import { updateTransform } from "../core/body_transform.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { isExactlyAt, updateAabb } from "../collision/aabb.ts";
import type { Contacts } from "../dynamics/contacts.ts";
import type { World } from "../dynamics/world.ts";
import { HandleList } from "../../handle_list.ts";
import { BodyRecord, type Entity, type EntityRecord, ProjectileRecord } from "./entity.ts";
import { canonicalizeFields, type HeldValues } from "../core/fields.ts";
import type { CompiledArchetype, CompiledBody } from "./compiled_archetypes.ts";
import {
  ANGLE_MAX,
  checkAngle,
  checkPosition,
  checkSpin,
  checkVelocity,
  FULL_TURN,
  POSITION_MAX,
  SPEED_MAX,
  SPIN_MAX,
  wholeTurns,
  within,
} from "../core/limits.ts";
import { cos, sin } from "../core/math.ts";
import { quantizeMotion, quantizePose } from "../core/quantize.ts";
import { SPEED_TOLERANCE } from "../core/tuning.ts";
import type { FieldSpec, Spawn } from "../core/types.ts";
import { findById, removeById } from "../../sorted_list.ts";

/** All entities of one stage, by id and by archetype. */
export class EntityTable {
  readonly archetypes: readonly CompiledArchetype[];
  readonly ground: BodyRecord;
  /** All entities without the ground, ascending by id. The two lists below have their two sorts. */
  readonly records: EntityRecord[] = [];
  readonly bodies: BodyRecord[] = [];
  readonly projectiles: ProjectileRecord[] = [];
  /** Those with declared fields, which the game's rules assign at any time. */
  readonly recordsWithFields: EntityRecord[] = [];
  /** Counts the changes of the list. */
  changes = 0;
  /** Fixtures and segments of chains of all entities, those of the ground included. */
  partCount = 0;
  readonly #world: World;
  readonly #contacts: Contacts;
  /** By archetype index: handles ascending by id. */
  readonly #handles: readonly HandleList<Entity>[];
  /** All of them, while nothing has changed since somebody read the list. */
  #allHandles: readonly Entity[] | undefined;

  constructor(world: World, contacts: Contacts, archetypes: readonly CompiledArchetype[]) {
    this.#world = world;
    this.#contacts = contacts;
    this.archetypes = archetypes;
    this.#handles = archetypes.map(() => new HandleList());
    this.ground = this.#createBody(archetypes[0] as CompiledBody, 0);
    this.setCenterPose(this.ground, 0, 0, 0);
    contacts.broadPhase.endGround();
    world.hasNewPairs = false;
  }

  /** The record with this id, the ground for 0, or undefined. */
  get(id: number): EntityRecord | undefined {
    if (id === 0) return this.ground;
    return findById(this.records, id);
  }

  /** The handles of all entities without the ground, ascending by id. The list never changes. */
  get allHandles(): readonly Entity[] {
    return this.#allHandles ??= this.records.map(({ entity }) => entity);
  }

  /** The handles of one archetype, ascending by id. The list never changes. */
  handlesOf(compiled: CompiledArchetype): readonly Entity[] {
    return this.#handles[compiled.index]!.current;
  }

  /** Adds an entity at rest. Its id must be larger than all others. Its motion must follow. */
  add(compiled: CompiledArchetype, id: number): EntityRecord {
    const record = this.#create(compiled, id);
    this.#append(record);
    this.#countChange();
    return record;
  }

  /** Removes an entity and its contacts. Bodies that touched it wake up. */
  remove(record: EntityRecord): void {
    removeById(this.records, record.id);
    removeById(record instanceof ProjectileRecord ? this.projectiles : this.bodies, record.id);
    this.#handles[record.compiled.index]!.remove(record.id);
    if (hasFields(record)) removeById(this.recordsWithFields, record.id);
    this.#destroy(record);
    this.#countChange();
  }

  /**
   * Replaces an entity by one of another archetype with its id, at rest. Its motion must follow.
   */
  replace(record: EntityRecord, compiled: CompiledArchetype): EntityRecord {
    const before = this.records.slice();
    this.restore(
      before.length,
      (i) => before[i]!.id,
      (i) => before[i] === record ? compiled : before[i]!.compiled,
    );
    return this.get(record.id)!;
  }

  /**
   * Makes the table hold exactly `count` entities with the given ids, ascending, and archetypes.
   * First it removes all others, because on a mispredicted timeline an id may belong to another
   * archetype. Then it adds the missing ones, whose motion must follow.
   */
  restore(
    count: number,
    idAt: (index: number) => number,
    archetypeAt: (index: number) => CompiledArchetype,
  ): void {
    // Remove what is not there any more, or is of another archetype
    const before = this.records.slice();
    this.#countChange();
    let old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) this.#destroy(before[old++]!);
      const same = before[old];
      if (same?.id === idAt(i) && same.compiled !== archetypeAt(i)) this.#destroy(before[old++]!);
      else if (same?.id === idAt(i)) old++;
    }

    while (old < before.length) this.#destroy(before[old++]!);

    // Build the lists anew, with the missing ones
    this.records.length =
      this.bodies.length =
      this.projectiles.length =
      this.recordsWithFields.length =
        0;
    for (const handles of this.#handles) handles.clear();
    old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) old++;
      const same = before[old];
      const kept = same !== undefined && same.id === idAt(i) && same.compiled === archetypeAt(i);
      this.#append(kept ? same : this.#create(archetypeAt(i), idAt(i)));
    }
  }

  #countChange(): void {
    this.changes++;
    this.#allHandles = undefined;
  }

  /**
   * No snapshot contains the ground, and a step that failed may have moved it. A load must call
   * this.
   */
  resetGround(): void {
    const { values, offset, row } = this.ground;
    values[offset + Body.VX] = values[offset + Body.VY] = values[offset + Body.SPIN] = 0;
    if (!isExactlyAt(this.#world.bodies, row, 0, 0, 0)) this.setCenterPose(this.ground, 0, 0, 0);
  }

  /** Sets pose and motion. The pose is that of the origin. */
  setMotion(
    record: EntityRecord,
    { x, y, angle = 0, vx = 0, vy = 0, spin = 0 }: Spawn<FieldSpec>,
  ): void {
    if (record instanceof ProjectileRecord) {
      record.x = x;
      record.y = y;
      record.vx = vx;
      record.vy = vy;
    } else if (record instanceof BodyRecord) {
      this.#setPose(record, x, y, angle);
      const { values, offset } = record;
      this.#world.edit(record.row);
      values[offset + Body.VX] = vx;
      values[offset + Body.VY] = vy;
      values[offset + Body.SPIN] = spin;
    }
  }

  /** Gives an entity another pose and velocity. The next world step finds the contacts there. */
  teleport(record: EntityRecord, motion: Spawn<FieldSpec>): void {
    this.setMotion(record, motion);
    record.teleports = record.teleports + 1 & 0xff;
    if (!(record instanceof BodyRecord)) return;
    this.#world.hasNewPairs = true;
    this.#world.wake(record.row);
  }

  /** Sets the velocity, m/s. A velocity other than zero wakes a body. */
  setVelocity(record: EntityRecord, vx: number, vy: number): void {
    if (record instanceof ProjectileRecord) {
      record.vx = vx;
      record.vy = vy;
    } else if (record instanceof BodyRecord) {
      const { values, offset } = record;
      this.#world.edit(record.row);
      if (vx !== 0 || vy !== 0) this.#world.wake(record.row);
      values[offset + Body.VX] = vx;
      values[offset + Body.VY] = vy;
    }
  }

  /**
   * Sets the pose of the body's origin. A static body leaves its contacts: steps update only those
   * of active bodies.
   */
  #setPose(record: BodyRecord, x: number, y: number, angle: number): void {
    if (record.isStatic && !isExactlyAt(this.#world.bodies, record.row, x, y, angle)) {
      this.#contacts.removeAllOf(record.row);
    }
    const { values, offset } = record;
    const s = sin(angle);
    const c = cos(angle);
    const localX = values[offset + Body.LOCAL_CENTER_X]!;
    const localY = values[offset + Body.LOCAL_CENTER_Y]!;
    this.setCenterPose(record, x + (c * localX - s * localY), y + (s * localX + c * localY), angle);
  }

  /**
   * Sets the pose of the centre of mass and removes its history: the body has never been elsewhere.
   */
  setCenterPose(record: BodyRecord, x: number, y: number, angle: number): void {
    const { values, offset } = record;
    this.#world.edit(record.row);
    values[offset + Body.CENTER_X] = values[offset + Body.CENTER_X0] = x;
    values[offset + Body.CENTER_Y] = values[offset + Body.CENTER_Y0] = y;
    values[offset + Body.ANGLE] = values[offset + Body.ANGLE0] = angle;
    values[offset + Body.ALPHA0] = 0;
    updateTransform(values, offset);
    updateAabb(this.#world, record.row, this.#contacts.broadPhase);
    this.#contacts.touchProxies(record.row);
  }

  /**
   * Resets the caches after an error in the middle of a step. Any AABB may be out of date then, and
   * any flag of the step set. A load must follow.
   */
  resetAfterError(): void {
    const { ints } = this.#world.bodies;
    for (const { row } of this.bodies) {
      ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &=
        ~(BodyFlag.AABB_CURRENT | BodyFlag.IN_ISLAND | BodyFlag.FAST | BodyFlag.MOVED);
    }
    this.#contacts.resetAfterError();
  }

  /**
   * Rounds all fields and motions to the precision of a snapshot.
   * @param held notes what is held at its bound
   * @throws StageError for a value that is not a number
   */
  canonicalize(held: HeldValues): void {
    for (let i = 0; i < this.recordsWithFields.length; i++) {
      const record = this.recordsWithFields[i]!;
      canonicalizeFields(record.fields, record.compiled.layout, record, held);
    }
    for (let i = 0; i < this.projectiles.length; i++) {
      this.#canonicalizeProjectile(this.projectiles[i]!);
    }
    const { dirty: { rows, count }, owners } = this.#world;
    for (let i = 0; i < count; i++) {
      // A body that is gone left its row.
      const record = owners[rows[i]!] as BodyRecord | undefined;
      if (record !== undefined) this.#canonicalizeBody(record, held);
    }
    this.#world.endEdits();
  }

  /**
   * Rounds the body's motion to 32 bits and makes everything that the world derives from it a
   * function of the rounded values. The last world step of the tick has already rounded the pose
   * and updated the AABB of a body that moved.
   * @throws StageError for a motion that is not a number
   */
  #canonicalizeBody(record: BodyRecord, held: HeldValues): void {
    const { values, offset, row } = record;
    const { ints } = this.#world.bodies;
    const flags = row * BodyInt.STRIDE + BodyInt.FLAGS;
    const isWithin = this.#isWithin(values, offset);
    if (!isWithin) this.#hold(record, held);
    quantizeMotion(values, offset);
    if (quantizePose(values, offset) || (ints[flags]! & BodyFlag.AABB_CURRENT) === 0) {
      updateAabb(this.#world, row, this.#contacts.broadPhase);
    }
    values[offset + Body.CENTER_X0] = values[offset + Body.CENTER_X]!;
    values[offset + Body.CENTER_Y0] = values[offset + Body.CENTER_Y]!;
    values[offset + Body.ANGLE0] = values[offset + Body.ANGLE]!;
    values[offset + Body.ALPHA0] =
      values[offset + Body.FORCE_X] =
      values[offset + Body.FORCE_Y] =
      values[offset + Body.TORQUE] =
        0;
    if (isWithin) return;
    checkPosition(record, values[offset + Body.CENTER_X]!, values[offset + Body.CENTER_Y]!);
    checkAngle(record, values[offset + Body.ANGLE]!);
    checkVelocity(record, values[offset + Body.VX]!, values[offset + Body.VY]!);
    checkSpin(record, values[offset + Body.SPIN]!);
  }

  /**
   * Whether all numbers of a body's motion are numbers, within all bounds, and no faster than a
   * world step leaves a body. That is one test, without calls: V8 allocates a heap number for each
   * fraction that it passes to a function. What that gains is told at `setReach`.
   */
  #isWithin(values: Float64Array, offset: number): boolean {
    const x = values[offset + Body.VX]!;
    const y = values[offset + Body.VY]!;
    const spin = Math.abs(values[offset + Body.SPIN]!);
    const { speedMax, spinMax } = this.#world;
    const most = speedMax / SPEED_TOLERANCE;
    return x * x + y * y <= most * most && Math.abs(x) <= SPEED_MAX && Math.abs(y) <= SPEED_MAX &&
      spin <= spinMax / SPEED_TOLERANCE && spin <= SPIN_MAX &&
      Math.abs(values[offset + Body.ANGLE]!) <= ANGLE_MAX &&
      Math.abs(values[offset + Body.CENTER_X]!) <= POSITION_MAX &&
      Math.abs(values[offset + Body.CENTER_Y]!) <= POSITION_MAX;
  }

  /**
   * Takes whole turns off an angle. Slows a body down that the rules have made faster than a world
   * step leaves it. Stops one at the edge of the world. None of them ends the match: a state from
   * outside may begin at the edge.
   */
  #hold(record: BodyRecord, held: HeldValues): void {
    const { values, offset, row } = record;
    const { speedMax, spinMax } = this.#world;

    // Whole turns
    const turns = wholeTurns(values[offset + Body.ANGLE]!);
    if (turns !== 0) {
      values[offset + Body.ANGLE]! -= turns * FULL_TURN;
      this.#world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AABB_CURRENT;
    }

    // Speed
    const vx = values[offset + Body.VX]!;
    const vy = values[offset + Body.VY]!;
    const ratio = speedMax / Math.sqrt(vx * vx + vy * vy);
    if (ratio < SPEED_TOLERANCE) {
      values[offset + Body.VX] = vx * ratio;
      values[offset + Body.VY] = vy * ratio;
    }
    values[offset + Body.SPIN] = within(values[offset + Body.SPIN]!, spinMax);

    // The edge of the world
    for (const axis of [0, 1]) {
      const at = values[offset + Body.CENTER_X + axis]!;
      if (!(Math.abs(at) > POSITION_MAX)) continue;
      values[offset + Body.CENTER_X + axis] = within(at, POSITION_MAX);
      values[offset + Body.VX + axis] = 0;
      this.#world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AABB_CURRENT;
      held.add(`${record} is at the edge of the world, ${POSITION_MAX} m from its middle`);
    }

    updateTransform(values, offset);
  }

  /**
   * Rounds a projectile's motion to 32 bits. At the edge of the world, and at the greatest speed,
   * it goes no farther.
   * @throws StageError for a motion that is not a number
   */
  #canonicalizeProjectile(projectile: ProjectileRecord): void {
    const { x, y, vx, vy } = projectile;
    const isWithin = Math.abs(x) <= POSITION_MAX && Math.abs(y) <= POSITION_MAX &&
      Math.abs(vx) <= SPEED_MAX && Math.abs(vy) <= SPEED_MAX;
    if (!isWithin) holdProjectile(projectile);
    projectile.x = Math.fround(projectile.x);
    projectile.y = Math.fround(projectile.y);
    projectile.vx = Math.fround(projectile.vx);
    projectile.vy = Math.fround(projectile.vy);
  }

  #create(compiled: CompiledArchetype, id: number): EntityRecord {
    return compiled.projectile === undefined
      ? this.#createBody(compiled, id)
      : new ProjectileRecord(id, compiled);
  }

  #createBody(compiled: CompiledBody, id: number): BodyRecord {
    const world = this.#world;
    const { broadPhase } = this.#contacts;
    const row = world.addBody(compiled.body, id);
    this.partCount += compiled.body.fixtures.length;
    for (
      let fixture = world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!;
      fixture !== NONE;
    ) {
      broadPhase.add(fixture);
      fixture = world.fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!;
    }
    // Its AABBs are missing until somebody sets its pose.
    world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AABB_CURRENT;
    return new BodyRecord(id, compiled, world, row);
  }

  #destroy(record: EntityRecord): void {
    record.isGone = true;
    if (!(record instanceof BodyRecord)) return;
    const world = this.#world;
    const { row } = record;
    this.partCount -= record.compiled.body.fixtures.length;
    this.#contacts.removeAllOf(row);
    for (
      let fixture = world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!;
      fixture !== NONE;
    ) {
      this.#contacts.broadPhase.remove(fixture);
      fixture = world.fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!;
    }
    record.detach();
    world.removeBody(row);
  }

  /** Appends the entity to every list that it belongs to. */
  #append(record: EntityRecord): void {
    this.records.push(record);
    if (record instanceof BodyRecord) this.bodies.push(record);
    if (record instanceof ProjectileRecord) this.projectiles.push(record);
    if (hasFields(record)) this.recordsWithFields.push(record);
    this.#handles[record.compiled.index]!.append(record.entity);
  }
}

function hasFields({ compiled: { layout } }: EntityRecord): boolean {
  return layout.names.length > 0;
}

/** @throws StageError for a motion that is not a number */
function holdProjectile(projectile: ProjectileRecord): void {
  projectile.x = within(projectile.x, POSITION_MAX);
  projectile.y = within(projectile.y, POSITION_MAX);
  projectile.vx = within(projectile.vx, SPEED_MAX);
  projectile.vy = within(projectile.vy, SPEED_MAX);
  checkPosition(projectile, projectile.x, projectile.y);
  checkVelocity(projectile, projectile.vx, projectile.vy);
}
