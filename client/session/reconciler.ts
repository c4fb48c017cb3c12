/**
 * Feeds the server's ticks into the prediction: announcements, presence, hashes, and a full state
 * if the local one is missing or wrong.
 *
 *     in sync:    the local hash of S(n) equals the server's, for every definitive tick n so far
 *     desynced:   nothing but the server's own S(n) is accepted
 *
 * A server that only orders commands has no hashes. Then the local ones become proofs for it.
 */
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type {
  BodyStreamRequest,
  EarlyMessage,
  FullState,
  TickMessage,
} from "../../shared/netcode/wire/messages.ts";
import {
  ANNOUNCED_AHEAD_TICKS_MAX,
  COMMANDS_AHEAD_TICKS_MAX,
} from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { StateHashCheck } from "./state_hash_check.ts";
import { LocalProofs } from "./local_proofs.ts";
import type { Predictor } from "./predictor.ts";
import { countWait, type SessionStats } from "./session_stats.ts";
import type { BodyStreamClient } from "./body_stream_client.ts";

/**
 * Two commands that come late within so many ticks were behind a lost packet. On a line without losses
 * they come late one by one, about six in a thousand, as the lead law wants it.
 */
const LOST_TOGETHER_TICKS = 4;
/** How long a loss says something about the line: half a minute at 20 Hz. */
const LOSS_TICKS = 600;

export class Reconciler<Command> {
  readonly #predictor: Predictor<Command>;
  readonly #stats: SessionStats;
  readonly #bodyStream: BodyStreamClient<Command> | undefined;
  readonly #hashCheck = new StateHashCheck();
  /** Undefined if the server simulates the match. */
  readonly #proofs: LocalProofs | undefined;
  readonly #snapshot = new Snapshot(0);
  /** The local seat; undefined for a spectator. */
  readonly #seat: SeatId | undefined;
  /** From which tick the local seat is in the game. */
  #entersAt: Tick = Infinity;
  #received: Tick = -1;
  /** The newest tick with an announced command from the local seat, and that command. */
  #acknowledgedTick: Tick = -1;
  #acknowledged: Command | undefined;
  /** The newest announced command that this client gave, and its tick. */
  #own: Command | undefined;
  #ownTick: Tick = -1;
  #npcUntil: Tick = -1;
  /** The newest tick for which this client's command came too late, and the newest of several. */
  #lateTick: Tick = -Infinity;
  #lossTick: Tick = -Infinity;
  /**
   * The newest tick for which another source gave the local seat's command: a bot, or another
   * window.
   */
  #givenByOthersUntil: Tick = -1;
  #isDesynced = true;
  #hasState = false;
  /**
   * Whether a full state was adopted before, which means that this client did not request the body
   * stream.
   */
  #wasInSync = false;

  /** Whether early announcements arrived since the last `reconcile`. */
  hasEarly = false;

  /** The names of everyone present or announced, by seat. */
  readonly names = new Map<SeatId, string>();

  /**
   * @param options.proofs undefined if the server simulates the match
   * @param options.bodyStream undefined for a game without a body stream
   */
  constructor(
    predictor: Predictor<Command>,
    { seat, stats, proofs, bodyStream }: {
      seat: SeatId | undefined;
      proofs: LocalProofs | undefined;
      stats: SessionStats;
      bodyStream: BodyStreamClient<Command> | undefined;
    },
  ) {
    this.#predictor = predictor;
    this.#seat = seat;
    this.#stats = stats;
    this.#proofs = proofs;
    this.#bodyStream = bodyStream;
  }

  /** The newest definitive tick received; -1 before the first. */
  get received(): Tick {
    return this.#received;
  }

  /**
   * The local seat's newest announced command that the game will apply, from the player or from a
   * bot; undefined before the first. Announcements for ticks before the seat enters do not count,
   * because the game never applies them.
   */
  get acknowledged(): Command | undefined {
    return this.#acknowledged;
  }

  /** The tick of `acknowledged`; −1 before the first. */
  get acknowledgedTick(): Tick {
    return this.#acknowledgedTick;
  }

