/**
 * A stock planck world beside a stage: it takes over the stage's bodies and joints once, is stepped
 * with the stage, and gets what the rules do. The distance between both tells how planck judges the
 * stage's physics.
 *
 *     before a step:  new and gone bodies and joints, changed properties, forces,
 *                     and each number of a body's motion that the rules have set
 *     after a step:   kinematic bodies, and bodies that projectiles have pushed, as on the stage
 *
 * planck knows neither paths nor projectiles, so both are taken over. Its world begins without
 * impulses from the steps before.
 */
import { type Body, type Contact, type Fixture, Settings, Vec2, World } from "planck";
import { CORNERS_MAX } from "../../../shared/physics/core/shape_rows.ts";
import { Body as BodyRow } from "../../../shared/physics/core/body_rows.ts";
import {
  BOUNCING_SPEED_MIN,
  MAX_ROTATION,
  MAX_TRANSLATION,
  POSITION_ITERATIONS,
  VELOCITY_ITERATIONS,
} from "../../../shared/physics/core/tuning.ts";
import type { MutableProperty, StageDef } from "../../../shared/physics/core/types.ts";
import type { BodyRecord, Entity } from "../../../shared/physics/stage/entity.ts";
import { INTERNALS, type StageState } from "../../../shared/physics/stage/internals.ts";
import type { Stage } from "../../../shared/physics/stage/stage.ts";
import { declarationOf, OneWayFixtures, recordOf } from "./one_way.ts";
import { PlanckJoints } from "./planck_joints.ts";
import type { OutlinePose, PlanckBody } from "./planck_messages.ts";
import { outlineOf, planckShapeOf } from "./planck_shapes.ts";

/** The numbers of a body's motion that rules may set. */
type Motion = Pick<Entity, "centerX" | "centerY" | "angle" | "vx" | "vy" | "spin" | "awake">;

/** A body of the stage, and planck's. */
interface BodyPair {
  readonly record: BodyRecord;
  readonly body: Body;
  /** The stage's motion after its last step. */
  last: Motion;
}

/** The world of one stage. */
export class PlanckWorld {
  readonly #stage: Stage;
  readonly #state: StageState;
  readonly #world: World;
  readonly #stepS: number;
  /** By the entity's id, the ground's too, ascending. */
  readonly #pairs = new Map<number, BodyPair>();
  readonly #joints: PlanckJoints;
  readonly #oneWays: OneWayFixtures;
  readonly #frictions: ReadonlyMap<string, number>;
  readonly #restitutions: ReadonlyMap<string, number>;
  /** The fixtures that the rules have switched off: they have no density, and touch nothing. */
  readonly #off = new Set<Fixture>();

