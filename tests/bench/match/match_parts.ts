/**
 * Where the time of one match-tick goes: the real rooms and match in this process, on a clock that is turned by hand, with links that
 * only copy what they are given, as the server's sockets do. The simulation and the codec are the game's own with a stopwatch around.
 *
 *     stage  Simulation.step              save  Simulation.save and the hash of what it saved
 *     feed   from the first command that is coded for the clients to the last send
 *     queues everything else: decoding, queues, timeline, presence, NPC minds
 */
import { Bot } from "../../../client/games/dragons/bot.ts";
import { Rooms } from "../../../server/rooms.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { type Game, PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import type { Link, MessageHandler } from "../../../shared/netcode/link.ts";
import { type ClientMessage, PROTOCOL_VERSION, type ServerMessage } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

const WARM_UP_TICKS = 100;
const TICK_MS = 1000 / dragonGame.tickHz;
/** How far ahead the players are, ticks and ms: a line of 100 ms. */
const AHEAD_TICKS = 3;
const LEAD_MS = 150;

/** ms per tick. */
export interface Parts {
  readonly stage: number;
  readonly queues: number;
  readonly feed: number;
  readonly save: number;
}

/** The game with a stopwatch around. Times add up until they are taken away. */
class TimedGame {
  stageMs = 0;
  saveMs = 0;
  /** When two commands were first compared after the save: the feed begins. */
  feedStartMs: number | undefined;
  simulation!: DragonSimulation;
  readonly snapshot = new Snapshot();

  readonly game: Game<DragonCommand, DragonSimulation> = {
    ...dragonGame,
    command: {
      ...dragonGame.command,
      // What is told is compared first. Before the save others do so, too.
      same: (a, b) => {
        this.feedStartMs ??= performance.now();
        return dragonGame.command.same(a, b);
      },
    },
    start: (options, seed) => {
      const simulation = this.simulation = dragonGame.start(options, seed);
      const step = simulation.step.bind(simulation), save = simulation.save.bind(simulation);
      simulation.step = (commands) => this.stageMs += timed(() => step(commands));
      simulation.save = (into) => {
        this.saveMs += timed(() => save(into));
        this.feedStartMs = undefined;
      };
      return simulation;
    },
  };

  /** The hash is the match's own business: the same words are hashed once more, with a stopwatch. */
  hashMs(): number {
    this.simulation.save(this.snapshot);
    return timed(() => hashOfSnapshot(this.snapshot));
  }
}

/** A player without a line: what he says arrives at once. */
class LocalPlayer {
  readonly #bot: Bot;
  readonly #encoder = new ClientMessageEncoder(dragonGame.command, { ordered: true });
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

  constructor(seed: number) {
    this.#bot = new Bot(seed);
  }

  send(message: ClientMessage<DragonCommand>): void {
    this.#deliver(this.#encoder.encode(message).slice(), true);
  }

  /** What he wants for a tick. */
  commandMessageFor(
    { tick, simulation }: { tick: number; simulation: DragonSimulation },
  ): ClientMessage<DragonCommand> {
    this.#bot.attach({ seat: this.#seat, simulation });
    const command = this.#bot.next(tick, undefined);
    return { type: "command", tick, command, leadMs: LEAD_MS, received: tick - AHEAD_TICKS, isDesynced: false };
  }

  #receive(message: Uint8Array): void {
    if (this.#seat >= 0) return;
    const welcome: ServerMessage<DragonCommand> = new ServerMessageDecoder(dragonGame.command).decode(message);
    if (welcome.type === "welcome") this.#seat = welcome.seat ?? -1;
  }
}

/**
 * Runs matches of so many players and NPCs side by side, as a server does: each finds the caches as the others left them.
 * @returns the mean over all matches and `ticks`
 */
export function measureParts(options: { matches: number; players: number; npcs: number; ticks: number }): Parts {
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

/** One room with its players. */
class TimedRoom {
  readonly #timedGame = new TimedGame();
  readonly #clock = { nowMs: 0, now: () => this.#clock.nowMs };
  readonly #rooms: Rooms<DragonCommand>;
  readonly #players: readonly LocalPlayer[];

  constructor({ players, npcs, seed }: { players: number; npcs: number; seed: number }) {
    const { game } = this.#timedGame;
    this.#rooms = new Rooms({ game, clock: this.#clock, npcs, seed, stream: "commands", log() {} });
    this.#players = Array.from({ length: players }, (_, i) => joinPlayer(this.#rooms, seed * PLAYER_SEATS + i));
  }

  tick(): Parts {
    const timedGame = this.#timedGame, { simulation } = timedGame;
    const tick = simulation.tick + AHEAD_TICKS;
    // What players think of is their own machines' time.
    const commands = this.#players.map((player) => player.commandMessageFor({ tick, simulation }));
    this.#clock.nowMs += TICK_MS;
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

function joinPlayer(rooms: Rooms<DragonCommand>, seed: number): LocalPlayer {
  const player = new LocalPlayer(seed);
  rooms.admit(player.link);
  player.send({
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: dragonGame.id,
    room: "BNCH",
    name: `bot ${seed}`,
    spectate: false,
    bodyStreamMode: "no",
    resume: undefined,
  });
  return player;
}

/** ms */
function timed(action: () => void): number {
  const startMs = performance.now();
  action();
  return performance.now() - startMs;
}
