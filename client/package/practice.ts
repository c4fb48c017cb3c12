/**
 * `wyvern/practice`: the worker behind `practise` of `wyvern/session`, with the server's own match.
 *
 *     import { runPractice } from "wyvern/practice";
 *     import { game } from "./rules.js";
 *     runPractice(game);
 */
import type { GameTypes, KitGame } from "../../shared/game_kit/game_kit.ts";
import type { Game } from "../../shared/netcode/game.ts";
import { runSoloWorker } from "../solo/solo_worker.ts";

/**
 * Runs the match that `practise` begins. Call it in a worker's script, once.
 * @param game the same as the page's
 */
export function runPractice<const G extends GameTypes>(game: KitGame<G>): void {
  runSoloWorker(game as unknown as Game<unknown>);
}
