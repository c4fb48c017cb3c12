/** Plays a schedule over a room that its pages host. */
import type { Simulation } from "../../../../shared/netcode/game.ts";
import { counterParts, dragonParts, type HuntedGameParts } from "../clients/games.ts";
import type { HuntResult } from "../run_schedule.ts";
import {
  type Fault,
  type HuntedTime,
  ROUND_SECONDS,
  type Schedule,
  scheduleOf,
} from "../schedule.ts";
import { PAGE_KINDS } from "./page_faults.ts";
import { type PagesCounts, PagesWorld } from "./pages_world.ts";

/** Within this time of a round all faults begin and end, ms. */
const FAULTS_MS = 14_000;

export interface PagesHuntResult extends HuntResult {
  readonly pages: PagesCounts;
}

/** Plays a schedule to its end, or until a rule is broken. */
export function runPagesSchedule(schedule: Schedule): PagesHuntResult {
  return schedule.game === "dragons" ? play(dragonParts, schedule) : play(counterParts, schedule);
}

function play<Command, Sim extends Simulation<Command>>(
  parts: HuntedGameParts<Command, Sim>,
  schedule: Schedule,
): PagesHuntResult {
  const world = new PagesWorld(parts, schedule);
  const breach = world.run();
  return { breach, ticks: world.ticks, pages: world.counts };
}

/**
 * Makes a seed's schedule. A round's faults end earlier than on a server: a page whose room has lost
 * most pages first waits until it no longer counts them.
 */
export function pagesScheduleOf(seed: number, time: HuntedTime): Schedule {
  const schedule = scheduleOf(seed, { ...time, kinds: PAGE_KINDS });
  const isEarly = ({ atMs, ms }: Fault) => atMs % (1000 * ROUND_SECONDS) + ms <= FAULTS_MS;
  return { ...schedule, faults: schedule.faults.filter(isEarly) };
}
