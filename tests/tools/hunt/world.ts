/**
 * Plays one schedule: real rooms and real sessions in virtual time, players who come back, faults,
 * and rules that are checked all the time. Everything follows from the schedule, so the same
 * schedule fails in the same way.
 */
import { SEATS, type Simulation, type Tick } from "../../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { Random } from "../../../shared/random.ts";
import { deflateRawSync } from "node:zlib";
import { seededSecret, seededTokens } from "../../support/seeded_secret.ts";
import { Lab } from "../lab/lab.ts";
import { Connection, type ConnectionOptions } from "./clients/connection.ts";
import { FAULT_KINDS } from "./faults/fault_kinds.ts";
import type { HuntedGameParts } from "./clients/games.ts";
import { type DeathPlan, HuntedLogs } from "./hunted_logs.ts";
import { HuntedAdmission } from "./hunted_admission.ts";
import { LogProof } from "./log_proof.ts";
import type { HuntedStranger, HuntedWorld } from "./hunted_world.ts";
import { Resident } from "./clients/resident.ts";
import {
  type Fault,
  type HuntedGame,
  type PlayerSetup,
  ROUND_SECONDS,
  type Schedule,
  setupOf,
} from "./schedule.ts";
import { Broken, NpcDecisions, Witness } from "./witness.ts";

/**
 * How often faults begin and rules are checked, ms: once a tick, but not at the same time as the
 * ticks.
 */
const SLICE_MS = 50;
/**
 * When a round's quiet time starts, ms after the round; three seconds later everyone must be in
 * sync. They have until the round's end for it, because a connection with jitter sometimes stands
 * still for more than a second.
 */
const QUIET_FROM_MS = 26_000;
const SYNCED_AFTER_MS = 3_000;
/** A client in sync has the ticks up to this long ago, ms: the longest way, jitter and a tick. */
const FRESH_MS = 900;
/**
 * How long closed connections are remembered, ms, because their commands may still be in a queue.
 */
const REMEMBERED_MS = 8_000;
const ROOM = "LABS";

/** What happened in matches whose commands the server only ordered. */
export interface OrderCounts {
  /** How many of them were simulated in the end, because the referee was late. */
  simulated: number;
  /** How many states clients got. */
  states: number;
}

/** A rule that did not hold. */
export interface Breach {
  readonly invariant: string;
  readonly detail: string;
  /** ms after the match's begin. */
  readonly atMs: number;
}

