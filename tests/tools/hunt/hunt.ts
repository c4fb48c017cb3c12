/** Plays many seeds side by side and sums up the results. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { counterGame } from "../lab/counter_game.ts";
import type { ClusterCounts } from "./cluster/cluster_world.ts";
import type { PagesCounts } from "./pages/pages_world.ts";
import type { SeedResult, SeedToPlay } from "./play_seed.ts";
import type { Fault, HuntedGame, HuntedHost } from "./schedule.ts";
import type { OrderCounts } from "./world.ts";

/** How long each seed plays. */
const SECONDS = 240;
/** How long a broken seed may be shrunk, ms. */
const SHRINK_MS_MAX = 40_000;
/** After this many broken seeds the hunt ends, because one bug breaks many. */
const BROKEN_MAX = 5;

export interface HuntOptions {
  readonly seeds: number;
  /** No seed begins after this time. */
  readonly secondsMax: number;
  /** The first seed. */
  readonly from: number;
  readonly game: HuntedGame | undefined;
  readonly host: HuntedHost;
  readonly jobs: number;
}

export interface HuntReport {
  /** Each seed that broke a rule, with the fewest faults that still break it. */
  readonly broken: readonly { seed: number; faults: readonly Fault[]; invariant: string }[];
  /** The kinds of faults that occurred. */
  readonly faultKinds: readonly string[];
  /** Hours of play in the dragon game, and in the counter game. */
  readonly matchHours: number;
  readonly counterHours: number;
  /** What happened between nodes, summed up; undefined for single-server matches. */
  readonly cluster: ClusterCounts | undefined;
  /** What happened between pages, summed up; undefined for matches on servers. */
  readonly pages: PagesCounts | undefined;
  /** What happened in matches that are only ordered, summed up; undefined for others. */
  readonly order: OrderCounts | undefined;
  readonly seeds: number;
}

/** @param onResult called after each seed */
export async function hunt(
  options: HuntOptions,
  onResult: (result: SeedResult) => void,
): Promise<HuntReport> {
  const { seeds, secondsMax, from, game, host, jobs } = options;
  const endMs = performance.now() + secondsMax * 1000;
  const results: SeedResult[] = [];
  let next = from;
  let broken = 0;
  const work = async () => {
    const worker = new Worker(new URL("worker.ts", import.meta.url), { type: "module" });
    try {
      while (next < from + seeds && performance.now() < endMs && broken < BROKEN_MAX) {
        const seed = {
          seed: next++,
          seconds: SECONDS,
          game,
          host,
          shrinkMsMax: SHRINK_MS_MAX,
        };
        const result = await playIn(worker, seed);
        if (result.broken !== undefined) broken++;
        results.push(result);
        onResult(result);
      }
    } finally {
      worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, seeds) }, work));
  return reportOf(results);
}

function playIn(worker: Worker, seed: SeedToPlay): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SeedResult>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`seed ${seed.seed}: ${event.message}`));
    };
    worker.postMessage(seed);
  });
}

function reportOf(results: readonly SeedResult[]): HuntReport {
  const hoursOf = (hunted: HuntedGame, tickHz: number) => {
    const ticks = results.reduce((sum, { game, ticks }) => game === hunted ? sum + ticks : sum, 0);
    return Number((ticks / tickHz / 3600).toFixed(2));
  };
  return {
    broken: results.flatMap(({ seed, broken }) =>
      broken === undefined
        ? []
        : { seed, faults: broken.schedule.faults, invariant: broken.breach.invariant }
    ),
    faultKinds: [...new Set(results.flatMap(({ kinds }) => kinds))].sort(),
    matchHours: hoursOf("dragons", dragonGame.tickHz),
    counterHours: hoursOf("counter", counterGame.tickHz),
    cluster: sumOf(results.flatMap(({ counts }) => counts ?? [])),
    pages: sumOf(results.flatMap(({ pages }) => pages ?? [])),
    order: sumOf(results.flatMap(({ order }) => order ?? [])),
    seeds: results.length,
  };
}

/** Sums up counts by their names. */
function sumOf<Counts extends { [Name in keyof Counts]: number }>(
  all: readonly Counts[],
): Counts | undefined {
  if (all.length === 0) return undefined;
  const names = Object.keys(all[0]!) as (keyof Counts)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, counts) => sum + counts[name], 0)]),
  ) as unknown as Counts;
}
