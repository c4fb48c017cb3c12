/**
 * Who is on the stage, ascending by id: all, those with a body, the projectiles. planck's own list of bodies is kept in descending
 * order of id with the ground last, which is what creation gives and what a load must restore, because planck solves in that
 * order.
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

/** Everybody on one stage, by id and by kind. */
export class EntityTable {
  readonly archetypes: readonly CompiledArchetype[];
  readonly ground: BodyRecord;
  /** Ascending by id, without the ground: everybody, then the two sorts of them. */
  readonly records: EntityRecord[] = [];
  readonly bodies: BodyRecord[] = [];
  readonly projectiles: ProjectileRecord[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: BroadPhase;
  /** By kind index: handles ascending by id. */
  readonly #handles: Entity[][];

  constructor(world: PlanckWorld, broadPhase: BroadPhase, archetypes: readonly CompiledArchetype[]) {
    this.#world = world;
    this.#broadPhase = broadPhase;
    this.archetypes = archetypes;
    this.#handles = archetypes.map(() => []);
    // At the origin: when something hits it in the middle of a step, planck moves it, too, but there only by sums of zeros.
    this.ground = this.#createBody(archetypes[0] as CompiledBody, 0);
    broadPhase.endGround();
  }

  /** By binary search; the ground for 0, undefined where there is none. */
  get(id: number): EntityRecord | undefined {
    if (id === 0) return this.ground;
    return findById(this.records, id);
  }

  handlesOf(compiled: CompiledArchetype): readonly Entity[] {
    return this.#handles[compiled.index]!;
  }

  /** A new one at the origin, at rest. Its id must be larger than all others. */
  add(compiled: CompiledArchetype, id: number): EntityRecord {
    const record = this.#create(compiled, id);
    this.#append(record);
    return record;
  }

  /** Takes it and its contacts away; what it touched wakes up. */
  remove(record: EntityRecord): void {
    removeById(this.records, record.id);
    removeById(record instanceof ProjectileRecord ? this.projectiles : this.bodies, record.id);
    removeById(this.#handles[record.compiled.index]!, record.id);
    this.#destroy(record);
  }

  /**
   * Makes the table exactly `count` entities with these ids, ascending, and kinds: the surplus goes first, because on a
   * mispredicted timeline the same id may be another kind; then the missing come.
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

  /** No snapshot holds the ground, and a step that went wrong may have moved it. */
  #resetGround(): void {
    const { body, body: { values, offset } } = this.ground;
    values[offset + VX] = values[offset + VY] = values[offset + SPIN] = 0;
    if (!isExactlyAt(body, 0, 0, 0)) this.setCenterPose(this.ground, 0, 0, 0);
  }

  /** Puts it there, with that motion. */
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

  /** Its origin; the next world step sees it there. */
  teleport(record: EntityRecord, x: number, y: number): void {
    this.setMotion(record, { x, y, angle: record.angle, vx: record.vx, vy: record.vy, spin: record.spin });
    record.teleports = record.teleports + 1 & 0xff;
    if (!(record instanceof BodyRecord)) return;
    this.#world.m_newFixture = true;
    record.body.setAwake(true);
  }

  /** m/s; wakes a body where that is not zero. */
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

  /** Puts the body's origin to (x, y) at an angle. */
  #setPose(record: BodyRecord, x: number, y: number, angle: number): void {
    const { values, offset } = record.body, s = sin(angle), c = cos(angle);
    const localX = values[offset + LOCAL_CENTER_X]!, localY = values[offset + LOCAL_CENTER_Y]!;
    this.setCenterPose(record, x + (c * localX - s * localY), y + (s * localX + c * localY), angle);
  }

  /** Puts the centre of mass to (x, y) at an angle; the body has never been anywhere else. */
  setCenterPose(record: BodyRecord, x: number, y: number, angle: number): void {
    const { values, offset } = record.body;
    values[offset + CENTER_X] = values[offset + CENTER_X0] = x;
    values[offset + CENTER_Y] = values[offset + CENTER_Y0] = y;
    values[offset + ANGLE] = values[offset + ANGLE0] = angle;
    values[offset + ALPHA0] = 0;
    updateTransform(record.body);
    updateAabb(record.body, this.#broadPhase);
  }

  /** After an error in the middle of a step, when nobody knows whose boxes are current: only a load may follow. */
  resetAfterError(): void {
    this.#world.m_locked = false;
    for (const { body } of this.bodies) body.aabbIsCurrent = false;
  }

  /** Rounds everybody's fields and motion to what a snapshot holds. @throws StageError for what does not fit or is lost */
  canonicalize(): void {
    for (let i = 0; i < this.records.length; i++) {
      const record = this.records[i]!;
      canonicalizeFields(record.fields, record.compiled.layout, record);
      if (record instanceof ProjectileRecord) this.#canonicalizeProjectile(record);
      else this.#canonicalizeBody(record as BodyRecord);
    }
  }

  /**
   * Rounds the body's motion to 32 bits and makes everything that planck derives from it a function of the rounded values. A
   * body whose pose and box the tick's last step has brought up to date, or that sleeps, is so already.
   * @throws StageError for an entity that is lost: not a number, or beyond the bounds
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

  /** The same for a projectile, which is all that it has. @throws StageError where it is lost */
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

  /** Last in every list that it belongs to. */
  #append(record: EntityRecord): void {
    this.records.push(record);
    if (record instanceof BodyRecord) this.bodies.push(record);
    else if (record instanceof ProjectileRecord) this.projectiles.push(record);
    this.#handles[record.compiled.index]!.push(record.entity);
  }

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
