/** Chooses where a server tries its matches. */
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../log.ts";
import { clock, systemScheduler } from "../ticker.ts";
import { TrialThreads } from "./trial_threads.ts";
import { hostedGameOf, OwnTrials, type Trials } from "./trials.ts";

/**
 * Makes the trials of a server.
 * @param games the hosted games, by name
 * @param options.module the threads' program; without it matches are tried on the thread that
 * ticks, for games that such a program does not know
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
