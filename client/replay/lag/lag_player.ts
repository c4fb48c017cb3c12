/**
 * Shows a lag report at any tick: the states that the player's page predicted, each as the page
 * first computed it, and the corrections that followed, with their causes. It steps what the page
 * stepped, bit for bit.
 *
 *     shown(T) = f( S(T − 1) as the page had it, the commands that it used )        definitive(T) = the newest S(T)
 *
 * It compares each definitive tick with the hash that the server sent.
 */
import type { Commands, Game, SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { LogDifference } from "../../../shared/netcode/match_log/replay.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { rulesOf } from "../../../shared/netcode/own_npcs.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import {
  type FlightCorrection,
  FlightReplay,
  type ReplayedStep,
} from "../../debug/replay/flight_replay.ts";
import type { PosesAt } from "../../debug/replay/pose_history.ts";
import { decodeLagFile } from "../../debug/lag/lag_file.ts";
import type { LagReport } from "../../debug/lag/lag_report.ts";
import { type FrameTable, savedTable, type Sight, sightOf } from "../../debug/sights.ts";
import type { FlightEntry } from "../../presentation/flight_recording.ts";
import type { CheckStatus, PlayedElsewhere, ReplaySource } from "../replay_source.ts";

const HASH_MASK = 0xffff;

/** One tick as the page first stepped it, and its state after the last stepping. */
interface Moment<Command> {
  readonly before: Snapshot;
  readonly commands: Commands<Command>;
  readonly newest: Snapshot;
}

export class LagPlayer<Command, Sim extends Simulation<Command>> implements ReplaySource<Sim> {
  readonly report: LagReport;
  readonly firstTick: Tick;
  readonly #lastRecordedTick: Tick;
  /** In order of occurrence. */
  readonly corrections: FlightCorrection[] = [];
  readonly lanes: ReplaySource<Sim>["lanes"];
  readonly shown: { tick: Tick; readonly simulation: Sim; readonly snapshot: Snapshot };
  readonly #frames: FrameTable;
  readonly #replay: FlightReplay<Command>;
  readonly #moments = new Map<Tick, Moment<Command>>();
  readonly #hashes = new Map<Tick, number>();
  readonly #marks = new Set<Tick>();
  /** How many entries are replayed. */
  #replayed = 0;
  #newestStep: Tick = -1;
  #equalTicks = 0;
  readonly #trial: PlayedElsewhere | undefined;
  #error: LogError | undefined;
  #difference: LogDifference | undefined;

  /**
   * @param trial how far the file was played elsewhere, which limits how far it is played here;
   *   without it, all of the file is played
   * @throws LogError if the bytes are not a report from this game, or nothing was played in it
   */
  constructor(game: Game<Command, Sim>, bytes: Uint8Array, trial?: PlayedElsewhere) {
    this.#trial = trial;
    const report = this.report = decodeLagFile(bytes, game);
    const { npcs, seed, choices } = report;
    const rules = rulesOf(game, report);
    this.#frames = savedTable(report.frames);
    const { firstTick, lastTick } = endsOf(report.entries);
    this.firstTick = firstTick;
    this.#lastRecordedTick = lastTick;

    const replay = this.#replay = new FlightReplay(game, {
      ...report,
      onStep: (step) => this.#record(step),
    });

    this.shown = {
      tick: -1,
      simulation: rules.start({ npcs, choices }, seed),
      snapshot: new Snapshot(),
    };

    const marks = this.#marks;
    this.lanes = {
      get newest() {
        return replay.lanes.newest;
      },
      at: (tick, seat) => replay.lanes.at(tick, seat),
      hasMark: (tick) => marks.has(tick),
    };
  }

  get room(): string {
    return this.report.room;
  }

  get names(): ReadonlyMap<SeatId, string> {
    return this.report.names;
  }

  get lastTick(): Tick {
    return this.#error === undefined
      ? this.#lastRecordedTick
      : Math.max(this.firstTick, this.#newestStep);
  }

  get checkedTick(): Tick {
    return this.status.isComplete ? this.lastTick : Math.min(this.#newestStep, this.lastTick);
  }

  get status(): CheckStatus {
    const isComplete = this.#error !== undefined || this.#replayed === this.report.entries.length;
    return {
      equalTicks: this.#equalTicks,
      isComplete,
      error: this.#error,
      difference: this.#difference,
      fault: undefined,
    };
  }

  get isWaiting(): boolean {
    const trial = this.#trial;
    return !this.status.isComplete && trial !== undefined && trial.fault === "" &&
      this.#replayed >= trial.played;
  }

  /** Finds the bodies' places at a tick, as first predicted and as they really were. */
  readonly posesAt = (tick: Tick): PosesAt | undefined => this.#replay.poses.at(tick);

  /**
   * Finds what the player saw of a correction; undefined if it is older than the report's frames.
   */
  readonly sightOf = (correction: FlightCorrection): Sight | undefined =>
    sightOf(this.#frames, correction);

  /**
   * Hashes a tick's state as the page last computed it, 32 bits; undefined for a tick that it did
   * not step.
   */
  definitiveHash(tick: Tick): number | undefined {
    const state = this.#moments.get(tick)?.newest;
    return state && hashOfSnapshot(state);
  }

  check(ticks: number): boolean {
    for (let i = 0; i < ticks && this.#mayReplay(); i++) this.#replayEntry();
    return this.status.isComplete;
  }

  /**
   * Whether the next entry may be replayed now. If the trial found a fault, entries beyond it never
   * may.
   */
  #mayReplay(): boolean {
    const trial = this.#trial;
    if (this.status.isComplete) return false;
    if (trial === undefined || this.#replayed < trial.played) return true;
    if (trial.fault !== "") this.#error = new LogError(`it cannot be played (${trial.fault})`);
    return false;
  }

  goTo(tick: Tick): void {
    const wanted = Math.max(this.firstTick, Math.min(tick, this.lastTick));
    const { shown } = this;
    while (this.#newestStep < wanted && this.#mayReplay()) this.#replayEntry();
    if (shown.tick === wanted) return;
    shown.tick = wanted;
    const moment = this.#moments.get(wanted);
    // The page did not step this tick, because it waited for a state, so the frame stays.
    if (moment === undefined) return;
    shown.simulation.load(moment.before);
    shown.simulation.step(moment.commands);
    shown.simulation.save(shown.snapshot);
  }

  #replayEntry(): void {
    const entry = this.report.entries[this.#replayed]!;
    for (const { tick, hash } of entry.ticks) this.#hashes.set(tick, hash);
    try {
      const { corrections, divergences } = this.#replay.add([entry]);
      this.#addCorrections(corrections);
      if (divergences > 0) {
        throw new LogError(`its steps do not lead to its state at tick ${entry.state!.tick}`);
      }
    } catch (error) {
      // A file's checks do not prove who made it, so a bad state in it can make a game throw
      // anything.
      const { message } = error as Error;
      this.#error = new LogError(
        error instanceof LogError ? message : `it cannot be played (${message})`,
      );
      return;
    }

    this.#replayed++;
    this.#compareHashes(entry.definitive);
    if (this.#replayed === this.report.entries.length) this.#addCorrections(this.#replay.finish());
  }

  #addCorrections(corrections: readonly FlightCorrection[]): void {
    for (const correction of corrections) {
      this.corrections.push(correction);
      this.#marks.add(correction.tick);
    }
  }

  #record({ tick, commands, before, after }: ReplayedStep<Command>): void {
    this.#newestStep = Math.max(this.#newestStep, tick);
    const known = this.#moments.get(tick);
    if (known !== undefined) return known.newest.copyFrom(after);
    this.#moments.set(tick, { before: copyOf(before), commands, newest: copyOf(after) });
  }

  #compareHashes(definitive: Tick): void {
    // The server that only ordered commands had none.
    if (this.report.isOrdered) return;
    for (const [tick, hash] of this.#hashes) {
      if (tick > definitive) continue;
      this.#hashes.delete(tick);
      const own = this.definitiveHash(tick);
      if (own === undefined) continue;
      if ((own & HASH_MASK) === hash) this.#equalTicks++;
      else this.#difference ??= new LogDifference(tick);
    }
  }
}

function copyOf(state: Snapshot): Snapshot {
  const copy = new Snapshot(0);
  copy.copyFrom(state);
  return copy;
}

/**
 * Finds the first and the last tick that the page stepped from the first state on.
 * @throws LogError if it stepped none
 */
function endsOf(entries: readonly FlightEntry[]): { firstTick: Tick; lastTick: Tick } {
  const begin = entries.findIndex(({ state }) => state !== undefined);
  const { state } = entries[begin] ?? {};
  const lastTick = entries.slice(Math.max(0, begin)).flatMap(({ steps }) => steps)
    .reduce((newest, { tick }) => Math.max(newest, tick), -1);
  if (state === undefined || lastTick <= state.tick) {
    throw new LogError("a lag file in which nothing was played");
  }
  return { firstTick: state.tick + 1, lastTick };
}
