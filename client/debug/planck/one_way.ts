/**
 * One-way fixtures in planck, which has none: the usual rule of its users, with the stage's bounds
 * (SPEC 9.20). A contact's decision is made when the first part of a body begins to touch the
 * fixture, and holds until the last one parts.
 */
import { type Body, type Contact, type Fixture, Vec2, type World } from "planck";
import type { FixtureDef, StageDef } from "../../../shared/physics/core/types.ts";
import type { BodyRecord } from "../../../shared/physics/stage/entity.ts";

/** The cosine between the contact's normal and the solid side: slopes of at most 60 degrees. */
const LANDING_NORMAL = 0.5;
/** A body that rises no faster than this, in m/s, still lands. */
const RISING_MAX = 0.5;
/** Metres beyond the motion of one world step: a deeper body did not come from above. */
const DEPTH_MAX = 0.1;

/** The touches of one fixture with one body. */
interface Passage {
  isPassing: boolean;
  contacts: number;
}

/** The declaration that a fixture of planck's was made from. */
export function declarationOf(fixture: Fixture): FixtureDef {
  return fixture.getUserData() as FixtureDef;
}

/** The stage's record of planck's body. */
export function recordOf(body: Body): BodyRecord {
  return body.getUserData() as BodyRecord;
}

/** The decisions of one of planck's worlds. */
export class OneWayFixtures {
  readonly #stepS: number;
  readonly #landsOn: StageDef["landsOn"];
  readonly #passages = new Map<Fixture, Map<Body, Passage>>();

  /** @param stepS the length of a world step, seconds */
  constructor(world: World, stepS: number, landsOn: StageDef["landsOn"]) {
    this.#stepS = stepS;
    this.#landsOn = landsOn;
    world.on("begin-contact", (contact) => this.#begin(contact));
    world.on("end-contact", (contact) => this.#end(contact));
  }

  /** Whether a one-way fixture lets the contact's other body through now. */
  lets(contact: Contact): boolean {
    return sidesOf(contact).some(({ platform, other }) => {
      const passage = this.#passages.get(platform)?.get(other);
      if (passage === undefined) return false;
      const { entity } = recordOf(other);
      if (this.#landsOn?.(entity, recordOf(platform.getBody()).entity) === false) {
        passage.isPassing = true;
      }
      return passage.isPassing;
    });
  }

  #begin(contact: Contact): void {
    for (const side of sidesOf(contact)) {
      const { platform, other } = side;
      let passages = this.#passages.get(platform);
      if (passages === undefined) this.#passages.set(platform, passages = new Map());
      const passage = passages.get(other);
      if (passage !== undefined) passage.contacts++;
      else passages.set(other, { isPassing: !this.#lands(contact, side), contacts: 1 });
    }
  }

  #end(contact: Contact): void {
    for (const { platform, other } of sidesOf(contact)) {
      const passages = this.#passages.get(platform);
      const passage = passages?.get(other);
      if (passage !== undefined && --passage.contacts === 0) passages!.delete(other);
    }
  }

  #lands(contact: Contact, { platform, other, sign }: Side): boolean {
    const manifold = contact.getWorldManifold(null);
    const { oneWay } = declarationOf(platform);
    const body = platform.getBody();
    if (manifold === null || manifold === undefined) return false;

    const side = typeof oneWay === "object"
      ? body.getWorldVector(new Vec2(oneWay.x, oneWay.y))
      : new Vec2(0, 1);
    side.normalize();
    const normal = Vec2.mul(sign, manifold.normal);
    if (Vec2.dot(normal, side) < LANDING_NORMAL) return false;

    const [point] = manifold.points;
    const closing = Vec2.dot(
      Vec2.sub(
        body.getLinearVelocityFromWorldPoint(point!),
        other.getLinearVelocityFromWorldPoint(point!),
      ),
      normal,
    );
    const depth = -Math.min(...manifold.separations.slice(0, manifold.pointCount));
    return closing >= -RISING_MAX && depth <= DEPTH_MAX + Math.max(0, closing) * this.#stepS;
  }
}

interface Side {
  readonly platform: Fixture;
  readonly other: Body;
  /** 1 if planck's normal points from the platform to the other body, otherwise −1. */
  readonly sign: number;
}

function sidesOf(contact: Contact): Side[] {
  const a = contact.getFixtureA();
  const b = contact.getFixtureB();
  const sides: Side[] = [];
  if (declarationOf(a).oneWay) sides.push({ platform: a, other: b.getBody(), sign: 1 });
  if (declarationOf(b).oneWay) sides.push({ platform: b, other: a.getBody(), sign: -1 });
  return sides;
}
