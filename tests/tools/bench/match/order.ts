/**
 * Measures matches whose commands the server only orders beside the same matches in full. Each full
 * match has an ordered one as its pair: the same players send both the same commands, in
 * turns of a hundred ticks, in this process and without sockets. What the players decide from is the full one's
 * simulation, and costs neither.
 *
 * How soon liars are named is measured in the lab, in virtual time.
 */
import { NpcBot } from "../../../../client/bots/npc_bot.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import type { Log } from "../../../../server/ground/log.ts";
import { ownReferee, Referee } from "../../../../server/referee/referee.ts";
import { refereeFor } from "../../../../server/referee/open_referee.ts";
import { Rooms } from "../../../../server/rooms/rooms.ts";
import { clock } from "../../../../server/ground/ticker.ts";
import { hostedGameOf } from "../../../../server/trial/trials.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { Game, Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { seededSecret } from "../../../support/seeded_secret.ts";
import { type Exposure, exposureOf } from "../../lab/ordering_lab.ts";
import { medianOf } from "../median.ts";
import { AHEAD_TICKS, joinPlayer, type LocalPlayer } from "./local_player.ts";
import { gameOfBodies } from "./order_bodies.ts";

const PLAYERS = 8;
const NPCS = 4;
const ROOM = "BNCH";
const BLOCK_TICKS = 100;
const WARM_UP_BLOCKS = 3;
const MEASURED_BLOCKS = 9;
/** A match-minute at 20 Hz. */
const MINUTE_TICKS = 1_200;
/** Ten minutes. */
const LATE_TICKS = 10 * MINUTE_TICKS;
const DRAGON_PAIRS = 10;
const CROWD_PAIRS = 2;
const CROWDS = [50, 200, 500];
/** The matches with liars, of which the slowest counts. */
const LIAR_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** ms of a match-tick. */
interface Cost {
  readonly orderMs: number;
  readonly fullMs: number;
}

export interface OrderFigures {
  readonly order: { readonly msPerTick: number; readonly fullMsPerTick: number };
  readonly crowd: readonly ({ readonly bodies: number } & Cost)[];
  /** What the referee computes for a minute of dragons, ms, by `--verify`. */
  readonly refereeMsPerMinute: Readonly<Record<"all" | "sample" | "differences", number>>;
  /** From a hello in minute ten to its state, ms, with a referee in a thread of its own. */
  readonly lateJoinMs: number;
  readonly liar: LiarFigures;
}

export interface LiarFigures {
  /**
   * From the first tick that one client of eight computes otherwise until the server has named it, s
   * of virtual time, and the same until five of eight are named: the slowest of all seeds.
   */
  readonly foundSeconds: number;
  readonly fiveFoundSeconds: number;
  /** How many others were named. */
  readonly othersNamed: number;
}

/** How much is measured. */
export interface OrderOptions {
  readonly dragonPairs?: number;
  readonly crowdPairs?: number;
  readonly measuredBlocks?: number;
  /** The tick in which somebody joins late. */
  readonly lateTick?: Tick;
}

/** @param log shows progress */
export async function measureOrder(
  log: (line: string) => void,
  {
    dragonPairs = DRAGON_PAIRS,
    crowdPairs = CROWD_PAIRS,
    measuredBlocks = MEASURED_BLOCKS,
    lateTick = LATE_TICKS,
  }: OrderOptions = {},
): Promise<OrderFigures> {
  log("dragons");
  const dragons = costOf(dragonGame as unknown as Game<unknown>, {
    pairs: dragonPairs,
    measuredBlocks,
  });
  const crowd = CROWDS.map((bodies) => {
    log(`${bodies} bodies`);
    const game = gameOfBodies(bodies) as unknown as Game<unknown>;
    return { bodies, ...costOf(game, { pairs: crowdPairs, measuredBlocks }) };
  });
  log("the referee, and a late join");
  const minuteMs = refereeMsPerMinute();
  return {
    order: { msPerTick: dragons.orderMs, fullMsPerTick: dragons.fullMs },
    crowd,
    refereeMsPerMinute: { all: minuteMs, sample: rounded(minuteMs / 8), differences: 0 },
    lateJoinMs: await lateJoinMs(lateTick),
    liar: liarFigures(),
  };
}

