/**
 * The exact stage: planck made a pure function. What is on it is its state; what planck keeps beside is a cache of that.
 *
 *     S(n) = endTick( rules( advance( rules( S(n-1) ) ) ) )
 *
 * The rules may spawn, despawn, teleport and assign before and after `advance`. `endTick` rounds every number to what a snapshot
 * holds and forgets how it came about, so that a stage that ran on and one that loaded the snapshot go on with the same bits.
 */
import { SPIN } from "../core/body_rows.ts";
import { JointTable } from "../joints/joint_table.ts";
import { type Hit, Projectiles } from "./projectiles.ts";
import { collidePolygons } from "../collision/collide_polygons.ts";
import { Contacts } from "../dynamics/contacts.ts";
import { Entity } from "./entity.ts";
import { canonicalizeFields, createFields, layoutOf } from "../core/fields.ts";
import { addForce, addImpulse, type Point } from "./forces.ts";
import { INTERNALS, type StageState } from "./internals.ts";
import { compileJoints } from "../joints/compiled_joints.ts";
import { type BrokenJoint, Joint, Joints } from "../joints/joints.ts";
import { compileArchetypes, type CompiledArchetype } from "./compiled_archetypes.ts";
import { requireBody, requireMovable, requireMovableBody, requireNonGround } from "./entity_checks.ts";
import { compilePairRules, contactFilterOf } from "./pair_rules.ts";
import { KinematicPaths } from "./kinematic_paths.ts";
import { collidePolygonsBy, createWorld, type PlanckWorld } from "../planck/planck.ts";
import { checkPosition, checkSpin, checkVelocity } from "../core/limits.ts";
import { EntityTable } from "./entity_table.ts";
import { ENTITIES_MAX } from "./snapshot_layout.ts";
import { prepareSpawn } from "./spawning.ts";
import { loadStage, saveStage } from "./stage_snapshot.ts";
import { type ContactEvent, ContactEventLog } from "./contact_events.ts";
import {
  type Archetype,
  type Fields,
  type FieldSpec,
  type PathArchetype,
  type Spawn,
  type StageDef,
  StageError,
} from "../core/types.ts";
import { EARLIER_STEP, LAST_STEP, WorldStep } from "../dynamics/world_step.ts";
import type { Snapshot } from "../../snapshot.ts";

export { ENTITIES_MAX, Entity, Joint };
export type { BrokenJoint, ContactEvent, Hit, Joints };

/**
 * Where the stage is between two ticks. `closed`: a state, exactly as saved. `edited`: changed by the rules since. `advanced`:
 * physics has run, the tick is still open. `broken`: an error stopped `advance` or `load` half-way; only `load` helps.
 */
type Phase = "closed" | "edited" | "advanced" | "broken";

/** One stage: entities of declared kinds, stepped exactly, saved and loaded whole. */
export class Stage<Spec extends FieldSpec = FieldSpec> {
  /** Id 0, archetype "ground", no fields. */
  readonly ground: Entity;
  /** The state of the match as a whole. */
  readonly fields: Fields<Spec>;
  readonly joints: Joints;
  readonly #world: PlanckWorld;
  readonly [INTERNALS]: StageState;
  readonly #compiledOf: ReadonlyMap<Archetype, CompiledArchetype>;
  readonly #substeps: number;
  /** One world step's length, seconds. */
  readonly #stepS: number;
  readonly #projectiles: Projectiles;
  readonly #step: WorldStep;
  readonly #contactLog = new ContactEventLog();
  readonly #paths: KinematicPaths;
  readonly #touchingIds: number[] = [];
  #phase: Phase = "closed";

