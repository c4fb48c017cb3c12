/** The thread in which matches are tried, one after another. It reads no file and opens no connection. */
import type { Game } from "../../shared/netcode/game.ts";
import { clock } from "../ticker.ts";
import { outcomeOf, type TrialOutcome, triedMatchOf } from "./tried_match.ts";
import { hostedGameOf } from "./trials.ts";

/** The first message to a thread names the games, each other one is a log. */
export type ToTrialThread = { readonly games: readonly string[] } | { readonly log: Uint8Array };

/** The answer to the first message, and to each log. */
export type FromTrialThread = "ready" | TrialOutcome;

/** Loads the modules of games, by the games' names. */
type GameLoaders = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** Answers the messages of the thread that has started this one. */
export function runTrialThread(loaders: GameLoaders): void {
  const scope = globalThis as unknown as Worker;
  const answer = (message: FromTrialThread) => scope.postMessage(message);
  let gameOf: (id: string) => Game<unknown> | undefined = () => undefined;

  scope.addEventListener("message", async ({ data }: MessageEvent<ToTrialThread>) => {
    if ("log" in data) return answer(outcomeOf(() => triedMatchOf(data.log, { gameOf, clock })));
    const modules = await Promise.all(data.games.map((name) => loaders[name]!()));
    gameOf = hostedGameOf(modules.map(({ game }) => game));
    answer("ready");
  });
}
