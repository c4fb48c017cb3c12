/** Chooses where a server tries its matches. */
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../ground/log.ts";
import { clock, systemScheduler } from "../ground/ticker.ts";
import { type TrialProgram, TrialThreads } from "./trial_threads.ts";
import { hostedGameOf, OwnTrials, type Trials } from "./trials.ts";

/**
 * Makes the trials of a server.
 * @param games the hosted games, by name
 * @param options.program what runs in the threads; without it matches are tried on the thread that
 * ticks, for games that such a program does not know
 */
export function trialsFor(
  games: Readonly<Record<string, Game<unknown>>>,
  { program, log }: { program: TrialProgram | undefined; log: Log },
): Trials {
  const own = new OwnTrials({ gameOf: hostedGameOf(Object.values(games)), clock });
  if (program === undefined) return own;
  return new TrialThreads({
    program,
    games: Object.keys(games),
    otherwise: own,
    scheduler: systemScheduler,
    log,
  });
}
