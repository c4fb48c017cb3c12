/**
 * Monitors one player's prediction in the lab: the errors of other bodies, corrections with their
 * causes, and the frames' visible errors.
 */
import type { CommandSource, Session, SessionOptions } from "../../../../client/session/session.ts";
import { ErrorSmoother } from "../../../../client/presentation/error_smoother.ts";
import type { Game, SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { Attribution, type Correction } from "../../../../client/debug/replay/attribution.ts";
import { type PopFigures, PopMeter } from "../../../../client/lab/engine/pop_meter.ts";
import { ReferencePredictor } from "./reference_predictor.ts";
import { StepRecorder } from "../../../../client/debug/replay/step_recorder.ts";
import type { DefinitiveHistory } from "./definitive_history.ts";

/**
 * One in this many predicted ticks is compared, because the reference predictor steps everything
 * anew each time.
 */
const COMPARISON_INTERVAL_TICKS = 8;

/** What client and reference predicted for one tick that is not definitive yet. */
interface PendingComparison {
  readonly tick: Tick;
  readonly ours: PoseList;
  readonly reference: PoseList;
}

/** A frame that shows a moment that is not definitive yet. */
interface PendingFrame {
  readonly ticks: number;
  readonly drawn: PoseList;
}

export interface PredictionMonitorOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly history: DefinitiveHistory<Command>;
  readonly controls: CommandSource<Command>;
  /** The offset within `COMPARISON_INTERVAL_TICKS`, so that clients take turns. */
  readonly phaseTicks: number;
  /** The smoother; by default the page's own. */
  readonly smoother?: Pick<ErrorSmoother, "absorb" | "decay" | "place"> | undefined;
}

export class PredictionMonitor<Command, Sim extends Simulation<Command>> {
  readonly #options: PredictionMonitorOptions<Command, Sim>;
  readonly #recorder: StepRecorder<Command, Sim>;
  readonly #reference: ReferencePredictor<Command, Sim>;
  readonly #attribution: Attribution<Command>;
  readonly #smoother: Pick<ErrorSmoother, "absorb" | "decay" | "place">;
  readonly #popMeter = new PopMeter();
  #session: Session<Command, Sim> | undefined;
  #pendingComparisons: PendingComparison[] = [];
  #pendingFrames: PendingFrame[] = [];
  readonly #spareLists: PoseList[] = [];
  readonly corrections: Correction[] = [];
  /** Sums over other bodies in the compared ticks, metres, and how many bodies there were. */
  readonly remote = { oursMetres: 0, referenceMetres: 0, bodies: 0 };
  /** While it is false, nothing is counted. */
  isCounting = false;

  constructor(options: PredictionMonitorOptions<Command, Sim>) {
    this.#options = options;
    this.#smoother = options.smoother ?? new ErrorSmoother();
    this.#recorder = new StepRecorder((simulation) => this.#recordComparison(simulation));
    this.#reference = new ReferencePredictor(options);
    this.#attribution = new Attribution({ recorder: this.#recorder, codec: options.game.command });
  }

  /** The options for `Lab.join`. */
  get joinOptions():
    & Pick<SessionOptions<Command, Sim>, "game" | "commandSource" | "onCorrection">
    & {
      readonly onArrival: (message: Uint8Array) => void;
    } {
    const { game, controls } = this.#options;
    return {
      game: this.#recorder.record(game),
      commandSource: {
        next: (tick, acknowledged) => {
          const command = controls.next(tick, acknowledged);
          this.#reference.setLocalCommand(tick, command);
          return command;
        },
      },
      onArrival: (message) => this.#reference.receive(message),
      onCorrection: (before, after) => {
        const session = this.#session!;
        this.#smoother.absorb(before, after, session.fraction());
        const corrections = this.#attribution.explain(before.head, after.head, session.seat);
        this.#recorder.endRollback();
        if (this.isCounting) this.corrections.push(...corrections);
      },
    };
  }

  attach(session: Session<Command, Sim>): void {
    this.#session = session;
  }

  get seat(): SeatId {
    return this.#session!.seat;
  }

  get pops(): PopFigures {
    return this.#popMeter.figures;
  }

  /** Draws a frame of this moment, as a page does. */
  draw(elapsedMs: number): void {
    const session = this.#session!;
    if (session.phase !== "playing") return;
    session.advance();
    this.#smoother.decay(elapsedMs);
    const { simulation, poses, head } = session;
    if (simulation === undefined || !this.isCounting) return;
    const fraction = session.fraction();
    const drawn = this.#takeList();
    for (let i = 0; i < poses.head.count; i++) {
      const pose = poses.head.at(i);
      if (pose.seat < 0) continue;
      const out = Object.assign(drawn.add(), pose);
      this.#smoother.place(poses, pose, { fraction, out });
    }
    this.#pendingFrames.push({ ticks: head - 1 + fraction, drawn });
  }

  /** Evaluates all predictions and frames that have become definitive. */
  evaluate(): void {
    const { history } = this.#options;
    while (
      this.#pendingComparisons.length > 0 && this.#pendingComparisons[0]!.tick <= history.tick
    ) {
      this.#evaluateComparison(this.#pendingComparisons.shift()!);
    }
    while (this.#pendingFrames.length > 0 && this.#pendingFrames[0]!.ticks + 1 <= history.tick) {
      const { ticks, drawn } = this.#pendingFrames.shift()!;
      this.#popMeter.addFrame(drawn, ticks, (tick) => history.posesAt(tick));
      this.#spareLists.push(drawn);
    }
  }

  #recordComparison(simulation: Sim): void {
    const { tick } = simulation;
    if (
      !this.isCounting ||
      tick % COMPARISON_INTERVAL_TICKS !== this.#options.phaseTicks % COMPARISON_INTERVAL_TICKS
    ) {
      return;
    }
    const reference = this.#takeList();
    if (!this.#reference.predict(tick, reference)) return void this.#spareLists.push(reference);
    const ours = this.#takeList();
    simulation.poses(ours);
    this.#pendingComparisons.push({ tick, ours, reference });
  }

  #evaluateComparison({ tick, ours, reference }: PendingComparison): void {
    const definitive = this.#options.history.posesAt(tick);
    for (let i = 0; i < (definitive?.count ?? 0); i++) {
      const actual = definitive!.at(i);
      const drawn = ours.find(actual.entity);
      const best = reference.find(actual.entity);
      if (
        actual.seat < 0 || actual.seat === this.seat || drawn === undefined || best === undefined
      ) continue;
      // A wrong spawn point is an error of half an arena, and a single one would outweigh all
      // others.
      if (best.teleports !== actual.teleports) continue;
      this.remote.oursMetres += distance(drawn, actual);
      this.remote.referenceMetres += distance(best, actual);
      this.remote.bodies++;
    }
    this.#spareLists.push(ours, reference);
  }

  #takeList(): PoseList {
    const list = this.#spareLists.pop() ?? new PoseList();
    list.reset();
    return list;
  }
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}
