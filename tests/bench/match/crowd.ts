/**
 * Rooms full of bots that cost little CPU. The bots of `deno task bots` predict, each with a simulation of its own; a
 * machine that also runs the server cannot carry hundreds of those. Here the eight bots of a room share one simulation
 * of the definitive match and predict nothing.
 *
 * The server sees no difference: these bots ping, synchronize their clocks, and send each command on time with the
 * advised lead.
 *
 *     deno run --allow-net --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE tests/bench/match/crowd.ts URL ROOMS
 */
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { Bot, type BotPerception } from "../../../client/games/dragons/bot.ts";
import { HASH_MASK } from "../../../client/session/state_hash_check.ts";
import { TickClock } from "../../../client/session/tick_clock.ts";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import {
  type ClientMessage,
  PROTOCOL_VERSION,
  type ServerMessage,
  type TickMessage,
} from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { Timeline } from "../../../shared/netcode/timeline.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

const PLAYERS = 8;
/** A refused bot retries after this time. The server admits 100 sockets at once, then 20 a second. */
const RETRY_MS = 500;
/**
 * The server limits the sockets of one address, and `deno task bots` uses 127.0.0.1. On Linux every address in
 * 127.0.0.0/8 is this machine, so the crowd spreads over several.
 */
const PLAYERS_PER_ADDRESS = 200;
/** A bot that waits for its game to begin checks this often. */
const POLL_MS = 16;

/** The definitive match of one room, shared by its bots. */
class RoomReplica {
  readonly #timeline = new Timeline(dragonGame);
  readonly #snapshot = new Snapshot();
  /** Undefined before the first state. */
  simulation: DragonSimulation | undefined;

  /**
   * Applies a tick message; ignores ticks that another bot of the room has already applied.
   * @param options from the server's welcome message @throws Error if the state's hash differs from the server's
   */
  receive(message: TickMessage<DragonCommand>, options: { npcs: number; seed: number }): void {
    const { tick, state } = message;
    if (this.simulation === undefined) {
      if (state === undefined) return;
      this.simulation = dragonGame.start(options, options.seed);
      this.#snapshot.setBytes(state.snapshot);
      this.simulation.load(this.#snapshot);
      this.#timeline.begin(tick, state.seats);
      return this.#applyDelta(message);
    }
    // Another bot has delivered this tick, or the message is the join state of a new bot.
    if (tick !== this.simulation.tick + 1 || state !== undefined) return;
    this.#applyDelta(message);
    this.#timeline.resolve(tick);
    this.simulation.step(this.#timeline.commands(tick));
    this.simulation.save(this.#snapshot);
    if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== message.hash) throw new Error(`desynced at tick ${tick}`);
  }

  #applyDelta({ presence, announcements }: TickMessage<DragonCommand>): void {
    for (const { tick, seat, present } of presence) this.#timeline.setPresence(tick, seat, present);
    for (const { tick, seat, command } of announcements) this.#timeline.announce(tick, seat, command);
  }
}

interface CrowdBotOptions {
  readonly room: string;
  readonly replica: RoomReplica;
  readonly seed: number;
  readonly localAddress: string;
}

/** One player: a connection, a clock, and the timer that drives both. */
class CrowdBot {
  /** True once the socket is open; false once the server has refused it. */
  readonly opened: Promise<boolean>;
  readonly #options: CrowdBotOptions;
  readonly #socket: WebSocket;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #tickClock = new TickClock(dragonGame.tickHz, (id) => this.#send({ type: "ping", id }));
  readonly #bot: Bot;
  #matchOptions = { npcs: 0, seed: 0 };
  #received = -1;
  /** The newest tick that has a command of this bot; -1 before the bot plays. */
  #newestCommandTick = -1;

  constructor(url: string, options: CrowdBotOptions) {
    this.#options = options;
    this.#bot = new Bot(options.seed);
    const socket = this.#socket = new WebSocket(url, {
      perMessageDeflate: false,
      localAddress: options.localAddress,
    });
    socket.on("message", (data) => this.#receive(this.#decoder.decode(new Uint8Array(data as Buffer))));
    this.opened = new Promise((resolve) => {
      socket.on("error", () => resolve(false));
      socket.on("close", () => resolve(false));
      socket.on("open", () => {
        this.#sendHello();
        this.#drive();
        resolve(true);
      });
    });
  }

