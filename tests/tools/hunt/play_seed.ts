/** A worker plays a seed, and shrinks its schedule if it breaks a rule. */
import type { ClusterCounts } from "./cluster/cluster_world.ts";
import { clusterScheduleOf, runClusterSchedule } from "./cluster/run_cluster.ts";
import { runSchedule, scheduleOfSeed, shrinkSchedule } from "./run_schedule.ts";
import type { HuntedGame, Schedule } from "./schedule.ts";
import type { Breach } from "./world.ts";

export interface SeedToPlay {
  readonly seed: number;
  readonly seconds: number;
  /** Undefined for the seed's own game. */
  readonly game: HuntedGame | undefined;
  /** Whether several nodes share the match. */
  readonly isCluster: boolean;
  /** How long a broken seed may be shrunk, ms. */
  readonly shrinkMsMax: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly game: HuntedGame;
  readonly ticks: number;
  readonly kinds: readonly string[];
  /** What happened between nodes; undefined for a single-server match. */
  readonly counts: ClusterCounts | undefined;
  /** The rule that did not hold, and the shortest schedule that breaks it. */
  readonly broken: { readonly breach: Breach; readonly schedule: Schedule } | undefined;
}

export async function playSeed(
  { seed, seconds, game, isCluster, shrinkMsMax }: SeedToPlay,
): Promise<SeedResult> {
  const run = isCluster ? runClusterSchedule : runSchedule;
  const schedule = (isCluster ? clusterScheduleOf : scheduleOfSeed)(seed, { seconds, game });
  const { breach, ticks, counts } = await run(schedule);
  const kinds = [...new Set(schedule.faults.map(({ kind }) => kind))];
  const result = { seed, game: schedule.game, ticks, kinds, counts };
  if (breach === undefined) return { ...result, broken: undefined };
  const endMs = performance.now() + shrinkMsMax;
  const shrunk = await shrinkSchedule(schedule, breach, {
    run,
    goesOn: () => performance.now() < endMs,
  });
  return { ...result, broken: { breach, schedule: shrunk } };
}
