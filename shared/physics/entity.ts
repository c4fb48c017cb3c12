/**
 * One thing on the stage, seen from two sides: `Entity` is the author's handle, with values to read and fields to assign;
 * `Actor` is the stage's own record behind it, with the planck body.
 */
import { createFields, type FieldValues } from "./fields.ts";
import type { Kind } from "./kinds.ts";
import type { PlanckBody, PlanckFixture } from "./planck.ts";
import type { Archetype, Fields, FieldSpec } from "./types.ts";

/** The stage's record of one entity. */
export class Actor {
  readonly id: number;
  readonly kind: Kind;
  readonly body: PlanckBody;
  /** In the order of their declaration. */
  readonly fixtures: readonly PlanckFixture[];
  readonly fields: FieldValues;
  readonly entity: Entity;
  jumps = 0;

  constructor(id: number, kind: Kind, body: PlanckBody, fixtures: readonly PlanckFixture[]) {
    this.id = id;
    this.kind = kind;
    this.body = body;
    this.fixtures = fixtures;
    this.fields = createFields(kind.layout);
    this.entity = new Entity(this);
    body.m_userData = this;
  }

  /** For errors: "entity 12 dragon". */
  toString(): string {
    return `entity ${this.id} ${this.kind.archetype.name}`;
  }
}

/** Whose body it is. */
export function actorOf(body: PlanckBody): Actor {
  return body.m_userData as Actor;
}

/**
 * One thing on the stage. A handle stays good while an entity of its id and archetype is there, also over a `load`; a load
 * that makes another archetype of that id, or none, leaves it dead, so whoever keeps things over a load keeps ids and gets the
 * handles anew. Its values read the live body.
 */
export class Entity<Spec extends FieldSpec = FieldSpec> {
  readonly #actor: Actor;
  /** 1, 2, 3 …; never used again on one timeline; 0 is the ground. */
  readonly id: number;
  readonly archetype: Archetype<Spec>;
  /** The declared numbers; sealed. The author assigns freely, `close` checks. */
  readonly fields: Fields<Spec>;

  constructor(actor: Actor) {
    this.#actor = actor;
    this.id = actor.id;
    this.archetype = actor.kind.archetype;
    this.fields = actor.fields as Fields<Spec>;
  }

  /** The body's origin, metres. */
  get x(): number {
    return this.#actor.body.m_xf.p.x;
  }

  get y(): number {
    return this.#actor.body.m_xf.p.y;
  }

  /** Radians, unwrapped: turning on and on counts on, up to 1,024 rad. */
  get angle(): number {
    return this.#actor.body.m_sweep.a;
  }

  /** The centre of mass's velocity, m/s. */
  get vx(): number {
    return this.#actor.body.m_linearVelocity.x;
  }

  get vy(): number {
    return this.#actor.body.m_linearVelocity.y;
  }

  /** rad/s, counter-clockwise positive. */
  get spin(): number {
    return this.#actor.body.m_angularVelocity;
  }

  /** A body that rests for half a second falls asleep and costs nothing until something touches it. */
  get awake(): boolean {
    return this.#actor.body.m_awakeFlag;
  }

  /** Teleports so far, modulo 256; part of the state. */
  get jumps(): number {
    return this.#actor.jumps;
  }
}
