/**
 * Watches one player of the lab and judges his prediction: where others were drawn and where they were, what was corrected and
 * why, and how his pictures looked.
 */
import type { Controls, Session, SessionOptions } from "../../../client/session/session.ts";
import { Smoother } from "../../../client/presentation/error_smoother.ts";
import { type Game, PoseList, type SeatId, type Simulation, type Tick } from "../../../shared/netcode/game.ts";
import { Attribution, type Correction } from "./attribution.ts";
import { type PopFigures, PopMeter } from "./pop_meter.ts";
import { ReferencePredictor } from "./reference_predictor.ts";
import { StepRecorder } from "./step_recorder.ts";
import type { Truth } from "./truth.ts";

/** Of so many predicted ticks one is compared with the truth, and with the reference, which steps all of it anew. */
const COMPARED_EVERY_TICKS = 8;

/** A prediction, ours and the reference's, that waits for its tick to be definitive. */
interface Compared {
  readonly tick: Tick;
  readonly ours: PoseList;
  readonly reference: PoseList;
}

/** A picture that waits for the same. */
interface PendingFrame {
  readonly ticks: number;
  readonly drawn: PoseList;
}

export interface WitnessOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly truth: Truth<Command>;
  readonly controls: Controls<Command>;
  /** Where in the cycle of compared ticks it begins: clients take turns. */
  readonly turn: number;
  /** How corrections are hidden; as on the pages where it is not said. */
  readonly smoother?: Pick<Smoother, "absorb" | "decay" | "place"> | undefined;
}

export class Witness<Command, Sim extends Simulation<Command>> {
  readonly #options: WitnessOptions<Command, Sim>;
  readonly #recorder: StepRecorder<Command, Sim>;
  readonly #reference: ReferencePredictor<Command, Sim>;
  readonly #attribution: Attribution<Command>;
  readonly #smoother: Pick<Smoother, "absorb" | "decay" | "place">;
  readonly #popMeter = new PopMeter();
  #session: Session<Command, Sim> | undefined;
  #compared: Compared[] = [];
  #pendingFrames: PendingFrame[] = [];
  readonly #spare: PoseList[] = [];
  readonly corrections: Correction[] = [];
  /** Sums over others' bodies in the compared ticks, metres, and how many there were. */
  readonly remote = { oursMetres: 0, referenceMetres: 0, bodies: 0 };
  /** While false, nothing is counted. */
  isCounting = false;

  constructor(options: WitnessOptions<Command, Sim>) {
    this.#options = options;
    this.#smoother = options.smoother ?? new Smoother();
    this.#recorder = new StepRecorder((simulation) => this.#compare(simulation));
    this.#reference = new ReferencePredictor(options);
    this.#attribution = new Attribution({ recorder: this.#recorder, codec: options.game.command });
  }

  /** What the player must be joined with. */
  get joining(): Pick<SessionOptions<Command, Sim>, "game" | "controls" | "onCorrection"> & {
    readonly onArrival: (message: Uint8Array) => void;
  } {
    const { game, controls } = this.#options;
    return {
      game: this.#recorder.record(game),
      controls: {
        next: (tick, acknowledged) => {
          const command = controls.next(tick, acknowledged);
          this.#reference.intend(tick, command);
          return command;
        },
      },
      onArrival: (message) => this.#reference.hear(message),
      onCorrection: (before, after) => {
        const session = this.#session!;
        this.#smoother.absorb(before, after, session.fraction());
        const corrections = this.#attribution.explain(before, after, session.seat);
        if (this.isCounting) this.corrections.push(...corrections);
      },
    };
  }

  watch(session: Session<Command, Sim>): void {
    this.#session = session;
  }

  get seat(): SeatId {
    return this.#session!.seat;
  }

  get pops(): PopFigures {
    return this.#popMeter.figures;
  }

  /** Draws a picture of this moment, as a page does. */
  draw(elapsedMs: number): void {
    const session = this.#session!;
    if (session.phase !== "playing") return;
    session.advance();
    this.#smoother.decay(elapsedMs);
    const { simulation, poses, head } = session;
    if (simulation === undefined || !this.isCounting) return;
    const fraction = session.fraction();
    const drawn = this.#list();
    for (let i = 0; i < poses.head.count; i++) {
      const pose = poses.head.at(i);
      if (pose.seat < 0) continue;
      const out = Object.assign(drawn.add(), pose);
      this.#smoother.place(poses, pose, { fraction, out });
    }
    this.#pendingFrames.push({ ticks: head - 1 + fraction, drawn });
  }

  /** Judges whatever has become definitive. */
  judge(): void {
    const { truth } = this.#options;
    while (this.#compared.length > 0 && this.#compared[0]!.tick <= truth.tick) {
      this.#judgeCompared(this.#compared.shift()!);
    }
    while (this.#pendingFrames.length > 0 && this.#pendingFrames[0]!.ticks + 1 <= truth.tick) {
      const { ticks, drawn } = this.#pendingFrames.shift()!;
      this.#popMeter.addFrame(drawn, ticks, (tick) => truth.posesAt(tick));
      this.#spare.push(drawn);
    }
  }

  #compare(simulation: Sim): void {
    const { tick } = simulation;
    if (!this.isCounting || tick % COMPARED_EVERY_TICKS !== this.#options.turn % COMPARED_EVERY_TICKS) return;
    const reference = this.#list();
    if (!this.#reference.predict(tick, reference)) return void this.#spare.push(reference);
    const ours = this.#list();
    simulation.poses(ours);
    this.#compared.push({ tick, ours, reference });
  }

  #judgeCompared({ tick, ours, reference }: Compared): void {
    const definitive = this.#options.truth.posesAt(tick);
    for (let i = 0; i < (definitive?.count ?? 0); i++) {
      const truly = definitive!.at(i);
      const drawn = ours.of(truly.entity), best = reference.of(truly.entity);
      if (truly.seat < 0 || truly.seat === this.seat || drawn === undefined || best === undefined) continue;
      // Who foresees another pad for somebody's return is wrong by half an arena; one such tells no more than that it happens.
      if (best.jumps !== truly.jumps) continue;
      this.remote.oursMetres += distance(drawn, truly);
      this.remote.referenceMetres += distance(best, truly);
      this.remote.bodies++;
    }
    this.#spare.push(ours, reference);
  }

  #list(): PoseList {
    const list = this.#spare.pop() ?? new PoseList();
    list.reset();
    return list;
  }
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}
