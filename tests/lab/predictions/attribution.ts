/**
 * Where a correction came from: the ticks of a rollback are stepped once more from the same state with one factor changed, one
 * seat's commands, and everything else as it was predicted.
 *
 *     predicted  = f(base, before)       corrected = f(base, now)       with s = f(base, before but seat s as now)
 *
 * A seat is the cause where it alone brings about more than half of the correction and no other one does. Two that do so each
 * alone, or only together, are no single cause: that one is "unknown".
 */
import type { Codec, SeatId } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { PoseList as Poses } from "../../../shared/netcode/pose_list.ts";
import type { PosePair } from "../../../client/session/session_poses.ts";
import type { Rollback, StepRecorder } from "./step_recorder.ts";

/** A correction that a player could see, metres. */
const VISIBLE_METRES = 0.05;
/** A seat that explains all but this much explains it alone, metres: a tenth of a millimetre. */
const EXACT_METRES = 0.0001;

export type Cause =
  /** The own command came too late; the body is the own one. */
  | "own command"
  /** A command of the seat that the body belongs to, which is another's. */
  | "other command"
  /** A command of a seat that the body does not belong to: it met it, or something of it. */
  | "contact"
  /** Somebody came or went. */
  | "presence"
  /** The client's state was not the server's. */
  | "out of step"
  | "unknown";

export const CAUSES: readonly Cause[] = [
  "own command",
  "other command",
  "contact",
  "presence",
  "out of step",
  "unknown",
];

export interface Correction {
  /** Whose body was corrected. */
  readonly seat: SeatId;
  readonly metres: number;
  readonly cause: Cause;
  /** The seat whose commands, coming or going caused it; undefined where none did. */
  readonly by: SeatId | undefined;
}

interface MovedBody {
  readonly entity: number;
  readonly seat: SeatId;
  readonly metres: number;
}

/** A seat whose commands a rollback has changed. */
interface Factor {
  readonly seat: SeatId;
  readonly presenceChanged: boolean;
}

export interface AttributionOptions<Command> {
  readonly recorder: Pick<
    StepRecorder<Command>,
    "rollback" | "endRollback" | "commandBefore" | "commandNow" | "commandsWith" | "scratch"
  >;
  readonly codec: Pick<Codec<Command>, "same">;
}

export class Attribution<Command> {
  readonly #options: AttributionOptions<Command>;
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  /** Where the bodies are with one factor changed, by seat; filled in as they are asked for. */
  readonly #hypotheses = Array.from({ length: SEATS }, () => new Poses());
  #computedSeats = 0;

  constructor(options: AttributionOptions<Command>) {
    this.#options = options;
  }

  /** The visible corrections of the rollback that has just ended. @param ownSeat whose client it is */
  explain(before: PosePair, after: PosePair, ownSeat: SeatId): Correction[] {
    const { recorder } = this.#options;
    const { rollback } = recorder;
    const moved = movedBodies(before.head, after.head);
    const explained = rollback === undefined || moved.length === 0
      ? []
      : this.#explainAll(rollback, { moved, after: after.head, ownSeat });
    recorder.endRollback();
    return explained;
  }

  #explainAll(
    rollback: Rollback,
    { moved, after, ownSeat }: { moved: readonly MovedBody[]; after: PoseList; ownSeat: SeatId },
  ): Correction[] {
    if (rollback.adopted) {
      return moved.map(({ seat, metres }) => ({ seat, metres, cause: "out of step", by: undefined }));
    }
    const factors = this.#factorsOf(rollback);
    this.#computedSeats = 0;
    return moved.map((body): Correction => {
      const factor = this.#causeOf(body, { rollback, factors, after });
      const { seat, metres } = body;
      if (factor === undefined) return { seat, metres, cause: "unknown", by: undefined };
      return { seat, metres, cause: causeBy(factor, seat, ownSeat), by: factor.seat };
    });
  }

  /** Which seats did something else than was predicted. */
  #factorsOf({ first, head }: Rollback): Factor[] {
    const { recorder, codec } = this.#options;
    const factors: Factor[] = [];
    for (let seat = 0; seat < SEATS; seat++) {
      let differs = false, presenceChanged = false;
      for (let tick = first; tick <= head; tick++) {
        const before = recorder.commandBefore(tick, seat), now = recorder.commandNow(tick, seat);
        if (before === now) continue;
        if (before === undefined || now === undefined) presenceChanged = true;
        else if (!codec.same(before, now)) differs = true;
      }
      if (differs || presenceChanged) factors.push({ seat, presenceChanged });
    }
    return factors;
  }

  #causeOf(
    { entity, seat, metres }: MovedBody,
    { rollback, factors, after }: { rollback: Rollback; factors: readonly Factor[]; after: PoseList },
  ): Factor | undefined {
    // With one factor there is nothing to tell apart: changing it alone is what has happened.
    if (factors.length === 1) return factors[0];
    const residual = (factor: Factor) => distance(this.#posesWith(factor, rollback), after, entity);
    // The body's own seat is the likeliest; where it explains everything nobody else has a share in it.
    const own = factors.find((factor) => factor.seat === seat);
    if (own !== undefined && residual(own) < EXACT_METRES) return own;
    const sufficient = factors.filter((factor) => residual(factor) < metres / 2);
    return sufficient.length === 1 ? sufficient[0] : undefined;
  }

  #posesWith({ seat }: Factor, { base, first, head }: Rollback): PoseList {
    const poses = this.#hypotheses[seat]!;
    if ((this.#computedSeats >>> seat & 1) === 1) return poses;
    this.#computedSeats |= 1 << seat;
    const { recorder } = this.#options;
    const scratch = recorder.scratch!;
    scratch.load(base);
    for (let tick = first; tick <= head; tick++) {
      recorder.commandsWith(tick, seat, this.#commands);
      scratch.step(this.#commands);
    }
    scratch.poses(poses);
    return poses;
  }
}

function causeBy({ seat, presenceChanged }: Factor, body: SeatId, ownSeat: SeatId): Cause {
  if (presenceChanged) return "presence";
  if (seat !== body) return "contact";
  return seat === ownSeat ? "own command" : "other command";
}

/** Bodies with a seat that are somewhere else now; who came, went or was teleported was not corrected. */
function movedBodies(before: PoseList, after: PoseList): MovedBody[] {
  const moved: MovedBody[] = [];
  for (let i = 0; i < after.count; i++) {
    const { entity, seat, teleports } = after.at(i);
    if (seat < 0 || before.find(entity)?.teleports !== teleports) continue;
    const metres = distance(before, after, entity);
    if (metres > VISIBLE_METRES) moved.push({ entity, seat, metres });
  }
  return moved;
}

/** Infinity where it is not in both. */
function distance(a: PoseList, b: PoseList, entity: number): number {
  const one = a.find(entity), other = b.find(entity);
  if (one === undefined || other === undefined) return Infinity;
  const dx = one.x - other.x, dy = one.y - other.y;
  return Math.sqrt(dx * dx + dy * dy);
}
