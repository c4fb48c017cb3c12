/**
 * Hides corrections: what is drawn is the simulated pose plus an error offset that decays to nothing.
 *
 *     at a correction:  offset += drawn before − simulated after
 *     each picture:     offset *= 2^(−elapsed / halfLife),  by no more than 5 m/s × elapsed
 *
 * Gaffer on Games lets big errors decay faster than small ones ("State Synchronization"). Here a speed ends what that could gain: with
 * it, other half-lives for big ones made the lab's pop-meter no better. From 70 to 100 ms it is flat; slower ones show a wrong place
 * for longer, faster ones leap. A teleport is never eased over, nor an entity that was not drawn before.
 */
import type { Pose, PoseList } from "../../shared/netcode/pose_list.ts";
import type { PosePair } from "../session/session_poses.ts";

const HALF_LIFE_MS = 80;
/** Farther than this nothing slides believably: it appears in its new place. */
const SNAP_METRES = 4;
/**
 * 5 m/s: 8 cm in a picture of sixty a second. Faster would look like the jump that is to be hidden. Where pictures are of uneven length
 * it is a speed that counts: as much in each of them made what slid against its own motion go to and fro.
 */
const SLIDE_METRES_PER_MS = 0.005;
/** Nor is the step of a longer picture any longer. */
const STEP_METRES_MAX = 0.1;
/** After a longer gap there is no picture before to be steady with. */
const FRAME_MS_MAX = 100;
/** Below a pixel. */
const FORGET_METRES = 0.002;

interface Offset {
  x: number;
  y: number;
  angle: number;
}

export class ErrorSmoother {
  /** By entity. */
  readonly #offsets = new Map<number, Offset>();

  /**
   * Takes up a correction.
   * @param fraction 0 … 1, where between previous and head the picture is now
   * @param drawn the same of the pair before, where its last picture counts and not what it would be now
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

  /** Lets the offsets decay. */
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

  /** Where an entity is drawn. Filled into `out`. @param fraction 0 … 1 between previous and head */
  place(pair: PosePair, pose: Pose, { fraction, out }: { fraction: number; out: Offset }): void {
    const { x, y, angle } = between(pair.previous, pose, fraction);
    const offset = this.#offsets.get(pose.entity);
    out.x = x + (offset?.x ?? 0);
    out.y = y + (offset?.y ?? 0);
    out.angle = angle + (offset?.angle ?? 0);
  }

  /** The error offset of an entity in metres, 0 where it has none. */
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

/** Between a pose's place one tick ago and now; where it is new or was teleported, now. */
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
