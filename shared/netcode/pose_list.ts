/** Where everything on a stage is, for drawing: what a simulation fills in after a step. */
import { findByKey } from "../sorted_list.ts";

/** Where one entity is. Metres and radians. */
export interface Pose {
  entity: number;
  /** The seat whose commands move it; -1 where none does. */
  seat: number;
  x: number;
  y: number;
  angle: number;
  /** How often it was teleported, modulo 256: a change means that nothing may be eased. */
  teleports: number;
}

/** A reusable list of poses: `reset`, then `add` each. */
export class PoseList {
  readonly #poses: Pose[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  reset(): void {
    this.#count = 0;
  }

  /** The next free pose, to be filled in whole by the caller, in ascending entity order. */
  add(): Pose {
    const pose = this.#poses[this.#count] ??= { entity: 0, seat: -1, x: 0, y: 0, angle: 0, teleports: 0 };
    this.#count++;
    return pose;
  }

  /** @param index 0 … count-1 */
  at(index: number): Pose {
    const pose = this.#poses[index];
    if (pose === undefined || index >= this.#count) throw new RangeError(`pose ${index} of ${this.#count}`);
    return pose;
  }

  /** By binary search; undefined where the entity is not there. */
  find(entity: number): Pose | undefined {
    return findByKey(this.#poses, entity, entityOf, this.#count);
  }

  /** The entity that this seat's commands move, where there is one. */
  findBySeat(seat: number): Pose | undefined {
    for (let i = 0; i < this.#count; i++) if (this.#poses[i]!.seat === seat) return this.#poses[i];
    return undefined;
  }

  copyFrom(other: PoseList): void {
    this.reset();
    for (let i = 0; i < other.count; i++) {
      const from = other.#poses[i]!, to = this.add();
      // Named one by one: Object.assign would look the names up each time.
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
