/** A worker plays a seed, and shrinks its schedule if it breaks a rule. */
import type { HuntedGame, Schedule } from "./schedule.ts";
import { runSchedule, scheduleOfSeed, shrinkSchedule } from "./run_schedule.ts";
import type { Breach } from "./world.ts";

export interface SeedToPlay {
  readonly seed: number;
  readonly seconds: number;
  /** The seed's own game if it is undefined. */
  readonly game: HuntedGame | undefined;
  /** How long a broken seed may be shrunk, ms. */
  readonly shrinkMsMax: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly game: HuntedGame;
  readonly ticks: number;
  readonly kinds: readonly string[];
  /** The rule that did not hold, and the shortest schedule that breaks it. */
  readonly broken: { readonly breach: Breach; readonly schedule: Schedule } | undefined;
}

export async function playSeed({ seed, seconds, game, shrinkMsMax }: SeedToPlay): Promise<SeedResult> {
  const schedule = scheduleOfSeed(seed, { seconds, ...(game !== undefined && { game }) });
  const { breach, ticks } = await runSchedule(schedule), kinds = [...new Set(schedule.faults.map(({ kind }) => kind))];
  const result = { seed, game: schedule.game, ticks, kinds };
  if (breach === undefined) return { ...result, broken: undefined };
  const endMs = performance.now() + shrinkMsMax;
  const shrunk = await shrinkSchedule(schedule, breach, { goesOn: () => performance.now() < endMs });
  return { ...result, broken: { breach, schedule: shrunk } };
}
