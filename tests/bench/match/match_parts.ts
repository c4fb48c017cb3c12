/**
 * Splits the time of one match-tick into parts. The server's rooms and match run in this process on a virtual clock.
 * The links only copy each message, as the server's sockets do. Stopwatches wrap the game's simulation and codec.
 *
 *     stage   Simulation.step
 *     save    Simulation.save, and the hash of the snapshot
 *     feed    from the first command encoded for the clients to the last send
 *     queues  everything else: decoding, queues, timeline, presence, NPC policies
 */
import { seededSecret } from "../../support/seeded_secret.ts";
import type { BotPlayer } from "../../../client/bots/npc_bot.ts";
import { Rooms } from "../../../server/rooms.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { type Game, PLAYER_SEATS, type Simulation } from "../../../shared/netcode/game.ts";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";
import { type ClientMessage, PROTOCOL_VERSION, type ServerMessage } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

const WARM_UP_TICKS = 100;
/** The players' lead in ticks and in ms, as over a network with a round trip of 100 ms. */
const AHEAD_TICKS = 3;
const LEAD_MS = 150;

/** A game, and bots that play it. */
export interface TimedPlayers {
  readonly game: Game<unknown>;
  readonly newBot: (seed: number) => BotPlayer<unknown>;
}

/** ms per tick. */
export interface Parts {
  readonly stage: number;
  readonly queues: number;
  readonly feed: number;
  readonly save: number;
}

/** The game with stopwatches. Its times accumulate until the caller resets them. */
class TimedGame {
  stageMs = 0;
  saveMs = 0;
  /** Time of the first comparison of two commands after the save; the broadcast begins there. */
  feedStartMs: number | undefined;
  simulation!: Simulation<unknown>;
  readonly snapshot = new Snapshot();
  readonly game: Game<unknown>;

  constructor(plain: Game<unknown>) {
    this.game = {
      ...plain,
      command: {
        ...plain.command,
        // The broadcaster compares each command before it encodes it. Other code compares commands, too, but only
        // before the save.
        same: (a, b) => {
          this.feedStartMs ??= performance.now();
          return plain.command.same(a, b);
        },
      },
      start: (options, seed) => this.simulation = this.#instrumented(plain.start(options, seed)),
    };
  }

  #instrumented(simulation: Simulation<unknown>): Simulation<unknown> {
    const step = simulation.step.bind(simulation), save = simulation.save.bind(simulation);
    simulation.step = (commands) => this.stageMs += timed(() => step(commands));
    simulation.save = (into) => {
      this.saveMs += timed(() => save(into));
      this.feedStartMs = undefined;
    };
    return simulation;
  }

  /**
   * Time of the hash, ms. The match computes it where no stopwatch can wrap it, so this hashes the same snapshot again.
   */
  hashMs(): number {
    this.simulation.save(this.snapshot);
    return timed(() => hashOfSnapshot(this.snapshot));
  }
}

/** A player without a network: each message arrives at once. */
class LocalPlayer {
  readonly #game: Game<unknown>;
  readonly #bot: BotPlayer<unknown>;
  readonly #encoder: ClientMessageEncoder<unknown>;
  #deliver: MessageHandler = () => {};
  #seat = -1;
  readonly link: Link = {
    ordered: true,
    bufferedBytes: 0,
    send: (message) => this.#receive(new Uint8Array(message)),
    sendReliably: (message) => this.#receive(new Uint8Array(message)),
    onMessage: (handler) => this.#deliver = handler,
    onClose() {},
    close(code, reason) {
      throw new Error(`closed: ${code} ${reason}`);
    },
  };

  constructor({ game, newBot }: TimedPlayers, seed: number) {
    this.#game = game;
    this.#encoder = new ClientMessageEncoder(game.command, { ordered: true });
    this.#bot = newBot(seed);
  }

  send(message: ClientMessage<unknown>): void {
    this.#deliver(this.#encoder.encode(message).slice(), true);
  }

