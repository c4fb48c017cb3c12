/**
 * What the server says, taken into the prediction: announcements, presence, definitive ticks and their hashes, and a whole
 * state where ours is missing or wrong.
 *
 *     in step:      hash of our S(n) = the server's, for every definitive tick n so far
 *     out of step:  nothing is believed until the server's own S(n) is here
 */
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type { BodyStreamRequest, FullState, TickMessage } from "../../shared/netcode/wire/messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { StateHashCheck } from "./state_hash_check.ts";
import type { Predictor } from "./predictor.ts";
import { countWait, type SessionStats } from "./session_stats.ts";
import type { BodyStreamClient } from "./body_stream_client.ts";

export class Reconciler<Command> {
  readonly #predictor: Predictor<Command>;
  readonly #stats: SessionStats;
  readonly #bodyStream: BodyStreamClient<Command> | undefined;
  readonly #hashCheck = new StateHashCheck();
  readonly #snapshot = new Snapshot(0);
  /** Our own; undefined for a watcher. */
  readonly #seat: SeatId | undefined;
  /** The tick from which our own seat is in the game. */
  #entersAt: Tick = Infinity;
  #received: Tick = -1;
  /** The newest tick for which a command of our own seat has been announced, and that command. */
  #acknowledgedTick: Tick = -1;
  #acknowledged: Command | undefined;
  #isDesynced = true;
  /** A state has been adopted: the state stream was not our choice. */
  #wasInSync = false;

  /** By seat, of everybody present or announced. */
  readonly names = new Map<SeatId, string>();

  /** @param options.stream undefined where the game has no state stream */
  constructor(
    predictor: Predictor<Command>,
    { seat, stats, bodyStream }: {
      seat: SeatId | undefined;
      stats: SessionStats;
      bodyStream: BodyStreamClient<Command> | undefined;
    },
  ) {
    this.#predictor = predictor;
    this.#seat = seat;
    this.#stats = stats;
    this.#bodyStream = bodyStream;
  }

  /** The newest definitive tick received; -1 before the first. */
  get received(): Tick {
    return this.#received;
  }

  /**
   * Our own seat's newest command that the server has announced and the game will see, whoever gave it; undefined before the
   * first: what is announced for ticks before the seat is in the game is seen by nobody.
   */
  get acknowledged(): Command | undefined {
    return this.#acknowledged;
  }

  /** Our state is not the definitive one, or is missing: we wait for the server's. */
  get isDesynced(): boolean {
    return this.#isDesynced;
  }

