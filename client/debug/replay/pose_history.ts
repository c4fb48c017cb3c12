/**
 * Keeps the bodies' places at each tick in the last minute, by the first prediction and by the
 * newest one.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { LANE_TICKS } from "./seat_lanes.ts";

/** Numbers per body: entity, seat, x, y. */
export const POSE_NUMBERS = 4;

/** One tick's bodies, in a buffer that is reused. */
class Places {
  #numbers = new Float32Array(0);
  #length = 0;

  copyFrom(poses: PoseList): void {
    this.#length = poses.count * POSE_NUMBERS;
    if (this.#numbers.length < this.#length) this.#numbers = new Float32Array(this.#length * 2);
    for (let i = 0; i < poses.count; i++) {
      const { entity, seat, x, y } = poses.at(i);
      const at = i * POSE_NUMBERS;
      this.#numbers[at] = entity;
      this.#numbers[at + 1] = seat;
      this.#numbers[at + 2] = x;
      this.#numbers[at + 3] = y;
    }
  }

  copy(): Float32Array<ArrayBuffer> {
    return this.#numbers.slice(0, this.#length);
  }
}

/** `POSE_NUMBERS` numbers for each body. */
export interface PosesAt {
  readonly tick: Tick;
  readonly predicted: Float32Array<ArrayBuffer>;
  readonly definitive: Float32Array<ArrayBuffer>;
}

export class PoseHistory {
  readonly #ticks = new TickRing(LANE_TICKS, () => ({ first: new Places(), newest: new Places() }));

  /** Takes the poses after a step for this tick, the first one or a later one. */
  record(tick: Tick, poses: PoseList): void {
    const known = this.#ticks.get(tick);
    const places = known ?? this.#ticks.claim(tick);
    places.newest.copyFrom(poses);
    if (known === undefined) places.first.copyFrom(poses);
  }

  /** Finds the places at a tick; undefined if it was not replayed or is too old. */
  at(tick: Tick): PosesAt | undefined {
    const places = this.#ticks.get(tick);
    return places && { tick, predicted: places.first.copy(), definitive: places.newest.copy() };
  }
}
