/**
 * Replays a page's recording: it steps the same ticks with the same commands, so it reproduces the
 * page's predictions and corrections bit for bit. It names each visible correction's cause, fills a
 * lane per seat, and keeps where the bodies were. The overlay runs it in a worker; the lab runs it
 * directly.
 *
 *     for each entry:  arrivals → steps, with rollbacks → causes → definitive ticks → state, if the entry has one
 */
import {
  type Commands,
  type Game,
  type GameOptions,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "../../../shared/netcode/game.ts";
import { rulesOf } from "../../../shared/netcode/own_npcs.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../../shared/netcode/timeline.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { FlightEntry, FlightState, FlightStep } from "../../presentation/flight_recording.ts";
import { Attribution, type Cause, type Correction } from "./attribution.ts";
import { type Delay, Delays, FINAL_AFTER_MS } from "./delays.ts";
import { type FalseEvent, FalseEvents } from "./false_events.ts";
import { PoseHistory } from "./pose_history.ts";
import { finalState, LANE, SeatLanes } from "./seat_lanes.ts";
import { StepRecorder } from "./step_recorder.ts";

/** A field of a command, at the first tick at which it was predicted otherwise. */
export interface FieldChange {
  readonly field: string;
  /** Plain values, as the game's command has them. */
  readonly guessed: unknown;
  readonly actual: unknown;
}

/** One visible correction with its cause. Metres, and ms on the page's clock. */
export interface FlightCorrection {
  readonly atMs: number;
  /** The corrected head. */
  readonly tick: Tick;
  /** The corrected body's seat. */
  readonly seat: SeatId;
  readonly metres: number;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly cause: Cause;
  /**
   * The seat that caused it by its commands or presence, and the first such tick; undefined if
   * there is none.
   */
  readonly by: SeatId | undefined;
  readonly since: Tick | undefined;
  /** The command's fields that were predicted otherwise. */
  readonly changes: readonly FieldChange[];
  /** Why the command was not known in time; undefined if the cause is not a command. */
  readonly delay: Delay | undefined;
}

/** What replaying some entries found. */
export interface ReplayNews {
  readonly corrections: readonly FlightCorrection[];
  readonly falseEvents: readonly FalseEvent[];
  /** How many recorded states the replay did not reach by its own steps. */
  readonly divergences: number;
}

/** A correction before its delay is final. */
type PendingCorrection = Omit<FlightCorrection, "delay">;

export interface ReplayOptions {
  /** As in the server's welcome. */
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
  readonly isOrdered: boolean;
  /** The page's seat; -1 for a spectator. */
  readonly ownSeat: SeatId;
}

/** A replayed step: S(tick − 1) before it and S(tick) after it, valid during the call. */
export interface ReplayedStep<Command> extends FlightStep<Command> {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

export interface ReplayObserver<Command> {
  /** Called after each step, including later ones for the same tick. */
  readonly onStep?: (step: ReplayedStep<Command>) => void;
}

export class FlightReplay<Command> {
  readonly #game: Game<Command>;
  readonly #ownSeat: SeatId;
  readonly #onStep: ReplayObserver<Command>["onStep"];
  readonly #start: () => Replica<Command>;
  /** Undefined while no page state is available: before the first one, and on the body stream. */
  #replica: Replica<Command> | undefined;
  readonly #states = new TickRing<Snapshot>(HISTORY_TICKS, () => new Snapshot(0));
  /**
   * By tick: the commands in its first and its newest step, and as bits, the seats with a command
   * that was known at first.
   */
  readonly #steps = new TickRing<
    { first: Commands<Command>; newest: Commands<Command>; known: number }
  >(
    HISTORY_TICKS,
    () => ({ first: [], newest: [], known: 0 }),
  );
  readonly #delays: Delays;
  readonly #falseEvents = new FalseEvents();
  readonly lanes = new SeatLanes();
  readonly poses = new PoseHistory();
  readonly #before = new PoseList();
  readonly #after = new PoseList();
  #pending: PendingCorrection[] = [];
  #definitive: Tick = -1;
  #newestStep: Tick = -1;
  #divergences = 0;

  constructor(
    game: Game<Command>,
    { npcs, seed, choices, isOrdered, ownSeat, onStep }: ReplayOptions & ReplayObserver<Command>,
  ) {
    this.#game = game;
    this.#onStep = onStep;
    this.#ownSeat = ownSeat;
    this.#delays = new Delays(game.tickHz);
    const rules = rulesOf(game, { isOrdered });
    this.#start = () => newReplica(rules, { npcs, choices }, seed);
  }

  /** Replays the entries that follow the last call's. */
  add(entries: readonly FlightEntry[]): ReplayNews {
    const corrections: FlightCorrection[] = [];
    const falseEvents: FalseEvent[] = [];
    const divergences = this.#divergences;
    for (const entry of entries) {
      this.#addEntry(entry);
      corrections.push(...this.#takeFinal(entry.atMs));
      const head = this.#newestStep;
      const definitive = this.#definitive;
      falseEvents.push(...this.#falseEvents.take({ head, definitive, atMs: entry.atMs }));
    }
    return { corrections, falseEvents, divergences: this.#divergences - divergences };
  }

  /**
   * Ends the replay.
   * @returns the remaining corrections, with reasons that further entries might have changed
   */
  finish(): readonly FlightCorrection[] {
    return this.#takeFinal(Infinity);
  }

  #addEntry(entry: FlightEntry): void {
    const { state, definitive, atMs } = entry;
    const steps = entry.steps as readonly FlightStep<Command>[];
    this.#delays.addEntry(entry);
    if (entry.isRebased) this.#rebase(steps, entry);
    else if (this.#replica !== undefined) this.#run(this.#replica, steps, atMs);
    else if (state !== undefined) this.#restart(state as FlightState<Command>, atMs);
    this.#addDefinitive(definitive);
    if (state === undefined || this.#replica === undefined || this.#isAt(this.#replica, state)) {
      return;
    }
    this.#divergences++;
    this.#restart(state as FlightState<Command>, atMs);
  }

  /**
   * Starts again from the page's state, because it does not follow from its steps. Without one, the
   * replay waits.
   */
  #rebase(steps: readonly FlightStep<Command>[], { state, atMs }: FlightEntry): void {
    const before = this.#before;
    const head = this.#replica?.simulation.tick;
    this.#replica?.simulation.poses(reset(before));
    this.#replica = undefined;
    for (const step of steps) this.#recordStep(step, atMs);
    if (state === undefined) return;
    const replica = this.#restart(state as FlightState<Command>, atMs);
    if (replica.simulation.tick === head) this.#explain(replica, atMs);
  }

  #restart({ tick, words, steps }: FlightState<Command>, atMs: number): Replica<Command> {
    const replica = this.#replica = this.#start();
    const state = new Snapshot(0);
    state.setBytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    replica.simulation.load(state);
    this.#states.clear();
    this.#states.claim(tick).copyFrom(state);
    for (const step of steps) this.#step(replica, step, atMs);
    return replica;
  }

  #run(replica: Replica<Command>, steps: readonly FlightStep<Command>[], atMs: number): void {
    const { simulation } = replica;
    const head = simulation.tick;
    let isRolledBack = false;
    for (const step of steps) {
      if (step.tick !== simulation.tick + 1) {
        const state = this.#states.get(step.tick - 1);
        if (state === undefined) return void (this.#replica = undefined);
        simulation.poses(reset(this.#before));
        simulation.load(state);
        isRolledBack = true;
      }
      this.#step(replica, step, atMs);
      if (isRolledBack && step.tick === head) this.#explain(replica, atMs);
    }
  }

  #step({ simulation }: Replica<Command>, step: FlightStep<Command>, atMs: number): void {
    const { tick } = step;
    const poses = reset(this.#after);
    simulation.step(step.commands);
    simulation.save(this.#states.claim(tick));
    const before = this.#states.get(tick - 1);
    if (before !== undefined) this.#onStep?.({ ...step, before, after: this.#states.get(tick)! });
    simulation.poses(poses);
    this.poses.record(tick, poses);
    this.#falseEvents.record(simulation.events, { tick, poses });
    this.#recordStep(step, atMs);
  }

  #recordStep({ tick, commands }: FlightStep<Command>, atMs: number): void {
    if (tick <= this.#newestStep) {
      const step = this.#steps.get(tick);
      if (step !== undefined) step.newest = commands;
      return;
    }
    this.#newestStep = tick;
    this.#delays.addFirstStep(tick, atMs);
    const step = this.#steps.claim(tick);
    step.first = step.newest = commands;
    step.known = 0;
    for (let seat = 0; seat < SEATS; seat++) {
      if (commands[seat] === undefined) continue;
      const isKnown = seat === this.#ownSeat || this.#delays.isAnnounced(tick, seat);
      if (isKnown) step.known |= 1 << seat;
      this.lanes.set(tick, seat, isKnown ? LANE.known : LANE.guessed);
    }
  }

  /** Explains a rollback that just reached the tick that was the head before it. */
  #explain({ simulation, recorder, attribution }: Replica<Command>, atMs: number): void {
    const before = this.#before;
    const after = reset(this.#after);
    simulation.poses(after);
    for (const correction of attribution.explain(before, after, this.#ownSeat)) {
      const { entity, seat, metres, cause, by, since } = correction;
      const { tick } = simulation;
      const from = placeOf(before, entity);
      const to = placeOf(after, entity);
      const changes = changesOf(recorder, correction);
      this.#pending.push({ atMs, tick, seat, metres, from, to, cause, by, since, changes });
    }
    recorder.endRollback();
  }

  #takeFinal(nowMs: number): FlightCorrection[] {
    const final: FlightCorrection[] = [];
    while (this.#pending.length > 0 && this.#pending[0]!.atMs + FINAL_AFTER_MS <= nowMs) {
      final.push(this.#withDelay(this.#pending.shift()!));
    }
    return final;
  }

  #withDelay(correction: PendingCorrection): FlightCorrection {
    const { by, since, cause, atMs } = correction;
    if (by === undefined || since === undefined || cause === "presence") {
      return { ...correction, delay: undefined };
    }
    const isOwn = by === this.#ownSeat;
    return { ...correction, delay: this.#delays.explain({ seat: by, tick: since, isOwn, atMs }) };
  }

  #addDefinitive(definitive: Tick): void {
    const from = Math.max(this.#definitive + 1, definitive - HISTORY_TICKS + 1);
    this.#definitive = Math.max(this.#definitive, definitive);
    for (let tick = from; tick <= definitive; tick++) this.#finalize(tick);
  }

  #finalize(tick: Tick): void {
    const step = this.#steps.get(tick);
    if (step === undefined) return;
    const { first, newest: definitive, known } = step;
    const { same } = this.#game.command;
    let announced = 0;
    for (let seat = 0; seat < SEATS; seat++) {
      if (this.#delays.isAnnounced(tick, seat)) announced |= 1 << seat;
    }
    const final = { first, known, definitive, announced, same };
    for (let seat = 0; seat < SEATS; seat++) this.lanes.set(tick, seat, finalState(seat, final));
  }

  /** Whether the replay reached the state that the page recorded. */
  #isAt({ simulation }: Replica<Command>, { tick, words, steps }: FlightState): boolean {
    const state = this.#states.get(tick);
    return state !== undefined && state.length === words.length &&
      simulation.tick === tick + steps.length &&
      words.every((word, i) => word === state.words[i]);
  }
}

/** A simulation that replays the page's, and what finds its corrections' causes. */
interface Replica<Command> {
  readonly recorder: StepRecorder<Command>;
  readonly simulation: Simulation<Command>;
  readonly attribution: Attribution<Command>;
}

function newReplica<Command>(
  game: Game<Command>,
  options: GameOptions,
  seed: number,
): Replica<Command> {
  const recorder = new StepRecorder<Command>();
  const simulation = recorder.record(game).start(options, seed);
  return { recorder, simulation, attribution: new Attribution({ recorder, codec: game.command }) };
}

/** Finds the fields in which the causing seat's commands differ from the prediction. */
function changesOf<Command>(
  recorder: StepRecorder<Command>,
  { by, since }: Correction,
): FieldChange[] {
  const changes = new Map<string, FieldChange>();
  const { head = -1 } = recorder.rollback ?? {};
  if (by === undefined || since === undefined) return [];
  for (let tick = since; tick <= head; tick++) {
    const before = fieldsOf(recorder.commandBefore(tick, by));
    const now = fieldsOf(recorder.commandNow(tick, by));
    for (const field of Object.keys(now)) {
      const guessed = before[field];
      const actual = now[field];
      if (changes.has(field) || !(field in before) || guessed === actual) continue;
      changes.set(field, { field, guessed, actual });
    }
  }
  return [...changes.values()];
}

/** Returns a command's fields, which are plain values; an empty seat gives none. */
function fieldsOf(command: unknown): Readonly<Record<string, unknown>> {
  return (command ?? {}) as Readonly<Record<string, unknown>>;
}

function reset(poses: PoseList): PoseList {
  poses.reset();
  return poses;
}

function placeOf(poses: PoseList, entity: number): { x: number; y: number } {
  const { x = NaN, y = NaN } = poses.find(entity) ?? {};
  return { x, y };
}