  /** The message with this player's command for a tick. */
  commandMessageFor(
    { tick, simulation }: { tick: number; simulation: Simulation<unknown> },
  ): ClientMessage<unknown> {
    this.#bot.attach({ seat: this.#seat, simulation });
    const command = this.#bot.next(tick, undefined);
    return { type: "command", tick, command, leadMs: LEAD_MS, received: tick - AHEAD_TICKS, isDesynced: false };
  }

  #receive(message: Uint8Array): void {
    if (this.#seat >= 0) return;
    const welcome: ServerMessage<unknown> = new ServerMessageDecoder(this.#game.command).decode(message);
    if (welcome.type === "welcome") this.#seat = welcome.seat ?? -1;
  }
}

/**
 * Runs several matches in turns, as a server does, so that each match finds the caches as the others left them.
 * @returns means over all matches and `ticks`
 */
export function measureParts(
  options: TimedPlayers & { matches: number; players: number; npcs: number; ticks: number },
): Parts {
  const rooms = Array.from({ length: options.matches }, (_, i) => new TimedRoom({ ...options, seed: i + 1 }));
  const sums = { stage: 0, queues: 0, feed: 0, save: 0 };
  for (let tick = -WARM_UP_TICKS; tick < options.ticks; tick++) {
    for (const room of rooms) {
      const parts = room.tick();
      if (tick < 0) continue;
      for (const key of Object.keys(sums) as (keyof Parts)[]) sums[key] += parts[key] / (options.ticks * rooms.length);
    }
  }
  return sums;
}

/** One room and its players. */
class TimedRoom {
  readonly #timedGame: TimedGame;
  readonly #tickMs: number;
  readonly #clock = { nowMs: 0, now: () => this.#clock.nowMs };
  readonly #rooms: Rooms<unknown>;
  readonly #players: readonly LocalPlayer[];

  constructor(
    { game: plain, newBot, players, npcs, seed }: TimedPlayers & Record<"players" | "npcs" | "seed", number>,
  ) {
    this.#timedGame = new TimedGame(plain);
    this.#tickMs = 1000 / plain.tickHz;
    const { game } = this.#timedGame;
    this.#rooms = new Rooms({
      games: { timed: game },
      clock: this.#clock,
      npcs,
      secret: seededSecret(seed),
      stream: "commands",
      log() {},
    });
    this.#players = Array.from(
      { length: players },
      (_, i) => joinPlayer(this.#rooms, { game: plain, newBot }, seed * PLAYER_SEATS + i),
    );
  }

  tick(): Parts {
    const timedGame = this.#timedGame, { simulation } = timedGame;
    const tick = simulation.tick + AHEAD_TICKS;
    // The bots' decisions cost the clients' CPU time, so no stopwatch runs here.
    const commands = this.#players.map((player) => player.commandMessageFor({ tick, simulation }));
    this.#clock.nowMs += this.#tickMs;
    timedGame.stageMs = timedGame.saveMs = 0;
    timedGame.feedStartMs = undefined;
    const arrivalsMs = timed(() => this.#players.forEach((player, i) => player.send(commands[i]!)));
    const tickMs = timed(() => this.#rooms.tick(this.#clock.nowMs));
    const feed = performance.now() - (timedGame.feedStartMs ?? performance.now());
    const { stageMs: stage, saveMs } = timedGame;
    const save = saveMs + timedGame.hashMs();
    return { stage, save, feed, queues: arrivalsMs + tickMs - stage - save - feed };
  }
}

function joinPlayer(rooms: Rooms<unknown>, players: TimedPlayers, seed: number): LocalPlayer {
  const player = new LocalPlayer(players, seed);
  rooms.admit(player.link);
  player.send({
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: players.game.id,
    room: "BNCH",
    name: `bot ${seed}`,
    spectate: false,
    bodyStreamMode: "no",
    choices: [],
    resume: undefined,
  });
  return player;
}

/** The duration of `action`, ms. */
function timed(action: () => void): number {
  const startMs = performance.now();
  action();
  return performance.now() - startMs;
}
