/**
 * Rooms full of bots that cost little CPU. The bots of `deno task bots` predict, each with a
 * simulation of its own; a machine that also runs the server cannot carry hundreds of those. Here
 * the eight bots of a room share one simulation of the definitive match and predict nothing.
 *
 * The server sees no difference: these bots ping, synchronize their clocks, and send each command
 * on time with the advised lead, as often as a page does.
 *
 * With the transport `auto` they take the datagrams that the server offers, and every fifth of them
 * has the line `far`.
 *
 *     deno run --allow-net --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE tests/tools/bench/match/crowd.ts URL ROOMS TRANSPORT
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot, type BotPerception } from "../../../../client/games/dragons/bot.ts";
import { openPathSession, openWholeSession } from "../../../../client/net/datagram_session.ts";
import { joinedSocketUrl } from "../../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../../client/net/node_websocket_link.ts";
import { openPathLink } from "../../../../client/net/path_link.ts";
import { CommandSender } from "../../../../client/session/command_sender.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import { newSessionStats } from "../../../../client/session/session_stats.ts";
import { HASH_MASK } from "../../../../client/session/state_hash_check.ts";
import { TickClock } from "../../../../client/session/tick_clock.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  type ClientDatagram,
  type ClientMessage,
  PROTOCOL_VERSION,
  type ServerMessage,
  type TickMessage,
  type TicksMessage,
  type Welcome,
} from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { ReliableEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";
import type { ClientLink, Clock } from "../../../../shared/netcode/link.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import { TickRing } from "../../../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS, Timeline } from "../../../../shared/netcode/timeline.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { LOSSY_EVERY, LOSSY_LINE } from "./lossy_line.ts";

const PLAYERS = 8;
/**
 * A refused bot retries after this time. The server admits 100 sockets at once, then 20 a second.
 */
const RETRY_MS = 500;
/** A bot that waits for its game to begin checks this often. */
const POLL_MS = 16;

/** A room's definitive match, which its bots share. */
class RoomReplica {
  readonly #timeline = new Timeline(dragonGame);
  readonly #snapshot = new Snapshot();
  /** Undefined before the first state. */
  simulation: DragonSimulation | undefined;

  /**
   * Applies a tick message; ignores ticks that another bot in the room has already applied.
   * @param options from the server's welcome message @throws Error if the state's hash differs from
   * the server's
   */
  receive(message: TickMessage<DragonCommand>, options: { npcs: number; seed: number }): void {
    const { tick, state } = message;
    if (state !== undefined && tick > (this.simulation?.tick ?? -1)) {
      this.simulation ??= dragonGame.start(options, options.seed);
      this.#snapshot.setBytes(state.snapshot);
      this.simulation.load(this.#snapshot);
      this.#timeline.begin(tick, state.seats);
      return this.#applyDelta(message);
    }

    if (this.simulation === undefined) return;

    // Another bot delivered this tick, or the message is a new bot's join state.
    if (tick !== this.simulation.tick + 1 || state !== undefined) return;
    this.#applyDelta(message);
    this.#timeline.resolve(tick);
    this.simulation.step(this.#timeline.commands(tick));
    this.simulation.save(this.#snapshot);
    if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== message.hash) {
      throw new Error(`desynced at tick ${tick}`);
    }
  }

  /** The command that was announced for a seat; undefined if there is none. */
  announcedAt(tick: Tick, seat: SeatId): DragonCommand | undefined {
    return this.#timeline.announcedAt(tick, seat);
  }

  #applyDelta({ presence, announcements }: TickMessage<DragonCommand>): void {
    for (const { tick, seat, present } of presence) this.#timeline.setPresence(tick, seat, present);
    for (const { tick, seat, command } of announcements) {
      this.#timeline.announce(tick, seat, command);
    }
  }
}

const clock: Clock = { now: () => performance.now() };

interface CrowdBotOptions {
  readonly link: ClientLink;
  /** The same link, if it has a modelled line. */
  readonly line: SimulatedLink | undefined;
  readonly room: string;
  readonly name: string;
  readonly replica: RoomReplica;
  readonly seed: number;
}

/** One bot's local commands, in place of the history that a predicting page keeps. */
class OwnCommands {
  readonly #replica: RoomReplica;
  readonly #commands = new TickRing<{ command: DragonCommand }>(
    HISTORY_TICKS,
    () => ({ command: dragonGame.command.neutral }),
  );

  constructor(replica: RoomReplica) {
    this.#replica = replica;
  }

