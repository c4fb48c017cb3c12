/** Chooses where the matches of a server are tried. */
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../log.ts";
import { clock, systemScheduler } from "../ticker.ts";
import { TrialThreads } from "./trial_threads.ts";
import { hostedGameOf, OwnTrials, type Trials } from "./trials.ts";

/**
 * Where a server tries its matches.
 * @param games the hosted ones, by their names
 * @param options.module the program of the threads; a server of games that no such program knows
 *   has none, and tries their matches where it ticks
 */
export function trialsFor(
  games: Readonly<Record<string, Game<unknown>>>,
  { module, log }: { module: URL | undefined; log: Log },
): Trials {
  const own = new OwnTrials({ gameOf: hostedGameOf(Object.values(games)), clock });
  if (module === undefined) return own;
  return new TrialThreads({
    module,
    games: Object.keys(games),
    otherwise: own,
    scheduler: systemScheduler,
    log,
  });
}
