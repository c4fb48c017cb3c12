/**
 * The exact stage: physics as a pure function (DESIGN 4). The entities, joints and fields on the
 * stage are its state. The live world is a cache of that state.
 *
 *     S(n) = endTick( rules( advance( rules( S(n-1) ) ) ) )
 *
 * The game's rules may spawn, despawn, teleport and assign before and after `advance`. `endTick`
 * rounds every number to the precision of a snapshot and removes all traces of history. A stage
 * that ran on and a stage that loaded the snapshot then produce the same bits.
 */
import { type Hit, Projectiles } from "./projectiles.ts";
import { Contacts } from "../dynamics/contacts.ts";
import { BodyRecord, Entity, recordOf } from "./entity.ts";
import { checkOptions } from "../core/declaration_checks.ts";
import { canonicalizeFields, createFields, layoutOf } from "../core/fields.ts";
import { INTERNALS, StagePhase, type StageState } from "./internals.ts";
import type { BrokenJoint, Joint, Joints } from "../joints/joints.ts";
import { featureOf, missingFeature } from "./features.ts";
import { type CompiledArchetype, compileStage } from "./compiled_archetypes.ts";
import { EntityControls } from "./entity_controls.ts";
import type { DescriptionsFeature, EntityDescription } from "./describe.ts";
import { requireBody, requireMovable, requireNonGround, requireRecord } from "./entity_checks.ts";
import { compilePairRules, contactFilterOf } from "./pair_rules.ts";
import type { KinematicPaths, PathsFeature } from "./kinematic_paths.ts";
import type { Properties, PropertiesFeature } from "./properties.ts";
import type { Blast } from "./explosion.ts";
import type { Queries, QueriesFeature } from "./queries.ts";
import type { JointsFeature } from "../joints/joints_of.ts";
import { World } from "../dynamics/world.ts";
import { limitsOf } from "../dynamics/world_parameters.ts";
import { EntityTable } from "./entity_table.ts";
import { LimitReport } from "./limit_report.ts";
import { ENTITIES_MAX, PARTS_MAX } from "../core/limits.ts";
import { motionFor, prepareSpawn, sharedFields } from "./spawning.ts";
import { SnapshotCheck } from "../snapshot/check.ts";
import { TickLogs } from "../events/tick_logs.ts";
import type { Touch, TouchesFeature } from "../events/touches.ts";
import { loadStage } from "../snapshot/load.ts";
import { saveStage } from "../snapshot/save.ts";
import { SavedState } from "../snapshot/saved_state.ts";
import type { ContactEvent } from "../events/contact_events.ts";
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
import { StepPart, type StepProfile } from "../../step_profile.ts";

export { ENTITIES_MAX, Entity };
export type { BrokenJoint, ContactEvent, EntityDescription, Hit, Joint, Joints };

const NONE: readonly Entity[] = [];

/** Options of a stage that change no bit of its state. */
export interface StageOptions {
  readonly savesWhole?: boolean;
}

/**
 * One stage: entities of declared archetypes, stepped exactly, saved and loaded as a whole. Lengths
 * are metres, angles radians, speeds m/s, spins rad/s.
 *
 * A method throws a `StageError` for a value out of bounds and for an entity that is not on this
 * stage. It also throws in a phase that forbids the call. A refused call changes nothing.
 */
export class Stage<Spec extends FieldSpec = FieldSpec> extends EntityControls {
  readonly [INTERNALS]: StageState;
  /** The static body with all ground fixtures: id 0, archetype "ground", no fields. */
  readonly ground: Entity;
  /** The declared fields of the stage itself. The author assigns freely; `endTick` checks them. */
  readonly fields: Fields<Spec>;
  readonly #compiledOf: ReadonlyMap<Archetype, CompiledArchetype>;
  readonly #substeps: number;
  #clamped: readonly Entity[] = NONE;
  readonly #projectiles: Projectiles;
  readonly #step: WorldStep;
  readonly #logs: TickLogs;
  readonly #paths: KinematicPaths | undefined;
  readonly #pathsFeature: PathsFeature | undefined;
  readonly #joints: Joints | undefined;
  readonly #queriesFeature: QueriesFeature | undefined;
  readonly #queries: Queries | undefined;
  readonly #properties: Properties | undefined;
  readonly #descriptions: DescriptionsFeature | undefined;
  readonly #propertiesFeature: PropertiesFeature | undefined;
  readonly #phase = new StagePhase();
  readonly #limits: LimitReport;