/** @throws Error if a liar was not named */
function liarFigures(): LiarFigures {
  const one = LIAR_SEEDS.map((seed) => exposureOf(seed, { liars: 1 }));
  const five = LIAR_SEEDS.map((seed) => exposureOf(seed, { liars: 5 }));
  const slowest = (exposures: readonly Exposure[]) =>
    rounded(Math.max(...exposures.map(({ seconds }) => seconds)));
  return {
    foundSeconds: slowest(one),
    fiveFoundSeconds: slowest(five),
    othersNamed: [...one, ...five].reduce((sum, { others }) => sum + others, 0),
  };
}

function costOf(
  game: Game<unknown>,
  { pairs, measuredBlocks }: { pairs: number; measuredBlocks: number },
): Cost {
  const rooms = Array.from({ length: pairs }, (_, i) => new Pair(game, i + 1));
  const costs = { orderMs: [] as number[], fullMs: [] as number[] };
  for (let block = -WARM_UP_BLOCKS; block < measuredBlocks; block++) {
    // A server of ordered matches has no others in its caches, so each kind plays for a while.
    const fullMs = rooms.reduce((sum, pair) => sum + pair.playFull(BLOCK_TICKS), 0);
    const orderMs = rooms.reduce((sum, pair) => sum + pair.playOrdered(), 0);
    if (block < 0) continue;
    costs.orderMs.push(orderMs / (pairs * BLOCK_TICKS));
    costs.fullMs.push(fullMs / (pairs * BLOCK_TICKS));
  }
  return { orderMs: rounded(medianOf(costs.orderMs)), fullMs: rounded(medianOf(costs.fullMs)) };
}

/** A match in full and one that is only ordered, with the same commands. */
class Pair {
  readonly #clock = { nowMs: 0, now: () => this.#clock.nowMs };
  readonly #tickMs: number;
  #simulation!: Simulation<unknown>;
  #messages: Messages[] = [];
  readonly #full: Half;
  readonly #ordered: Half;

  /** @param referee of the ordered one; by default one that is never done, so its proofs are any */
  constructor(game: Game<unknown>, seed: number, referee?: Referee) {
    this.#tickMs = 1000 / game.tickHz;
    const observed: Game<unknown> = {
      ...game,
      start: (options, seed) => this.#simulation = game.start(options, seed),
    };
    const options = { seed, clock: this.#clock };
    this.#full = new Half(observed, options);
    const proves = referee === undefined;
    this.#ordered = new Half(game, { ...options, referee: referee ?? neverDone(), proves });
  }

  get ordered(): Half {
    return this.#ordered;
  }

  /** Plays the full match, and keeps its commands. @returns ms without the players' decisions */
  playFull(ticks: number): number {
    let ms = 0;
    for (let i = 0; i < ticks; i++) {
      const simulation = this.#simulation;
      const tick = simulation.tick + AHEAD_TICKS;
      const messages = this.#full.players.map((player) =>
        player.commandMessageFor({ tick, simulation })
      );
      this.#messages.push(messages);
      ms += this.#run(this.#full, messages);
    }
    return ms;
  }