  #send(message: ClientMessage<DragonCommand>): void {
    const bytes = this.#encoder.encode(message).slice();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  #sendHello(): void {
    const { room, seed } = this.#options;
    this.#send({
      type: "hello",
      protocolVersion: PROTOCOL_VERSION,
      gameId: dragonGame.id,
      room,
      name: `rider ${seed}`,
      spectate: false,
      bodyStreamMode: "no",
      choices: [],
      resume: undefined,
    });
  }

  #receive(message: ServerMessage<DragonCommand>): void {
    const nowMs = performance.now(), { replica } = this.#options;
    if (message.type === "pong") this.#tickClock.pong(nowMs, message);
    else if (message.type === "welcome") {
      this.#matchOptions = { npcs: message.npcs, seed: message.seed };
      const perception: BotPerception = {
        seat: message.seat!,
        get simulation() {
          return replica.simulation;
        },
      };
      this.#bot.attach(perception);
    } else if (message.type === "tick") {
      if (message.pong !== undefined) this.#tickClock.pong(nowMs, message.pong);
      replica.receive(message, this.#matchOptions);
      this.#received = message.tick;
      if (this.#newestCommandTick >= 0 && message.advisedLeadMs > 0) {
        this.#tickClock.timeDilation.advise(nowMs, message.advisedLeadMs);
      }
    }
  }

  /** Sends the pings and commands that are due, then sets a timer for the next ones. */
  #drive(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const nowMs = performance.now(), tickClock = this.#tickClock, { timeDilation } = tickClock;
    tickClock.ping(nowMs);
    if (this.#newestCommandTick < 0 && this.#received >= 0 && tickClock.begin(nowMs, { isSpectator: false })) {
      this.#newestCommandTick = Math.floor(timeDilation.headTicks);
    }
    let dueMs = Math.min(tickClock.nextPingMs, nowMs + POLL_MS);
    if (this.#newestCommandTick >= 0) {
      timeDilation.advance(nowMs);
      while (this.#newestCommandTick < Math.floor(timeDilation.headTicks)) this.#command(++this.#newestCommandTick);
      dueMs = Math.min(tickClock.nextPingMs, tickClock.nextTickMs);
    }
    setTimeout(() => this.#drive(), Math.max(0, Math.ceil(dueMs - nowMs)));
  }

  #command(tick: number): void {
    if (tick <= this.#received) return;
    const command = this.#bot.next(tick, undefined),
      { leadMs } = this.#tickClock.timeDilation,
      received = this.#received;
    const ping = this.#tickClock.piggybackPing(performance.now());
    this.#send({ type: "command", tick, command, leadMs, received, isDesynced: false, ping });
  }
}

/** A room code of four letters. @param n 0 … 675 */
function roomCode(n: number): string {
  return `CR${String.fromCharCode(65 + Math.floor(n / 26), 65 + n % 26)}`;
}

/** Asks for a ticket, as pages do. @returns the address of a socket; undefined if the server does not answer now */
async function socketUrlFor(room: string, seed: number): Promise<string | undefined> {
  const wish = { gameId: dragonGame.id, room, name: `rider ${seed}`, spectate: false };
  try {
    return await joinedSocketUrl(new URL(url!).origin, wish);
  } catch {
    return undefined;
  }
}

const [url, rooms] = Deno.args;
for (let room = 0; room < Number(rooms); room++) {
  const replica = new RoomReplica();
  for (let i = 0; i < PLAYERS; i++) {
    const seed = room * PLAYERS + i + 1, localAddress = `127.0.0.${2 + Math.floor(seed / PLAYERS_PER_ADDRESS)}`;
    const options = { room: roomCode(room), replica, seed, localAddress };
    for (;;) {
      const socketUrl = await socketUrlFor(options.room, seed);
      if (socketUrl !== undefined && await new CrowdBot(socketUrl, options).opened) break;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
