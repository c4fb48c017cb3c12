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
  PoseList,
  type SeatId,
  type Simulation,
  type Tick,
} from "../shared/netcode/game.ts";
import type { Clock, Link } from "../shared/netcode/link.ts";
import {
  CloseCode,
  PROTOCOL_VERSION,
  type TickMessage,
  type UpMessage,
  type Welcome,
} from "../shared/netcode/protocol.ts";
import { decodeDown } from "../shared/netcode/protocol_down.ts";
import { encodeUp } from "../shared/netcode/protocol_up.ts";
import { SnapshotError } from "../shared/snapshot.ts";
import { Definitive } from "./definitive.ts";
import { Lead } from "./lead.ts";
import { Predictor, RESIMULATION_TICKS_MAX } from "./predictor.ts";
import { ServerClock } from "./server_clock.ts";
import { countForeknown, countOwnCorrection, newSessionCounts, type SessionCounts } from "./session_counts.ts";
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

/** What there is once the server has given us a seat. */
interface Table<Command, Sim> {
  readonly seat: SeatId;
  readonly simulation: Sim;
  readonly predictor: Predictor<Command>;
  readonly definitive: Definitive<Command>;
}

const NOBODY: ReadonlyMap<SeatId, string> = new Map();

export class Session<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #options: SessionOptions<Command, Sim>;
  readonly #writer = new BitWriter();
  readonly #serverClock: ServerClock;
  readonly #lead: Lead;
  #inbox: TickMessage<Command>[] = [];
  #phase: SessionPhase = "joining";
  /** What the welcome brings. */
  #table: Table<Command, Sim> | undefined;
  /** The newest tick that a command was sent for. */
  #commanded: Tick = -1;
  /** The newest own command that the server has used. */
  #definitiveOwn: Command | undefined;

  readonly counts: SessionCounts = newSessionCounts();
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
    return this.#table?.seat ?? -1;
  }

  /** By seat, of everybody present or announced. */
  get names(): ReadonlyMap<SeatId, string> {
    return this.#table?.definitive.names ?? NOBODY;
  }

  /** The predicted present. Read it, never step it. Undefined before the first state. */
  get simulation(): Sim | undefined {
    return this.definitiveTick < 0 ? undefined : this.#table!.simulation;
  }

  /** The newest definitive tick received; -1 before the first. */
  get definitiveTick(): Tick {
    return this.#table?.definitive.received ?? -1;
  }

  get head(): Tick {
    return this.#table?.predictor.head ?? -1;
  }

  get leadMs(): number {
    return this.#phase === "playing" ? this.#lead.leadMs : 0;
  }

  get roundTripMs(): number {
    return this.#serverClock.roundTripMs;
  }

  get inStep(): boolean {
    return this.#table !== undefined && !this.#table.definitive.outOfStep;
  }

  /** Our hash, 32 bits, of a tick that was proven equal to the server's; undefined where it was not (yet). */
  provenHash(tick: Tick): number | undefined {
    return this.#table?.definitive.provenHash(tick);
  }

  /** How far the picture is from the tick before the head to the head, 0 … 1. */
  fraction(): number {
    return Math.min(1, Math.max(0, this.#lead.headTicks - this.head));
  }

  /** When `advance` has something to do again, at the latest, ms on the clock; arrivals may make it earlier. */
  get nextDueMs(): number {
    if (this.#phase === "closed") return Infinity;
    const pingMs = this.#table === undefined ? Infinity : this.#serverClock.nextPingMs;
    if (this.#phase === "joining") return pingMs;
    return Math.min(pingMs, this.#lead.dueMs(Math.floor(this.#lead.headTicks) + 1));
  }

  /** Does everything that is due. Call it often: with every picture, or when `nextDueMs` has come. */
  advance(): void {
    const table = this.#table;
    if (this.#phase === "closed" || table === undefined) return;
    const nowMs = this.#options.clock.now();
    this.#serverClock.advance(nowMs);
    this.#takeMessages(table);
    if (this.#phase === "joining" && !this.#begin(nowMs)) return;
    this.#lead.advance(nowMs);
    const target = Math.floor(this.#lead.headTicks);
    this.#sendCommands(table, target);
    this.#predictTo(table, target);
    table.definitive.check();
    table.simulation.poses(this.poses.head);
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
    if (this.#table !== undefined) throw new WireError("a second welcome");
    const { game, onEvents } = this.#options;
    const simulation = game.start({ npcs }, seed);
    const predictor = new Predictor(game, {
      simulation,
      seat,
      previousPoses: this.poses.previous,
      onStep: () => onEvents?.(simulation.events),
    });
    this.#table = { seat, simulation, predictor, definitive: new Definitive(predictor, this.counts) };
  }

  #takePong(pong: { id: number; serverTicks: number }): void {
    const nowMs = this.#options.clock.now();
    this.#serverClock.pong(nowMs, pong);
    if (this.#phase === "playing") this.#lead.anchor(nowMs, this.#serverClock.serverTicks(nowMs));
  }

  /** @returns whether the game has begun */
  #begin(nowMs: number): boolean {
    if (this.definitiveTick < 0 || !this.#serverClock.isReady(nowMs)) return false;
    const serverTicks = this.#serverClock.serverTicks(nowMs);
    this.#lead.begin(nowMs, { serverTicks, leadMs: this.#serverClock.firstLeadMs });
    this.#commanded = Math.floor(this.#lead.headTicks);
    this.#phase = "playing";
    return true;
  }

  #takeMessages(table: Table<Command, Sim>): void {
    if (this.#inbox.length === 0) return;
    const messages = this.#inbox;
    this.#inbox = [];
    this.#posesBefore.previous.copyFrom(this.poses.previous);
    this.#posesBefore.head.copyFrom(this.poses.head);
    const { definitive, predictor, seat } = table;
    let resimulated = 0;
    try {
      for (const message of messages) resimulated += definitive.take(message);
      if (!definitive.outOfStep) resimulated += predictor.settle();
    } catch (error) {
      if (!(error instanceof WireError || error instanceof SnapshotError)) throw error;
      return this.#options.link.close(CloseCode.protocol, error.message);
    }
    const { advisedLeadMs } = messages.at(-1)!;
    // Before our first command the server has no advice.
    if (advisedLeadMs > 0) this.#lead.advise(advisedLeadMs);
    if (resimulated > 0) this.#noteCorrection(table, resimulated);
    if (definitive.received <= predictor.head) {
      this.#definitiveOwn = predictor.commandOf(definitive.received, seat) ?? this.#definitiveOwn;
    }
  }

  #noteCorrection({ simulation, seat }: Table<Command, Sim>, resimulated: number): void {
    this.counts.rollbacks++;
    this.counts.resimulatedTicks += resimulated;
    simulation.poses(this.poses.head);
    countOwnCorrection(this.counts, this.#posesBefore.head.ofSeat(seat), this.poses.head.ofSeat(seat));
    this.#options.onCorrection?.(this.#posesBefore, this.poses);
  }

  /** Commands go by the clock, whatever else is wrong: the server must not lose our seat's pulse. */
  #sendCommands({ predictor, definitive }: Table<Command, Sim>, target: Tick): void {
    const { received, outOfStep } = definitive;
    for (let tick = Math.max(this.#commanded, target - COMMANDS_PER_ADVANCE_MAX) + 1; tick <= target; tick++) {
      this.#commanded = tick;
      if (tick <= received) continue;
      const command = this.#options.controls.next(tick, this.#definitiveOwn);
      predictor.intend(tick, command);
      const leadMs = this.#lead.leadMs;
      this.counts.commandsSent++;
      this.counts.leadMsSum += leadMs;
      this.#send({ kind: "command", tick, command, leadMs, received, outOfStep });
    }
  }

  /** Predicts what is due, but never so far ahead of the definitive tick that a rollback would reach too deep. */
  #predictTo({ predictor, definitive }: Table<Command, Sim>, target: Tick): void {
    if (definitive.outOfStep) return;
    const farthest = Math.min(target, definitive.received + RESIMULATION_TICKS_MAX);
    while (predictor.head < farthest) {
      predictor.predict();
      if (predictor.head > definitive.received) countForeknown(this.counts, predictor);
    }
  }
}
