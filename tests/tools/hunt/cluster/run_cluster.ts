/** Plays a schedule over a cluster. */
import type { Simulation } from "../../../../shared/netcode/game.ts";
import { counterParts, dragonParts, type HuntedGameParts } from "../clients/games.ts";
import type { HuntResult } from "../run_schedule.ts";
import { type HuntedTime, type Schedule, scheduleOf } from "../schedule.ts";
import { CLUSTER_KINDS } from "./cluster_faults.ts";
import { type ClusterCounts, ClusterWorld } from "./cluster_world.ts";

export interface ClusterHuntResult extends HuntResult {
  readonly counts: ClusterCounts;
}

/** Plays a schedule to its end, or until a rule is broken. */
export function runClusterSchedule(schedule: Schedule): Promise<ClusterHuntResult> {
  return schedule.game === "dragons" ? play(dragonParts, schedule) : play(counterParts, schedule);
}

async function play<Command, Sim extends Simulation<Command>>(
  parts: HuntedGameParts<Command, Sim>,
  schedule: Schedule,
): Promise<ClusterHuntResult> {
  const world = new ClusterWorld(parts, schedule);
  const breach = await world.run();
  return { breach, ticks: world.ticks, counts: world.counts };
}

/** Makes a seed's schedule. */
export function clusterScheduleOf(seed: number, time: HuntedTime): Schedule {
  return scheduleOf(seed, { ...time, kinds: CLUSTER_KINDS });
}
