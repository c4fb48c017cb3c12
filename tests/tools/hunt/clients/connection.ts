/** One client session from its hello to its close, and what must hold of it at every moment. */
import type { Session } from "../../../../client/session/session.ts";
import { LOCAL_PEER, type TicketClaims } from "../../../../server/match/clients/peer.ts";
import type { SeatId, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import type { MessageHandler } from "../../../../shared/netcode/link.ts";
import { CloseCode, type ResumeToken } from "../../../../shared/netcode/wire/messages.ts";
import { HISTORY_TICKS } from "../../../../shared/netcode/timeline.ts";
import { Random } from "../../../../shared/random.ts";
import type { Lab, Player } from "../../lab/lab.ts";
import { ArrivedCommands } from "../../lab/stalls/arrived_commands.ts";
import type { LossyLink } from "../../lab/links/lossy_link.ts";
import type { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import type { Hands, HuntedGameParts } from "./games.ts";
import { HuntedLink } from "../hunted_link.ts";
import type { PlayerSetup } from "../schedule.ts";
import { Broken, lostCommand, type Witness } from "../witness.ts";

/** Codes that honest clients never get, and never give an honest server. */
const NEVER = new Map<number, string>([
  [CloseCode.protocol, "protocol"],
  [CloseCode.tooSlow, "too slow"],
  [CloseCode.flood, "flood"],
  [CloseCode.roomFailed, "room failed"],
  [1011, "the line is full"],
]);

/** A command has arrived after this many ticks, unless its connection is held. */
const PLAYED_TICKS = 200;

/** What connections need of their world. */
export interface ConnectionWorld<Command, Sim extends Simulation<Command>> {
  readonly lab: Lab<Command, Sim>;
  readonly parts: HuntedGameParts<Command, Sim>;
  /** Notes that the server has sent a message. */
  onSent(): void;
}

export interface ConnectionOptions {
  readonly name: string;
  readonly room: string;
  readonly line: PlayerSetup;
  /** 32 bits, of its own. */
  readonly seed: number;
  readonly resume?: ResumeToken | undefined;
  readonly spectate?: boolean;
  /** What the connection's ticket allows it; undefined without a ticket. */
  readonly ticket?: TicketClaims | undefined;
  readonly onArrival?: ((message: Uint8Array) => void) | undefined;
  /** How long its connection carries nothing at first, ms; by default not at all. */
  readonly hangsMs?: number;
}

/** How many presses were given up to a tick at which no key is pressed. */
export interface PressMark {
  readonly tick: Tick;
  readonly presses: number;
  /** The tick of the last press. */
  readonly pressedAt: Tick;
}

export class Connection<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly room: string;
  readonly hands: Hands<Command>;
  readonly player: Player<Command, Sim, SimulatedLink | LossyLink>;
  readonly openedAtMs: number;
  /** Its page is hidden until then, ms. */
  awayUntilMs = 0;
  /** When it was first seen closed, ms. */
  closedAtMs: number | undefined;
  /**
   * The commands that it gave, by tick; after its clock jumped back there may be two for one tick.
   */
  readonly #given = new Map<Tick, Command[]>();
  #newestGiven: Tick = -1;
  /** The match's newest tick when it came; −1 before the match's first. */
  readonly #cameAtTick: Tick;
  /** Whether a command of its seat counts, as far as it knows, and whether that was checked. */
  #isEntered = false;
  #isEntryChecked = false;
  readonly #same: (a: Command, b: Command) => boolean;
  link!: HuntedLink;
  readonly #arrived: ArrivedCommands<Command>;
  /** Its match's log; undefined before the match's first tick. */
  witness: Witness<Command> | undefined;
  /** The newest tick that its server had sent it before dying. */
  #tickMax: Tick = Infinity;
  #newest: Tick = -1;
  #proven: Tick = -1;
  #ticks = 0;
  #adopted = 0;
  /** The first tick that it had; −1 before. */
  firstTick: Tick = -1;
  /** The newest tick for which the server took one of its commands; −1 before. */
  takenTick: Tick = -1;
  /** When it was last in sync in a quiet second, and had what the server had sent, ms. */
  syncedAtMs = -Infinity;
  readonly pressMarks: PressMark[] = [];
  /** Whether another connection gave a command with the same seat, tick and value. */
  sharesPresses = false;
  /** Presses that the server has counted, as the replay of the log finds them. */
  pressesCounted = 0;

  constructor({ lab, parts, onSent }: ConnectionWorld<Command, Sim>, options: ConnectionOptions) {
    const { name, room, line, seed, resume, spectate = false, ticket, onArrival, hangsMs = 0 } =
      options;
    const random = new Random(seed);
    this.room = room;
    this.openedAtMs = lab.nowMs;
    this.#cameAtTick = lab.rooms.matchOf(room)?.tick ?? -1;
    this.hands = parts.newHands(random.bits());
    this.#same = parts.game.command.same;
    this.#arrived = new ArrivedCommands(parts.game, line);
    const onArrived: MessageHandler = (message, reliably) => {
      const newestTick = lab.rooms.matchOf(room)?.tick ?? 0;
      this.#arrived.add(message, { reliably, nowMs: lab.nowMs, newestTick });
    };
    const commandSource = {
      next: (tick: Tick, acknowledged: Command | undefined) => {
        this.#isEntered ||= acknowledged !== undefined;
        const command = this.hands.next(tick, acknowledged);
        const given = this.#given.get(tick);
        this.#newestGiven = Math.max(this.#newestGiven, tick);
        if (given === undefined) this.#given.set(tick, [command]);
        else given.push(command);
        return command;
      },
    };
    const joining = {
      commandSource,
      game: parts.game,
      room,
      resume,
      spectate,
      startOnBodyStream: line.startsOnBodyStream,
      ...(onArrival !== undefined && { onArrival }),
      ...(ticket !== undefined && { peer: { ...LOCAL_PEER, ticket } }),
      isAway: () => lab.nowMs < this.awayUntilMs,
      around: (end: ConstructorParameters<typeof HuntedLink>[0]) => {
        this.link = new HuntedLink(end, { now: () => lab.nowMs, random, onSent, onArrived });
        this.link.hold({ upMs: hangsMs, downMs: hangsMs });
        return this.link;
      },
    };
    const { network, lossy, ordered, clockPpm } = line;
    this.player = lossy === undefined
      ? lab.join(name, { ...joining, network, ordered, clockPpm })
      : lab.joinByDatagrams(name, { ...joining, network: lossy });
  }

  get session(): Session<Command, Sim> {
    return this.player.session;
  }

  get isOpen(): boolean {
    return this.session.phase !== "closed";
  }

  /** Whether its server is alive and it is open. */
  get isLive(): boolean {
    return this.isOpen && this.link.deadAtMs === undefined;
  }

  /** Whether its commands have reached the server for some time. */
  get hasPlayed(): boolean {
    return this.#newest > this.firstTick + PLAYED_TICKS && this.session.phase === "playing";
  }

  /** Whether a match's living server may have received its commands. */
  isIn(witness: Witness<Command>): boolean {
    const { deadAtMs, forgottenSinceMs } = this.link;
    const isOfIt = (this.witness ?? witness) === witness;
    // What it had sent before its connection was forgotten still counts.
    return this.room === witness.room && isOfIt &&
      (deadAtMs === undefined || forgottenSinceMs !== undefined);
  }

  /**
   * Whether its match has not reached its newest command's tick yet. An empty room stands still.
   */
  get mayStillCount(): boolean {
    const { witness } = this;
    return witness !== undefined && !witness.isOver && witness.newestTick <= this.#newestGiven;
  }

  /** Whether it gave this command for this tick. */
  hasGiven({ seat, tick }: { seat: SeatId; tick: Tick }, command: Command): boolean {
    if (this.session.seat !== seat) return false;
    return this.#given.get(tick)?.some((given) => this.#same(given, command)) ?? false;
  }

  /**
   * Notes that its server has died.
   * @param noticedAtMs when its system notices
   * @param witness its room's at that moment
   */
  serverDied(noticedAtMs: number, witness: Witness<Command> | undefined): void {
    if (this.link.deadAtMs !== undefined) return;
    this.link.serverDies(noticedAtMs);
    this.witness ??= witness;
    this.#tickMax = this.witness?.newestTick ?? Infinity;
  }

  /** @throws Broken for a rule that it breaks now */
  check(witnessOfRoom: () => Witness<Command> | undefined): void {
    const { session } = this;
    const { closeCode, stats, definitiveTick: tick } = session;
    const bad = NEVER.get(closeCode);

    if (bad !== undefined) {
      throw new Broken(
        "no honest client is closed",
        `${closeCode} (${bad}), ${session.closeReason}`,
      );
    }

    if (stats.desyncs > 0) {
      throw new Broken("equal everywhere", `a client is desynced at tick ${tick}`);
    }
    if (tick < 0) return;
    if (this.firstTick < 0) this.firstTick = tick;
    this.witness ??= witnessOfRoom();
    const { witness } = this;
    if (witness === undefined) return;

    if (
      tick > Math.min(witness.newestTick, this.#tickMax) ||
      (this.isLive && tick >= witness.unwrittenFrom)
    ) {
      throw new Broken(
        "a tick is in the log before any client has it",
        `tick ${tick}, the log ends at ${witness.newestTick}`,
      );
    }

    this.#checkEntry(witness);
    this.#checkGaps(tick);
    this.#checkHashes(Math.min(tick, session.head), witness);
  }

  /**
   * Checks a tick that its match has run.
   * @throws Broken if its command for the tick had arrived in time and was not taken
   */
  checkArrivals(
    tick: Tick,
    { dueMs, witness }: { dueMs: number; witness: Witness<Command> },
  ): void {
    const { session: { seat }, player: { serverEnd } } = this;
    // The server may have closed it, and the player may have another connection.
    if (seat < 0 || !this.isLive || serverEnd.closeCode !== 0 || !this.isIn(witness)) return;
    const beforeMs = this.#arrived.inTimeFor(tick, dueMs);
    if (beforeMs !== undefined && !witness.isAnnounced(seat, tick)) {
      throw lostCommand({ seat, tick, beforeMs });
    }
  }

  /** A newcomer presses once they have entered, and goes on with nobody else's presses. */
  #checkEntry(witness: Witness<Command>): void {
    const { seat, isResumed } = this.session;
    if (!this.#isEntered || this.#isEntryChecked) return;
    this.#isEntryChecked = true;
    const entersAt = witness.newestEntryOf(seat);
    if (isResumed || entersAt > this.#cameAtTick) return;
    throw new Broken(
      "a newcomer enters by themselves",
      `seat ${seat}: came at tick ${this.#cameAtTick} and follows an entry at ${entersAt}`,
    );
  }

  #checkGaps(tick: Tick): void {
    const { stats: { ticks, statesAdopted } } = this.session;
    if (tick < this.#newest) throw new Broken("gapless", `tick ${tick} after tick ${this.#newest}`);
    if (
      statesAdopted === this.#adopted && this.#newest >= 0 &&
      ticks - this.#ticks !== tick - this.#newest
    ) {
      throw new Broken(
        "gapless",
        `${ticks - this.#ticks} ticks from ${this.#newest} to ${tick}, without a state`,
      );
    }
    this.#newest = tick;
    this.#ticks = ticks;
    this.#adopted = statesAdopted;
  }

  #checkHashes(last: Tick, witness: Witness<Command>): void {
    for (let tick = Math.max(this.#proven + 1, last - HISTORY_TICKS + 1); tick <= last; tick++) {
      const hash = this.session.provenHash(tick);
      if (hash === undefined || witness.agrees(tick, hash)) continue;
      throw new Broken(
        "a definitive tick never changes",
        `tick ${tick}: a client has ${hash}, the log or another client has another`,
      );
    }
    this.#proven = Math.max(this.#proven, last);
  }
}