  /** A world with the stage's present bodies and joints. It sets planck's `Settings`. */
  constructor(stage: Stage) {
    this.#stage = stage;
    this.#state = stage[INTERNALS];
    const { definition } = this.#state;
    const { tickHz, substeps, landsOn, frictions, restitutions } = definition;
    this.#stepS = 1 / (tickHz * substeps);
    Object.assign(Settings, settingsOf(definition, this.#stepS));

    this.#world = new World({ gravity: new Vec2(stage.gravity.x, stage.gravity.y) });
    this.#world.setAutoClearForces(false);
    this.#frictions = byPair(frictions);
    this.#restitutions = byPair(restitutions);
    this.#joints = new PlanckJoints(this.#world, (id) => this.#pairs.get(id)!.body);
    this.#oneWays = new OneWayFixtures(this.#world, this.#stepS, landsOn);
    this.#world.on("pre-solve", (contact) => this.#applyPairRules(contact));
    this.#followBodies();
  }

  /** Takes over what the rules have done since the last step. Call it before `Stage.advance`. */
  beforeAdvance(): void {
    const { x, y } = this.#stage.gravity;
    this.#world.setGravity(new Vec2(x, y));
    this.#followBodies();
    for (const pair of this.#pairs.values()) {
      // First, because planck's centre of mass follows from its fixtures and type.
      this.#followProperties(pair);
      followMotion(pair);
      applyForces(pair);
    }
  }

  /** Steps planck. Call it after `Stage.advance`, and before the rules that follow. */
  afterAdvance(): void {
    const { definition } = this.#state;
    const { velocityIterations = VELOCITY_ITERATIONS, positionIterations = POSITION_ITERATIONS } =
      definition;

    // The motion of a path is known when the stage has stepped.
    for (const { record, body } of this.#pairs.values()) {
      if (!body.isKinematic()) continue;
      body.setLinearVelocity(new Vec2(record.vx, record.vy));
      body.setAngularVelocity(record.spin);
    }

    for (let i = 0; i < definition.substeps; i++) {
      this.#world.step(this.#stepS, velocityIterations, positionIterations);
    }
    this.#world.clearForces();

    // What planck cannot know
    const pushed = new Set(
      this.#stage.hits.filter(({ projectile }) => (projectile.archetype.projectile!.mass ?? 0) > 0)
        .map(({ target }) => target.id),
    );
    for (const pair of this.#pairs.values()) {
      const { record, body } = pair;
      pair.last = motionOf(record);
      if (body.isKinematic() || pushed.has(record.id) && body.isDynamic()) takeOver(pair);
    }
  }

  /** The dynamic bodies here and there, ascending by id. Call it after `afterAdvance`. */
  bodies(): PlanckBody[] {
    return [...this.#pairs.values()].filter(({ body }) => body.isDynamic()).map(
      ({ record, body }) => ({
        id: record.id,
        name: record.compiled.archetype.name,
        stage: poseOf(record),
        planck: { ...poseOf(body.getPosition()), angle: body.getAngle() },
        metres: Vec2.distance(body.getWorldCenter(), new Vec2(record.centerX, record.centerY)),
        outlines: fixturesOf(body).filter((fixture) => !this.#off.has(fixture)).map((fixture) =>
          outlineOf(fixture.getShape())
        ),
      }),
    );
  }

  /** Adds and removes what the rules have spawned, despawned and turned into something else. */
  #followBodies(): void {
    const { entities, joints } = this.#state;
    const records = [entities.ground, ...entities.bodies];
    const gone = new Map(this.#pairs);
    for (const record of records) {
      if (this.#pairs.get(record.id)?.record === record) gone.delete(record.id);
      else this.#pairs.set(record.id, this.#add(record));
    }

    this.#joints.follow(joints?.all ?? []);
    for (const [id, { body }] of gone) {
      if (this.#pairs.get(id)?.body === body) this.#pairs.delete(id);
      this.#world.destroyBody(body);
    }
  }

  #add(record: BodyRecord): BodyPair {
    const { bullet = false, fixedRotation = false, allowSleep = true, fixtures, ...rest } = record
      .compiled.archetype.body!;
    const body = this.#world.createBody({
      type: record.isStatic ? "static" : record.isDynamic ? "dynamic" : "kinematic",
      bullet,
      fixedRotation: fixedRotation !== false,
      allowSleep,
      gravityScale: rest.gravityScale ?? 1,
      linearDamping: rest.linearDamping ?? 0,
      angularDamping: rest.angularDamping ?? 0,
      userData: record,
    });

    for (const fixture of fixtures) {
      body.createFixture({
        shape: planckShapeOf(fixture.shape),
        density: fixture.density ?? 1,
        friction: fixture.friction ?? 0.6,
        restitution: fixture.restitution ?? 0,
        isSensor: fixture.sensor ?? false,
        filterCategoryBits: fixture.category ?? 1,
        filterMaskBits: fixture.mask ?? 0xffff,
        userData: fixture,
      });
    }

    const pair = { record, body, last: motionOf(record) };
    this.#followProperties(pair);
    takeOver(pair);
    return pair;
  }

  /** Copies the properties that the body's archetype lets rules change. */
  #followProperties({ record, body }: BodyPair): void {
    const { mutable = [] } = record.compiled.archetype.body!;
    if (mutable.length === 0) return;
    const valueOf = <Property extends MutableProperty>(property: Property, fixture?: number) =>
      this.#stage.properties.get(record.entity, property, fixture);
    const has = (property: MutableProperty) => mutable.includes(property);

    // planck wakes a body, or clears its contacts, at each of these calls.
    if (has("type") && body.getType() !== valueOf("type")) body.setType(valueOf("type"));
    if (has("fixedRotation") && body.isFixedRotation() !== valueOf("fixedRotation")) {
      body.setFixedRotation(valueOf("fixedRotation"));
    }
    if (has("bullet")) body.setBullet(valueOf("bullet"));
    if (has("gravityScale")) body.setGravityScale(valueOf("gravityScale"));
    if (has("linearDamping")) body.setLinearDamping(valueOf("linearDamping"));
    if (has("angularDamping")) body.setAngularDamping(valueOf("angularDamping"));

    for (const [i, fixture] of fixturesOf(body).entries()) {
      if (has("friction")) fixture.setFriction(valueOf("friction", i));
      if (has("restitution")) fixture.setRestitution(valueOf("restitution", i));
      if (has("sensor") && fixture.isSensor() !== valueOf("sensor", i)) {
        fixture.setSensor(valueOf("sensor", i));
      }
      const isOn = !has("enabled") || valueOf("enabled", i);
      this.#switch(fixture, isOn);
      const declared = declarationOf(fixture);
      const category = has("category") ? valueOf("category", i) : declared.category ?? 1;
      const mask = !isOn ? 0 : has("mask") ? valueOf("mask", i) : declared.mask ?? 0xffff;
      if (category === fixture.getFilterCategoryBits() && mask === fixture.getFilterMaskBits()) {
        continue;
      }
      fixture.setFilterData({ groupIndex: 0, categoryBits: category, maskBits: mask });
    }
  }

