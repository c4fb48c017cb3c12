/**
 * The bodies of one tick, as the body stream carries them: the motion and the fields of every
 * entity. Joints are among them, because they share the ids of entities: a joint is a body without
 * motion, and its values are fields.
 *
 * `GameBodies.fill` fills a list on the server, `netcode/wire/body_codec.ts` codes it, and
 * `GameBodies.adopt` applies it to the client's simulation.
 */
import { findByKey } from "./sorted_list.ts";

/**
 * How a field changes by itself, per tick:
 *
 * | value | change                   |
 * | ----- | ------------------------ |
 * | 0     | none                     |
 * | −1    | it counts down to 0      |
 * | 1     | from 1 it counts to 255  |
 */
export type Drift = -1 | 0 | 1;

/**
 * Type of a field in the state. Integers must be whole and in range, an `f32` finite; it is rounded
 * to 32 bits.
 */
export type FieldType = "u8" | "u16" | "u32" | "i32" | "f32";

/** One field of a body. */
export interface BodyField {
  readonly name: string;
  readonly type: FieldType;
  readonly drift: Drift;
  /**
   * Metres by which a body is off for each unit by which this `f32` is off. Such a field may wait
   * until the message has room, like a motion. Without it the field is sent in the tick in which it
   * changes. Clients need not have it.
   */
  readonly metresPerUnit?: number;
}

/** A class of bodies. Schema 0 is the match itself: one body without motion, entity 0. */
export interface BodySchema {
  readonly name: string;
  /**
   * Whether it flies on a path of its own instead of being moved by the solver. Its snapshot has
   * another layout.
   */
  readonly isProjectile: boolean;
  /**
   * Whether it is a joint of two bodies. A joint does not move, and it is sent only if it changes.
   * Default: false.
   */
  readonly isJoint?: boolean;
  /** Whether the body has a position and a velocity. */
  readonly moves: boolean;
  /** Whether the body may turn. Otherwise its angle is always 0. */
  readonly turns: boolean;
  /** Downward acceleration of a body that touches nothing, a whole number of 1/64 m/s². */
  readonly gravityUnits: number;
  readonly fields: readonly BodyField[];
}

/** Gravities are whole numbers, so that every client predicts the same fall. */
export const GRAVITY_UNITS_PER_MPS2 = 64;

/** A game's declaration for the body stream. */
export interface BodySchemas {
  /** At most 511: the match, and 255 kinds each of entities and joints. */
  readonly schemas: readonly BodySchema[];
  /** World steps per tick. */
  readonly substeps: number;
}

/**
 * One entity or joint. Metres, radians (unwrapped), m/s, rad/s. A joint has a position only where
 * lists are filled.
 */
export interface Body {
  entity: number;
  /** Index in `BodySchemas.schemas`. */
  schemaIndex: number;
  /** The seat whose commands move the entity; -1 if there is none or if it is unknown. */
  seat: number;
  x: number;
  y: number;
  angle: number;
  vx: number;
  vy: number;
  spin: number;
  /** The number of teleports, modulo 256. */
  teleports: number;
  /** Whether `GameBodies.adopt` keeps the simulation's own motion of this body. */
  keepsMotion: boolean;
  /** The fields of its schema, unsigned, 32 bits each. */
  readonly fieldBits: number[];
}

/** A reusable list, ascending by entity: `reset` it, then `add` each body. */
export class BodyList {
  readonly #bodies: Body[] = [];
  #count = 0;
  /** The bodies are those at the end of this tick. */
  tick = 0;
  /**
   * The id of the next entity or joint; 0 in a game that does not count them: the one after the
   * greatest in the list.
   */
  nextId = 0;

  get count(): number {
    return this.#count;
  }

  reset(tick: number): void {
    this.tick = tick;
    this.nextId = 0;
    this.#count = 0;
  }

  /** Adds a body at rest at the origin, without fields. */
  add(entity: number, schemaIndex: number): Body {
    const neutral = {
      seat: -1,
      x: 0,
      y: 0,
      angle: 0,
      vx: 0,
      vy: 0,
      spin: 0,
      teleports: 0,
      keepsMotion: false,
    };
    const body = this.#bodies[this.#count] ??= { entity, schemaIndex, ...neutral, fieldBits: [] };
    Object.assign(body, neutral, { entity, schemaIndex });
    body.fieldBits.length = 0;
    this.#count++;
    return body;
  }

  /** The body of this entity, or undefined. */
  find(entity: number): Body | undefined {
    return findByKey(this.#bodies, entity, entityOf, this.#count);
  }

  /** @param index 0 … count − 1 @throws RangeError */
  at(index: number): Body {
    const body = this.#bodies[index];
    if (body === undefined || index >= this.#count) {
      throw new RangeError(`body ${index} of ${this.#count}`);
    }
    return body;
  }
}

function entityOf({ entity }: Body): number {
  return entity;
}
