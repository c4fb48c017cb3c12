/**
 * An equal of one of the stage's worlds in planck's own objects, for tests that compare both. Its
 * bodies are in planck's order and have the same fixtures, poses, motion and sleep. Joints and
 * contacts have the same impulses. planck finds the contacts; the mirror puts them into the stage's
 * order and copies what a step starts with.
 *
 * Only here and in `planck_joints.ts` do tests write planck's hidden fields. Their names with `m_`
 * are planck 1.5.0's.
 */
import { assert } from "@std/assert";
import { type JoinedBody, type MirrorJoint, planckJointOf } from "./planck_joints.ts";
import { planck, planckParts } from "../geometry/planck_reference.ts";
import { Body, BodyFlag, BodyInt, MotionType } from "../../../../shared/physics/core/body_rows.ts";
import {
  Contact,
  ContactFlag,
  ContactInt,
  ContactPoint,
} from "../../../../shared/physics/core/contact_rows.ts";
import { Fixture } from "../../../../shared/physics/core/fixture_rows.ts";
import { proxyKey } from "../../../../shared/physics/core/proxy_key.ts";
import type { Vector } from "../../../../shared/physics/core/body_transform.ts";
import type { World } from "../../../../shared/physics/dynamics/world.ts";
import { packFeatures } from "../../../../shared/physics/geometry/collision.ts";
import type { JointRecord } from "../../../../shared/physics/joints/joint.ts";
import type { JointTable } from "../../../../shared/physics/joints/joint_table.ts";
import type { BodyRecord } from "../../../../shared/physics/stage/entity.ts";
import type { EntityTable } from "../../../../shared/physics/stage/entity_table.ts";

/** The hidden state of planck's bodies. */
export interface MirrorBody extends JoinedBody {
  readonly m_sweep: {
    c: Vector;
    c0: Vector;
    a: number;
    a0: number;
    alpha0: number;
    localCenter: Vector;
  };
  readonly m_xf: { readonly p: Vector; readonly q: { c: number; s: number } };
  readonly m_linearVelocity: Vector;
  m_angularVelocity: number;
  readonly m_force: Vector;
  m_torque: number;
  m_mass: number;
  m_invMass: number;
  m_I: number;
  m_invI: number;
  m_awakeFlag: boolean;
  m_sleepTime: number;
  m_contactList: ContactEdge | null;
  synchronizeFixtures(): void;
}

/** A contact in the list of one of its bodies. */
interface ContactEdge {
  prev: ContactEdge | null;
  next: ContactEdge | null;
}

/** The hidden state of planck's contacts. */
export interface MirrorContact {
  readonly m_fixtureA: planck.Fixture;
  readonly m_fixtureB: planck.Fixture;
  readonly m_nodeA: ContactEdge;
  readonly m_nodeB: ContactEdge;
  readonly m_manifold: planck.Manifold;
  m_prev: MirrorContact | null;
  m_next: MirrorContact | null;
  m_touchingFlag: boolean;
  m_enabledFlag: boolean;
  /** Times of impact in the last step. */
  readonly m_toiCount: number;
}

interface HiddenWorld {
  readonly s_step: { dt: number; inv_dt: number };
  m_contactList: MirrorContact | null;
  m_newFixture: boolean;
  createContact(a: FixtureProxy, b: FixtureProxy): void;
  findNewContacts(): void;
}

interface FixtureProxy {
  readonly fixture: planck.Fixture;
}

/** A world of the stage, with the tables of its entities and joints. */
export interface Mirrored {
  readonly world: World;
  readonly entities: EntityTable;
  readonly joints?: JointTable;
  /** The author's rule about two bodies, by their rows. */
  readonly shouldCollide?: (a: number, b: number) => boolean;
}

/** planck's world, equal to a world of the stage at the time of its construction. */
export class PlanckMirror {
  readonly world: planck.World;
  readonly #stepS: number;
  /** By row of the stage's body. */
  readonly #bodies = new Map<number, MirrorBody>();

  /** @param options.continuous whether planck solves times of impact */
  constructor(mirrored: Mirrored, { continuous }: { readonly continuous: boolean }) {
    const { world: { gravityX: x, gravityY: y, stepS }, entities, joints } = mirrored;
    this.#stepS = stepS;
    this.world = new planck.World({ gravity: { x, y }, continuousPhysics: continuous });
    keepAsleep(hiddenOf(this.world));

    // planck's lists begin with the newest: its islands begin in the stage's order.
    for (const record of [entities.ground, ...entities.bodies]) {
      this.#bodies.set(record.row, this.#addBody(record));
    }
    const equals = new Map<JointRecord, MirrorJoint>();

    for (const joint of joints?.all ?? []) {
      const geared = (joint.geared ?? []).map((each) => equals.get(each)!);
      const equal = planckJointOf(
        joint,
        this.bodyOf(joint.a.row),
        this.bodyOf(joint.b.row),
        geared,
      );
      equals.set(joint, equal);
      this.world.createJoint(equal as never);
    }

    this.#addContacts(mirrored);
  }

