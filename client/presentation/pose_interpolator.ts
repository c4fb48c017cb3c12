/**
 * Interpolates poses between two ticks without a jump. A frame lies on a segment: from the poses at
 * the head to the extrapolated poses one tick later. If a new segment contradicts the old one, the
 * difference goes into the smoother:
 *
 *     same head, other state or keys       offset += old segment − new segment,    at this frame's moment
 *     a newer head                         offset += extrapolated tick − tick,     at the end of the old segment
 *     a head that stalled or was rewound   offset += last frame − this frame
 *
 * Each difference covers places and velocities. A flap that is in both ticks changes both
 * velocities, so it makes no difference and shows at once.
 *
 * The head stalls while the server is silent, and then leaps. Easing lets the player see entities
 * catch up and follow them.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import type { PosePair } from "../session/session_poses.ts";
import type { ErrorSmoother } from "./error_smoother.ts";

/** A session's poses at its head, one tick before, and one tick later. */
export interface PoseInput {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly previous: PoseList;
  readonly head: PoseList;
  readonly ahead: PoseList;
}

/** The poses at one tick and, extrapolated, at the next. */
class Segment implements PosePair {
  tick: Tick = -1;
  readonly previous = new PoseList();
  readonly head = new PoseList();

  copy({ tick, head, ahead }: PoseInput): void {
    this.tick = tick;
    this.previous.copyFrom(head);
    this.head.copyFrom(ahead);
  }
}

export class PoseInterpolator {
  readonly #smoother: ErrorSmoother;
  #old = new Segment();
  #new = new Segment();
  /** Where on its segment the last frame was, 0 … 1. */
  #drawn = 0;

  constructor(smoother: ErrorSmoother) {
    this.#smoother = smoother;
  }

  /**
   * @param fraction 0 … 1, where on the new segment this frame is
   * @returns the segment to draw on
   */
  update(input: PoseInput, fraction: number): PosePair {
    [this.#old, this.#new] = [this.#new, this.#old];
    const old = this.#old;
    const now = this.#new;
    now.copy(input);
    const passed = now.tick - old.tick;
    const drawn = this.#drawn;
    this.#drawn = fraction;
    const wasStalled = passed > 0 && drawn === 1;
    const wasRewound = passed < 0 || (passed === 0 && fraction < drawn);
    const options = { ownSeat: input.seat };
    const smoother = this.#smoother;
    if (wasStalled || wasRewound) smoother.absorb(old, now, fraction, { ...options, drawn });
    else if (passed === 0) smoother.absorb(old, now, fraction, options);
    else if (passed === 1) smoother.absorb(old, input, 1, options);
    // This frame took longer than a tick, so the old segment ended at the tick before the head.
    else if (passed === 2) {
      smoother.absorb(stationary(old.head), stationary(input.previous), 1, options);
    }
    return now;
  }
}

/** Makes a segment without motion. */
function stationary(poses: PoseList): PosePair {
  return { previous: poses, head: poses };
}
