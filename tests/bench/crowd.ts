/**
 * Rooms full of bots for few means: those of one room share one simulation, of the definitive match, where each of `deno task bots` has
 * its own and predicts. Each answers each tick with a command at a moment of its own. To the server they are eight players in each
 * room; beside it on one machine there is no room for hundreds who predict.
 *
 *     deno run --allow-net --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE tests/bench/crowd.ts URL ROOMS
 */
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { Bot, type BotEyes } from "../../client/bot.ts";
import { HASH_MASK } from "../../client/hash_check.ts";
import type { DragonCommand } from "../../shared/dragons/command.ts";
import { dragonGame } from "../../shared/dragons/game.ts";
import type { DragonSimulation } from "../../shared/dragons/simulation.ts";
import { hashOfSnapshot } from "../../shared/netcode/bytes.ts";
import { PROTOCOL_VERSION, type TickMessage, type UpMessage } from "../../shared/netcode/protocol.ts";
import { DownDecoder } from "../../shared/netcode/protocol_down.ts";
import { UpEncoder } from "../../shared/netcode/protocol_up.ts";
import { Timeline } from "../../shared/netcode/timeline.ts";
import { Random } from "../../shared/random.ts";
import { Snapshot } from "../../shared/snapshot.ts";

const PLAYERS = 8;
const TICK_MS = 1000 / dragonGame.tickHz;
/** Commands are for so many ticks after the newest one: a line of 100 ms. */
const AHEAD_TICKS = 4;
/** The server's gate lets 100 in at once and 20 a second: who was refused knocks again. */
const RETRY_MS = 500;
/** The gate lets so many in from one address, and the bots come from one, too. On Linux all of 127 is this machine. */
const PLAYERS_PER_ADDRESS = 200;

/** The definitive match of one room, as its players see it. */
class Sight {
  readonly #timeline = new Timeline(dragonGame);
  readonly #snapshot = new Snapshot();
  /** Undefined before the first state. */
  simulation: DragonSimulation | undefined;

  /** @param options what the server's welcome says @throws Error where it comes to another state than the server's */
  take(message: TickMessage<DragonCommand>, options: { npcs: number; seed: number }): void {
    const { tick, state } = message;
    if (this.simulation === undefined) {
      if (state === undefined) return;
      this.simulation = dragonGame.start(options, options.seed);
      this.#snapshot.setBytes(state.snapshot);
      this.simulation.load(this.#snapshot);
      this.#timeline.begin(tick, state.seats);
      return this.#learn(message);
    }
    // Another player has told of it; or this one has just come, and knows only what follows.
    if (tick !== this.simulation.tick + 1 || state !== undefined) return;
    this.#learn(message);
    this.#timeline.resolve(tick);
    this.simulation.step(this.#timeline.commands(tick));
    this.simulation.save(this.#snapshot);
    if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== message.hash) throw new Error(`out of step at tick ${tick}`);
  }

  #learn({ presence, announcements }: TickMessage<DragonCommand>): void {
    for (const { tick, seat, present } of presence) this.#timeline.setPresence(tick, seat, present);
    for (const { tick, seat, command } of announcements) this.#timeline.announce(tick, seat, command);
  }
}

interface Place {
  readonly room: string;
  readonly sight: Sight;
  readonly seed: number;
  readonly localAddress: string;
}

/** Opens one player's line. @returns when it has opened or was refused, and which */
function join(url: string, { room, sight, seed, localAddress }: Place): Promise<boolean> {
  const bot = new Bot(seed), phaseMs = new Random(seed).below(TICK_MS);
  const encoder = new UpEncoder(dragonGame.command, { ordered: true }), decoder = new DownDecoder(dragonGame.command);
  const socket = new WebSocket(`${url}socket`, { perMessageDeflate: false, localAddress });
  const say = (message: UpMessage<DragonCommand>) => {
    const bytes = encoder.encode(message).slice();
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  };
  const welcomed = { npcs: 0, seed: 0 };
  socket.on("message", (data) => {
    const message = decoder.decode(new Uint8Array(data as Buffer));
    if (message.kind === "welcome") {
      Object.assign(welcomed, { npcs: message.npcs, seed: message.seed });
      const eyes: BotEyes = {
        seat: message.seat!,
        get simulation() {
          return sight.simulation;
        },
      };
      bot.watch(eyes);
    }
    if (message.kind !== "tick") return;
    sight.take(message, welcomed);
    const { tick: received } = message, tick = received + AHEAD_TICKS;
    setTimeout(() => {
      say({ kind: "command", tick, command: bot.next(tick, undefined), leadMs: 150, received, outOfStep: false });
    }, phaseMs);
  });
  return new Promise((resolve) => {
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.on("open", () => {
      say({
        kind: "hello",
        protocolVersion: PROTOCOL_VERSION,
        gameId: dragonGame.id,
        room,
        name: `rider ${seed}`,
        watch: false,
        streams: "no",
        resume: undefined,
      });
      resolve(true);
    });
  });
}

/** Four letters for a number. */
function roomCode(n: number): string {
  return `CR${String.fromCharCode(65 + Math.floor(n / 26), 65 + n % 26)}`;
}

const [url, rooms] = Deno.args;
for (let room = 0; room < Number(rooms); room++) {
  const sight = new Sight();
  for (let i = 0; i < PLAYERS; i++) {
    const seed = room * PLAYERS + i + 1, localAddress = `127.0.0.${2 + Math.floor(seed / PLAYERS_PER_ADDRESS)}`;
    const place = { room: roomCode(room), sight, seed, localAddress };
    while (!await join(url!.replace("http", "ws"), place)) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
