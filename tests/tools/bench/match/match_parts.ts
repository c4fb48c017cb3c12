/**
 * Splits the time of one match-tick into parts. The server's rooms and match run in this process on
 * a virtual clock. The links only copy each message, as the server's sockets do. Stopwatches wrap
 * the game's simulation and codec.
 *
 *     stage   Simulation.step
 *     save    Simulation.save, and the hash of the snapshot
 *     feed    from the first command encoded for the clients to the last send
 *     queues  everything else: decoding, queues, timeline, presence, NPC policies
 */
import { seededSecret } from "../../../support/seeded_secret.ts";
import { Rooms } from "../../../../server/rooms/rooms.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { type Game, PLAYER_SEATS, type Simulation } from "../../../../shared/netcode/game.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { AHEAD_TICKS, joinPlayer, type LocalPlayer, type TimedPlayers } from "./local_player.ts";

const WARM_UP_TICKS = 100;

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
  /** When two commands were first compared after the save, because the broadcast begins there. */
  feedStartMs: number | undefined;
  simulation!: Simulation<unknown>;
  readonly snapshot = new Snapshot();
  readonly game: Game<unknown>;

  constructor(plain: Game<unknown>) {
    this.game = {
      ...plain,
      command: {
        ...plain.command,
        // The broadcaster compares each command before it encodes it. Other code compares commands,
        // too, but only before the save.
        same: (a, b) => {
          this.feedStartMs ??= performance.now();
          return plain.command.same(a, b);
        },
      },
      start: (options, seed) => this.simulation = this.#instrumented(plain.start(options, seed)),
    };
  }

  #instrumented(simulation: Simulation<unknown>): Simulation<unknown> {
    const step = simulation.step.bind(simulation);
    const save = simulation.save.bind(simulation);
    simulation.step = (commands) => this.stageMs += timed(() => step(commands));
    simulation.save = (into) => {
      this.saveMs += timed(() => save(into));
      this.feedStartMs = undefined;
    };
    return simulation;
  }

  /**
   * How long the hash takes, ms. The match computes it where no stopwatch can wrap it, so this
   * hashes the same snapshot again.
   */
  hashMs(): number {
    this.simulation.save(this.snapshot);
    return timed(() => hashOfSnapshot(this.snapshot));
  }
}

/** How many matches of how many players, and for how long. */
export interface PartsSize {
  readonly matches: number;
  readonly players: number;
  readonly npcs: number;
  readonly ticks: number;
}

/**
 * Runs several matches in turns, as a server does, so that each match finds the caches as the
 * others left them.
 * @returns means over all matches and `ticks`
 */
export function measureParts(options: TimedPlayers & PartsSize): Parts {
  const rooms = Array.from(
    { length: options.matches },
    (_, i) => new TimedRoom({ ...options, seed: i + 1 }),
  );
  const sums = { stage: 0, queues: 0, feed: 0, save: 0 };
  for (let tick = -WARM_UP_TICKS; tick < options.ticks; tick++) {
    for (const room of rooms) {
      const parts = room.tick();
      if (tick < 0) continue;
      for (const key of Object.keys(sums) as (keyof Parts)[]) {
        sums[key] += parts[key] / (options.ticks * rooms.length);
      }
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
    { game: plain, newBot, players, npcs, seed }:
      & TimedPlayers
      & Record<"players" | "npcs" | "seed", number>,
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
      (_, i) =>
        joinPlayer(this.#rooms, { game: plain, newBot }, {
          room: "BNCH",
          seed: seed * PLAYER_SEATS + i,
        }),
    );
  }

  tick(): Parts {
    const timedGame = this.#timedGame;
    const { simulation } = timedGame;
    const tick = simulation.tick + AHEAD_TICKS;
    // No stopwatch runs here, because the bots' decisions cost the clients' CPU time.
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

/** How long `action` takes, ms. */
function timed(action: () => void): number {
  const startMs = performance.now();
  action();
  return performance.now() - startMs;
}
