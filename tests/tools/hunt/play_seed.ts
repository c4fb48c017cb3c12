/** A worker plays a seed, and shrinks its schedule if it breaks a rule. */
import type { ClusterCounts } from "./cluster/cluster_world.ts";
import { clusterScheduleOf, runClusterSchedule } from "./cluster/run_cluster.ts";
import type { PagesCounts } from "./pages/pages_world.ts";
import { pagesScheduleOf, runPagesSchedule } from "./pages/run_pages.ts";
import {
  type HuntResult,
  runOrderSchedule,
  runSchedule,
  scheduleOfSeed,
  shrinkSchedule,
} from "./run_schedule.ts";
import type { HuntedGame, HuntedHost, HuntedTime, Schedule } from "./schedule.ts";
import type { Breach, OrderCounts } from "./world.ts";

export interface SeedToPlay {
  readonly seed: number;
  readonly seconds: number;
  /** Undefined for the seed's own game. */
  readonly game: HuntedGame | undefined;
  readonly host: HuntedHost;
  /** How long a broken seed may be shrunk, ms. */
  readonly shrinkMsMax: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly game: HuntedGame;
  readonly ticks: number;
  readonly kinds: readonly string[];
  /** What happened between nodes, or between pages; undefined for others. */
  readonly counts: ClusterCounts | undefined;
  readonly pages: PagesCounts | undefined;
  /** What happened in a match that is only ordered; undefined for others. */
  readonly order: OrderCounts | undefined;
  /** The rule that did not hold, and the shortest schedule that breaks it. */
  readonly broken: { readonly breach: Breach; readonly schedule: Schedule } | undefined;
}

/** How a schedule is made, and played. */
interface HostedHunt {
  readonly run: (schedule: Schedule) => Promise<HuntResult> | HuntResult;
  readonly newSchedule: (seed: number, time: HuntedTime) => Schedule;
}

export const HUNTED_HOSTS: Readonly<Record<HuntedHost, HostedHunt>> = {
  server: { run: runSchedule, newSchedule: scheduleOfSeed },
  cluster: { run: runClusterSchedule, newSchedule: clusterScheduleOf },
  order: { run: runOrderSchedule, newSchedule: scheduleOfSeed },
  pages: { run: runPagesSchedule, newSchedule: pagesScheduleOf },
};

export async function playSeed(
  { seed, seconds, game, host, shrinkMsMax }: SeedToPlay,
): Promise<SeedResult> {
  const { run, newSchedule } = HUNTED_HOSTS[host];
  const schedule = newSchedule(seed, { seconds, game });
  const { breach, ticks, counts, pages, order } = await run(schedule);
  const kinds = [...new Set(schedule.faults.map(({ kind }) => kind))];
  const result = { seed, game: schedule.game, ticks, kinds, counts, pages, order };
  if (breach === undefined) return { ...result, broken: undefined };
  const endMs = performance.now() + shrinkMsMax;
  const shrunk = await shrinkSchedule(schedule, breach, {
    run,
    goesOn: () => performance.now() < endMs,
  });
  return { ...result, broken: { breach, schedule: shrunk } };
}
