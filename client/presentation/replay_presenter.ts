/**
 * Makes a log's frames and numbers at any moment, with the game's own view. A frame lies between
 * two ticks that stay as they are, so it is never corrected:
 *
 *     position = 41.25      a quarter of the way from S(41) to S(42)
 */
import type { SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { ErrorSmoother } from "./error_smoother.ts";
import { type EventChanges, EventReconciler, type PresentedEvent } from "./event_reconciler.ts";
import { type HudValues, sortedScores } from "./match_presenter.ts";
import type { FrameComposer, View } from "./view.ts";

/**
 * How many ticks to compose before a frame that the player jumps to, so that wings, smoke and marks
 * are as they were.
 */
const WARM_UP_TICKS = 8;
/**
 * A frame that is farther ahead than this is a jump, ticks. Eight times the speed takes three per
 * frame.
 */
const STEPS_MAX = 40;

/** What frames are made from: a log, a lag report, or what the page has recorded. */
interface PresentedSource<Sim> {
  readonly firstTick: Tick;
  /** The last tick that can be shown. */
  readonly lastTick: Tick;
  /** The players' names in the shown tick. */
  readonly names: ReadonlyMap<SeatId, string>;
  /** The shown tick. Callers may read it but must not play it. */
  readonly shown: { readonly tick: Tick; readonly simulation: Sim };
  /** Shows a tick, or the nearest one. */
  goTo(tick: Tick): void;
}

export class ReplayPresenter<Command, Sim extends Simulation<Command>, Frame> {
  readonly #view: View<Command, Sim, Frame>;
  readonly #player: PresentedSource<Sim>;
  readonly #tickHz: number;
  readonly #poses = { previous: new PoseList(), head: new PoseList() };
  #events = new EventReconciler();
  #composer: FrameComposer<Sim, Frame> | undefined;
  /** The seat that camera and HUD follow; −1 for none. */
  followed: SeatId = -1;
  /** The events that became definitive in the newest frame, for the HUD. */
  definitiveEvents: readonly PresentedEvent[] = [];

  constructor(view: View<Command, Sim, Frame>, player: PresentedSource<Sim>, tickHz: number) {
    this.#view = view;
    this.#player = player;
    this.#tickHz = tickHz;
  }

  /** The shown tick; the position lies at it or before it. */
  get tick(): Tick {
    return this.#player.shown.tick;
  }

  /** Makes the next frame need a jump, so that it follows from its tick alone. */
  restart(): void {
    this.#composer = undefined;
  }

  /** Whether `frame` needs a jump first. */
  isFar(position: number): boolean {
    const steps = Math.ceil(position) - this.tick;
    return this.#composer === undefined || steps < 0 || steps > STEPS_MAX;
  }

  /**
   * Jumps to a tick.
   * @param draw called with the frames for the ticks that lead to it, so that the renderer is as if
   *   it had shown them
   */
  jump(tick: Tick, draw: (frame: Frame, atMs: number) => void): void {
    const player = this.#player;
    const last = Math.max(player.firstTick, Math.min(tick, player.lastTick));
    player.goTo(last - WARM_UP_TICKS);
    this.#composer = undefined;
    this.#events = new EventReconciler();
    readPoses(player.shown.simulation, this.#poses.head);
    this.#poses.previous.copyFrom(this.#poses.head);
    for (; this.tick < last; this.#step()) draw(this.#compose(1), this.momentOf(this.tick));
  }

  /** Composes the frame at a position in ticks that is not far. */
  frame(position: number): Frame {
    const head = Math.ceil(position);
    while (this.tick < head && this.tick < this.#player.lastTick) this.#step();
    return this.#compose(Math.min(1, Math.max(0, position - (this.tick - 1))));
  }

  /** Converts a position to match time, ms, so that a frame follows from its position alone. */
  momentOf(position: number): number {
    return position * 1000 / this.#tickHz;
  }

  hud(room: string): HudValues {
    const { simulation } = this.#player.shown;
    const names = this.names;
    const status = this.#view.status(simulation, { names, ownSeat: this.followed });
    const { round, ready, scores } = status;
    return {
      room,
      pingMs: 0,
      status,
      round,
      ready,
      isSpectating: false,
      notice: "",
      scores: sortedScores(scores, this.followed),
    };
  }

  /** The players' names in the shown tick. */
  get names(): ReadonlyMap<SeatId, string> {
    return this.#player.names;
  }

  #step(): void {
    const poses = this.#poses;
    poses.previous.copyFrom(poses.head);
    this.#player.goTo(this.tick + 1);
    const { simulation } = this.#player.shown;
    readPoses(simulation, poses.head);
    this.#events.record(simulation.events, { tick: this.tick, poses: poses.head });
  }

  #compose(fraction: number): Frame {
    const { simulation } = this.#player.shown;
    const { tick } = this;
    const ownSeat = this.followed;
    const atMs = this.momentOf(tick - 1 + fraction);

    const events: EventChanges = this.#events.collectChanges({
      head: tick,
      definitive: tick,
      ownSeat,
    });
    this.definitiveEvents = events.settled;

    this.#composer ??= this.#view.composer(simulation);
    return this.#composer.compose({
      atMs,
      simulation,
      definitive: simulation,
      poses: this.#poses,
      smoother: UNEASED,
      names: this.names,
      ownSeat,
      fraction,
      events,
      extrapolated: undefined,
      guessedTicks: () => 0,
    });
  }
}

/** Stays empty, because nothing is ever corrected. */
const UNEASED = new ErrorSmoother();

function readPoses(simulation: Pick<Simulation<unknown>, "poses">, out: PoseList): void {
  out.reset();
  simulation.poses(out);
}
