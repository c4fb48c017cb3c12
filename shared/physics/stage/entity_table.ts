/**
 * The entities on the stage, ascending by id: all of them, those with a body, and the projectiles.
 *
 * planck solves bodies in the order of its own list. The table keeps that list descending by id, with the ground last.
 * planck adds a new body at the front, which keeps the order. A load restores it.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { updateTransform } from "../core/body_transform.ts";
import { isExactlyAt, prepareBody, updateAabb } from "../collision/aabb.ts";
import { BroadPhase } from "../collision/broad_phase.ts";
import { BodyRecord, type Entity, type EntityRecord, ProjectileRecord } from "./entity.ts";
import { canonicalizeFields } from "../core/fields.ts";
import type { CompiledArchetype, CompiledBody } from "./compiled_archetypes.ts";
import {
  ANGLE_MAX,
  checkAngle,
  checkPosition,
  checkSpin,
  checkVelocity,
  FULL_TURN,
  wholeTurns,
} from "../core/limits.ts";
import { cos, sin } from "../core/math.ts";
import { proxyKey } from "../core/proxy_key.ts";
import { createBody, destroyBody, type PlanckWorld } from "../planck/planck.ts";
import { quantizeMotion, quantizePose } from "../core/quantize.ts";
import type { FieldSpec, Spawn } from "../core/types.ts";
import { findById, removeById } from "../../sorted_list.ts";

const { CENTER_X, CENTER_Y, ANGLE, CENTER_X0, CENTER_Y0, ANGLE0, ALPHA0, LOCAL_CENTER_X, LOCAL_CENTER_Y } = bodyLayout;
const { VX, VY, SPIN, FORCE_X, FORCE_Y, TORQUE } = bodyLayout;

/** All entities of one stage, by id and by archetype. */
export class EntityTable {
  readonly archetypes: readonly CompiledArchetype[];
  readonly ground: BodyRecord;
  /** All entities without the ground, ascending by id. The two lists below have their two sorts. */
  readonly records: EntityRecord[] = [];
  readonly bodies: BodyRecord[] = [];
  readonly projectiles: ProjectileRecord[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: BroadPhase;
  /** By archetype index: handles ascending by id. */
  readonly #handles: Entity[][];

  constructor(world: PlanckWorld, broadPhase: BroadPhase, archetypes: readonly CompiledArchetype[]) {
    this.#world = world;
    this.#broadPhase = broadPhase;
    this.archetypes = archetypes;
    this.#handles = archetypes.map(() => []);
    // The ground is at the origin. planck moves also a static body when it solves a time of impact; there it adds
    // zeros.
    this.ground = this.#createBody(archetypes[0] as CompiledBody, 0);
    broadPhase.endGround();
  }

  /** The record with this id, the ground for 0, or undefined. */
  get(id: number): EntityRecord | undefined {
    if (id === 0) return this.ground;
    return findById(this.records, id);
  }

  /** The handles of one archetype, ascending by id: a live array. */
  handlesOf(compiled: CompiledArchetype): readonly Entity[] {
    return this.#handles[compiled.index]!;
  }

  /** Adds an entity at the origin, at rest. Its id must be larger than all others. */
  add(compiled: CompiledArchetype, id: number): EntityRecord {
    const record = this.#create(compiled, id);
    this.#append(record);
    return record;
  }

  /** Removes an entity and its contacts. Bodies that touched it wake up. */
  remove(record: EntityRecord): void {
    removeById(this.records, record.id);
    removeById(record instanceof ProjectileRecord ? this.projectiles : this.bodies, record.id);
    removeById(this.#handles[record.compiled.index]!, record.id);
    this.#destroy(record);
  }

  /**
   * Makes the table hold exactly `count` entities with the given ids, ascending, and archetypes. First it removes all
   * others, because on a mispredicted timeline an id may belong to another archetype. Then it adds the missing ones.
   */
  restore(count: number, idAt: (index: number) => number, archetypeAt: (index: number) => CompiledArchetype): void {
    const before = this.records.slice();
    let old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) this.#destroy(before[old++]!);
      const same = before[old];
      if (same?.id === idAt(i) && same.compiled !== archetypeAt(i)) this.#destroy(before[old++]!);
      else if (same?.id === idAt(i)) old++;
    }
    while (old < before.length) this.#destroy(before[old++]!);
    this.records.length = this.bodies.length = this.projectiles.length = 0;
    for (const handles of this.#handles) handles.length = 0;
    old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) old++;
      const same = before[old];
      const kept = same !== undefined && same.id === idAt(i) && same.compiled === archetypeAt(i);
      this.#append(kept ? same : this.#create(archetypeAt(i), idAt(i)));
    }
    this.#relink();
    this.#resetGround();
  }

  /** No snapshot contains the ground, and a step that failed may have moved it. */
  #resetGround(): void {
    const { body, body: { values, offset } } = this.ground;
    values[offset + VX] = values[offset + VY] = values[offset + SPIN] = 0;
    if (!isExactlyAt(body, 0, 0, 0)) this.setCenterPose(this.ground, 0, 0, 0);
  }

  /** Sets pose and motion. The pose is that of the origin. */
  setMotion(record: EntityRecord, { x, y, angle = 0, vx = 0, vy = 0, spin = 0 }: Spawn<FieldSpec>): void {
    if (record instanceof ProjectileRecord) {
      record.x = x;
      record.y = y;
      record.vx = vx;
      record.vy = vy;
    } else if (record instanceof BodyRecord) {
      this.#setPose(record, x, y, angle);
      const { values, offset } = record.body;
      values[offset + VX] = vx;
      values[offset + VY] = vy;
      values[offset + SPIN] = spin;
    }
  }

  /** Moves the origin to (x, y). The next world step finds the contacts there. */
  teleport(record: EntityRecord, x: number, y: number): void {
    this.setMotion(record, { x, y, angle: record.angle, vx: record.vx, vy: record.vy, spin: record.spin });
    record.teleports = record.teleports + 1 & 0xff;
    if (!(record instanceof BodyRecord)) return;
    this.#world.m_newFixture = true;
    record.body.setAwake(true);
  }

  /** Sets the velocity, m/s. A velocity other than zero wakes a body. */
  setVelocity(record: EntityRecord, vx: number, vy: number): void {
    if (record instanceof ProjectileRecord) {
      record.vx = vx;
      record.vy = vy;
    } else if (record instanceof BodyRecord) {
      const { body, body: { values, offset } } = record;
      if (vx !== 0 || vy !== 0) body.setAwake(true);
      values[offset + VX] = vx;
      values[offset + VY] = vy;
    }
  }

  /** Sets the pose of the body's origin. */
  #setPose(record: BodyRecord, x: number, y: number, angle: number): void {
    const { values, offset } = record.body, s = sin(angle), c = cos(angle);
    const localX = values[offset + LOCAL_CENTER_X]!, localY = values[offset + LOCAL_CENTER_Y]!;
    this.setCenterPose(record, x + (c * localX - s * localY), y + (s * localX + c * localY), angle);
  }

  /** Sets the pose of the centre of mass and removes its history: the body has never been elsewhere. */
  setCenterPose(record: BodyRecord, x: number, y: number, angle: number): void {
    const { values, offset } = record.body;
    values[offset + CENTER_X] = values[offset + CENTER_X0] = x;
    values[offset + CENTER_Y] = values[offset + CENTER_Y0] = y;
    values[offset + ANGLE] = values[offset + ANGLE0] = angle;
    values[offset + ALPHA0] = 0;
    updateTransform(record.body);
    updateAabb(record.body, this.#broadPhase);
  }

  /** Resets the caches after an error in the middle of a step, when any AABB may be out of date. A load must follow. */
  resetAfterError(): void {
    this.#world.m_locked = false;
    for (const { body } of this.bodies) body.aabbIsCurrent = false;
  }

  /** Rounds all fields and motions to the precision of a snapshot. @throws StageError for a value out of bounds */
  canonicalize(): void {
    for (let i = 0; i < this.records.length; i++) {
      const record = this.records[i]!;
      canonicalizeFields(record.fields, record.compiled.layout, record);
      if (record instanceof ProjectileRecord) this.#canonicalizeProjectile(record);
      else this.#canonicalizeBody(record as BodyRecord);
    }
  }

  /**
   * Rounds the body's motion to 32 bits and makes everything that planck derives from it a function of the rounded
   * values. The last world step of the tick has already rounded the pose and updated the AABB of a body that moved.
   * @throws StageError for a motion that is not finite or out of bounds
   */
  #canonicalizeBody(record: BodyRecord): void {
    const { body } = record, { values, offset } = body, angle = values[offset + ANGLE]!;
    if (Math.abs(angle) > ANGLE_MAX) {
      values[offset + ANGLE] = angle - wholeTurns(angle) * FULL_TURN;
      updateTransform(body);
      body.aabbIsCurrent = false;
    }
    quantizeMotion(body);
    if (quantizePose(body) || !body.aabbIsCurrent) updateAabb(body, this.#broadPhase);
    values[offset + CENTER_X0] = values[offset + CENTER_X]!;
    values[offset + CENTER_Y0] = values[offset + CENTER_Y]!;
    values[offset + ANGLE0] = values[offset + ANGLE]!;
    values[offset + ALPHA0] =
      values[offset + FORCE_X] =
      values[offset + FORCE_Y] =
      values[offset + TORQUE] =
        0;
    checkPosition(record, values[offset + CENTER_X]!, values[offset + CENTER_Y]!);
    checkAngle(record, values[offset + ANGLE]!);
    checkVelocity(record, values[offset + VX]!, values[offset + VY]!);
    checkSpin(record, values[offset + SPIN]!);
  }

  /** Rounds a projectile's motion to 32 bits. @throws StageError for a motion that is not finite or out of bounds */
  #canonicalizeProjectile(projectile: ProjectileRecord): void {
    projectile.x = Math.fround(projectile.x);
    projectile.y = Math.fround(projectile.y);
    projectile.vx = Math.fround(projectile.vx);
    projectile.vy = Math.fround(projectile.vy);
    checkPosition(projectile, projectile.x, projectile.y);
    checkVelocity(projectile, projectile.vx, projectile.vy);
  }

  #create(compiled: CompiledArchetype, id: number): EntityRecord {
    return compiled.projectile === undefined ? this.#createBody(compiled, id) : new ProjectileRecord(id, compiled);
  }

  #createBody(compiled: CompiledBody, id: number): BodyRecord {
    const body = createBody(this.#world, compiled.body);
    const fixtures = compiled.fixtures.map((def, i) => {
      const fixture = body.createFixture(def);
      fixture.m_userData = compiled.sweptShapes[i];
      fixture.m_proxies[0].key = proxyKey(id, i);
      fixture.oneWay = compiled.oneWay[i]!;
      return fixture;
    });
    prepareBody(body, this.#broadPhase);
    return new BodyRecord(id, compiled, body, fixtures);
  }

  #destroy(record: EntityRecord): void {
    if (record instanceof BodyRecord) destroyBody(this.#world, record.body);
  }

  /** Appends the entity to every list that it belongs to. */
  #append(record: EntityRecord): void {
    this.records.push(record);
    if (record instanceof BodyRecord) this.bodies.push(record);
    else if (record instanceof ProjectileRecord) this.projectiles.push(record);
    this.#handles[record.compiled.index]!.push(record.entity);
  }

  /** Restores the order of planck's list of bodies. */
  #relink(): void {
    let next = this.ground.body;
    next.m_next = null;
    for (const { body } of this.bodies) {
      body.m_next = next;
      next.m_prev = body;
      next = body;
    }
    next.m_prev = null;
    this.#world.m_bodyList = next;
  }
}
