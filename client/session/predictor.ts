/**
 * A client's future: our own commands at once, everyone else's as far as they are announced, assumed beyond that.
 *
 *     predicted(n) = f( predicted(n-1), C(n) )      C(n) as the timeline knows or assumes it now
 *
 * When the timeline learns that a tick was stepped with the wrong commands, the tick before it is loaded and everything since
 * is stepped again, in one go, before the next picture is drawn. Nobody sees the states between; the smoother hides the jump.
 */
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import type { Commands, Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { PoseList } from "../../shared/netcode/pose_list.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { COMMANDS_AHEAD_TICKS_MAX, HISTORY_TICKS, type SeatRecord, Timeline } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/** A deeper rollback would cost more than a picture's time; who is that far behind takes the server's state instead. 1.6 s. */
export const RESIMULATION_TICKS_MAX = 32;

export interface PredictorOptions<Command> {
  readonly simulation: Simulation<Command>;
  /** Our own; undefined for a watcher. */
  readonly seat: SeatId | undefined;
  /** Kept at the poses of head - 1, for drawing between ticks. */
  readonly previousPoses: PoseList;
  /** Called after every step, also of a resimulation. */
  readonly onStep: () => void;
}

export class Predictor<Command> {
  readonly #simulation: Simulation<Command>;
  readonly #timeline: Timeline<Command>;
  readonly #states = new TickRing<Snapshot>(HISTORY_TICKS, () => new Snapshot(0));
  readonly #options: PredictorOptions<Command>;
  /** Our own commands, announced or not: they outlive an adopted state. */
  readonly #localCommands = new TickRing<{ command: Command | undefined }>(
    HISTORY_TICKS,
    () => ({ command: undefined }),
  );
  #newestLocalTick: Tick = -1;
  /** Whose seats the server told us last: before it nothing is known. */
  #startTick: Tick = -1;
  /** The first tick of which something has been learned since it was stepped. */
  #invalidFrom: Tick = Infinity;

  constructor(game: Game<Command>, options: PredictorOptions<Command>) {
    this.#options = options;
    this.#simulation = options.simulation;
    this.#timeline = new Timeline(game);
    this.#timeline.begin(this.#simulation.tick, []);
  }

  /** The newest predicted tick. */
  get head(): Tick {
    return this.#simulation.tick;
  }

  /** Our own command for a tick not stepped yet. */
  setLocalCommand(tick: Tick, command: Command): void {
    const { seat } = this.#options;
    if (seat === undefined) throw new RangeError("a watcher intends nothing");
    this.#localCommands.claim(tick).command = command;
    this.#newestLocalTick = tick;
    // Where nothing is heard for long our clock goes on, but the timeline reaches only so far. What we did beyond it the server will
    // have announced by the time that the head comes there.
    if (tick <= this.head + COMMANDS_AHEAD_TICKS_MAX) this.#timeline.setLocalCommand(tick, seat, command);
  }

  /** Our own command for a tick, announced or not; undefined where there was none or it is forgotten. */
  localCommandAt(tick: Tick): Command | undefined {
    return this.#localCommands.get(tick)?.command;
  }

  /** The announced command; undefined where there is none. */
  announcedAt(tick: Tick, seat: SeatId): Command | undefined {
    return this.#timeline.announcedAt(tick, seat);
  }

  /** The server's word that `seat` does `command` at `tick`. Ticks stepped already change with the next `reconcile`. */
  announce(tick: Tick, seat: SeatId, command: Command): void {
    this.#timeline.announce(tick, seat, command);
    this.#invalidateFrom(tick);
  }

  /** The server's word that from `tick` on somebody sits on `seat`, or nobody does. */
  setPresence(tick: Tick, seat: SeatId, present: boolean): void {
    this.#timeline.setPresence(tick, seat, present);
    this.#invalidateFrom(tick);
  }

  /** `tick` is definitive. @returns whether a command of ours for it came too late */
  finalize(tick: Tick): boolean {
    const late = this.#timeline.finalize(tick);
    if (late) this.#invalidateFrom(tick);
    return late;
  }

  /** The commands of the tick after the head as they are known now, into `out`; `localCommand` is ours where none is promised. */
  predictCommands(localCommand: Command | undefined, out: (Command | undefined)[]): void {
    const tick = this.head + 1, { seat } = this.#options;
    this.#timeline.resolve(tick);
    const commands = this.#timeline.commands(tick);
    for (let i = 0; i < commands.length; i++) out[i] = commands[i];
    if (seat === undefined || localCommand === undefined || out[seat] === undefined) return;
    if (!this.#timeline.isAnnounced(tick, seat)) out[seat] = localCommand;
  }

  isPresent(tick: Tick, seat: SeatId): boolean {
    return this.#timeline.isPresent(tick, seat);
  }

  /** Whether a command is known, not assumed, for this seat and tick. */
  isKnown(tick: Tick, seat: SeatId): boolean {
    return this.#timeline.isKnown(tick, seat);
  }

  /** Predicts one tick further. */
  predict(): void {
    this.#timeline.resolve(this.head + 1);
    this.#step();
  }

  /**
   * Steps again from the first tick that was stepped with other commands than the ones known now, up to the head.
   * @returns how many ticks were resimulated; 0 where every assumption held
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
   * Takes the server's own S(tick) and predicts again from there, with our own commands since.
   * @param announce called when the timeline has begun anew, to announce all that is known beyond `tick`
   * @returns how many ticks were resimulated
   * @throws SnapshotError where the snapshot is no state of this game
   */
  adopt(
    tick: Tick,
    serverState: { snapshot: Snapshot; seats: readonly SeatRecord<Command>[]; announce: () => void },
  ): number {
    const head = this.head;
    this.#simulation.load(serverState.snapshot);
    this.#states.clear();
    this.#states.claim(tick).copyFrom(serverState.snapshot);
    this.#timeline.begin(tick, serverState.seats);
    this.#restoreLocalCommands(tick);
    serverState.announce();
    this.#invalidFrom = Infinity;
    // A head that is far away belongs to another life of this client: the lead brings it forward again.
    if (head <= tick || head - tick > RESIMULATION_TICKS_MAX) return 0;
    this.#advanceTo(head);
    return head - tick;
  }

  /**
   * Makes S(tick) what `change` makes of our own, and predicts again from there, never less far than before.
   * @param change called with our own S(tick), or with what we have where that is too far away; it leaves a state of `tick`
   * @returns how many ticks were resimulated
   */
  rebase(tick: Tick, change: (simulation: Simulation<Command>) => void): number {
    const head = this.head, first = Math.min(tick, this.#firstMispredicted(Math.min(head, tick)) ?? tick);
    this.#invalidFrom = Infinity;
    if (first <= head && this.#states.get(first - 1) !== undefined) this.#load(first - 1);
    const canStep = this.head >= this.#startTick && tick - this.head <= RESIMULATION_TICKS_MAX;
    if (canStep) this.#advanceTo(tick);
    // What is not stepped is worked out all the same, but for the tick that the seats were told of themselves.
    const from = Math.max(this.head, this.#startTick, tick - HISTORY_TICKS + 1);
    for (let skipped = from + 1; skipped <= tick; skipped++) this.#timeline.resolve(skipped);
    change(this.#simulation);
    this.#simulation.save(this.#states.claim(tick));
    if (head <= tick || head - tick > RESIMULATION_TICKS_MAX) return 0;
    this.#advanceTo(head);
    return head - tick;
  }

  /** The commands of a definitive tick. */
  commandsOf(tick: Tick): Commands<Command> {
    return this.#timeline.commands(tick);
  }

  /** The server's own seats at `tick`, from where `rebase` goes on: as `adopt` without a snapshot. */
  begin(tick: Tick, { seats, announce }: { seats: readonly SeatRecord<Command>[]; announce: () => void }): void {
    this.#states.clear();
    this.#startTick = tick;
    this.#timeline.begin(tick, seats);
    this.#restoreLocalCommands(tick);
    announce();
    this.#invalidFrom = Infinity;
  }

  /** The hash of the state predicted for `tick`, undefined where it is not predicted yet or forgotten. */
  hashOf(tick: Tick): number | undefined {
    const state = this.#states.get(tick);
    return state === undefined ? undefined : hashOfSnapshot(state);
  }

  /** S(tick) into another snapshot. @returns whether it is here, not to come or forgotten */
  copyState(tick: Tick, into: Snapshot): boolean {
    const state = this.#states.get(tick);
    if (state !== undefined) into.copyFrom(state);
    return state !== undefined;
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
    for (let tick = this.#invalidFrom; tick <= head; tick++) if (this.#timeline.resolve(tick)) return tick;
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
    if (state === undefined) throw new RangeError(`tick ${tick} is forgotten: ${HISTORY_TICKS} ticks are remembered`);
    this.#simulation.load(state);
  }
}
