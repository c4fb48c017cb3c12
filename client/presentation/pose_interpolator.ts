/**
 * Where things are drawn between two ticks, without a jump whatever becomes known. From the head they are on their way to where the
 * look ahead puts them; when that turns out otherwise, the difference goes into the smoother's offsets:
 *
 *     same head, other present or other keys:   offset += old line − new line      where the picture is now
 *     a newer head:                             offset += where we thought it was − where it is      at that tick
 *     a head that was held, or put back:        offset += last picture − this one
 *
 * A head is held while the server says nothing, and then leaps: to be seen catching up is better than not to see where it went.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import type { PosePair } from "../session/session_poses.ts";
import type { ErrorSmoother } from "./error_smoother.ts";

/** A session's present, and a tick more. */
export interface PoseInput {
  readonly tick: Tick;
  readonly previous: PoseList;
  readonly head: PoseList;
  readonly ahead: PoseList;
}

/** A line from where things were to where they will be. */
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
  /** Of the last picture on its line. */
  #drawn = 0;

  constructor(smoother: ErrorSmoother) {
    this.#smoother = smoother;
  }

  /** Takes the newest course. @param fraction 0 … 1, where on it the picture is. @returns the line to draw on */
  update(input: PoseInput, fraction: number): PosePair {
    [this.#old, this.#new] = [this.#new, this.#old];
    const old = this.#old, now = this.#new;
    now.copy(input);
    const passed = now.tick - old.tick, drawn = this.#drawn;
    this.#drawn = fraction;
    const wasStalled = passed > 0 && drawn === 1, wasRewound = passed < 0 || (passed === 0 && fraction < drawn);
    if (wasStalled || wasRewound) this.#smoother.absorb(old, now, fraction, drawn);
    else if (passed === 0) this.#smoother.absorb(old, now, fraction);
    else if (passed === 1) this.#smoother.absorb(stationary(old.head), stationary(now.previous), 1);
    // A picture that took longer than a tick: the tick that we had thought of is the one before the head.
    else if (passed === 2) this.#smoother.absorb(stationary(old.head), stationary(input.previous), 1);
    return now;
  }
}

/** A line that is one place. */
function stationary(poses: PoseList): PosePair {
  return { previous: poses, head: poses };
}
