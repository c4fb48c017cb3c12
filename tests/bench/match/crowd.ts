/**
 * Rooms full of bots for few means: those of one room share one simulation, of the definitive match, where each of `deno task bots` has
 * its own and predicts; beside a server on one machine there is no room for hundreds who do. To the server they are eight players in each
 * room: they ping and keep its clock and send each command when it is time, ahead by the lead that they are advised, as the others do.
 *
 *     deno run --allow-net --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE tests/bench/match/crowd.ts URL ROOMS
 */
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { Bot, type BotPerception } from "../../../client/games/dragons/bot.ts";
import { HASH_MASK } from "../../../client/session/state_hash_check.ts";
import { TickClock } from "../../../client/session/tick_clock.ts";
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
/** The server's gate lets 100 in at once and 20 a second: who was refused knocks again. */
const RETRY_MS = 500;
/** The gate lets so many in from one address, and the bots come from one, too. On Linux all of 127 is this machine. */
const PLAYERS_PER_ADDRESS = 200;
/** Who waits for the game to begin looks so often whether it does. */
const POLL_MS = 16;

/** The definitive match of one room, as its players see it. */
class RoomReplica {
  readonly #timeline = new Timeline(dragonGame);
  readonly #snapshot = new Snapshot();
  /** Undefined before the first state. */
  simulation: DragonSimulation | undefined;

  /** @param options what the server's welcome says @throws Error where it comes to another state than the server's */
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
    // Another player has told of it; or this one has just come, and knows only what follows.
    if (tick !== this.simulation.tick + 1 || state !== undefined) return;
    this.#applyDelta(message);
    this.#timeline.resolve(tick);
    this.simulation.step(this.#timeline.commands(tick));
    this.simulation.save(this.#snapshot);
    if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== message.hash) throw new Error(`out of step at tick ${tick}`);
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

/** One player: his line, his clock, and the timer that drives him. */
class CrowdBot {
  /** Settles when the line has opened, or was refused, and says which. */
  readonly opened: Promise<boolean>;
  readonly #options: CrowdBotOptions;
  readonly #socket: WebSocket;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
  readonly #decoder = new ServerMessageDecoder(dragonGame.command);
  readonly #tickClock = new TickClock(dragonGame.tickHz, (id) => this.#send({ type: "ping", id }));
  readonly #bot: Bot;
  #matchOptions = { npcs: 0, seed: 0 };
  #received = -1;
  /** The newest tick with a command of his; -1 before he plays. */
  #newestCommandTick = -1;

  constructor(url: string, options: CrowdBotOptions) {
    this.#options = options;
    this.#bot = new Bot(options.seed);
    const socket = this.#socket = new WebSocket(`${url}socket`, {
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

  /** Does what is due, and comes back when there is more. */
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

/** Four letters for a number. */
function roomCode(n: number): string {
  return `CR${String.fromCharCode(65 + Math.floor(n / 26), 65 + n % 26)}`;
}

const [url, rooms] = Deno.args;
for (let room = 0; room < Number(rooms); room++) {
  const replica = new RoomReplica();
  for (let i = 0; i < PLAYERS; i++) {
    const seed = room * PLAYERS + i + 1, localAddress = `127.0.0.${2 + Math.floor(seed / PLAYERS_PER_ADDRESS)}`;
    const options = { room: roomCode(room), replica, seed, localAddress };
    while (!await new CrowdBot(url!.replace("http", "ws"), options).opened) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
