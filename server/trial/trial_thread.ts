/**
 * A thread in which matches are replayed: tried, one after another, or judged. It neither reads
 * files nor opens connections.
 */
import type { Game, Tick } from "../../shared/netcode/game.ts";
import { clock, systemScheduler } from "../ground/ticker.ts";
import { CaseQueue, type FromReferee, type ToReferee } from "./case_queue.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";
import { outcomeOf, STEP_MS_MAX, type TrialOutcome, triedMatchOf } from "./tried_match.ts";
import { hostedGameOf } from "./trials.ts";

/** The first message to a thread names the games; each later one is a log, or for the referee. */
export type ToTrialThread = TrialThreadStart | { readonly log: Uint8Array } | ToReferee;

export interface TrialThreadStart {
  readonly games: readonly string[];
  /** Shared memory in which the thread shows its progress: `STEPS` and `TICK`. */
  readonly progress: Int32Array;
}

/** The words of `progress`: how many steps have begun, and the newest one's tick. */
export const STEPS = 0;
export const TICK = 1;
/** Makes a new thread's shared memory. */
export function newProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** The answer to the first message, to each log, and from the referee. */
export type FromTrialThread = "ready" | TrialOutcome | FromReferee;

/** Loads games' modules, by game name. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** Answers the messages of the thread that started this one. */
export function runTrialThread(loaders: GameLoaders): void {
  const scope = globalThis as unknown as Worker;
  const answer = (message: FromTrialThread) => scope.postMessage(message);
  let gameOf: (id: string) => Game<unknown> | undefined = () => undefined;
  let progress = newProgress();
  const onStep = (tick: Tick) => {
    Atomics.store(progress, TICK, tick);
    Atomics.add(progress, STEPS, 1);
  };

  const referee = new CaseQueue({
    gameOf: (id) => gameOf(id),
    clock,
    answer,
    later: (work) => void systemScheduler.after(0, work),
    within: (work, tick) =>
      withDeadline(STEP_MS_MAX, work, () => new DeadlineError(tick, "a tick that does not end")),
  });

  scope.addEventListener("message", async ({ data }: MessageEvent<ToTrialThread>) => {
    if ("log" in data) {
      return answer(outcomeOf(() => triedMatchOf(data.log, { gameOf, clock, onStep })));
    }
    if ("caseId" in data) return referee.take(data);
    progress = data.progress;
    const modules = await Promise.all(data.games.map((name) => loaders[name]!()));
    gameOf = hostedGameOf(modules.map(({ game }) => game));
    answer("ready");
  });
}
