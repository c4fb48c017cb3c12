/** Plays a schedule, and shrinks one that breaks a rule to the fewest faults. */
import type { Simulation } from "../../../shared/netcode/game.ts";
import type { ClusterCounts } from "./cluster/cluster_world.ts";
import type { PagesCounts } from "./pages/pages_world.ts";
import { DRAWN_KINDS } from "./faults/fault_kinds.ts";
import { counterParts, dragonParts, type HuntedGameParts } from "./clients/games.ts";
import { type HuntedTime, ROUND_SECONDS, type Schedule, scheduleOf } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { type Breach, HuntWorld, type OrderCounts } from "./world.ts";

export interface HuntResult {
  readonly breach: Breach | undefined;
  /** Ticks that servers have run. */
  readonly ticks: number;
  /** What happened between nodes; undefined for a single-server match. */
  readonly counts?: ClusterCounts;
  /** What happened between pages; undefined for a match on a server. */
  readonly pages?: PagesCounts;
  /** What happened in a match that is only ordered; undefined for any other. */
  readonly order?: OrderCounts;
}

/** Plays a schedule to its end, or until a rule is broken. */
export function runSchedule(schedule: Schedule): Promise<HuntResult> {
  return schedule.game === "dragons" ? play(dragonParts, schedule) : play(counterParts, schedule);
}

/** The same on a server that only orders commands. */
export function runOrderSchedule(schedule: Schedule): Promise<HuntResult> {
  return schedule.game === "dragons"
    ? play(dragonParts, schedule, true)
    : play(counterParts, schedule, true);
}

async function play<Command, Sim extends Simulation<Command>>(
  parts: HuntedGameParts<Command, Sim>,
  schedule: Schedule,
  isOrdered = false,
): Promise<HuntResult> {
  const world = new HuntWorld(parts, schedule, isOrdered);
  const breach = await world.run();
  return { breach, ticks: world.ticks, ...isOrdered && { order: world.order } };
}

/** Makes a seed's schedule. @param seconds at least a round */
export function scheduleOfSeed(seed: number, { seconds, game }: HuntedTime): Schedule {
  return scheduleOf(seed, { seconds, kinds: DRAWN_KINDS, game });
}

/**
 * Finds the shortest schedule that still breaks the same rule.
 * @param options.run plays a schedule
 * @param options.goesOn asked before each try; once it returns false, the shortest schedule so far
 * counts
 */
export async function shrinkSchedule(
  schedule: Schedule,
  breach: Breach,
  { run = runSchedule, ...options }: {
    run?: (schedule: Schedule) => Promise<Pick<HuntResult, "breach">> | Pick<HuntResult, "breach">;
    goesOn?: () => boolean;
  } = {},
): Promise<Schedule> {
  // The breach was seen at this time, or at the end, when the logs are proven; later rounds are not
  // needed.
  const seconds = Math.min(
    schedule.seconds,
    ROUND_SECONDS * Math.ceil((breach.atMs + 1) / 1000 / ROUND_SECONDS),
  );
  const cut = {
    ...schedule,
    seconds,
    faults: schedule.faults.filter(({ atMs }) => atMs <= breach.atMs),
  };
  const fails = async (faults: Schedule["faults"]) => {
    const { breach: again } = await run({ ...cut, faults });
    return again?.invariant === breach.invariant;
  };
  const faults = await shrink(cut.faults, fails, options);
  const lastMs = faults.at(-1)?.atMs ?? 0;
  const short = {
    ...cut,
    faults,
    seconds: ROUND_SECONDS * Math.ceil((lastMs + 1) / 1000 / ROUND_SECONDS),
  };
  const { breach: again } = await run(short);
  return again?.invariant === breach.invariant ? short : { ...cut, faults };
}