  /** A closed stage with nobody on it, at tick 0. @throws StageError naming what is wrong with the declaration */
  constructor(def: StageDef<Spec>) {
    const archetypes = compileArchetypes(def), layout = layoutOf(def.fields, "stage"), fields = createFields(layout);
    this.#compiledOf = new Map(archetypes.map((compiled) => [compiled.archetype, compiled]));
    this.#substeps = def.substeps;
    this.#stepS = 1 / (def.tickHz * def.substeps);
    collidePolygonsBy(collidePolygons);
    this.#world = createWorld(def.gravity);
    const rules = compilePairRules(def, archetypes), filter = contactFilterOf(rules);
    const contacts = new Contacts(this.#world, filter, (contact) => this.#contactLog.onContactBegin(contact));
    const entities = new EntityTable(this.#world, contacts.broadPhase, archetypes);
    this.#projectiles = new Projectiles(entities, contacts.broadPhase, { rules, gravity: def.gravity });
    this.#world.m_newFixture = false;
    const compiledJoints = compileJoints(def),
      joints = new JointTable(this.#world, contacts.broadPhase, entities, compiledJoints);
    this.#paths = new KinematicPaths(this.#world, entities, joints, def);
    this.#step = new WorldStep(this.#world, contacts, this.#stepS);
    this[INTERNALS] = { archetypes, compiledJoints, layout, entities, joints, contacts, fields, tick: 0, nextId: 1 };
    this.ground = entities.ground.entity;
    this.fields = fields as Fields<Spec>;
    this.joints = new Joints(this[INTERNALS], () => this.#beginEdit());
  }

  /** Ticks closed so far; part of the state. Wraps after 2^32, which is 6.8 years at 20 Hz. */
  get tick(): number {
    return this[INTERNALS].tick;
  }

  /** At most `ENTITIES_MAX`, without the ground. */
  get entityCount(): number {
    return this[INTERNALS].entities.records.length;
  }

  /** Contacts between fixtures that touch now. */
  get contactCount(): number {
    return this[INTERNALS].contacts.countTouching();
  }

  /**
   * A new entity, with the next id.
   * @throws StageError when the stage is full, for an archetype or field that is not declared, for values that are not finite
   * or out of bounds
   */
  spawn<S extends FieldSpec>(archetype: PathArchetype<S>, at?: Pick<Spawn<S>, "fields">): Entity<S>;
  spawn<S extends FieldSpec>(archetype: Archetype<S>, at: Spawn<S>): Entity<S>;
  spawn<S extends FieldSpec>(archetype: Archetype<S>, at: Partial<Spawn<S>> = {}): Entity<S> {
    const compiled = this.#compiledFor(archetype), { entities, nextId: id } = this[INTERNALS];
    const tick = this.#phase === "advanced" ? this.#nextTick : this.tick;
    const { fields, start } = prepareSpawn(compiled, at, { id, tick, entityCount: this.entityCount });
    this.#beginEdit();
    const record = entities.add(compiled, this[INTERNALS].nextId++);
    Object.assign(record.fields, fields);
    entities.setMotion(record, start);
    return record.entity as Entity<FieldSpec> as Entity<S>;
  }

  /** Takes it and its joints off the stage; whatever lay on it or was held by it wakes up. @throws StageError */
  despawn(entity: Entity): void {
    const record = requireNonGround(this[INTERNALS].entities, entity);
    this.#beginEdit();
    this[INTERNALS].joints.removeAllOf(record);
    this[INTERNALS].entities.remove(record);
  }

  /** The ground for 0; undefined where there is none. */
  get(id: number): Entity | undefined {
    return this[INTERNALS].entities.get(id)?.entity;
  }

  /** All of one archetype, ascending id: a live array, valid until the next spawn, despawn or load. @throws StageError */
  all<S extends FieldSpec>(archetype: Archetype<S>): readonly Entity<S>[] {
    return this[INTERNALS].entities.handlesOf(this.#compiledFor(archetype)) as readonly Entity<
      FieldSpec
    >[] as readonly Entity<
      S
    >[];
  }

  /** Puts its origin to (x, y), metres; counts a jump and wakes it. Its joints let go; angle and velocity stay. @throws StageError */
  teleport(entity: Entity, x: number, y: number): void {
    const record = requireMovable(this[INTERNALS].entities, entity);
    checkPosition(record, x, y);
    this.#beginEdit();
    this[INTERNALS].joints.removeAllOf(record);
    this[INTERNALS].entities.teleport(record, x, y);
  }

  /** m/s; wakes it where that is not zero. @throws StageError */
  setVelocity(entity: Entity, vx: number, vy: number): void {
    const record = requireMovable(this[INTERNALS].entities, entity);
    checkVelocity(record, vx, vy);
    this.#beginEdit();
    this[INTERNALS].entities.setVelocity(record, vx, vy);
  }

  /** rad/s; wakes it where that is not zero. @throws StageError, also for a projectile: it does not turn */
  setSpin(entity: Entity, spin: number): void {
    const record = requireMovableBody(this[INTERNALS].entities, entity);
    checkSpin(record, spin);
    this.#beginEdit();
    if (spin !== 0) record.body.setAwake(true);
    record.body.values[record.body.offset + SPIN] = spin;
  }

  /**
   * A force, newtons, at most 1e8, through all world steps of the coming `advance`, at its centre of mass or a place; wakes it.
   * Several add up. @throws StageError, also after `advance`: no force outlives a tick
   */
  applyForce(entity: Entity, fx: number, fy: number, point?: Point): void {
    const record = requireMovableBody(this[INTERNALS].entities, entity);
    if (this.#phase === "advanced") throw new StageError(`${record}: applyForce() after advance() acts on nothing`);
    addForce(record, fx, fy, point);
    this.#beginEdit();
  }

  /** An impulse, newton seconds, at most 1e7, at once, at its centre of mass or a place; wakes it. @throws StageError */
  applyImpulse(entity: Entity, ix: number, iy: number, point?: Point): void {
    addImpulse(requireMovableBody(this[INTERNALS].entities, entity), ix, iy, point);
    this.#beginEdit();
  }

  /** One tick of physics: moves bodies and projectiles, breaks joints, fills `events` and `hits`. @throws StageError where it has already run */
  advance(): void {
    if (this.#phase !== "closed" && this.#phase !== "edited") {
      throw new StageError(`advance() on a stage that is ${this.#phase}`);
    }
    const { contacts, joints } = this[INTERNALS];
    this.#paths.setTargets(this.#nextTick);
    this.#phase = "broken"; // unless all goes well: `shouldCollide` is the author's
    joints.beginTick();
    this.#contactLog.beginTick(contacts);
    this.#projectiles.clear();
    for (let i = 0; i < this.#substeps; i++) {
      this.#projectiles.integrate(this.#stepS);
      this.#step.step(i === this.#substeps - 1 ? LAST_STEP : EARLIER_STEP);
      this.#contactLog.markTouching(contacts);
      joints.trackPeakForces();
    }
    this.#projectiles.tickLifetimes();
    this.#contactLog.endTick();
    joints.breakOverloaded();
    this.#phase = "advanced";
  }

  /** Of the last `advance`, ascending by (a.id, b.id); not part of the state, empty after `load`. Never names a projectile. */
  get contactEvents(): readonly ContactEvent[] {
    return this.#contactLog.events;
  }

  /** What projectiles hit in the last `advance`: by world step, id, and order along the way. Not part of the state, empty after `load`. */
  get hits(): readonly Hit[] {
    return this.#projectiles.hits;
  }

  /**
   * Whether something that it touches pushes it up: a contact normal toward it with y > 0.5. A function of the state.
   * @throws StageError, also for a projectile: it never rests on anything, see `hits`
   */
  isSupported(entity: Entity): boolean {
    return this[INTERNALS].contacts.isSupported(requireBody(this[INTERNALS].entities, entity).body);
  }

  /**
   * The ids of what touches it now, ascending, 0 for the ground. A function of the state. Valid until the next call.
   * @throws StageError, also for a projectile: it touches nothing, see `hits`
   */
  touchingIds(entity: Entity): readonly number[] {
    const { contacts, entities } = this[INTERNALS];
    contacts.collectTouchingIds(requireBody(entities, entity).body, this.#touchingIds);
    return this.#touchingIds;
  }

  /**
   * Ends the tick: checks all fields, rounds everything to what a snapshot holds, brings the contacts to the canonical set and
   * order, and counts the tick.
   * @throws StageError naming entity and field that are out of range; the tick stays open
   */
  endTick(): void {
    this.#beginEdit(); // so that a tick that fails to close is not taken for closed
    const { entities, joints, contacts, fields, layout } = this[INTERNALS];
    canonicalizeFields(fields, layout, "stage");
    this.#paths.snapToTargets(this.#nextTick);
    joints.canonicalize();
    entities.canonicalize();
    contacts.syncPairs();
    contacts.quantizeManifolds();
    this.#projectiles.removeExpired();
    this.#paths.clearTargets();
    this[INTERNALS].tick = this.#nextTick;
    this.#phase = "closed";
  }

  /** Writes the state. @throws StageError where the tick is still open */
  save(into: Snapshot): void {
    if (this.#phase !== "closed") {
      throw new StageError(`save() on a stage that is ${this.#phase}: call endTick() first`);
    }
    saveStage(this[INTERNALS], into);
  }

  /**
   * Becomes the saved state, whatever this stage has been doing since; legal at any time.
   * @throws SnapshotError for words that are no state of this stage: it is then as before, or broken until another load
   */
  load(from: Snapshot): void {
    loadStage(this[INTERNALS], from, () => {
      if (this.#phase === "broken") this[INTERNALS].entities.resetAfterError();
      this.#phase = "broken";
      this.#contactLog.clear();
      this.#projectiles.clear();
      this[INTERNALS].joints.beginTick();
    });
    this.#paths.clearTargets();
    this.#phase = "closed";
  }

  /** What the tick that is open, or will be opened next, is called once it is closed. */
  get #nextTick(): number {
    return this[INTERNALS].tick + 1 >>> 0;
  }

  #beginEdit(): void {
    if (this.#phase === "broken") {
      throw new StageError("a stage that is broken, or within advance(), can only be loaded");
    }
    if (this.#phase === "closed") this.#phase = "edited";
  }

  #compiledFor(archetype: Archetype): CompiledArchetype {
    const compiled = this.#compiledOf.get(archetype);
    if (compiled === undefined) throw new StageError(`archetype ${archetype.name} is not declared on this stage`);
    return compiled;
  }
}
