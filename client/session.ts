/**
 * One player's connection to one match, without a screen: pages draw it, bots play it, the lab runs it on a virtual clock.
 *
 *     advance(now):  what arrived → rollback where it contradicts → our commands → ticks that are due
 *
 * Nothing happens between calls of `advance`, but that a pong is stamped when it arrives.
 */
import { BitWriter, WireError } from "../shared/netcode/bytes.ts";
import {
  type Game,
  type GameEvent,
  PLAYER_SEATS,
  PoseList,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "../shared/netcode/game.ts";
import type { Clock, Link } from "../shared/netcode/link.ts";
import {
  type Announcement,
  CloseCode,
  decodeDown,
  encodeUp,
  PROTOCOL_VERSION,
  type StateHandover,
  type TickMessage,
  type UpMessage,
  type Welcome,
} from "../shared/netcode/protocol.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../shared/netcode/timeline.ts";
import { Snapshot, SnapshotError } from "../shared/snapshot.ts";
import { HashCheck } from "./hash_check.ts";
import { Lead } from "./lead.ts";
import { Predictor, RESIMULATION_TICKS_MAX } from "./predictor.ts";
import { ServerClock } from "./server_clock.ts";
import { newSessionCounts, type SessionCounts } from "./session_counts.ts";
import type { PosePair } from "./smoother.ts";

/** Who decides what the own seat does. */
export interface Controls<Command> {
  /**
   * The command for one tick.
   * @param definitive the newest own command that the server has used: what the game has seen of our press counters
   */
  next(tick: Tick, definitive: Command | undefined): Command;
}

export interface SessionOptions<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly link: Link;
  readonly clock: Clock;
  readonly room: string;
  readonly name: string;
  readonly controls: Controls<Command>;
  /** Called with what happened in each step, also of a resimulation: who shows it tells repetitions by their key. */
  readonly onEvents?: (events: readonly GameEvent[]) => void;
  /** Called when a rollback or an adopted state has changed the present. Both pairs are only valid during the call. */
  readonly onCorrection?: (before: PosePair, after: PosePair) => void;
}

/** "joining" until the first state and the round trips are there. */
export type SessionPhase = "joining" | "playing" | "closed";

/** A tick message is kept until `advance`; a page that sleeps longer than this takes the state instead. Half a minute. */
const INBOX_MESSAGES_MAX = 600;
/** Of the commands that became due since the last call only the newest are sent: older ones would be late. */
const COMMANDS_PER_ADVANCE_MAX = 3;
/** A correction that a player could see. */
const VISIBLE_METRES = 0.05;