  /**
   * Takes one definitive tick. What it contradicts is corrected by the predictor's next `reconcile`.
   * @returns how many ticks an adopted state made us resimulate at once
   * @throws WireError where no honest server says this, SnapshotError where a state is none
   */
  receive(message: TickMessage<Command>): number {
    if (message.tick <= this.#received) throw new WireError(`tick ${message.tick} after tick ${this.#received}`);
    const gap = message.tick !== this.#received + 1;
    this.#received = message.tick;
    this.#stats.ticks++;
    countWait(this.#stats, message);
    if (message.state !== undefined) return this.#adopt(message, message.state);
    // A page that slept: stepping through all of it would take longer than asking for the state.
    const farBehind = message.tick > this.#predictor.head + COMMANDS_AHEAD_TICKS_MAX;
    if (gap || farBehind) this.#isDesynced = true;
    if (this.#isDesynced) return 0;
    this.#applyDelta(message);
    if (this.#predictor.finalize(message.tick)) this.#stats.commandsLate++;
    this.#hashCheck.expect(message.tick, message.hash);
    if (this.#bodyStream?.isOn) this.#bodyStream.receive(message);
    return 0;
  }

  /** Corrects what the ticks taken contradict. @returns how many ticks were resimulated */
  reconcile(): number {
    const bodyStream = this.#bodyStream;
    if (!bodyStream?.isOn) return this.#predictor.reconcile();
    const resimulated = bodyStream.reconcile();
    if (resimulated === undefined) return this.#predictor.reconcile();
    this.#stats.statesAdopted++;
    // Back among those who agree: what was told before is settled.
    if (!bodyStream.isOn) this.#hashCheck.skip(this.#received);
    return resimulated;
  }

  /** What is said of the state stream with each command. */
  get bodyStreamRequest(): BodyStreamRequest | undefined {
    return this.#isDesynced ? undefined : this.#bodyStream?.request;
  }

  /** The newest tick whose bodies are here. */
  get bodiesAck(): Tick {
    return this.#bodyStream?.bodiesAck ?? 0;
  }

  /** Compares the hashes of every definitive tick that is predicted by now. Call it after `reconcile`. */
  check(): void {
    if (this.#isDesynced || this.#bodyStream?.isOn) return;
    const predictor = this.#predictor;
    const differs = this.#hashCheck.check(Math.min(this.#received, predictor.head), (tick) => predictor.hashOf(tick));
    if (differs === undefined) return;
    this.#stats.desyncs++;
    this.#isDesynced = true;
  }

  /** Our hash, 32 bits, of a tick that was proven equal to the server's; undefined where it was not (yet). */
  provenHash(tick: Tick): number | undefined {
    return this.#hashCheck.proven(tick);
  }

  #applyDelta({ tick, presence, announcements }: TickMessage<Command>): void {
    for (const change of presence) {
      checkAhead(change.tick, tick);
      this.#predictor.setPresence(change.tick, change.seat, change.present);
      if (change.present) this.names.set(change.seat, change.name);
      if (change.present && change.seat === this.#seat) this.#entersAt = change.tick;
    }
    for (const announcement of announcements) {
      checkAhead(announcement.tick, tick);
      this.#predictor.announce(announcement.tick, announcement.seat, announcement.command);
      if (announcement.seat === this.#seat) this.#acknowledge(announcement.tick, announcement.command);
    }
  }

  #acknowledge(tick: Tick, command: Command): void {
    if (tick < this.#acknowledgedTick || tick < this.#entersAt) return;
    this.#acknowledgedTick = tick;
    this.#acknowledged = command;
  }

  #adopt(message: TickMessage<Command>, { seats, snapshot }: FullState<Command>): number {
    this.#loadSeats(message.tick, seats);
    const announce = () => this.#applyDelta(message);
    this.#isDesynced = false;
    this.#stats.statesAdopted++;
    if (message.bodies !== undefined) {
      // It was chosen, or it is given to who cannot agree: who has had a state before.
      this.#bodyStream?.open(message.tick, this.#wasInSync);
      this.#predictor.begin(message.tick, { seats, announce });
      this.#bodyStream?.receive(message);
      return 0;
    }
    this.#wasInSync = true;
    this.#snapshot.setBytes(snapshot);
    if (this.#bodyStream?.isOn) this.#bodyStream.startProbe(message, this.#snapshot);
    this.#hashCheck.restart(message.tick, message.hash);
    return this.#predictor.adopt(message.tick, { snapshot: this.#snapshot, seats, announce });
  }

  #loadSeats(tick: Tick, seats: FullState<Command>["seats"]): void {
    this.names.clear();
    for (const { seat, name, last, ticksMissing } of seats) {
      this.names.set(seat, name);
      if (seat !== this.#seat) continue;
      this.#entersAt = Math.min(this.#entersAt, tick - ticksMissing);
      if (last !== undefined) this.#acknowledge(tick - ticksMissing, last);
    }
  }
}

/**
 * How far ahead of a definitive tick something may be announced: a command by 64 ticks, and a leaving after the last promised
 * command by some more.
 */
const ANNOUNCED_AHEAD_TICKS_MAX = COMMANDS_AHEAD_TICKS_MAX + 2;

/** @throws WireError for a tick that no honest server announces when `definitive` is its newest */
function checkAhead(tick: Tick, definitive: Tick): void {
  if (tick > definitive + ANNOUNCED_AHEAD_TICKS_MAX) throw new WireError(`tick ${tick} announced at ${definitive}`);
}
