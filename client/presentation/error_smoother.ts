/**
 * Hides corrections. A drawn pose is the simulated pose plus an error offset that decays to zero.
 *
 *     at a correction:  offset += pose drawn before − pose simulated after
 *     each frame:       offset *= 2^(−elapsed / halfLife),  by no more than 5 m/s · elapsed
 *
 * Gaffer on Games lets large errors decay faster than small ones ("State Synchronization"). With the limit on speed
 * this gains nothing: other half-lives for large errors did not improve the lab's pop-meter. The meter is flat from 70
 * to 100 ms. A longer half-life shows a wrong place for longer, a shorter one looks like a jump. A teleport is never
 * eased, and neither is an entity that was not drawn before.
 */
import type { Pose, PoseList } from "../../shared/netcode/pose_list.ts";
import type { PosePair } from "../session/session_poses.ts";

const HALF_LIFE_MS = 80;
/** No slide over a longer distance looks natural: the entity appears in its new place. */
const SNAP_METRES = 4;
/**
 * 5 m/s, 8 cm per frame at 60 Hz. A faster slide looks like the jump that it hides. The limit is a speed, because
 * frames differ in length. With a distance per frame, an entity that slid against its own motion went back and forth.
 */
const SLIDE_METRES_PER_MS = 0.005;
/** The limit for one long frame. */
const STEP_METRES_MAX = 0.1;
/** After a longer gap nobody compares a frame with the one before: the offset decays without a limit. */
const FRAME_MS_MAX = 100;
/** Less than a pixel. */
const FORGET_METRES = 0.002;

interface Offset {
  x: number;
  y: number;
  angle: number;
}

export class ErrorSmoother {
  /** By entity; only offsets that are visible. */
  readonly #offsets = new Map<number, Offset>();

  /**
   * Adds a correction to the offsets.
   * @param fraction 0 … 1, the moment of this frame between `after.previous` and `after.head`
   * @param drawn the moment between `before.previous` and `before.head` whose poses must not jump: by default the same
   *   moment, else the moment of the last frame
   */
  absorb(before: PosePair, after: PosePair, fraction: number, drawn: number = fraction): void {
    for (let i = 0; i < after.head.count; i++) {
      const now = after.head.at(i), then = before.head.find(now.entity);
      if (then === undefined || then.teleports !== now.teleports) {
        this.#offsets.delete(now.entity);
        continue;
      }
      this.#shift(now.entity, between(before.previous, then, drawn), between(after.previous, now, fraction));
    }
  }

  /** Lets all offsets decay. @param elapsedMs since the last call */
  decay(elapsedMs: number): void {
    for (const [entity, offset] of this.#offsets) {
      const size = lengthOf(offset), decayed = 2 ** (-elapsedMs / HALF_LIFE_MS);
      const stepMax = elapsedMs > FRAME_MS_MAX ? size : Math.min(STEP_METRES_MAX, elapsedMs * SLIDE_METRES_PER_MS);
      const keep = size * (1 - decayed) > stepMax ? 1 - stepMax / size : decayed;
      offset.x *= keep;
      offset.y *= keep;
      offset.angle *= keep;
      if (size * keep < FORGET_METRES && Math.abs(offset.angle) < FORGET_METRES) this.#offsets.delete(entity);
    }
  }

  /** Writes the place where an entity is drawn into `out`. @param fraction 0 … 1 between previous and head */
  place(pair: PosePair, pose: Pose, { fraction, out }: { fraction: number; out: Offset }): void {
    const { x, y, angle } = between(pair.previous, pose, fraction);
    const offset = this.#offsets.get(pose.entity);
    out.x = x + (offset?.x ?? 0);
    out.y = y + (offset?.y ?? 0);
    out.angle = angle + (offset?.angle ?? 0);
  }

  /** The length of an entity's error offset, metres. */
  offsetMetres(entity: number): number {
    const offset = this.#offsets.get(entity);
    return offset === undefined ? 0 : lengthOf(offset);
  }

  #shift(entity: number, drawn: Offset, simulated: Offset): void {
    const offset = this.#offsets.get(entity) ?? { x: 0, y: 0, angle: 0 };
    offset.x += drawn.x - simulated.x;
    offset.y += drawn.y - simulated.y;
    offset.angle += drawn.angle - simulated.angle;
    const size = lengthOf(offset);
    if (size > SNAP_METRES || (size === 0 && offset.angle === 0)) this.#offsets.delete(entity);
    else this.#offsets.set(entity, offset);
  }
}

/** A place between the entity's previous pose and its pose now. A new or teleported entity is at its pose now. */
function between(previous: PoseList, pose: Pose, fraction: number): Offset {
  const from = previous.find(pose.entity);
  if (from === undefined || from.teleports !== pose.teleports) return { x: pose.x, y: pose.y, angle: pose.angle };
  return {
    x: from.x + (pose.x - from.x) * fraction,
    y: from.y + (pose.y - from.y) * fraction,
    angle: from.angle + (pose.angle - from.angle) * fraction,
  };
}

function lengthOf({ x, y }: Offset): number {
  return Math.sqrt(x * x + y * y);
}