export class Session<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #options: SessionOptions<Command, Sim>;
  readonly #writer = new BitWriter();
  readonly #serverClock: ServerClock;
  readonly #lead: Lead;
  readonly #hashes = new HashCheck();
  readonly #handoverSnapshot = new Snapshot(0);
  #inbox: TickMessage<Command>[] = [];
  #phase: SessionPhase = "joining";
  #seat: SeatId = -1;
  #simulation: Sim | undefined;
  #predictor: Predictor<Command> | undefined;
  /** The newest definitive tick received; -1 before the first state. */
  #received: Tick = -1;
  /** The newest tick that a command was sent for. */
  #commanded: Tick = -1;
  /** Our state is not the definitive one, or is missing: we wait for the server's. */
  #outOfStep = true;
  #definitiveOwn: Command | undefined;

  readonly counts: SessionCounts = newSessionCounts();
  /** By seat, of everybody present. */
  readonly names = new Map<SeatId, string>();
  /** Poses of the head and of the tick before it, and spares to remember them by. */
  readonly poses = { previous: new PoseList(), head: new PoseList() };
  readonly #posesBefore = { previous: new PoseList(), head: new PoseList() };
  closeCode = 0;
  closeReason = "";

  constructor(options: SessionOptions<Command, Sim>) {
    this.#options = options;
    const { game, link, room, name } = options;
    this.#lead = new Lead(game.tickHz);
    this.#serverClock = new ServerClock(game.tickHz, (id) => this.#send({ kind: "ping", id }));
    link.onMessage((bytes) => this.#receive(bytes));
    link.onClose((code, reason) => {
      this.#phase = "closed";
      this.closeCode = code;
      this.closeReason = reason;
    });
    this.#send({ kind: "hello", protocolVersion: PROTOCOL_VERSION, gameId: game.id, room, name });
  }

  get phase(): SessionPhase {
    return this.#phase;
  }

  /** Our own seat; -1 before the welcome. */
  get seat(): SeatId {
    return this.#seat;
  }

  /** The predicted present. Read it, never step it. Undefined before the first state. */
  get simulation(): Sim | undefined {
    return this.#received < 0 ? undefined : this.#simulation;
  }

  /** The newest definitive tick received; -1 before the first. */
  get definitiveTick(): Tick {
    return this.#received;
  }

  get head(): Tick {
    return this.#predictor?.head ?? -1;
  }

  get leadMs(): number {
    return this.#phase === "playing" ? this.#lead.leadMs : 0;
  }

  get roundTripMs(): number {
    return this.#serverClock.roundTripMs;
  }

  get inStep(): boolean {
    return !this.#outOfStep;
  }

  /** The hash of a tick that was proven equal to the server's, undefined where it was not (yet). For tests and tools. */
  provenHash(tick: Tick): number | undefined {
    return this.#hashes.proven(tick);
  }

  /** How far the picture is from the tick before the head to the head, 0 … 1. */
  fraction(): number {
    return Math.min(1, Math.max(0, this.#lead.headTicks - this.head));
  }

  /** When `advance` has something to do again, at the latest, ms on the clock; arrivals may make it earlier. */
  get nextDueMs(): number {
    if (this.#phase === "closed") return Infinity;
    const pingMs = this.#seat < 0 ? Infinity : this.#serverClock.nextPingMs;
    if (this.#phase === "joining") return pingMs;
    return Math.min(pingMs, this.#lead.dueMs(Math.floor(this.#lead.headTicks) + 1));
  }

  /** Does everything that is due. Call it often: with every picture, or when `nextDueMs` has come. */
  advance(): void {
    if (this.#phase === "closed" || this.#seat < 0) return;
    const nowMs = this.#options.clock.now();
    this.#serverClock.advance(nowMs);
    this.#takeMessages();
    if (this.#phase === "joining" && !this.#begin(nowMs)) return;
    this.#lead.advance(nowMs);
    const target = Math.floor(this.#lead.headTicks);
    this.#sendCommands(target);
    this.#predictTo(target);
    this.#checkHashes();
    this.#simulation?.poses(this.poses.head);
  }

  /** Leaves. */
  close(): void {
    this.#options.link.close(1000, "left");
  }

  #send(message: UpMessage<Command>): void {
    const bytes = encodeUp(message, this.#options.game.command, this.#writer);
    this.counts.bytesUp += bytes.length;
    this.#options.link.send(bytes);
  }

  #receive(bytes: Uint8Array): void {
    this.counts.bytesDown += bytes.length;
    try {
      const message = decodeDown(bytes, this.#options.game.command);
      switch (message.kind) {
        case "welcome":
          return this.#sitDown(message);
        case "pong":
          return this.#takePong(message);
        case "tick":
          this.#inbox.push(message);
          if (this.#inbox.length > INBOX_MESSAGES_MAX) this.#inbox.shift();
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.link.close(CloseCode.protocol, error.message);
    }
  }

  #sitDown({ seat, npcs, seed }: Welcome): void {
    if (this.#seat >= 0) throw new WireError("a second welcome");
    const { game, onEvents } = this.#options;
    const simulation = game.start({ npcs }, seed);
    this.#seat = seat;
    this.#simulation = simulation;
    this.#predictor = new Predictor(game, {
      simulation,
      seat,
      previousPoses: this.poses.previous,
      onStep: () => onEvents?.(simulation.events),
    });
  }

  #takePong(pong: { id: number; serverTicks: number }): void {
    const nowMs = this.#options.clock.now();
    this.#serverClock.pong(nowMs, pong);
    if (this.#phase === "playing") this.#lead.anchor(nowMs, this.#serverClock.serverTicks(nowMs));
  }

  /** @returns whether the game has begun */
  #begin(nowMs: number): boolean {
    if (this.#received < 0 || !this.#serverClock.isReady(nowMs)) return false;
    const serverTicks = this.#serverClock.serverTicks(nowMs);
    this.#lead.begin(nowMs, { serverTicks, leadMs: this.#serverClock.firstLeadMs });
    this.#commanded = Math.floor(this.#lead.headTicks);
    this.#phase = "playing";
    return true;
  }

  #takeMessages(): void {
    if (this.#inbox.length === 0) return;
    const messages = this.#inbox;
    this.#inbox = [];
    this.#rememberPoses();
    let resimulated = 0;
    try {
      for (const message of messages) resimulated += this.#takeTick(message);
      if (!this.#outOfStep) resimulated += this.#predictor!.settle();
    } catch (error) {
      if (!(error instanceof WireError || error instanceof SnapshotError)) throw error;
      return this.#options.link.close(CloseCode.protocol, error.message);
    }
    if (resimulated > 0) this.#noteCorrection(resimulated);
    this.#definitiveOwn = this.#ownCommandAt(this.#received) ?? this.#definitiveOwn;
  }

  /** @returns how many ticks it made us resimulate at once */
  #takeTick(message: TickMessage<Command>): number {
    const gap = message.tick !== this.#received + 1;
    if (message.tick <= this.#received) throw new WireError(`tick ${message.tick} after tick ${this.#received}`);
    this.#received = message.tick;
    this.counts.ticks++;
    if (this.#phase === "playing" && message.advisedLeadMs > 0) this.#lead.advise(message.advisedLeadMs);
    if (message.state !== undefined) return this.#adopt(message, message.state);
    const farBehind = message.tick > this.head + COMMANDS_AHEAD_TICKS_MAX;
    if (gap || farBehind) this.#outOfStep = true;
    if (this.#outOfStep) return 0;
    this.#takeNews(message);
    if (this.#predictor!.define(message.tick)) this.counts.commandsLate++;
    this.#hashes.expect(message.tick, message.hash);
    return 0;
  }

  #takeNews({ tick, presence, announcements }: TickMessage<Command>): void {
    const predictor = this.#predictor!;
    for (const change of presence) {
      checkAhead(change.tick, tick);
      predictor.setPresence(change.tick, change.seat, change.present);
      if (change.present) this.names.set(change.seat, change.name);
    }
    for (const announcement of announcements) this.#takeAnnouncement(announcement, tick);
  }

  #takeAnnouncement({ tick, seat, command }: Announcement<Command>, definitive: Tick): void {
    checkAhead(tick, definitive);
    this.#predictor!.announce(tick, seat, command);
  }

  #adopt(message: TickMessage<Command>, { seats, snapshot }: StateHandover<Command>): number {
    this.#handoverSnapshot.setBytes(snapshot);
    this.names.clear();
    for (const { seat, name } of seats) this.names.set(seat, name);
    const resimulated = this.#predictor!.adopt(message.tick, {
      snapshot: this.#handoverSnapshot,
      seats,
      announce: () => this.#takeNews(message),
    });
    this.#hashes.restart(message.tick, message.hash);
    this.#outOfStep = false;
    this.counts.statesAdopted++;
    return resimulated;
  }

  #rememberPoses(): void {
    this.#posesBefore.previous.copyFrom(this.poses.previous);
    this.#posesBefore.head.copyFrom(this.poses.head);
  }

  #noteCorrection(resimulated: number): void {
    this.counts.rollbacks++;
    this.counts.resimulatedTicks += resimulated;
    this.#simulation!.poses(this.poses.head);
    const before = this.#posesBefore.head.ofSeat(this.#seat), after = this.poses.head.ofSeat(this.#seat);
    if (before !== undefined && after !== undefined) {
      const dx = after.x - before.x, dy = after.y - before.y;
      if (Math.sqrt(dx * dx + dy * dy) > VISIBLE_METRES) this.counts.ownCorrectionsOver5cm++;
    }
    this.#options.onCorrection?.(this.#posesBefore, this.poses);
  }

  #ownCommandAt(tick: Tick): Command | undefined {
    return tick <= this.head && tick >= 0 ? this.#predictor!.commandOf(tick, this.#seat) : undefined;
  }

  /** Commands go by the clock, whatever else is wrong: the server must not lose our seat's pulse. */
  #sendCommands(target: Tick): void {
    for (let tick = Math.max(this.#commanded, target - COMMANDS_PER_ADVANCE_MAX) + 1; tick <= target; tick++) {
      this.#commanded = tick;
      if (tick <= this.#received) continue;
      const command = this.#options.controls.next(tick, this.#definitiveOwn);
      this.#predictor!.intend(tick, command);
      const leadMs = this.#lead.leadMs;
      this.counts.commandsSent++;
      this.counts.leadMsSum += leadMs;
      this.#send({ kind: "command", tick, command, leadMs, received: this.#received, outOfStep: this.#outOfStep });
    }
  }

  /** Predicts what is due, but never so far ahead of the definitive tick that a rollback would reach too deep. */
  #predictTo(target: Tick): void {
    if (this.#outOfStep) return;
    const predictor = this.#predictor!;
    const farthest = Math.min(target, this.#received + RESIMULATION_TICKS_MAX);
    while (predictor.head < farthest) {
      predictor.predict();
      if (predictor.head > this.#received) this.#countForeknown(predictor.head);
    }
  }

  #countForeknown(tick: Tick): void {
    for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
      if (!this.#predictor!.isPresent(tick, seat)) continue;
      this.counts.npcCommands++;
      if (this.#predictor!.isKnown(tick, seat)) this.counts.npcForeknown++;
    }
  }

  #checkHashes(): void {
    if (this.#outOfStep) return;
    const predictor = this.#predictor!;
    const differs = this.#hashes.check(Math.min(this.#received, predictor.head), (tick) => predictor.hashOf(tick));
    if (differs === undefined) return;
    this.counts.desyncs++;
    this.#outOfStep = true;
  }
}

/** @throws WireError for a tick that no honest server announces when `definitive` is its newest */
function checkAhead(tick: Tick, definitive: Tick): void {
  if (tick > definitive + 2 * COMMANDS_AHEAD_TICKS_MAX) throw new WireError(`tick ${tick} announced at ${definitive}`);
}