  /**
   * A closed stage without entities, at tick 0.
   * @param options.savesWhole whether it saves and loads everything every time, also what cannot
   *   have changed
   * @throws StageError for a declaration that is wrong; the message names the part
   */
  constructor(def: StageDef<Spec>, options: StageOptions = {}) {
    super();
    checkOptions(options, { savesWhole: 1 }, "the options of a stage");

    // The declaration, compiled.
    const { archetypes, parameters } = compileStage(def);
    const layout = layoutOf(def.fields, "stage");
    const fields = createFields(layout);

    // The world and its entities
    const world = new World(parameters);
    this.#compiledOf = new Map(archetypes.map((compiled) => [compiled.archetype, compiled]));
    this.#substeps = def.substeps;

    // What is on the stage: entities, their contacts, and what passes between them.
    const rules = compilePairRules(def, archetypes);
    const filter = contactFilterOf(rules, world);
    const contacts = new Contacts(world, filter);
    const entities = new EntityTable(world, contacts, archetypes);

    this.#logs = new TickLogs(world, entities, def);
    this.#projectiles = new Projectiles(world, entities, contacts.broadPhase, rules);

    // Features that the declaration lists.
    const jointsFeature = featureOf<JointsFeature>(def, "joints");
    if (jointsFeature === undefined && (def.joints ?? []).length > 0) {
      throw missingFeature("a joint", "joints");
    }
    const compiledJoints = jointsFeature?.compile(def) ?? [];
    const canRest = archetypes.some(({ typeAt = -1 }) => typeAt >= 0);
    const joints = jointsFeature?.createTable(world, contacts, compiledJoints, { canRest });

    // Paths and the step
    this.#pathsFeature = featureOf<PathsFeature>(def, "paths");
    this.#paths = this.#pathsFeature?.create(world, entities, joints, def);
    this.#step = new WorldStep(world, contacts);

    const propertiesFeature = featureOf<PropertiesFeature>(def, "properties");
    if (propertiesFeature === undefined && (def.mutable ?? []).length > 0) {
      throw missingFeature("the stage's mutable", "properties");
    }
    this.#propertiesFeature = propertiesFeature;
    const gravityWords = propertiesFeature?.gravity.wordsOf(def);
    gravityWords?.begin(world);
    const features = {
      jointWords: jointsFeature?.words,
      propertyWords: propertiesFeature?.words,
      gravityWords,
      endedTouchWords: featureOf<TouchesFeature>(def, "touches")?.words,
    };

    // What is saved, and what a snapshot is checked against.
    const limits = limitsOf(def);
    const { speedMax, spinMax } = world;
    const schema = { archetypes, compiledJoints, ...features, layout, limits, speedMax, spinMax };
    const words = {
      saved: new SavedState(options.savesWhole ?? false),
      check: new SnapshotCheck(schema),
    };

    this.#limits = new LimitReport(limits, world.limitsReached);

    // All parts, as the modules of this folder see them.
    const tables = {
      entities,
      joints,
      jointStream: jointsFeature?.stream,
      contacts,
      world,
      fields,
    };
    const parts = { ...tables, logs: this.#logs, phase: this.#phase, definition: def as StageDef };
    this[INTERNALS] = { ...schema, ...words, ...parts, tick: 0, nextId: 1 };

    // The handles that rules get.
    this.#queriesFeature = featureOf<QueriesFeature>(def, "queries");
    this.#queries = this.#queriesFeature?.create(this[INTERNALS], () => {
      if (this.#phase.value === "broken") {
        throw new StageError("a query to a stage that is broken, or within advance()");
      }
    });
    this.#properties = propertiesFeature?.create(this[INTERNALS]);
    this.#descriptions = featureOf<DescriptionsFeature>(def, "descriptions");
    this.ground = entities.ground.entity;
    this.fields = fields as Fields<Spec>;
    if (joints !== undefined) {
      this.#joints = jointsFeature!.createHandles(this[INTERNALS], joints);
    }
  }

  /** The queries of the world. @throws StageError if the declaration does not list the feature */
  get queries(): Queries {
    if (this.#queries === undefined) throw missingFeature("a query", "queries");
    return this.#queries;
  }

  /**
   * Properties of bodies that may change.
   * @throws StageError if the declaration does not list the feature
   */
  get properties(): Properties {
    if (this.#properties === undefined) {
      throw missingFeature("a change of a property", "properties");
    }
    return this.#properties;
  }

  /** The gravity now, m/s², as a vector. Constant unless the stage declares it as mutable. */
  get gravity(): { readonly x: number; readonly y: number } {
    const { gravityX, gravityY } = this[INTERNALS].world;
    return { x: gravityX, y: gravityY };
  }

  /**
   * Changes the gravity at once, and wakes all bodies if it differs. Up, for `isSupported`, is the
   * opposite direction; y without gravity.
   * @param gravity m/s², as `StageDef.gravity`: a number is downwards positive
   * @throws StageError also if the stage does not declare `mutable: ["gravity"]`
   */
  setGravity(gravity: StageDef["gravity"]): void {
    if (this[INTERNALS].gravityWords === undefined) {
      throw new StageError("the stage does not declare gravity as mutable");
    }
    this.#propertiesFeature!.gravity.set(this[INTERNALS], gravity);
  }

  /** The joints. @throws StageError if the declaration does not list the feature */
  get joints(): Joints {
    if (this.#joints === undefined) throw missingFeature("a joint", "joints");
    return this.#joints;
  }

  /**
   * Gets the times of the parts of each step, save and load. Not part of the state, and no result
   * depends on it. Default: none.
   */
  get profile(): StepProfile | undefined {
    return this[INTERNALS].world.profile;
  }

  set profile(profile: StepProfile | undefined) {
    this[INTERNALS].world.profile = profile;
  }

  /**
   * The number of ticks that have ended; part of the state. It wraps after 2^32 ticks, which is 6.8
   * years at 20 Hz.
   */
  get tick(): number {
    return this[INTERNALS].tick;
  }

  /** The number of entities without the ground: at the end of a tick at most `limits.entities`. */
  get entityCount(): number {
    return this[INTERNALS].entities.records.length;
  }

  /** The number of pairs of fixtures that touch now. */
  get contactCount(): number {
    return this[INTERNALS].contacts.countTouching();
  }

  /**
   * Adds an entity with the next id. An entity whose archetype has a path takes its pose from the
   * path. If the stage is full when the tick ends, the newest entities leave it.
   * @throws StageError also for an archetype or a field that is not declared, and after a thousand
   * spawns too many in one tick
   */
  spawn<S extends FieldSpec>(archetype: PathArchetype<S>, at?: Pick<Spawn<S>, "fields">): Entity<S>;
  spawn<S extends FieldSpec>(archetype: Archetype<S>, at: Spawn<S>): Entity<S>;
  spawn<S extends FieldSpec>(archetype: Archetype<S>, at: Partial<Spawn<S>> = {}): Entity<S> {
    const compiled = this.#compiledFor(archetype);
    const { entities, nextId: id } = this[INTERNALS];
    const tick = this.#phase.value === "advanced" ? this.#nextTick : this.tick;
    const { fields, start } = prepareSpawn(compiled, at, { ...this.#spawnContext, id, tick });
    this.#phase.beginEdit();
    const record = entities.add(compiled, this[INTERNALS].nextId++);
    Object.assign(record.fields, fields);
    entities.setMotion(record, start);
    return record.entity as Entity<FieldSpec> as Entity<S>;
  }

  get #spawnContext() {
    const { entities: { partCount }, limits, world: { speedLimits } } = this[INTERNALS];
    return {
      entityCount: this.entityCount,
      partCount,
      entitiesMax: limits.entities,
      paths: this.#pathsFeature,
      speedLimits,
    };
  }

  /**
   * Makes an entity one of another archetype. It keeps its id, pose, motion and count of teleports,
   * and the fields that both archetypes have; `fields` gives the others. Its contacts begin anew.
   *
   * Its joints stay, with the anchors where they were. They end if it becomes a projectile, which
   * no joint holds, or an upright body whose angle was not 0 and now is. A joint also ends if it
   * could move neither of its bodies any more: a mouse joint needs a dynamic b, a gear two dynamic
   * bodies, and any other type one.
   * @returns the new handle; the old one is dead
   * @throws StageError also for the ground, for an entity on a path, and for an archetype with a
   *   path
   */
  become<S extends FieldSpec>(
    entity: Entity,
    archetype: Archetype<S>,
    fields: Partial<Fields<S>> = {},
  ): Entity<S> {
    // Whether it may, and with what
    const compiled = this.#compiledFor(archetype);
    const { entities, joints } = this[INTERNALS];
    const old = requireMovable(entities, entity);
    const { id, teleports } = old;
    if (compiled.path !== undefined) {
      throw new StageError(`${old} cannot become ${archetype.name}, which has a path`);
    }
    const at = {
      ...motionFor(compiled, old),
      fields: { ...sharedFields(compiled, old), ...fields },
    };
    const prepared = prepareSpawn(compiled, at, { ...this.#spawnContext, id, tick: this.tick });

    // Change it
    this.#phase.beginEdit();
    joints?.removeUnfit(old, compiled);
    this.#logs.complete();
    const row = old instanceof BodyRecord ? old.row : undefined;
    const record = entities.replace(old, compiled);
    if (row !== undefined && record instanceof BodyRecord) joints?.moveAllOf(row, record);
    record.teleports = teleports;
    Object.assign(record.fields, prepared.fields);
    entities.setMotion(record, prepared.start);
    return record.entity as Entity<FieldSpec> as Entity<S>;
  }

  /**
   * Removes an entity and its joints. Bodies that touched it or were joined to it wake up.
   * @throws StageError also for the ground
   */
  despawn(entity: Entity): void {
    const record = requireNonGround(this[INTERNALS].entities, entity);
    this.#phase.beginEdit();
    // The events of this tick keep their entities.
    this.#logs.complete();
    this[INTERNALS].joints?.removeAllOf(record);
    this[INTERNALS].entities.remove(record);
  }

  /** The entity with this id, the ground for 0, or undefined. */
  get(id: number): Entity | undefined {
    return this[INTERNALS].entities.get(id)?.entity;
  }

  /** All entities without the ground, ascending by id, as they are now. The list never changes. */
  entities(): readonly Entity[] {
    return this[INTERNALS].entities.allHandles;
  }

  /**
   * All entities of one archetype, ascending by id, as they are now. The list never changes, so
   * rules may spawn and despawn while they walk it. An entity that has been despawned meanwhile is
   * not `isOnStage`.
   * @throws StageError for an archetype that is not declared
   */
  all<S extends FieldSpec>(archetype: Archetype<S>): readonly Entity<S>[] {
    const handles: readonly Entity<FieldSpec>[] = this[INTERNALS].entities.handlesOf(
      this.#compiledFor(archetype),
    );
    return handles as readonly Entity<S>[];
  }

  /**
   * Pushes the dynamic bodies around a point away from it, at once, and wakes them. Each fixture
   * gets an impulse by the width of its side that faces the point, at its nearest point to it: a
   * door flies farther than a post, and turns. If the point is inside a fixture, the impulse leads to
   * the middle of its shape. Nothing gives cover. Sensors and projectiles are not pushed.
   * @param x metres, at most 101,024
   * @returns the entities that were pushed, ascending by id
   * @throws StageError also if the declaration does not list the feature `queries`, and for a
   *   resulting motion out of bounds; nothing is pushed then
   */
  explode(x: number, y: number, blast: Blast): readonly Entity[] {
    if (this.#queriesFeature === undefined) throw missingFeature("an explosion", "queries");
    return this.#queriesFeature.explode(this[INTERNALS], x, y, blast);
  }

  /**
   * Runs one tick of physics: moves bodies and projectiles, breaks overloaded joints, and fills
   * `contactEvents`, `hits` and `joints.broken`.
   * @throws StageError also for a path whose pose is invalid, and for a body beyond `speedMax` or
   * `spinMax` if the declaration refuses it
   */
  advance(): void {
    if (this.#phase.value !== "closed" && this.#phase.value !== "edited") {
      throw new StageError(`advance() on a stage that is ${this.#phase.value}`);
    }
    const { joints, world, world: { stepS, profile } } = this[INTERNALS];
    profile?.begin();

    this.#paths?.setTargets(this.#nextTick);
    profile?.end(StepPart.MOVERS);

    // The author's `shouldCollide` and `landsOn` run inside. If one of them throws, the stage stays
    // broken.
    this.#phase.value = "broken";
    world.dropSleeping();
    this.#logs.beginTick();
    this.#clearLimits();
    profile?.end(StepPart.EVENTS);

    for (let i = 0; i < this.#substeps; i++) {
      this.#projectiles.integrate(stepS);
      profile?.end(StepPart.MOVERS);
      this.#step.step(i === this.#substeps - 1 ? LAST_STEP : EARLIER_STEP);
      this.#logs.endStep();
      joints?.trackPeakForces();
      profile?.end(StepPart.EVENTS);
    }

    this.#projectiles.tickLifetimes();
    this.#logs.endTick();
    joints?.breakOverloaded();

    // Bodies that were too fast
    this.#clamped = world.clamped.length === 0 ? NONE : entitiesOf(world, world.clamped);
    if (world.speedLimits !== undefined && this.#clamped.length > 0) {
      throw tooFast(this.#clamped[0]!);
    }

    this.#phase.value = "advanced";
    profile?.end(StepPart.EVENTS);
  }

  /**
   * The pairs of entities that touched in this tick's physics, ascending by (a.id, b.id).
   * Projectiles are not among them. Not part of the state.
   * @throws StageError before `advance` and after `endTick`, because only this tick has the list;
   * so do the four lists below
   */
  get contactEvents(): readonly ContactEvent[] {
    this.#phase.requireAdvanced("contactEvents");
    return this.#logs.events.events;
  }

  /**
   * All touches of two fixtures in this tick's physics, and those that ended since the last one,
   * ascending by (a.id, b.id, fixtureA, segmentA, fixtureB, segmentB) and time. Not part of the
   * state.
   * @throws StageError also if the declaration does not list the feature
   */
  get touches(): readonly Touch[] {
    const { touches } = this.#logs;
    this.#phase.requireAdvanced("touches");
    return touches.touches;
  }

  /**
   * The bodies that a world step of this tick slowed down to `speedMax` or `spinMax`, ascending by
   * id. Not part of the state.
   */
  get clamped(): readonly Entity[] {
    this.#phase.requireAdvanced("clamped");
    return this.#clamped;
  }

  /**
   * What the limits of the stage have held back since the last `advance` began: sentences for the
   * author and the operator, which no rule may read. Not part of the state; empty after `load`, and
   * in normal play.
   */
  get limited(): readonly string[] {
    return this.#limits.sentences;
  }

  /**
   * The hits of projectiles in this tick's physics, in the order of world step, projectile id, and
   * time of the hit. Not part of the state.
   */
  get hits(): readonly Hit[] {
    this.#phase.requireAdvanced("hits");
    return this.#projectiles.hits;
  }

  /**
   * Whether a contact pushes the body up: the cosine between its normal and up is over 0.5, a slope
   * below 60 degrees. Up is y, or the opposite of a gravity that is a vector or may change. A
   * function of the state.
   * @throws StageError also for the ground, and for a projectile, which never rests on a body; see
   *   `hits`
   */
  isSupported(entity: Entity): boolean {
    return this[INTERNALS].contacts.isSupported(requireBody(this[INTERNALS].entities, entity).row);
  }

  /**
   * The entity that pushes the body up, in the sense of `isSupported`: of several the one with the
   * smallest id, so that the ground comes first. Undefined if none does. A function of the state.
   * @throws StageError as `isSupported` does
   */
  supportOf(entity: Entity): Entity | undefined {
    const { contacts, entities } = this[INTERNALS];
    const id = contacts.supportOf(requireBody(entities, entity).row);
    return id < 0 ? undefined : entities.get(id)!.entity;
  }

  /**
   * The entities that touch this one now, the ground too, ascending by id, as a new list: those of
   * which a touch has begun and not ended. A function of the state: a world step finds what
   * touches, and what rules part at once, by a mask or a despawn, touches no more at once.
   * @throws StageError also for the ground, and for a projectile, which touches nothing; see `hits`
   */
  touchingNow(entity: Entity): readonly Entity[] {
    const { contacts, entities } = this[INTERNALS];
    return contacts.touchingIds(requireBody(entities, entity).row).map((id) =>
      entities.get(id)!.entity
    );
  }

  /**
   * All that the stage knows of an entity, or of the ground, as a plain object of its own: for
   * debuggers and tests. It changes nothing, and is a function of the state.
   * @throws StageError also within `advance`, on a stage that is broken, and if the declaration
   *   does not list the feature
   */
  describe(entity: Entity): EntityDescription {
    if (this.#descriptions === undefined) throw missingFeature("describe()", "descriptions");
    const state = this[INTERNALS];
    const record = requireRecord(state.entities, entity);
    if (this.#phase.value === "broken") {
      throw new StageError(`describe() of ${record} within advance(), or on a broken stage`);
    }
    return this.#descriptions.describe(state, record);
  }

  /**
   * Ends the tick and counts it. It checks all fields and rounds every number to the precision of a
   * snapshot. It brings the contacts to their canonical set and order, and removes expired
   * projectiles. What is more than the stage may have is removed, the newest first, and a number
   * beyond its bound is held there: `limited` names it.
   * @throws StageError for a field that has a fraction or no number; the message names entity and
   * field; the tick stays open
   */
  endTick(): void {
    // A tick that fails to end must not count as closed.
    this.#phase.beginEdit();
    const { entities, joints, contacts, fields, layout, world: { profile } } = this[INTERNALS];
    profile?.begin();
    this.#removeSurplus();
    canonicalizeFields(fields, layout, "stage", this.#limits);
    this.#paths?.snapToTargets(this.#nextTick);
    joints?.canonicalize(this.#limits);
    entities.canonicalize(this.#limits);
    contacts.syncPairs();
    contacts.quantizeManifolds();
    this.#projectiles.removeExpired();
    this.#paths?.clearTargets();
    this.#clearLists();
    this[INTERNALS].tick = this.#nextTick;
    this.#phase.value = "closed";

    if (profile === undefined) return;
    profile.end(StepPart.CANONICALIZE);
    profile.ticks++;
  }

  /**
   * Writes the whole state.
   * @throws StageError if the stage has changed since `endTick`; for a field whose value its type
   *   cannot hold
   */
  save(into: Snapshot): void {
    if (this.#phase.value !== "closed") {
      throw new StageError(`save() on a stage that is ${this.#phase.value}: call endTick() first`);
    }
    const { profile } = this;
    profile?.begin();
    saveStage(this[INTERNALS], into);

    if (profile === undefined) return;
    profile.end(StepPart.SAVE);
    profile.saves++;
  }

  /**
   * Restores a saved state of a stage with the same declaration. Allowed in every phase.
   * @throws SnapshotError for words that are not a state of this stage, which is then unchanged, or
   *   broken until a load
   */
  load(from: Snapshot): void {
    const { profile } = this;
    profile?.begin();
    if (this.#phase.value === "broken") this[INTERNALS].saved.forget();
    loadStage(this[INTERNALS], from, () => {
      if (this.#phase.value === "broken") this[INTERNALS].entities.resetAfterError();
      this.#phase.value = "broken";
      this.#clearLists();
    });
    this.#paths?.clearTargets();
    this.#clearLimits();
    this.#phase.value = "closed";

    if (profile === undefined) return;
    profile.end(StepPart.LOAD);
    profile.loads++;
  }

  /** Empties the lists of the tick, so that a list that rules have kept shows nothing either. */
  #clearLists(): void {
    const { joints, world } = this[INTERNALS];
    this.#logs.clear();
    this.#projectiles.clear();
    joints?.clearTick();
    world.clamped.length = 0;
    this.#clamped = NONE;
  }

  #clearLimits(): void {
    this.#limits.clear();
    this[INTERNALS].world.limitsReached.clear();
  }

  /** Removes the newest entities and joints beyond the stage's limits. */
  #removeSurplus(): void {
    const { entities, entities: { records, partCount }, joints, limits } = this[INTERNALS];
    const count = records.length;
    const newest = records.at(-1);
    while (records.length > limits.entities || entities.partCount > PARTS_MAX) {
      this.despawn(records.at(-1)!.entity);
    }
    const surplus = count - records.length;
    if (surplus > 0) {
      this.#limits.add(
        `${count} entities with ${partCount} fixtures are on the stage (limits.entities: ${limits.entities}); ` +
          `the newest ${surplus} have left it, such as ${newest}`,
      );
    }
    joints?.removeSurplus(this.#limits);
  }

  /** The value of `tick` after the next `endTick`. */
  get #nextTick(): number {
    return this[INTERNALS].tick + 1 >>> 0;
  }

  #compiledFor(archetype: Archetype): CompiledArchetype {
    const compiled = this.#compiledOf.get(archetype);
    if (compiled === undefined) {
      throw new StageError(`archetype ${archetype.name} is not declared on this stage`);
    }
    return compiled;
  }
}

/** @returns the entities of the bodies in these rows, ascending by id */
function entitiesOf(world: World, rows: readonly number[]): readonly Entity[] {
  return [...new Set(rows)].map((row) => recordOf(world, row).entity).sort((a, b) => a.id - b.id);
}

function tooFast({ id, archetype: { name } }: Entity): StageError {
  return new StageError(`entity ${id} ${name} is faster than the stage's speedMax or spinMax`);
}
