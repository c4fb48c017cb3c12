/**
 * Predicts on a client: it uses local commands at once, other seats' commands as far as they are
 * announced, and assumed commands beyond that.
 *
 *     predicted(n) = f( predicted(n−1), C(n) )      C(n): the commands that the timeline has or assumes now
 *
 * If it stepped a tick with wrong commands, it loads the state before that tick and resimulates up
 * to the head, in one go, before the next frame is drawn. The error smoother hides the jump.
 */
import { type JoinState, joinStateAt } from "../../shared/netcode/join_state.ts";
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import type { Commands, Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import { decodedBy } from "../../shared/netcode/wire/decoded_commands.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import {
  COMMANDS_AHEAD_TICKS_MAX,
  HISTORY_TICKS,
  type SeatRecord,
  Timeline,
} from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/**
 * The deepest rollback, 1.6 s at 20 Hz. A deeper one would cost more than a frame's time, so a
 * client that is further behind takes the server's state.
 */
export const RESIMULATION_TICKS_MAX = 32;

export interface PredictorOptions<Command> {
  readonly simulation: Simulation<Command>;
  /** The local seat; undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Receives the poses at head − 1, for drawing between ticks. */
  readonly previousPoses: PoseList;
  /** Called after every step, resimulations included. */
  readonly onStep: () => void;
  /** Gets an author's mistake in a guess. */
  readonly onMistake: (mistake: Error) => void;
}

