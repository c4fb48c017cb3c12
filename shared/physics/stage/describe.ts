/**
 * An entity as a plain object, for debuggers and tests: all that the stage knows of it, in numbers,
 * words and lists. It is a function of the state, and nothing in it is live. A feature, because most
 * pages never ask.
 */
import { Body, BodyFlag, BodyInt, MotionType } from "../core/body_rows.ts";
import {
  Contact,
  ContactFlag,
  ContactInt,
  ContactPoint,
  type ContactTable,
} from "../core/contact_rows.ts";
import { allFixturesOf, Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import type { BodyDef, BodyType, Chain, Shape, StageFeature } from "../core/types.ts";
import { computeContactManifold } from "../dynamics/contact_manifold.ts";
import type { World } from "../dynamics/world.ts";
import { WorldManifold, worldManifold, WorldPoint } from "../geometry/world_manifold.ts";
import { describeJoint, type EntityName, type JointDescription } from "../joints/describe_joint.ts";
import { isUpright } from "./compiled_archetypes.ts";
import { BodyRecord, type EntityRecord, ProjectileRecord, recordOf } from "./entity.ts";
import type { StageState } from "./internals.ts";

/** A fixture as its archetype declares it, with the values of now. */
export interface FixtureDescription {
  /** Its index in the declaration. */
  readonly fixture: number;
  /** Null if it has none. */
  readonly tag: string | null;
  /** As it is declared, metres in the body's frame. */
  readonly shape: Shape | Chain;
  /** kg/m². */
  readonly density: number;
  /** Coulomb's coefficient. */
  readonly friction: number;
  /** 0 … 1. */
  readonly restitution: number;
  /** m/s. */
  readonly surfaceSpeed: number;
  /** Whether the body has it now: rules may switch it off (`enabled`). */
  readonly enabled: boolean;
  /** Whether it only feels. */
  readonly sensor: boolean;
  /** Whether, as a sensor, it sees what passes it within a world step. */
  readonly swept: boolean;
  /** True, or its solid side in the body's frame as a unit vector. */
  readonly oneWay: boolean | { readonly x: number; readonly y: number };
  /** 16 bits: its own groups. */
  readonly category: number;
  /** The groups that it collides with. */
  readonly mask: number;
}

/** A point at which two fixtures touch. */
export interface ContactPointDescription {
  /** Metres in the world. */
  readonly x: number;
  readonly y: number;
  /** Metres; negative for an overlap. */
  readonly separation: number;
  /** Of the last world step, along the normal, N·s. */
  readonly normalImpulse: number;
  /** By friction, N·s. */
  readonly tangentImpulse: number;
}

/** Two fixtures that touch, seen from the entity that is described. */
export interface ContactDescription {
  /** What is touched. */
  readonly other: EntityName;
  /** Index of the own fixture in its declaration. */
  readonly fixture: number;
  /** The segment of that fixture, if it is a chain. */
  readonly segment: number;
  /** Index of the other one's fixture. */
  readonly otherFixture: number;
  /** Its segment. */
  readonly otherSegment: number;
  /** A sensor only feels. */
  readonly sensor: boolean;
  /** Whether the two pass each other until they part, as at a one-way fixture. */
  readonly passing: boolean;
  /** Coulomb's coefficient of the pair. */
  readonly friction: number;
  /** The share of the speed that a bounce keeps. */
  readonly restitution: number;
  /** The unit normal from this entity to the other one; null for a sensor. */
  readonly normal: { readonly x: number; readonly y: number } | null;
  /** One or two; none for a sensor. */
  readonly points: readonly ContactPointDescription[];
}

/** What a body has, and a projectile has not. */
export interface BodyDescription {
  readonly type: BodyType;
  /** Whether it does not tunnel through dynamic bodies either. */
  readonly bullet: boolean;
  /** Whether it may fall asleep. */
  readonly allowSleep: boolean;
  /** Whether nothing turns it; "upright" if rules do not either. */
  readonly fixedRotation: boolean | "upright";
  /** Whether a path moves it. */
  readonly onPath: boolean;
  /** How long it has been at rest, seconds. */
  readonly restS: number;
  /** Factor on the stage's gravity. */
  readonly gravityScale: number;
  /** 1/s: how fast it loses speed. */
  readonly linearDamping: number;
  /** The same for the spin. */
  readonly angularDamping: number;
}

/** What a projectile has, and a body has not. */
export interface ProjectileDescription {
  /** Metres. */
  readonly radius: number;
  /** Ticks of physics since the spawn. */
  readonly ageTicks: number;
  /** Hits survived. */
  readonly bounces: number;
  /** Whether it leaves the stage when the tick ends. */
  readonly expired: boolean;
}

/** One entity. All keys are always there, in this order. */
export interface EntityDescription extends EntityName {
  /** The origin, metres, and radians. */
  readonly pose: { readonly x: number; readonly y: number; readonly angle: number };
  /** The centre of mass, metres. */
  readonly center: { readonly x: number; readonly y: number };
  /** Velocity of the centre of mass, m/s, and rad/s. */
  readonly motion: { readonly vx: number; readonly vy: number; readonly spin: number };
  /** kg; 0 for what nothing moves. */
  readonly mass: number;
  /** kg·m² about the centre of mass; 0 for what nothing turns. */
  readonly inertia: number;
  /** Whether it may move. */
  readonly awake: boolean;
  /** Modulo 256. */
  readonly teleports: number;
  /** The declared fields. */
  readonly fields: Readonly<Record<string, number>>;
  /** Null for a projectile. */
  readonly body: BodyDescription | null;
  /** Null for a body. */
  readonly projectile: ProjectileDescription | null;
  /** Those of a projectile: none. So are the next two lists. */
  readonly fixtures: readonly FixtureDescription[];
  /** Each pair of fixtures that touches now, in the order of solving. */
  readonly contacts: readonly ContactDescription[];
  /** Ascending by id. */
  readonly joints: readonly JointDescription[];
}

/** The names of the types, by `MotionType`. */
const TYPE_NAMES: Readonly<Record<number, BodyType>> = {
  [MotionType.STATIC]: "static",
  [MotionType.KINEMATIC]: "kinematic",
  [MotionType.DYNAMIC]: "dynamic",
};

/** @param record of an entity on the stage, or of the ground */
function describeEntity(
  { world, joints }: Pick<StageState, "world" | "joints">,
  record: EntityRecord,
): EntityDescription {
  const { id, compiled: { archetype }, x, y, angle, centerX, centerY, vx, vy, spin } = record;
  const { mass, inertia, awake, teleports, fields } = record;
  const isBody = record instanceof BodyRecord;
  const held = joints?.all.filter(({ a, b }) => a === record || b === record) ?? [];

  return {
    id,
    archetype: archetype.name,
    pose: { x, y, angle },
    center: { x: centerX, y: centerY },
    motion: { vx, vy, spin },
    mass,
    inertia,
    awake,
    teleports,
    fields: { ...fields },
    body: isBody ? describeBody(world, record) : null,
    projectile: record instanceof ProjectileRecord ? describeProjectile(record) : null,
    fixtures: isBody ? describeFixtures(world, record) : [],
    contacts: isBody ? describeContacts(world, record.row) : [],
    joints: held.map(describeJoint),
  };
}

function describeBody({ bodies: { values, ints } }: World, record: BodyRecord): BodyDescription {
  const b = record.row * Body.STRIDE;
  const k = record.row * BodyInt.STRIDE;
  const flags = ints[k + BodyInt.FLAGS]!;
  return {
    type: TYPE_NAMES[ints[k + BodyInt.TYPE]!]!,
    bullet: (flags & BodyFlag.BULLET) !== 0,
    allowSleep: (flags & BodyFlag.SLEEPLESS) === 0,
    fixedRotation: isUpright(record.compiled) ? "upright" : (flags & BodyFlag.FIXED_ROTATION) !== 0,
    onPath: record.compiled.path !== undefined,
    restS: values[b + Body.SLEEP_S]!,
    gravityScale: values[b + Body.GRAVITY_SCALE]!,
    linearDamping: values[b + Body.LINEAR_DAMPING]!,
    angularDamping: values[b + Body.ANGULAR_DAMPING]!,
  };
}

function describeProjectile(record: ProjectileRecord): ProjectileDescription {
  const { compiled: { projectile: { radius } }, ageTicks, bounces, expired } = record;
  return { radius, ageTicks, bounces, expired };
}

/** A chain is one fixture, and all its segments have its values. */
function describeFixtures({ bodies, fixtures }: World, record: BodyRecord): FixtureDescription[] {
  const { values, ints } = fixtures;
  const definitions = definitionOf(record).fixtures;
  const described = new Map<number, FixtureDescription>();

  for (const row of allFixturesOf(bodies, fixtures, record.row)) {
    const v = row * Fixture.STRIDE;
    const k = row * FixtureInt.STRIDE;
    const fixture = ints[k + FixtureInt.DECLARED_INDEX]!;
    const flags = ints[k + FixtureInt.FLAGS]!;
    if (described.has(fixture)) continue;

    const { tag, shape, density } = definitions[fixture]!;
    described.set(fixture, {
      fixture,
      tag: tag ?? null,
      shape: structuredClone(shape),
      density: density ?? 1,
      friction: values[v + Fixture.FRICTION]!,
      restitution: values[v + Fixture.RESTITUTION]!,
      surfaceSpeed: values[v + Fixture.SURFACE_SPEED]!,
      enabled: (flags & FixtureFlag.OFF) === 0,
      sensor: (flags & FixtureFlag.SENSOR) !== 0,
      swept: (flags & FixtureFlag.SWEEPING) !== 0,
      oneWay: (flags & FixtureFlag.TURNING) !== 0
        ? { x: values[v + Fixture.ONE_WAY_X]!, y: values[v + Fixture.ONE_WAY_Y]! }
        : (flags & FixtureFlag.ONE_WAY) !== 0,
      category: ints[k + FixtureInt.CATEGORY]!,
      mask: ints[k + FixtureInt.MASK]!,
    });
  }

  return [...described.values()].sort((a, b) => a.fixture - b.fixture);
}

function describeContacts(world: World, body: number): ContactDescription[] {
  const { order, count, ints } = world.contacts;
  const described: ContactDescription[] = [];
  for (let i = 0; i < count; i++) {
    const k = order[i]! * ContactInt.STRIDE;
    if ((ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) === 0) continue;
    if (ints[k + ContactInt.BODY_A] === body) described.push(describeContact(world, order[i]!, 0));
    if (ints[k + ContactInt.BODY_B] === body) described.push(describeContact(world, order[i]!, 1));
  }
  return described;
}

/** @param side the one that is described: 0 for A */
function describeContact(world: World, contact: number, side: 0 | 1): ContactDescription {
  const { contacts, contacts: { values, ints }, fixtures } = world;
  const v = contact * Contact.STRIDE;
  const k = contact * ContactInt.STRIDE;
  const flags = ints[k + ContactInt.FLAGS]!;
  const own = ints[k + ContactInt.FIXTURE_A + side]! * FixtureInt.STRIDE;
  const other = ints[k + ContactInt.FIXTURE_A + 1 - side]! * FixtureInt.STRIDE;

  const { id, compiled } = recordOf(world, ints[k + ContactInt.BODY_A + 1 - side]!);
  const hasPoints = ints[k + ContactInt.POINT_COUNT]! > 0;
  if (hasPoints) computeContactManifold(world, contact);
  const nx = worldManifold[WorldManifold.NORMAL_X]!;
  const ny = worldManifold[WorldManifold.NORMAL_Y]!;

  return {
    other: { id, archetype: compiled.archetype.name },
    fixture: fixtures.ints[own + FixtureInt.DECLARED_INDEX]!,
    segment: fixtures.ints[own + FixtureInt.SEGMENT]!,
    otherFixture: fixtures.ints[other + FixtureInt.DECLARED_INDEX]!,
    otherSegment: fixtures.ints[other + FixtureInt.SEGMENT]!,
    sensor: (flags & ContactFlag.OF_SENSOR) !== 0,
    passing: (flags & ContactFlag.PASSING) !== 0,
    friction: values[v + Contact.FRICTION]!,
    restitution: values[v + Contact.RESTITUTION]!,
    // The manifold's normal points from A to B. 0 − 0 is 0, but −0 is not.
    normal: !hasPoints ? null : side === 0 ? { x: nx, y: ny } : { x: 0 - nx, y: 0 - ny },
    points: describePoints(contacts, contact),
  };
}

/** The world manifold is this contact's. */
function describePoints({ values, ints }: ContactTable, contact: number) {
  const count = ints[contact * ContactInt.STRIDE + ContactInt.POINT_COUNT]!;
  return Array.from({ length: count }, (_, i): ContactPointDescription => {
    const at = WorldManifold.POINTS + i * WorldPoint.STRIDE;
    const point = contact * Contact.STRIDE + Contact.POINTS + i * ContactPoint.STRIDE;
    return {
      x: worldManifold[at + WorldPoint.X]!,
      y: worldManifold[at + WorldPoint.Y]!,
      separation: worldManifold[at + WorldPoint.SEPARATION]!,
      normalImpulse: values[point + ContactPoint.NORMAL_IMPULSE]!,
      tangentImpulse: values[point + ContactPoint.TANGENT_IMPULSE]!,
    };
  });
}

/** The declaration of a body, or of the ground. */
function definitionOf({ compiled: { archetype } }: BodyRecord): BodyDef {
  return archetype.body!;
}

/** Describes entities. */
export interface DescriptionsFeature extends StageFeature<"descriptions"> {
  readonly describe: typeof describeEntity;
}

/**
 * The feature `descriptions`: stages that list it have `describe`. It changes no bit of the state,
 * so a game may list it for as long as somebody looks for something.
 */
export const descriptions: DescriptionsFeature = {
  feature: "descriptions",
  describe: describeEntity,
};
