/**
 * Finds each correction's cause. It steps a rollback's ticks again from the same state, with new
 * commands for one seat and the prediction's commands for all others.
 *
 *     predicted = f(base, before)       corrected = f(base, now)       with s = f(base, before, but seat s as now)
 *
 * A seat is the cause if it alone explains more than half the correction and no other seat does. If
 * several seats do, or only several together, the cause is "unknown".
 */
import type { Codec, SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { PoseList as Poses } from "../../../shared/netcode/pose_list.ts";
import type { Rollback, StepRecorder } from "./step_recorder.ts";

/** The smallest correction that counts as visible, metres. */
const VISIBLE_METRES = 0.05;
/** A seat that explains all but this much explains the correction alone, metres. */
const EXACT_METRES = 0.0001;

export type Cause =
  /** The client's own command was late; the body is the client's own. */
  | "own command"
  /** Another seat's command moved that seat's body. */
  | "other command"
  /** The body met another seat's body or projectile, which that seat's command had moved. */
  | "contact"
  /** A player or NPC entered or left. */
  | "presence"
  /** The client's state differed from the server's. */
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

export interface Correction extends MovedBody {
  readonly cause: Cause;
  /** The seat that caused it by its commands or presence; undefined if there is none. */
  readonly by: SeatId | undefined;
  /**
   * The first tick at which the rollback changed that seat's command or presence; undefined without
   * a seat.
   */
  readonly since: Tick | undefined;
}

/** A body that a rollback moved. */
interface MovedBody {
  readonly entity: number;
  /** The body's seat. */
  readonly seat: SeatId;
  readonly metres: number;
}

/** A seat with commands that a rollback changed. */
interface Factor {
  readonly seat: SeatId;
  readonly since: Tick;
  readonly presenceChanged: boolean;
}

export interface AttributionOptions<Command> {
  readonly recorder: Pick<
    StepRecorder<Command>,
    "rollback" | "commandBefore" | "commandNow" | "commandsWith" | "scratch"
  >;
  readonly codec: Pick<Codec<Command>, "same">;
}

export class Attribution<Command> {
  readonly #options: AttributionOptions<Command>;
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);
  /** By seat: the poses with only this seat changed, computed on demand. */
  readonly #hypotheses = Array.from({ length: SEATS }, () => new Poses());
  #computedSeats = 0;

  constructor(options: AttributionOptions<Command>) {
    this.#options = options;
  }

  /**
   * Explains the visible corrections in the recorder's rollback, which the caller ends afterwards.
   * @param before the head's poses before the rollback
   * @param ownSeat the client's seat
   */
  explain(before: PoseList, after: PoseList, ownSeat: SeatId): Correction[] {
    const { rollback } = this.#options.recorder;
    const moved = movedBodies(before, after);
    if (rollback === undefined || moved.length === 0) return [];
    return this.#explainAll(rollback, { moved, after, ownSeat });
  }

  #explainAll(
    rollback: Rollback,
    { moved, after, ownSeat }: { moved: readonly MovedBody[]; after: PoseList; ownSeat: SeatId },
  ): Correction[] {
    if (rollback.adopted) {
      return moved.map((body) => ({
        ...body,
        cause: "out of step",
        by: undefined,
        since: undefined,
      }));
    }

    const factors = this.#factorsOf(rollback);
    this.#computedSeats = 0;

    return moved.map((body): Correction => {
      const factor = this.#causeOf(body, { rollback, factors, after });
      if (factor === undefined) {
        return { ...body, cause: "unknown", by: undefined, since: undefined };
      }
      return {
        ...body,
        cause: causeBy(factor, body.seat, ownSeat),
        by: factor.seat,
        since: factor.since,
      };
    });
  }

  /** Finds the seats that differ from the prediction in commands or presence. */
  #factorsOf({ first, head }: Rollback): Factor[] {
    const { recorder, codec } = this.#options;
    const factors: Factor[] = [];
    for (let seat = 0; seat < SEATS; seat++) {
      let since: Tick | undefined;
      let presenceChanged = false;
      for (let tick = first; tick <= head; tick++) {
        const before = recorder.commandBefore(tick, seat);
        const now = recorder.commandNow(tick, seat);
        if (before === now) continue;
        if (before === undefined || now === undefined) presenceChanged = true;
        else if (codec.same(before, now)) continue;
        since ??= tick;
      }
      if (since !== undefined) factors.push({ seat, since, presenceChanged });
    }
    return factors;
  }

  #causeOf(
    { entity, seat, metres }: MovedBody,
    { rollback, factors, after }: {
      rollback: Rollback;
      factors: readonly Factor[];
      after: PoseList;
    },
  ): Factor | undefined {
    // A single factor is the cause, because the rollback did not change anything else.
    if (factors.length === 1) return factors[0];
    const residual = (factor: Factor) => distance(this.#posesWith(factor, rollback), after, entity);
    // The body's own seat is the likeliest. If it explains everything, other seats did not
    // contribute.
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

/**
 * Finds seats' bodies that moved visibly. Spawns, despawns and teleports do not count as
 * corrections.
 */
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

/** Measures the metres between an entity's poses; Infinity if either list lacks it. */
function distance(a: PoseList, b: PoseList, entity: number): number {
  const one = a.find(entity);
  const other = b.find(entity);
  if (one === undefined || other === undefined) return Infinity;
  const dx = one.x - other.x, dy = one.y - other.y;
  return Math.sqrt(dx * dx + dy * dy);
}