  localCommandAt(tick: Tick): DragonCommand | undefined {
    return this.#commands.get(tick)?.command;
  }

  setLocalCommand(tick: Tick, command: DragonCommand): DragonCommand {
    return this.#commands.claim(tick).command = command;
  }

  announcedAt(tick: Tick, seat: SeatId): DragonCommand | undefined {
    return this.#replica.announcedAt(tick, seat);
  }

  /** This machine's clocks do not jump. */
  forgetLocalCommands(): void {}
}

/** One player: a link, a clock, and the timer that drives both. */
class CrowdBot {
  /** True once the welcome has come; false once the link has ended without one. */
  readonly joined: Promise<boolean>;
  readonly #options: CrowdBotOptions;
  readonly #encoder = new ReliableEncoder(dragonGame.command);
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #tickClock = new TickClock(dragonGame.tickHz, (id) => this.#send({ type: "ping", id }));
  readonly #bot: Bot;
  readonly #stats = newSessionStats();
  readonly #datagrams: SessionDatagrams<DragonCommand>;
  #sender: CommandSender<DragonCommand> | undefined;
  #matchOptions = { npcs: 0, seed: 0 };
  #received = -1;
  /** The newest tick for which one of this bot's commands has been announced. */
  #acknowledgedTick: Tick = -1;
  #seat: SeatId | undefined;
  #hasBegun = false;
  #isEnded = false;
  #onWelcome = () => {};