  /** Plays the ordered match with the commands that were kept. @returns ms */
  playOrdered(): number {
    let ms = 0;
    this.#clock.nowMs -= this.#messages.length * this.#tickMs;
    for (const messages of this.#messages) ms += this.#run(this.#ordered, messages);
    this.#messages = [];
    return ms;
  }

  #run(half: Half, messages: Messages): number {
    this.#clock.nowMs += this.#tickMs;
    return timed(() => half.tick(messages, this.#clock.nowMs));
  }
}

/** One tick's commands, by player. */
type Messages = readonly ReturnType<LocalPlayer["commandMessageFor"]>[];

interface HalfOptions {
  readonly seed: number;
  readonly clock: { now(): number };
  readonly referee?: Referee;
  /** Whether its clients send proofs, all the same ones. */
  readonly proves?: boolean;
}

class Half {
  readonly rooms: Rooms<unknown>;
  readonly players: readonly LocalPlayer[];
  readonly #proves: boolean;
  #ticks = 0;

  constructor(game: Game<unknown>, { seed, clock, referee, proves = false }: HalfOptions) {
    this.#proves = proves;
    this.rooms = new Rooms({
      games: { game },
      clock,
      npcs: NPCS,
      secret: seededSecret(seed),
      stream: "commands",
      log(event, fields) {
        if (event.endsWith("_failed")) throw new Error(`${event} ${JSON.stringify(fields)}`);
      },
      ...referee && { referee, authority: "order", verify: "differences" },
    });
    const newBot = (seed: number) => game.id === dragonGame.id ? new Bot(seed) : new NpcBot(game);
    this.players = Array.from(
      { length: PLAYERS },
      (_, i) => joinPlayer(this.rooms, { game, newBot }, { room: ROOM, seed: seed * 16 + i }),
    );
  }

  /** Takes the commands, and each ten ticks the proofs, and runs a tick. */
  tick(messages: Messages, dueMs: number): void {
    this.players.forEach((player, i) => player.send(messages[i]!));
    const tick = this.#ticks++;
    if (this.#proves && tick > 0 && tick % 10 === 0) {
      for (const player of this.players) player.send({ type: "proof", tick, proof: tick });
    }
    this.rooms.tick(dueMs);
  }

  get match() {
    return this.rooms.byGame.get("game")!.matchOf(ROOM)!;
  }
}

const timed = (work: () => void) => {
  const beganMs = performance.now();
  work();
  return performance.now() - beganMs;
};

const rounded = (value: number) => Number(value.toFixed(4));

/** A referee for matches that nobody asks about. */
function neverDone(): Referee {
  return new Referee({
    begin: () => ({ send() {}, close() {} }),
    scheduler: { after: () => () => {} },
    onFailed() {},
  });
}

/** How long the referee plays a minute of dragons. */
function refereeMsPerMinute(): number {
  const work: (() => void)[] = [];
  const gameOf = hostedGameOf([dragonGame as unknown as Game<unknown>]);
  const referee = new Referee({
    begin: ownReferee({ gameOf, clock, later: (each) => void work.push(each) }),
    scheduler: { after: () => () => {} },
    onFailed(reason) {
      throw new Error(reason);
    },
  });
  const pair = new Pair(dragonGame as unknown as Game<unknown>, 1, referee);
  const playMinute = () => {
    pair.playFull(MINUTE_TICKS);
    pair.playOrdered();
    joinPlayer(pair.ordered.rooms, watchers(), { room: ROOM, seed: 1, spectate: true });
    pair.playFull(1);
    pair.playOrdered();
    return timed(() => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) next();
    });
  };
  playMinute(); // compiles
  return rounded(playMinute());
}

function watchers() {
  return {
    game: dragonGame as unknown as Game<unknown>,
    newBot: (seed: number) => new Bot(seed),
  };
}

/** Plays up to a tick at once, and lets somebody join with the real clock going on. */
async function lateJoinMs(lateTick: Tick): Promise<number> {
  const game = dragonGame as unknown as Game<unknown>;
  const log: Log = (event, fields) => {
    throw new Error(`${event} ${JSON.stringify(fields)}`);
  };
  const module = new URL("../../../../server/trial/main.ts", import.meta.url);
  const program = { module, reads: ["server", "shared", "node_modules"] };
  const referee = refereeFor({ dragons: game }, { program, log });
  const pair = new Pair(game, 2, referee);
  pair.playFull(lateTick);
  pair.playOrdered();

  const beganMs = performance.now();
  const statesBefore = pair.ordered.match.stats.statesSent;
  joinPlayer(pair.ordered.rooms, watchers(), { room: ROOM, seed: 99, spectate: true });
  while (pair.ordered.match.stats.statesSent === statesBefore) {
    pair.playFull(1);
    pair.playOrdered();
    await new Promise((resolve) => setTimeout(resolve, 1000 / game.tickHz));
  }
  referee.close();
  return Math.round(performance.now() - beganMs);
}