  /** The newest announced command that this client gave; undefined before the first. */
  get own(): Command | undefined {
    return this.#own;
  }

  /**
   * The newest tick for which an NPC gave the local seat's command although this client is
   * connected; −1 for none.
   */
  get npcUntil(): Tick {
    return this.#npcUntil;
  }

  /**
   * Whether this client's line seems to lose packets, so that a command that is on its way may not
   * come in time.
   */
  get losesPackets(): boolean {
    return this.#received <= this.#lossTick + LOSS_TICKS;
  }

  /**
   * The first tick for which this client's command counts. Commands that were announced for its
   * seat before it came stay in force, and press counters continue from the last of them, so an
   * earlier command would seem to press.
   */
  get firstOwnTick(): Tick {
    return this.#givenByOthersUntil + 1;
  }

  /**
   * Whether the local state is missing or differs from the definitive one, so that the client waits
   * for the server's.
   */
  get isDesynced(): boolean {
    return this.#isDesynced;
  }

  /**
   * Processes one definitive tick. The predictor's next `reconcile` corrects the ticks that it
   * contradicts.
   * @returns how many ticks were resimulated at once, because a state was adopted
   * @throws WireError for a message that an honest server does not send, SnapshotError if its
   *   snapshot
   * is not a state of this game
   */
  receive(message: TickMessage<Command>): number {
    if (message.tick <= this.#received) {
      throw new WireError(`tick ${message.tick} after tick ${this.#received}`);
    }
    const gap = message.tick !== this.#received + 1;
    this.#received = message.tick;
    this.#stats.ticks++;
    countWait(this.#stats, message);
    if (message.state !== undefined) return this.#adopt(message, message.state);
    // After the page slept, stepping through every tick would take longer than loading a new state.
    const farBehind = message.tick > this.#predictor.head + COMMANDS_AHEAD_TICKS_MAX;
    if (gap || farBehind) this.#isDesynced = true;
    if (this.#isDesynced) return 0;
    this.#applyDelta(message);
    if (this.#predictor.finalize(message.tick)) {
      this.#stats.commandsLate++;
      if (message.tick <= this.#lateTick + LOST_TOGETHER_TICKS) this.#lossTick = message.tick;
      this.#lateTick = message.tick;
    }
    this.#hashCheck.expect(message.tick, message.hash);
    if (this.#bodyStream?.isOn) this.#bodyStream.receive(message);
    return 0;
  }

  /**
   * Processes commands that are announced before the next tick. That tick's message repeats them,
   * so a client that is far behind may skip them.
   */
  receiveEarly({ announcements }: EarlyMessage<Command>): void {
    if (this.#isDesynced) return;
    for (const { seat, tick, command } of announcements) {
      if (
        seat === this.#seat || tick <= this.#received ||
        tick > this.#received + COMMANDS_AHEAD_TICKS_MAX
      ) continue;
      this.#predictor.announce(tick, seat, command);
      this.hasEarly = true;
    }
  }

  /**
   * Corrects the ticks that the processed messages contradict.
   * @returns the number of resimulated ticks
   */
  reconcile(): number {
    this.hasEarly = false;
    const bodyStream = this.#bodyStream;
    if (!bodyStream?.isOn) return this.#predictor.reconcile();
    const resimulated = bodyStream.reconcile();
    if (resimulated === undefined) return this.#predictor.reconcile();
    this.#stats.statesAdopted++;
    // The stream ended because the probe succeeded, and the probe compared all hashes up to here.
    if (!bodyStream.isOn) this.#hashCheck.skip(this.#received);
    return resimulated;
  }

  /** The body-stream request to send with every command; undefined for none. */
  get bodyStreamRequest(): BodyStreamRequest | undefined {
    return this.#isDesynced ? undefined : this.#bodyStream?.request;
  }

  /** The newest tick whose bodies have arrived; 0 before the first. */
  get bodiesAck(): Tick {
    return this.#bodyStream?.bodiesAck ?? 0;
  }

  /**
   * Compares the hashes of all definitive ticks that are predicted by now. Call it after
   * `reconcile`.
   * @returns the tick at which the local state differs from the server's; undefined if all agree
   */
  check(): Tick | undefined {
    if (this.#isDesynced || this.#bodyStream?.isOn) return undefined;
    const predictor = this.#predictor;
    const last = Math.min(this.#received, predictor.head);
    const hashOf = (tick: Tick) => predictor.hashOf(tick);
    if (this.#proofs !== undefined) {
      this.#proofs.proveTo(last, hashOf);
      this.#stats.ticksProven = this.#proofs.provenTicks;
      return undefined;
    }
    const differs = this.#hashCheck.check(last, hashOf);
    this.#stats.ticksProven = this.#hashCheck.provenTicks;
    if (differs === undefined) return undefined;
    this.#stats.desyncs++;
    this.#isDesynced = true;
    return differs;
  }

  /**
   * The local hash, 32 bits, for a tick that agreed with the server's hash, or that was proven to a
   * server without hashes; undefined for any other tick.
   */
  provenHash(tick: Tick): number | undefined {
    return (this.#proofs ?? this.#hashCheck).proven(tick);
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
      if (announcement.seat === this.#seat) {
        this.#onOwnAnnounced(announcement.tick, announcement.command);
      }
    }
  }

  #onOwnAnnounced(tick: Tick, command: Command): void {
    const isOthers = tick >= this.firstOwnTick && this.#predictor.gaveAnother(tick, command);
    if (isOthers) this.#npcUntil = Math.max(this.#npcUntil, tick);
    else if (tick > this.#ownTick) [this.#ownTick, this.#own] = [tick, command];
    this.#acknowledge(tick, command);
  }

  #acknowledge(tick: Tick, command: Command): void {
    if (tick < this.#acknowledgedTick || tick < this.#entersAt) return;
    this.#acknowledgedTick = tick;
    this.#acknowledged = command;
  }

  #adopt(message: TickMessage<Command>, { seats, snapshot }: FullState<Command>): number {
    if (!this.#hasState) this.#givenByOthersUntil = this.#newestOwnTickIn(message);
    this.#hasState = true;
    this.#loadSeats(message.tick, seats);
    const announce = () => this.#applyDelta(message);
    this.#isDesynced = false;
    this.#stats.statesAdopted++;

    if (message.bodies !== undefined) {
      // The server forces the stream on a client that cannot agree, which is one that already
      // adopted a state.
      this.#bodyStream?.open(message.tick, this.#wasInSync);
      this.#predictor.begin(message.tick, { seats, announce });
      this.#bodyStream?.receive(message);
      return 0;
    }

    this.#wasInSync = true;
    this.#snapshot.setBytes(snapshot);
    if (this.#bodyStream?.isOn) this.#bodyStream.startProbe(message, this.#snapshot);
    this.#hashCheck.restart(message.tick, message.hash);
    this.#proofs?.restart(message.tick);
    return this.#predictor.adopt(message.tick, { snapshot: this.#snapshot, seats, announce });
  }

  #newestOwnTickIn({ announcements }: TickMessage<Command>): Tick {
    return announcements.reduce(
      (newest, { seat, tick }) => seat === this.#seat ? Math.max(newest, tick) : newest,
      -1,
    );
  }

  #loadSeats(tick: Tick, seats: FullState<Command>["seats"]): void {
    this.names.clear();
    for (const { seat, name, last, ticksMissing } of seats) {
      this.names.set(seat, name);
      if (seat !== this.#seat) continue;
      this.#entersAt = Math.min(this.#entersAt, tick - ticksMissing);
      if (last !== undefined) this.#onOwnAnnounced(tick - ticksMissing, last);
    }
  }
}

/** @throws WireError for a tick that an honest server does not announce at its tick `definitive` */
function checkAhead(tick: Tick, definitive: Tick): void {
  if (tick > definitive + ANNOUNCED_AHEAD_TICKS_MAX) {
    throw new WireError(`tick ${tick} announced at ${definitive}`);
  }
}
