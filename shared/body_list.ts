/**
 * Bodies as the state stream sees them: what an eye needs of each, and what a simulation needs to go on from there. A list is filled
 * by `GameBodies.fill`, travels (`netcode/wire/body_codec.ts`), and goes into another one by `GameBodies.adopt`.
 */
import { findByKey } from "./sorted_list.ts";

/** How a field changes while nothing happens: it stays, or it is a clock that counts down to 0, or from 1 up to 255, by one each tick. */
export type Drift = -1 | 0 | 1;

/** One kind of body. Kind 0 is the match itself, which has no motion; there is one of it, entity 0. */
export interface BodySchema {
  /** Whether it has a place and a velocity. */
  readonly moves: boolean;
  /** Whether it turns; what does not keeps its angle at 0. */
  readonly turns: boolean;
  /** How fast it falls when it touches nothing, m/s². */
  readonly gravity: number;
  /** Of each of its words. */
  readonly drifts: readonly Drift[];
}

/** What a game declares for the state stream. */
export interface BodySchemas {
  /** At most 16. */
  readonly schemas: readonly BodySchema[];
  /** World steps per tick. */
  readonly substeps: number;
}

/** Metres, radians (unwrapped), m/s, rad/s. */
export interface Body {
  entity: number;
  schemaIndex: number;
  /** The seat whose commands move it; -1 where none does, or nobody says. */
  seat: number;
  x: number;
  y: number;
  angle: number;
  vx: number;
  vy: number;
  spin: number;
  /** As a pose's. */
  teleports: number;
  /** Whoever adopts the list leaves its motion as he has it. */
  keepsMotion: boolean;
  /** Its fields, 32 bits each, unsigned; as many as its kind has. */
  readonly fieldBits: number[];
}

/** A reusable list in ascending entity order: `reset`, then `add` each. */
export class BodyList {
  readonly #bodies: Body[] = [];
  #count = 0;
  /** Whose end it shows. */
  tick = 0;

  get count(): number {
    return this.#count;
  }

  reset(tick: number): void {
    this.tick = tick;
    this.#count = 0;
  }

  /** The next free body, at rest at the origin, without words. */
  add(entity: number, schemaIndex: number): Body {
    const neutral = { seat: -1, x: 0, y: 0, angle: 0, vx: 0, vy: 0, spin: 0, teleports: 0, keepsMotion: false };
    const body = this.#bodies[this.#count] ??= { entity, schemaIndex, ...neutral, fieldBits: [] };
    Object.assign(body, neutral, { entity, schemaIndex });
    body.fieldBits.length = 0;
    this.#count++;
    return body;
  }

  /** By binary search; undefined where the entity is not there. */
  find(entity: number): Body | undefined {
    return findByKey(this.#bodies, entity, entityOf, this.#count);
  }

  /** @param index 0 … count-1 */
  at(index: number): Body {
    const body = this.#bodies[index];
    if (body === undefined || index >= this.#count) throw new RangeError(`body ${index} of ${this.#count}`);
    return body;
  }
}

function entityOf({ entity }: Body): number {
  return entity;
}
