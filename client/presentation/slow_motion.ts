/**
 * Shows a moment of the last minute once more, slowly, while the match goes on. It steps what the
 * page has recorded (`flight_recording.ts`), so nothing more is kept for it:
 *
 *     newest recorded state before the moment → f → f → … → the moment → a little more
 */
import type { Commands, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import type { FlightEntry, FlightState } from "./flight_recording.ts";
import type { View } from "./view.ts";
import { ReplayPresenter } from "./replay_presenter.ts";

/** How much is shown before the moment and after it, ticks: at 20 ticks a second a good second. */
const BEFORE_TICKS = 16;
export const AFTER_TICKS = 8;
/** How slowly. At 20 ticks a second the whole takes 2.7 s. */
const SPEED = 0.45;

export interface SlowMotionOptions<Command, Sim extends Simulation<Command>, Frame> {
  readonly view: View<Command, Sim, Frame>;
  readonly tickHz: number;
  readonly entries: readonly FlightEntry[];
  /** A simulation with the rules of this match. */
  readonly simulation: Sim;
  readonly names: ReadonlyMap<SeatId, string>;
  readonly ownSeat: SeatId;
  /** The tick to show. */
  readonly tick: Tick;
  /** Now, ms. */
  readonly nowMs: number;
}

export class SlowMotion<Command, Sim extends Simulation<Command>, Frame> {
  readonly #presenter: ReplayPresenter<Command, Sim, Frame>;
  readonly #firstTick: Tick;
  readonly #lastTick: Tick;
  readonly #tickHz: number;
  readonly #beganMs: number;

  /** @returns undefined if the recording does not lead through the moment */
  static open<Command, Sim extends Simulation<Command>, Frame>(
    options: SlowMotionOptions<Command, Sim, Frame>,
  ): SlowMotion<Command, Sim, Frame> | undefined {
    const { simulation, names, tick } = options;
    const firstTick = tick - BEFORE_TICKS;
    const lastTick = tick + AFTER_TICKS;
    const steps = stepsThrough<Command>(options.entries, { firstTick, lastTick });
    if (steps === undefined) return undefined;

    const source = new RecordedTicks<Command, Sim>(steps, { simulation, names, lastTick });
    return new SlowMotion(source, { ...options, firstTick });
  }

  private constructor(
    source: RecordedTicks<Command, Sim>,
    { view, tickHz, ownSeat, nowMs, firstTick }:
      & SlowMotionOptions<Command, Sim, Frame>
      & { readonly firstTick: Tick },
  ) {
    this.#presenter = new ReplayPresenter(view, source, tickHz);
    this.#presenter.followed = ownSeat;
    this.#presenter.jump(firstTick, () => {});
    this.#firstTick = firstTick;
    this.#lastTick = source.lastTick;
    this.#tickHz = tickHz;
    this.#beganMs = nowMs;
  }

  /** The frame for now; undefined once the moment is over. */
  frame(nowMs: number): Frame | undefined {
    const shownTicks = (nowMs - this.#beganMs) / 1000 * this.#tickHz * SPEED;
    const position = this.#firstTick + shownTicks;
    return position > this.#lastTick ? undefined : this.#presenter.frame(position);
  }
}

/** What leads through a moment. */
interface RecordedSteps<Command> {
  readonly state: FlightState;
  readonly commands: ReadonlyMap<Tick, Commands<Command>>;
}

/** Finds the newest state before the moment, and the commands that the page used last from there. */
function stepsThrough<Command>(
  entries: readonly FlightEntry[],
  { firstTick, lastTick }: { readonly firstTick: Tick; readonly lastTick: Tick },
): RecordedSteps<Command> | undefined {
  let state: FlightState | undefined;
  const commands = new Map<Tick, Commands<Command>>();
  for (const entry of entries) {
    if (entry.state !== undefined && entry.state.tick <= firstTick) state = entry.state;
    for (const step of entry.steps) commands.set(step.tick, step.commands as Commands<Command>);
  }
  if (state === undefined) return undefined;

  // A state that came from the server instead of from steps breaks the chain.
  const from = state.tick;
  const isBroken = entries.some(({ isRebased, definitive }) =>
    isRebased && definitive > from && definitive <= lastTick
  );
  for (let tick = from + 1; tick <= lastTick; tick++) {
    if (isBroken || !commands.has(tick)) return undefined;
  }
  return { state, commands };
}

/** Plays recorded steps, forwards only. */
class RecordedTicks<Command, Sim extends Simulation<Command>> {
  readonly firstTick: Tick;
  readonly lastTick: Tick;
  readonly names: ReadonlyMap<SeatId, string>;
  readonly shown: { tick: Tick; readonly simulation: Sim };
  readonly #commands: RecordedSteps<Command>["commands"];

  constructor(
    { state, commands }: RecordedSteps<Command>,
    { simulation, names, lastTick }: {
      readonly simulation: Sim;
      readonly names: ReadonlyMap<SeatId, string>;
      readonly lastTick: Tick;
    },
  ) {
    const snapshot = new Snapshot(state.words.length);
    snapshot.words.set(state.words);
    snapshot.length = state.words.length;
    simulation.load(snapshot);
    this.firstTick = state.tick;
    this.lastTick = lastTick;
    this.names = names;
    this.shown = { tick: state.tick, simulation };
    this.#commands = commands;
  }

  goTo(tick: Tick): void {
    const { shown } = this;
    while (shown.tick < Math.min(tick, this.lastTick)) {
      shown.simulation.step(this.#commands.get(++shown.tick)!);
    }
  }
}