  constructor(options: CrowdBotOptions) {
    this.#options = options;
    const { link, room, name, seed } = options;
    this.#bot = new Bot(seed);
    this.#datagrams = new SessionDatagrams(link, {
      game: dragonGame,
      newPing: () => this.#tickClock.newPing(clock.now()),
      send: (message) => this.#send(message),
      sendBack: () =>
        link.sendReliably(
          this.#encoder.encode({ type: "back", received: Math.max(0, this.#received) }),
        ),
    });
    link.onMessage((bytes, reliably) => this.#receive(this.#decoder.decode(bytes), reliably));
    this.joined = new Promise((resolve) => {
      this.#onWelcome = () => resolve(true);
      link.onClose(() => {
        this.#isEnded = true;
        resolve(false);
      });
    });
    link.sendReliably(this.#encoder.encode({
      type: "hello",
      protocolVersion: PROTOCOL_VERSION,
      gameId: dragonGame.id,
      room,
      name,
      spectate: false,
      bodyStreamMode: "no",
      choices: [],
      resume: undefined,
    }));
    this.#drive();
  }

  #send(message: ClientMessage<DragonCommand> | ClientDatagram<DragonCommand>): void {
    const { link } = this.#options;
    const encoder = link.ordered ? this.#encoder : this.#datagrams.encoder;
    link.send(encoder.encode(message as ClientDatagram<DragonCommand>));
  }

  #receive(message: ServerMessage<DragonCommand>, reliably: boolean): void {
    const nowMs = clock.now();
    this.#datagrams.onArrival(message, { nowMs, reliably });
    if (message.type === "pong") this.#tickClock.pong(nowMs, message);
    else if (message.type === "welcome") this.#begin(message);
    else if (message.type === "tick") this.#receiveTick(message, nowMs);
    else if (message.type === "ticks") this.#receiveTicks(message, nowMs);
    else if (message.type === "offer") {
      this.#datagrams.onOffer(message, { nowMs, roundTripMs: this.#tickClock.roundTripMs });
    }
  }

  #begin({ npcs, seed, seat }: Welcome): void {
    const { replica, link } = this.#options;
    this.#matchOptions = { npcs, seed };
    this.#seat = seat;
    const perception: BotPerception = {
      seat: seat!,
      get simulation() {
        return replica.simulation;
      },
    };
    this.#bot.attach(perception);
    const received = () => this.#received;
    this.#sender = new CommandSender({
      game: dragonGame,
      seat,
      commandSource: this.#bot,
      predictor: new OwnCommands(replica),
      get ordered() {
        return link.ordered;
      },
      reconciler: {
        get received() {
          return received();
        },
        isDesynced: false,
        acknowledged: undefined,
        firstOwnTick: 0,
        own: undefined,
        npcUntil: -1,
        bodyStreamRequest: undefined,
        bodiesAck: 0,
      },
      stats: this.#stats,
      datagramSender: () => this.#datagrams.sender,
      piggybackPing: () => this.#tickClock.piggybackPing(clock.now()),
      requestPing: () => this.#tickClock.requestPing(clock.now()),
      isAnswered: (number) => this.#tickClock.isAnswered(number),
      send: (message) => this.#send(message),
    });
    this.#onWelcome();
  }

  #receiveTicks({ ticks }: TicksMessage<DragonCommand>, nowMs: number): void {
    for (const tick of ticks) this.#receiveTick(tick, nowMs);
  }

  #receiveTick(message: TickMessage<DragonCommand>, nowMs: number): void {
    const { tick, pong, advisedLeadMs, state, announcements } = message;
    if (pong !== undefined) this.#tickClock.pong(nowMs, pong);
    // A datagram repeats what may not have reached this bot, and may overtake its first state.
    if (this.#received < 0 ? state === undefined : tick <= this.#received) return;
    this.#options.replica.receive(message, this.#matchOptions);
    this.#received = tick;
    for (const { tick, seat } of announcements) {
      if (seat === this.#seat) this.#acknowledgedTick = Math.max(this.#acknowledgedTick, tick);
    }
    if (this.#hasBegun && advisedLeadMs > 0) {
      this.#tickClock.timeDilation.advise(nowMs, advisedLeadMs);
    }
  }

  /** Sends the pings and commands that are due, then sets a timer for the next ones. */
  #drive(): void {
    if (this.#isEnded) return;
    const nowMs = clock.now();
    const tickClock = this.#tickClock;
    const sender = this.#sender;
    const { link, line } = this.#options;
    line?.advance(nowMs);
    tickClock.ping(nowMs, sender !== undefined || link.bufferedBytes === 0);
    this.#datagrams.advance(nowMs, this.#acknowledgedTick);
    let dueMs = Math.min(tickClock.nextPingMs, nowMs + POLL_MS);
    if (sender !== undefined && this.#received >= 0) {
      dueMs = Math.min(dueMs, this.#play(sender, nowMs));
    }
    dueMs = Math.min(dueMs, this.#datagrams.nextDueMs, line?.nextDueMs ?? Infinity);
    setTimeout(() => this.#drive(), Math.max(0, Math.ceil(dueMs - nowMs)));
  }

  /** @returns when the next command is due, ms; Infinity before the first */
  #play(sender: CommandSender<DragonCommand>, nowMs: number): number {
    const tickClock = this.#tickClock;
    if (!this.#hasBegun) {
      if (!tickClock.begin(nowMs, { isSpectator: false })) return Infinity;
      this.#hasBegun = true;
      sender.begin(tickClock.commandTick);
    }
    tickClock.advance(nowMs, 0);
    const leadMsOf = (tick: Tick) => tickClock.timeDilation.leadMsOf(tick, clock.now());
    sender.sendTo(tickClock.commandTick, { leadMsOf, tooLateTick: tickClock.tooLateTick, nowMs });
    return tickClock.nextTickMs;
  }
}

/** A room code of four letters. @param n 0 … 675 */
function roomCode(n: number): string {
  return `CR${String.fromCharCode(65 + Math.floor(n / 26), 65 + n % 26)}`;
}

interface CrowdRequest {
  readonly transport: string;
  readonly room: string;
  readonly name: string;
  readonly seed: number;
}

/** Opens a link to a room by a ticket. */
function openLink(
  server: string,
  { transport, room, name, seed }: CrowdRequest,
): Pick<CrowdBotOptions, "link" | "line"> {
  const request = { gameId: dragonGame.id, room, name, spectate: false };
  const openSocket = () => {
    const socketUrl = joinedSocketUrl(server, request);
    const socket = openNodeWebSocketLink(socketUrl);
    return transport === "auto"
      ? openPathLink(socket, (offer) => openPathSession(socketUrl, offer))
      : socket;
  };
  const link = transport === "webtransport" ? openWholeSession(server, request) : openSocket();
  const isLossy = transport === "auto" && seed % LOSSY_EVERY === 0;
  const line = isLossy ? new SimulatedLink(link, { model: LOSSY_LINE, seed, clock }) : undefined;
  return { link: line ?? link, line };
}

const [url, rooms, transport] = Deno.args;
const server = new URL(url!).origin;
for (let n = 0; n < Number(rooms); n++) {
  const replica = new RoomReplica();
  const room = roomCode(n);
  for (let i = 0; i < PLAYERS; i++) {
    const seed = n * PLAYERS + i + 1;
    const name = `rider ${seed}`;
    const newBot = () =>
      new CrowdBot({
        ...openLink(server, { transport: transport!, room, name, seed }),
        room,
        name,
        replica,
        seed,
      });
    while (!await newBot().joined) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