  #switch(fixture: Fixture, isOn: boolean): void {
    if (isOn !== this.#off.has(fixture)) return;
    if (isOn) this.#off.delete(fixture);
    else this.#off.add(fixture);
    fixture.setDensity(isOn ? declarationOf(fixture).density ?? 1 : 0);
    fixture.getBody().resetMassData();
  }

  /** The declaration's rules about pairs, as planck's users write them. */
  #applyPairRules(contact: Contact): void {
    const { shouldCollide } = this.#state.definition;
    const a = recordOf(contact.getFixtureA().getBody());
    const b = recordOf(contact.getFixtureB().getBody());
    const pair = `${a.compiled.archetype.name} ${b.compiled.archetype.name}`;
    const friction = this.#frictions.get(pair);
    const restitution = this.#restitutions.get(pair);
    if (friction !== undefined) contact.setFriction(friction);
    if (restitution !== undefined) contact.setRestitution(restitution);
    contact.setTangentSpeed(
      (declarationOf(contact.getFixtureA()).surfaceSpeed ?? 0) +
        (declarationOf(contact.getFixtureB()).surfaceSpeed ?? 0),
    );

    if (this.#oneWays.lets(contact)) contact.setEnabled(false);
    if (shouldCollide === undefined || a.id === 0 || b.id === 0) return;
    const [first, second] = a.id < b.id ? [a, b] : [b, a];
    if (!shouldCollide(first.entity, second.entity)) contact.setEnabled(false);
  }
}

/** planck's settings that a declaration of a stage changes. */
function settingsOf({ restitutionThreshold, speedMax, spinMax }: StageDef, stepS: number): object {
  return {
    maxPolygonVertices: CORNERS_MAX,
    velocityThreshold: restitutionThreshold ?? BOUNCING_SPEED_MIN,
    maxTranslation: speedMax === undefined ? MAX_TRANSLATION : speedMax * stepS,
    maxRotation: spinMax === undefined ? MAX_ROTATION : spinMax * stepS,
  };
}

/** Values by both orders of two archetypes' names. */
function byPair(declared: StageDef["frictions"] = []): ReadonlyMap<string, number> {
  return new Map(
    declared.flatMap(([a, b, value]) => [[`${a} ${b}`, value], [`${b} ${a}`, value]] as const),
  );
}

/** planck's list begins with the newest. @returns the fixtures in the declaration's order */
function fixturesOf(body: Body): Fixture[] {
  const fixtures: Fixture[] = [];
  for (let each = body.getFixtureList(); each !== null; each = each.getNext()) fixtures.push(each);
  return fixtures.reverse();
}

function motionOf({ centerX, centerY, angle, vx, vy, spin, awake }: BodyRecord): Motion {
  return { centerX, centerY, angle, vx, vy, spin, awake };
}

function poseOf({ x, y, angle = 0 }: { x: number; y: number; angle?: number }): OutlinePose {
  return { x, y, angle };
}

/** Makes planck's body equal to the stage's. */
function takeOver({ record, body }: BodyPair): void {
  body.setTransform(new Vec2(record.x, record.y), record.angle);
  body.setLinearVelocity(new Vec2(record.vx, record.vy));
  body.setAngularVelocity(record.spin);
  body.setAwake(record.awake);
}

/** Gives planck's body the numbers that the rules have set, and leaves it all others. */
function followMotion({ record, body, last }: BodyPair): void {
  const isSet = (name: Exclude<keyof Motion, "awake">) => isOther(record[name], last[name]);
  if (isSet("centerX") || isSet("centerY") || isSet("angle")) {
    body.setTransform(new Vec2(record.x, record.y), record.angle);
  }
  const { x, y } = body.getLinearVelocity();
  if (isSet("vx") || isSet("vy")) {
    body.setLinearVelocity(new Vec2(isSet("vx") ? record.vx : x, isSet("vy") ? record.vy : y));
  }
  if (isSet("spin")) body.setAngularVelocity(record.spin);
  if (record.awake && !last.awake) body.setAwake(true);
}

/** Whether a number is neither the one that a step left nor that one in 32 bits (`endTick`). */
function isOther(now: number, last: number): boolean {
  return now !== last && now !== Math.fround(last);
}

function applyForces({ record: { values, offset }, body }: BodyPair): void {
  const x = values[offset + BodyRow.FORCE_X]!;
  const y = values[offset + BodyRow.FORCE_Y]!;
  const torque = values[offset + BodyRow.TORQUE]!;
  if (x !== 0 || y !== 0) body.applyForceToCenter(new Vec2(x, y), true);
  if (torque !== 0) body.applyTorque(torque, true);
}
