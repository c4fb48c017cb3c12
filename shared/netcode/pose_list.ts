/** All entities' poses after one step, for drawing and for measuring corrections. */
import { findByKey } from "../sorted_list.ts";

/** One entity's pose, metres and radians. */
export interface Pose {
  entity: number;
  /** The seat that moves the entity by its commands; -1 for none. */
  seat: number;
  x: number;
  y: number;
  angle: number;
  /**
   * How often the entity teleported, modulo 256. When it changes, a renderer must not ease the
   * difference.
   */
  teleports: number;
}

/** A reusable list, ascending by entity: `reset` it, then `add` each pose. */
export class PoseList {
  readonly #poses: Pose[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  reset(): void {
    this.#count = 0;
  }

  /** Adds a pose. The caller sets all its values, with a larger entity than those before. */
  add(): Pose {
    const pose = this.#poses[this.#count] ??= {
      entity: 0,
      seat: -1,
      x: 0,
      y: 0,
      angle: 0,
      teleports: 0,
    };
    this.#count++;
    return pose;
  }

  /** @param index 0 … count − 1 @throws RangeError */
  at(index: number): Pose {
    const pose = this.#poses[index];
    if (pose === undefined || index >= this.#count) {
      throw new RangeError(`pose ${index} of ${this.#count}`);
    }
    return pose;
  }

  /** Finds this entity's pose, or undefined. */
  find(entity: number): Pose | undefined {
    return findByKey(this.#poses, entity, entityOf, this.#count);
  }

  /** Finds the pose of the first entity that this seat moves, or undefined. */
  findBySeat(seat: number): Pose | undefined {
    for (let i = 0; i < this.#count; i++) if (this.#poses[i]!.seat === seat) return this.#poses[i];
    return undefined;
  }

  copyFrom(other: PoseList): void {
    this.reset();
    for (let i = 0; i < other.count; i++) {
      const from = other.#poses[i]!;
      const to = this.add();
      // One by one, because Object.assign would look up each name.
      to.entity = from.entity;
      to.seat = from.seat;
      to.x = from.x;
      to.y = from.y;
      to.angle = from.angle;
      to.teleports = from.teleports;
    }
  }
}

function entityOf({ entity }: Pose): number {
  return entity;
}
