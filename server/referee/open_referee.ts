/** Chooses where a server's referee works: in a thread, or in this one. */
import type { Game } from "../../shared/netcode/game.ts";
import type { Log } from "../ground/log.ts";
import { clock, systemScheduler } from "../ground/ticker.ts";
import { type FromTrialThread, newProgress, type ToTrialThread } from "../trial/trial_thread.ts";
import { startThread, type TrialProgram } from "../trial/trial_threads.ts";
import { hostedGameOf } from "../trial/trials.ts";
import { ownReferee, Referee, type RefereeOptions } from "./referee.ts";

/**
 * Makes the referee of a server. It starts when it is first asked.
 * @param games the hosted games, by name
 * @param options.program what runs in the thread; without it the referee takes turns with the ticks,
 * for games that such a program does not know
 */
export function refereeFor(
  games: Readonly<Record<string, Game<unknown>>>,
  { program, log }: { program: TrialProgram | undefined; log: Log },
): Referee {
  const gameOf = hostedGameOf(Object.values(games));
  return new Referee({
    begin: program === undefined
      ? ownReferee({ gameOf, clock, later: (work) => void systemScheduler.after(1, work) })
      : refereeThread(program, Object.keys(games)),
    scheduler: systemScheduler,
    onFailed: (error) => log("referee_failed", { error }),
  });
}

/** A referee in a thread of its own. @param games the hosted games' names */
function refereeThread(program: TrialProgram, games: readonly string[]): RefereeOptions["begin"] {
  return (onAnswer, onEnd) => {
    const thread = startThread(program);
    const send = (message: ToTrialThread) => thread.postMessage(message);
    thread.addEventListener("message", ({ data }: MessageEvent<FromTrialThread>) => {
      if (typeof data === "object" && "caseId" in data) onAnswer(data);
    });
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      onEnd(event.message.split("\n")[0]!);
    });
    // It reads what follows only when it has loaded the games.
    const loaded = Promise.withResolvers<void>();
    thread.addEventListener("message", () => loaded.resolve(), { once: true });
    send({ games, progress: newProgress() });
    return {
      send: (message) => void loaded.promise.then(() => send(message)),
      close: () => thread.terminate(),
    };
  };
}