export class Predictor<Command> {
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #states = new TickRing<Snapshot>(HISTORY_TICKS, () => new Snapshot(0));
  readonly #options: PredictorOptions<Command>;
  readonly #decoded: (command: Command) => Command;
  readonly #isSame: (a: Command, b: Command) => boolean;
  /** The local seat's commands, announced or not. They survive an adopted state. */
  readonly #localCommands = new TickRing<{ command: Command | undefined }>(
    HISTORY_TICKS,
    () => ({ command: undefined }),
  );
  #newestLocalTick: Tick = -1;
  /**
   * The tick at which `begin` received its seat records, before which the timeline holds no
   * commands.
   */
  #startTick: Tick = -1;
  /** The first tick with commands that may have changed since it was stepped; Infinity for none. */
  #invalidFrom: Tick = Infinity;

  constructor(game: Game<Command>, options: PredictorOptions<Command>) {
    this.#options = options;
    this.#simulation = options.simulation;
    this.#decoded = decodedBy(game.command);
    this.#isSame = (a, b) => game.command.same(a, b);
    const { seat, onMistake } = options;
    this.#timeline = new Timeline(
      game,
      game.newGuesser && { newGuesser: () => game.newGuesser!(onMistake), ownSeat: seat },
    );
    this.#timeline.begin(this.#simulation.tick, []);
  }

  /** The newest predicted tick. */
  get head(): Tick {
    return this.#simulation.tick;
  }

  /**
   * Sets the local command for a tick that is not stepped yet.
   * @returns the command as the server will decode it: with the raw value of an analog stick the
   * prediction would roll back each tick, when the server announces the coded one (SPEC 1.22)
   * @throws RangeError for a spectator
   */
  setLocalCommand(tick: Tick, given: Command): Command {
    const { seat } = this.#options;
    const command = this.#decoded(given);
    if (seat === undefined) throw new RangeError("a spectator has no commands");
    this.#localCommands.claim(tick).command = command;
    this.#newestLocalTick = tick;
    // If the server is silent for long, the local clock runs on beyond the timeline's end. By the
    // time the head gets there, the server will have announced the commands.
    if (tick <= this.head + COMMANDS_AHEAD_TICKS_MAX) {
      this.#timeline.setLocalCommand(tick, seat, command);
    }
    return command;
  }

  /**
   * Finds the local command for a tick, announced or not; undefined if there was none or it is too
   * old.
   */
  localCommandAt(tick: Tick): Command | undefined {
    return this.#localCommands.get(tick)?.command;
  }

  /**
   * Whether this client gave another command for a tick, or none. False for a tick that it forgot.
   */
  gaveAnother(tick: Tick, command: Command): boolean {
    if (tick <= this.#newestLocalTick - HISTORY_TICKS) return false;
    const given = this.localCommandAt(tick);
    return given === undefined || !this.#isSame(given, command);
  }

  /**
   * Forgets local commands after `tick`, because the clock jumped back and they will be given again
   * when their ticks come.
   */
  forgetLocalCommands(tick: Tick): void {
    for (
      let later = Math.max(tick, this.#newestLocalTick - HISTORY_TICKS) + 1;
      later <= this.#newestLocalTick;
      later++
    ) {
      const given = this.#localCommands.get(later);
      if (given !== undefined) given.command = undefined;
    }
    this.#newestLocalTick = Math.min(this.#newestLocalTick, tick);
  }

  /** Finds the announced command; undefined if there is none. */
  announcedAt(tick: Tick, seat: SeatId): Command | undefined {
    return this.#timeline.announcedAt(tick, seat);
  }

  /**
   * Stores an announcement: `seat` uses `command` at `tick`. If that tick is already stepped, the
   * next `reconcile` corrects it.
   */
  announce(tick: Tick, seat: SeatId, command: Command): void {
    this.#timeline.announce(tick, seat, command);
    this.#invalidateFrom(tick);
  }

  /**
   * Stores an announced presence change: from `tick` on, a player or an NPC holds `seat`, or it is
   * empty.
   */
  setPresence(tick: Tick, seat: SeatId, present: boolean): void {
    this.#timeline.setPresence(tick, seat, present);
    this.#invalidateFrom(tick);
  }

  /** Makes `tick` definitive. @returns whether a local command for it came too late */
  finalize(tick: Tick): boolean {
    const late = this.#timeline.finalize(tick);
    // The server may have assumed a different command from the guessed one.
    if (late || this.#timeline.hasGuesses(tick)) this.#invalidateFrom(tick);
    return late;
  }

  /**
   * Writes the commands for the tick after the head, as known now, to `out`. If the local seat's is
   * not known yet, `localCommand` takes its place.
   */
  predictCommands(localCommand: Command | undefined, out: (Command | undefined)[]): void {
    const tick = this.head + 1;
    const { seat } = this.#options;
    this.#timeline.resolve(tick, true);
    const commands = this.#timeline.commands(tick);
    for (let i = 0; i < commands.length; i++) out[i] = commands[i];
    if (seat === undefined || localCommand === undefined || out[seat] === undefined) return;
    if (!this.#timeline.isKnown(tick, seat)) out[seat] = this.#decoded(localCommand);
  }

  isPresent(tick: Tick, seat: SeatId): boolean {
    return this.#timeline.isPresent(tick, seat);
  }

  /** Whether this seat's command for the tick is known instead of assumed. */
  isKnown(tick: Tick, seat: SeatId): boolean {
    return this.#timeline.isKnown(tick, seat);
  }

  /** Predicts one more tick. */
  predict(): void {
    this.#timeline.resolve(this.head + 1, true);
    this.#step();
  }

  /**
   * Resimulates up to the head from the first tick that was stepped with different commands than
   * those known now.
   * @returns how many ticks were resimulated; 0 if every assumption held
   */
  reconcile(): number {
    const head = this.head;
    const mispredicted = this.#firstMispredicted(head);
    this.#invalidFrom = Infinity;
    if (mispredicted === undefined) return 0;
    this.#load(mispredicted - 1);
    this.#advanceTo(head);
    return head - mispredicted + 1;
  }

  /**
   * Adopts the server's S(tick) and predicts again from there, with the local commands since.
   * @param serverState.announce called once the timeline restarted, to announce everything known
   *   beyond `tick`
   * @returns the number of resimulated ticks
   * @throws SnapshotError if the snapshot is not a state of this game
   */
  adopt(
    tick: Tick,
    serverState: {
      snapshot: Snapshot;
      seats: readonly SeatRecord<Command>[];
      announce: () => void;
    },
  ): number {
    const head = this.head;
    this.#simulation.load(serverState.snapshot);
    this.#states.clear();
    this.#states.claim(tick).copyFrom(serverState.snapshot);
    this.#timeline.begin(tick, serverState.seats);
    this.#restoreLocalCommands(tick);
    serverState.announce();
    this.#invalidFrom = Infinity;
    // A head so far ahead dates from before a pause, so the session predicts forward again from
    // `tick`.
    if (head <= tick || head - tick > RESIMULATION_TICKS_MAX) return 0;
    this.#advanceTo(head);
    return head - tick;
  }

  /**
   * Lets `change` alter the local S(tick), and predicts again up to the old head.
   * @param change receives the simulation at S(tick), or at the newest state in reach if S(tick) is
   * too far away; it leaves a state of `tick`
   * @returns the number of resimulated ticks
   */
  rebase(tick: Tick, change: (simulation: Simulation<Command>) => void): number {
    const head = this.head;
    const first = Math.min(tick, this.#firstMispredicted(Math.min(head, tick)) ?? tick);
    this.#invalidFrom = Infinity;
    if (first <= head && this.#states.get(first - 1) !== undefined) this.#load(first - 1);
    const canStep = this.head >= this.#startTick && tick - this.head <= RESIMULATION_TICKS_MAX;
    if (canStep) this.#advanceTo(tick);
    // Ticks that are not stepped are still resolved, because later assumptions depend on them. The
    // commands at `#startTick` come from the seat records.
    const from = Math.max(this.head, this.#startTick, tick - HISTORY_TICKS + 1);
    for (let skipped = from + 1; skipped <= tick; skipped++) this.#timeline.resolve(skipped);
    change(this.#simulation);
    this.#simulation.save(this.#states.claim(tick));
    if (head <= tick || head - tick > RESIMULATION_TICKS_MAX) return 0;
    this.#advanceTo(head);
    return head - tick;
  }

  /**
   * Returns to an earlier head, because the clock jumped back. Without the state before that tick,
   * the head stays. Call it after `reconcile`.
   */
  rewind(head: Tick): void {
    if (this.#states.get(head - 1) === undefined) return;
    this.#load(head - 1);
    this.predict();
  }

  /** Returns a recent tick's commands, as last resolved. */
  commandsOf(tick: Tick): Commands<Command> {
    return this.#timeline.commands(tick);
  }

  /**
   * Restarts from the server's seat records at `tick`, like `adopt` but without a snapshot;
   * `rebase` then supplies the state.
   */
  begin(
    tick: Tick,
    { seats, announce }: { seats: readonly SeatRecord<Command>[]; announce: () => void },
  ): void {
    this.#states.clear();
    this.#startTick = tick;
    this.#timeline.begin(tick, seats);
    this.#restoreLocalCommands(tick);
    announce();
    this.#invalidFrom = Infinity;
  }

  /**
   * Hashes the state predicted for `tick`; undefined if the tick is not predicted yet or is too
   * old.
   */
  hashOf(tick: Tick): number | undefined {
    const state = this.#states.get(tick);
    return state === undefined ? undefined : hashOfSnapshot(state);
  }

  /** Copies S(tick) to another snapshot. @returns whether the tick is in the history */
  copyState(tick: Tick, into: Snapshot): boolean {
    const state = this.#states.get(tick);
    if (state !== undefined) into.copyFrom(state);
    return state !== undefined;
  }

  /**
   * Collects S(tick) with all that is announced beyond it, for another process to go on from.
   * @param nameOf the player's name at a seat; empty for an NPC
   * @returns undefined for a tick that is not in the history
   */
  joinStateAt(tick: Tick, nameOf: (seat: SeatId) => string): JoinState<Command> | undefined {
    const snapshot = this.#states.get(tick);
    if (snapshot === undefined) return undefined;
    const pending = this.#timeline.changesBeyond(tick).map((change) => ({
      ...change,
      name: change.present ? nameOf(change.seat) : "",
    }));
    return joinStateAt(tick, { timeline: this.#timeline, presence: { nameOf, pending }, snapshot });
  }

  #restoreLocalCommands(after: Tick): void {
    const { seat } = this.#options;
    if (seat === undefined) return;
    const last = Math.min(this.#newestLocalTick, after + COMMANDS_AHEAD_TICKS_MAX);
    for (let tick = after + 1; tick <= last; tick++) {
      const command = this.#localCommands.get(tick)?.command;
      if (command !== undefined) this.#timeline.setLocalCommand(tick, seat, command);
    }
  }

  #invalidateFrom(tick: Tick): void {
    this.#invalidFrom = Math.min(this.#invalidFrom, tick);
  }

  #firstMispredicted(head: Tick): Tick | undefined {
    for (let tick = this.#invalidFrom; tick <= head; tick++) {
      if (this.#timeline.resolve(tick)) return tick;
    }
    return undefined;
  }

  #advanceTo(head: Tick): void {
    while (this.head < head) this.predict();
  }

  #step(): void {
    this.#simulation.poses(this.#options.previousPoses);
    this.#simulation.step(this.#timeline.commands(this.head + 1));
    this.#simulation.save(this.#states.claim(this.head));
    this.#options.onStep();
  }

  #load(tick: Tick): void {
    const state = this.#states.get(tick);
    if (state === undefined) {
      throw new RangeError(`tick ${tick} is not among the ${HISTORY_TICKS} ticks of the history`);
    }
    this.#simulation.load(state);
  }
}