  /** planck's body of one of the stage's. */
  bodyOf(row: number): MirrorBody {
    return this.#bodies.get(row)!;
  }

  /** One step of planck's own, of the length of the stage's. */
  step(velocityIterations: number, positionIterations: number): void {
    // The last step was as long, so that planck starts with the whole impulses.
    Object.assign(hiddenOf(this.world).s_step, { dt: this.#stepS, inv_dt: 1 / this.#stepS });
    this.world.step(this.#stepS, velocityIterations, positionIterations);
  }

  /** @returns planck's contacts in the order of their keys */
  contacts(): readonly MirrorContact[] {
    const contacts: MirrorContact[] = [];
    for (let each = hiddenOf(this.world).m_contactList; each !== null; each = each.m_next) {
      contacts.push(each);
    }
    return contacts.sort((a, b) => {
      const [[lowA, highA], [lowB, highB]] = [keysOf(a), keysOf(b)];
      return lowA - lowB || highA - highB;
    });
  }

  #addBody(
    { compiled: { archetype, body: { ints } }, id, values, offset: b }: BodyRecord,
  ): MirrorBody {
    const type = ints[BodyInt.TYPE] === MotionType.STATIC
      ? "static"
      : ints[BodyInt.TYPE] === MotionType.DYNAMIC
      ? "dynamic"
      : "kinematic";
    const body = this.world.createBody({
      type,
      bullet: (ints[BodyInt.FLAGS]! & BodyFlag.BULLET) !== 0,
      fixedRotation: (archetype.body!.fixedRotation ?? false) !== false,
      gravityScale: values[b + Body.GRAVITY_SCALE]!,
      linearDamping: values[b + Body.LINEAR_DAMPING]!,
      angularDamping: values[b + Body.ANGULAR_DAMPING]!,
    });
    const parts = archetype.body!.fixtures.flatMap((def) =>
      planckParts(def.shape).map((shape) => ({ def, shape }))
    );

    for (const [i, { def, shape }] of parts.entries()) {
      body.createFixture({
        shape,
        density: def.density ?? 1,
        friction: def.friction ?? 0.6,
        restitution: def.restitution ?? 0,
        isSensor: def.sensor ?? false,
        filterCategoryBits: def.category ?? 1,
        filterMaskBits: def.mask ?? 0xffff,
        userData: proxyKey(id, i),
      });
    }

    const hidden = body as unknown as MirrorBody;
    writeMotion(hidden, values, b);
    hidden.synchronizeFixtures();
    return hidden;
  }

  #addContacts({ world, entities, shouldCollide }: Mirrored): void {
    const hidden = hiddenOf(this.world);
    const { contacts: table } = world;
    hidden.findNewContacts();
    hidden.m_newFixture = false;
    const contacts = this.contacts();
    const rows = new Map<string, number>();

    for (const row of table.order.subarray(0, table.count)) {
      rows.set(
        `${table.values[row * Contact.STRIDE + Contact.LOW_KEY]} ${
          table.values[row * Contact.STRIDE + Contact.HIGH_KEY]
        }`,
        row,
      );
    }

    linkInOrder(hidden, contacts, [...this.#bodies.values()]);
    for (const contact of contacts) {
      const row = rows.get(keysOf(contact).join(" "));
      if (row !== undefined) writeContact(contact, world, row);
    }
    for (const { row } of [entities.ground, ...entities.bodies]) {
      this.bodyOf(row).m_awakeFlag =
        (world.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.AWAKE) !== 0;
    }
    if (shouldCollide === undefined) return;
    const rowOf = new Map([...this.#bodies].map(([row, body]) => [body as unknown, row]));
    this.world.on("pre-solve", (contact) => {
      const a = rowOf.get(contact.getFixtureA().getBody())!;
      const b = rowOf.get(contact.getFixtureB().getBody())!;
      if (!shouldCollide(a, b)) contact.setEnabled(false);
    });
  }
}

/** @returns the keys of both fixtures, the smaller one first */
export function keysOf({ m_fixtureA, m_fixtureB }: MirrorContact): [low: number, high: number] {
  const a = m_fixtureA.getUserData() as number;
  const b = m_fixtureB.getUserData() as number;
  return [Math.min(a, b), Math.max(a, b)];
}

/** @returns the words of the features of a contact's points, in the form of the stage's rows */
export function featuresOf({ m_manifold: { pointCount, points } }: MirrorContact): number[] {
  return points.slice(0, pointCount).map(({ id }) =>
    packFeatures(id.indexA, id.typeA, id.indexB, id.typeB)
  );
}

function hiddenOf(world: planck.World): HiddenWorld {
  return world as unknown as HiddenWorld;
}

/**
 * planck wakes both bodies of a new contact, although they need not touch. The stage wakes those
 * that touch.
 */
function keepAsleep(world: HiddenWorld): void {
  const create = world.createContact;
  world.createContact = (a, b) => {
    const bodies = [a, b].map(({ fixture }) => fixture.getBody() as unknown as MirrorBody);
    const sleep = bodies.map(({ m_awakeFlag, m_sleepTime }) => ({ m_awakeFlag, m_sleepTime }));
    create.call(world, a, b);
    bodies.forEach((body, i) => Object.assign(body, sleep[i]));
  };
}

/**
 * Sets everything of a body that a step changes, and the mass, which is then the stage's bit by
 * bit.
 */
function writeMotion(body: MirrorBody, values: Float64Array, b: number): void {
  const { m_sweep: sweep, m_xf: { p, q } } = body;
  const at = (x: number, y: number) => ({ x: values[b + x]!, y: values[b + y]! });
  Object.assign(sweep.localCenter, at(Body.LOCAL_CENTER_X, Body.LOCAL_CENTER_Y));
  Object.assign(sweep.c, at(Body.CENTER_X, Body.CENTER_Y));
  Object.assign(sweep.c0, at(Body.CENTER_X0, Body.CENTER_Y0));
  Object.assign(sweep, {
    a: values[b + Body.ANGLE],
    a0: values[b + Body.ANGLE0],
    alpha0: values[b + Body.ALPHA0],
  });
  Object.assign(p, at(Body.ORIGIN_X, Body.ORIGIN_Y));
  Object.assign(q, { c: values[b + Body.COS], s: values[b + Body.SIN] });
  Object.assign(body.m_linearVelocity, at(Body.VX, Body.VY));
  Object.assign(body.m_force, at(Body.FORCE_X, Body.FORCE_Y));
  body.m_angularVelocity = values[b + Body.SPIN]!;
  body.m_torque = values[b + Body.TORQUE]!;
  body.m_sleepTime = values[b + Body.SLEEP_S]!;
  body.m_invMass = values[b + Body.INVERSE_MASS]!;
  body.m_invI = values[b + Body.INVERSE_INERTIA]!;
  body.m_mass = body.m_invMass === 0 ? 0 : 1 / body.m_invMass;
  body.m_I = body.m_invI === 0 ? 0 : 1 / body.m_invI;
}

/** Puts the contacts into the lists of the world and of their bodies. */
function linkInOrder(
  world: HiddenWorld,
  contacts: readonly MirrorContact[],
  bodies: readonly MirrorBody[],
): void {
  world.m_contactList = null;
  for (const body of bodies) body.m_contactList = null;
  for (const contact of contacts.toReversed()) {
    contact.m_prev = null;
    contact.m_next = world.m_contactList;
    if (contact.m_next !== null) contact.m_next.m_prev = contact;
    world.m_contactList = contact;
    for (
      const [fixture, edge] of [[contact.m_fixtureA, contact.m_nodeA], [
        contact.m_fixtureB,
        contact.m_nodeB,
      ]] as const
    ) {
      const body = fixture.getBody() as unknown as MirrorBody;
      edge.prev = null;
      edge.next = body.m_contactList;
      if (edge.next !== null) edge.next.prev = edge;
      body.m_contactList = edge;
    }
  }
}

/** Copies a contact's manifold with its impulses, and its flags. */
function writeContact(contact: MirrorContact, { contacts, fixtures }: World, row: number): void {
  const { ints, values } = contacts;
  const k = row * ContactInt.STRIDE;
  const v = row * Contact.STRIDE;
  const flags = ints[k + ContactInt.FLAGS]!;
  const keyA = fixtures.values[ints[k + ContactInt.FIXTURE_A]! * Fixture.STRIDE + Fixture.KEY];
  assert(
    contact.m_fixtureA.getUserData() === keyA,
    "planck has the two fixtures in the other order",
  );
  const { m_manifold: manifold } = contact;
  const count = ints[k + ContactInt.POINT_COUNT]!;
  contact.m_touchingFlag = (flags & ContactFlag.TOUCHING) !== 0;
  contact.m_enabledFlag = (flags & ContactFlag.SOLID) !== 0;
  manifold.pointCount = count;
  if (count === 0) return;
  manifold.type = ints[k + ContactInt.MANIFOLD_TYPE]!;
  Object.assign(manifold.localNormal, {
    x: values[v + Contact.LOCAL_NORMAL_X],
    y: values[v + Contact.LOCAL_NORMAL_Y],
  });
  Object.assign(manifold.localPoint, {
    x: values[v + Contact.LOCAL_POINT_X],
    y: values[v + Contact.LOCAL_POINT_Y],
  });

  for (let i = 0, p = v + Contact.POINTS; i < count; i++, p += ContactPoint.STRIDE) {
    const point = manifold.points[i]!;
    const features = ints[k + ContactInt.FEATURES + i]!;
    Object.assign(point.localPoint, {
      x: values[p + ContactPoint.LOCAL_X],
      y: values[p + ContactPoint.LOCAL_Y],
    });
    point.normalImpulse = values[p + ContactPoint.NORMAL_IMPULSE]!;
    point.tangentImpulse = values[p + ContactPoint.TANGENT_IMPULSE]!;
    const typeOf = (shift: number) => (features >>> shift & 0xff) - 1;
    point.id.setFeatures(features & 0xff, typeOf(16), features >>> 8 & 0xff, typeOf(24));
  }
}