export class HuntWorld<Command, Sim extends Simulation<Command>>
  implements HuntedWorld<Command, Sim> {
  readonly parts: HuntedGameParts<Command, Sim>;
  readonly lab: Lab<Command, Sim>;
  readonly logs: HuntedLogs<Command>;
  readonly admission: HuntedAdmission;
  readonly room = ROOM;
  readonly residents: Resident<Command, Sim>[];
  readonly strangers: HuntedStranger[] = [];
  readonly stream: "commands" | "state";
  readonly game: HuntedGame;
  /** Every connection with commands that may still count. */
  #connections: Connection<Command, Sim>[] = [];
  /** NPCs' decisions, by the seed of their room's match. */
  readonly #decisions = new Map<number, NpcDecisions<Command>>();
  readonly #schedule: Schedule;
  readonly #beganMs: number;
  #timers: { atMs: number; act: () => void }[] = [];
  #error: unknown;
  #isDead = false;
  /** Servers that have died. */
  #servers = 0;
  /** Since when there is a server, or when there will be one, ms. */
  upAtMs = 0;
  #downMs = 0;
  #seenEvents = 0;
  /** Whether a bit in the newest log was changed, so that the log must be set aside. */
  #isChanged = false;
  readonly #proofs = new Map<Witness<Command>, LogProof<Command, Sim>>();
  /** Ticks that servers have run. */
  ticks = 0;
  /** What happened in a match that is only ordered. */
  readonly order: OrderCounts = { simulated: 0, states: 0 };
  /** The match's newest tick. */
  #ranTick: Tick = -1;

  /** @param isOrdered whether the server only orders commands */
  constructor(parts: HuntedGameParts<Command, Sim>, schedule: Schedule, isOrdered = false) {
    const { seed, game } = schedule;
    const setup = setupOf(seed, game);
    const random = new Random(seed ^ 0x1ab);
    this.parts = parts;
    this.#schedule = schedule;
    this.stream = isOrdered ? "commands" : setup.stream;
    this.game = game;
    this.logs = new HuntedLogs({
      newWitness: (room) => this.#newWitness(room),
      onBroken: (error) => this.#error ??= error,
      onDeath: () => this.#onDeath(),
    });
    this.lab = new Lab({
      game: this.#noted(parts),
      seed,
      npcs: setup.npcs,
      stream: this.stream,
      ...isOrdered && { refereeMs: this.#newRefereeMs(seed), judgesAll: random.chance(0.3) },
      logs: this.logs,
      newToken: seededTokens(seed),
      ...(game === "dragons" &&
        { deflate: (bytes: Uint8Array) => deflateRawSync(bytes, { level: 1 }) }),
    });
    this.#beganMs = this.lab.nowMs;
    this.admission = new HuntedAdmission(seed);
    this.admission.openServer(this.lab.rooms, { clock: this.lab.clock, upAtMs: this.#beganMs });
    this.residents = setup.players.map((line, index) =>
      new Resident(this, { index, line, seed: random.bits() })
    );
  }

  /**
   * Draws how long the referee takes for a turn, ms: mostly little, now and then seconds. It is done
   * before a quiet time, in which everybody has to come back.
   */
  #newRefereeMs(seed: number): () => number {
    const random = new Random(seed ^ 0x0f);
    return () => {
      const inRoundMs = (this.lab.nowMs - this.#beganMs) % (ROUND_SECONDS * 1000);
      const leftMs = Math.max(0, QUIET_FROM_MS - 6_000 - inRoundMs);
      const quickMs = 1 + 80 * random.fraction();
      return random.chance(0.02) ? quickMs + Math.min(leftMs, 9_000 * random.fraction()) : quickMs;
    };
  }

  /** Plays until the end, or until a rule is broken. */
  async run(): Promise<Breach | undefined> {
    const { faults, seconds } = this.#schedule;
    const endMs = this.#beganMs + seconds * 1000;
    let next = 0;

    try {
      while (this.lab.nowMs < endMs) {
        const nextFaultMs = next < faults.length ? this.#beganMs + faults[next]!.atMs : Infinity;
        const untilMs = Math.min(
          this.lab.nowMs + SLICE_MS,
          Math.max(nextFaultMs, this.lab.nowMs + 1),
          endMs,
        );
        this.lab.run((untilMs - this.lab.nowMs) / 1000, this.#onTick);
        this.logs.nowMs = this.lab.nowMs;
        if (this.logs.isWriting) await this.logs.completeWrites();
        if (this.admission.isAsked) await this.admission.answer(this.isUp);
        while (next < faults.length && this.#beganMs + faults[next]!.atMs <= this.lab.nowMs) {
          this.#begin(faults[next++]!);
        }
        this.#poll();
      }
      this.#prove();
      for (const rooms of this.lab.rooms.byGame.values()) {
        this.order.states += rooms.totals().statesSent;
      }
    } catch (error) {
      const atMs = Math.round(this.lab.nowMs - this.#beganMs);
      if (!(error instanceof Broken)) {
        return { invariant: "nothing throws", detail: stackOf(error), atMs };
      }
      return {
        invariant: error.invariant,
        detail: error.message.slice(error.invariant.length + 2),
        atMs,
      };
    }

    return undefined;
  }

  /** Whether there is a server. */
  get isUp(): boolean {
    return !this.#isDead && this.lab.nowMs >= this.upAtMs;
  }

  /** The match's newest tick; 0 before its first. */
  get tick(): Tick {
    return this.lab.match?.tick ?? 0;
  }

  /** The match's log. */
  get witness(): Witness<Command> | undefined {
    return this.logs.of(ROOM)?.witness;
  }

  readonly onSent = (): void => this.logs.sent();

  /** Lets a client join. */
  connect(options: Omit<ConnectionOptions, "room"> & { room?: string }): Connection<Command, Sim> {
    const connection = new Connection<Command, Sim>(this, { room: ROOM, ...options });
    this.#connections.push(connection);
    return connection;
  }

  /** Keeps checking a connection that no player uses any more. */
  watch(connection: Connection<Command, Sim>): void {
    if (!this.#connections.includes(connection)) this.#connections.push(connection);
  }

  later(ms: number, act: () => void): void {
    this.#timers.push({ atMs: this.lab.nowMs + ms, act });
  }

  /** Kills the server now, or at a planned point. @param options.downMs until another one runs */
  killServer({ plan, downMs }: { plan?: DeathPlan; downMs: number }): void {
    if (!this.isUp) return;
    this.#downMs = downMs;
    if (plan !== undefined) this.logs.deathPlan = plan;
    else {
      this.logs.endServer();
      this.#onDeath();
    }
  }

  /** Changes a bit in the newest record while no server runs. @param draw which bit */
  changeNewestRecord(draw: number): void {
    if (!this.isUp) return;
    this.killServer({ downMs: 200 });
    if (this.logs.changeNewest(ROOM, draw)) this.#isChanged = true;
  }

  /**
   * Hears what a client gets, so that it can be compared with what happens; undefined for a client
   * that cannot be heard.
   */
  newListener(
    { ordered, startsOnBodyStream }: PlayerSetup,
  ): ((message: Uint8Array) => void) | undefined {
    if (!ordered || startsOnBodyStream || this.stream !== "commands") return undefined;
    const decoder = new ServerMessageDecoder<Command>(this.parts.game.command);
    const server = this.#servers;
    let proof: LogProof<Command, Sim> | undefined;
    return (bytes) => {
      const message = decoder.decode(bytes);
      const { witness } = this;
      if (message.type !== "tick" && message.type !== "early") return;
      if (proof === undefined && (witness === undefined || server !== this.#servers)) return;
      proof ??= this.#proofs.get(witness!)!;
      for (const announcement of message.announcements) proof.promise(announcement);
    };
  }

  readonly #onTick = (): void => {
    this.ticks++;
    const { match } = this.lab;
    const { witness } = this;
    // While a record is being written the match stands still, and a match with a full log has no
    // record of the tick.
    if (match === undefined || match.tick === this.#ranTick || witness?.newestTick !== match.tick) {
      return;
    }
    this.#ranTick = match.tick;
    const dueMs = this.lab.tickDueMs(match.tick);
    const inRoom = this.#connections.filter(({ room }) => room === ROOM);
    for (const connection of inRoom) connection.checkArrivals(match.tick, { dueMs, witness });
  };

  #begin(fault: Fault): void {
    const kind = FAULT_KINDS[fault.kind];
    if (kind === undefined) throw new RangeError(`no kind of fault is called ${fault.kind}`);
    kind.begin(this, fault);
  }

  #poll(): void {
    if (this.#error !== undefined) throw this.#error;
    if (this.#isDead) this.#restart();
    const { nowMs } = this.lab;
    const due = this.#timers.filter(({ atMs }) => atMs <= nowMs);
    if (due.length > 0) this.#timers = this.#timers.filter(({ atMs }) => atMs > nowMs);
    for (const { act } of due) act();
    for (const connection of this.#connections) connection.link.poll(nowMs);
    this.#readEvents();
    for (const connection of this.#connections) {
      connection.check(() => this.logs.of(connection.room)?.witness);
    }
    for (const resident of this.residents) resident.poll();
    this.#checkSeats();
    this.#forgetClosed();
    this.#keepQuiet();
    if (this.#error !== undefined) throw this.#error;
  }

  #forgetClosed(): void {
    const { players, nowMs } = this.lab;
    if (players.some(({ session }) => session.phase === "closed")) {
      const open = players.filter(({ session }) => session.phase !== "closed");
      players.splice(0, players.length, ...open);
    }
    if (this.#connections.length < 2 * this.residents.length) return;
    this.#connections = this.#connections.filter((each) =>
      each.isOpen || (each.closedAtMs ??= nowMs) > nowMs - REMEMBERED_MS || each.mayStillCount
    );
  }

  /** Two clients must never have the same seat. */
  #checkSeats(): void {
    const taken = new Map<string, Connection<Command, Sim>>();
    for (const connection of this.#connections) {
      const { session: { seat }, room } = connection;
      const key = `${room} ${seat}`;
      if (!connection.isLive || seat < 0 || connection.firstTick < 0) continue;
      if (taken.has(key)) {
        throw new Broken("nobody gets a seat that is taken", `seat ${seat} has two players`);
      }
      taken.set(key, connection);
    }
  }

  #keepQuiet(): void {
    const sinceMs = this.lab.nowMs - this.#beganMs;
    const inRoundMs = sinceMs % (ROUND_SECONDS * 1000);
    const isQuiet = inRoundMs >= QUIET_FROM_MS;
    for (const { connection } of this.residents) {
      if (connection !== undefined) connection.hands.isIdle = isQuiet;
    }
    if (inRoundMs < QUIET_FROM_MS + SYNCED_AFTER_MS) return;
    const isLast = inRoundMs >= ROUND_SECONDS * 1000 - SLICE_MS;
    for (const { connection } of this.residents) {
      if (connection === undefined || !connection.isLive) continue;
      if (connection.openedAtMs > this.lab.nowMs - SYNCED_AFTER_MS) continue;
      if (this.#isSynced(connection)) connection.syncedAtMs = this.lab.nowMs;
      if (isLast) this.#checkQuiet(connection);
    }
    if (isLast) this.#prove();
  }

  #isSynced({ session, witness }: Connection<Command, Sim>): boolean {
    if (witness === undefined || session.phase !== "playing" || !session.isInSync) return false;
    return (witness.newestTick - session.definitiveTick) * (1000 / this.parts.game.tickHz) <=
      FRESH_MS;
  }

  #checkQuiet(connection: Connection<Command, Sim>): void {
    const { session, syncedAtMs, witness, hands } = connection;
    if (
      witness === undefined ||
      syncedAtMs < this.lab.nowMs - ROUND_SECONDS * 1000 + QUIET_FROM_MS + SYNCED_AFTER_MS
    ) {
      const missing = (witness?.newestTick ?? 0) - session.definitiveTick;
      const words = `${session.phase}, ${
        session.isInSync ? "" : "not "
      }in sync, ${missing} ticks missing`;
      throw new Broken("three quiet seconds bring everybody back", words);
    }

    const { firstTick, takenTick } = connection;
    const silentTicks = witness.newestTick - Math.max(firstTick, takenTick);

    if (silentTicks > SILENT_TICKS_MAX) {
      throw new Broken(
        "a player's commands count",
        `seat ${session.seat}: none did for ${silentTicks} ticks`,
      );
    }

    const { pressesGiven, pressedAt = -1 } = hands;
    if (pressesGiven === undefined) return;
    connection.pressMarks.push({ tick: witness.newestTick, presses: pressesGiven, pressedAt });
  }

  #onDeath(): void {
    this.#isDead = true;
    this.#servers++;
    const { nowMs } = this.lab;
    for (const connection of this.#connections) {
      if (!connection.isLive) continue;
      const { player: { link } } = connection;
      const lastMs = Number.isFinite(link.nextDueMs) ? link.nextDueMs : nowMs;
      connection.serverDied(
        Math.max(nowMs, lastMs) + DEATH_NOTICED_MS,
        this.logs.of(connection.room)?.witness,
      );
    }
    this.strangers.length = 0;
  }

  #restart(): void {
    this.#isDead = false;
    const log = this.logs.of(ROOM);
    const hasLog = log?.disk.state === "open";
    const before = log?.witness.newestTick ?? -1;
    this.upAtMs = this.lab.nowMs + this.#downMs;
    const events = this.lab.log.length;

    // Decisions that it did not write are forgotten.
    this.#decisions.clear();
    this.lab.restartServer(this.#downMs);
    this.admission.openServer(this.lab.rooms, { clock: this.lab.clock, upAtMs: this.upAtMs });
    if (this.#error !== undefined || !hasLog || before < 0) return;
    const happened = this.lab.log.slice(events).filter(({ fields }) =>
      `${fields.id}`.startsWith(ROOM)
    );
    const resumed = happened.find(({ event }) => event === "match_resumed");

    if (this.#isChanged) {
      this.#isChanged = false;
      if (resumed !== undefined) {
        throw new Broken(
          "a changed record is found",
          `resumed at tick ${resumed.fields.tick} of ${before}`,
        );
      }
      for (const resident of this.residents) resident.forget();
      this.#seenEvents = this.lab.log.length;
      return;
    }

    if (resumed === undefined) {
      throw new Broken(
        "a match goes on from its log",
        `${happened.map(({ fields }) => fields.error).join() || "no word"}`,
      );
    }

    if (resumed.fields.tick !== before) {
      throw new Broken(
        "no definitive tick is lost",
        `resumed at tick ${resumed.fields.tick} of ${before}`,
      );
    }
  }

  #readEvents(): void {
    const { log } = this.lab;
    for (; this.#seenEvents < log.length; this.#seenEvents++) {
      const { event, fields } = log[this.#seenEvents]!;
      if (event === "match_differs") {
        throw new Broken("equal everywhere", `the referee contradicts ${fields.name}`);
      }
      if (event === "referee_failed") throw new Broken("nothing throws", `${fields.error}`);
      if (event === "room_simulated") this.order.simulated++;
      if (event === "room_failed") throw new Broken("no room fails", `${fields.error}`);
      if (event === "match_set_aside") {
        throw new Broken("a match goes on from its log", `${fields.error}`);
      }
    }
  }

  #newWitness(room: string): Witness<Command> {
    const authors = new Map<number, Connection<Command, Sim>>();
    const { command: codec } = this.parts.game;
    const matchSeed = seededSecret(this.#schedule.seed).seedOf(this.parts.game.id, room, 0);
    const witness: Witness<Command> = new Witness(this.parts.game, {
      room,
      isGiven: ({ seat, tick, command }) => {
        const decided = this.#decisions.get(matchSeed)?.at(seat, tick) ?? [];
        const isNpcs = decided.some((each) => codec.same(each, command));
        const givers = this.#connections.filter((each) =>
          each.isIn(witness) && each.hasGiven({ seat, tick }, command)
        );
        // An NPC's decision is in force at once, so a player's own command for that tick comes too
        // late.
        if (givers.length > 0 && !isNpcs) authors.set(tick * SEATS + seat, givers.at(-1)!);
        for (const giver of givers) giver.takenTick = Math.max(giver.takenTick, tick);
        const mayBeStrangers = this.strangers.some((each) => each.mayHaveGiven(seat));
        // Two windows of one player, or a player and a hostile client, gave the same command, so it
        // is unknown who pressed.
        if (givers.length > 1 || mayBeStrangers) {
          for (const giver of givers) giver.sharesPresses = true;
        }
        return isNpcs || givers.length > 0 || mayBeStrangers;
      },
    });
    const authorOf = (seat: number, tick: Tick) => authors.get(tick * SEATS + seat);
    this.#proofs.set(witness, new LogProof(witness, { parts: this.parts, authorOf }));
    return witness;
  }

  /** The game, with a record of everything that NPCs decide. */
  #noted({ game }: HuntedGameParts<Command, Sim>): HuntedGameParts<Command, Sim>["game"] {
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        const decide = simulation.npcCommand.bind(simulation);
        simulation.npcCommand = (seat, queued) => {
          const command = decide(seat, queued);
          const decisions = this.#decisions.get(seed) ?? new NpcDecisions<Command>();
          this.#decisions.set(seed, decisions);
          decisions.note(seat, simulation.tick + queued.length + 1, command);
          return command;
        };
        return simulation;
      },
    };
  }

  #prove(): void {
    for (const [witness, proof] of this.#proofs) {
      proof.goOn();
      if (witness.isOver) this.#proofs.delete(witness);
    }
  }
}

/**
 * How long a fault may keep a player's commands away, ticks. Afterwards the player's clock has to
 * catch up.
 */
const SILENT_TICKS_MAX = 300;
/**
 * How long after the last message under way a client's system notices that its server is gone, ms.
 */
const DEATH_NOTICED_MS = 400;

/** The first lines of an error's stack. */
function stackOf(error: unknown): string {
  return error instanceof Error
    ? `${error.stack}`.split("\n").slice(0, STACK_LINES).join(" ")
    : String(error);
}

const STACK_LINES = 6;
