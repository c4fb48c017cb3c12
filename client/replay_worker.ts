/** The entry of the debug overlay's worker. It names the game. */
import { dragonGame } from "../shared/games/dragons/game.ts";
import { runReplayWorker } from "./debug/replay/replay_worker.ts";

runReplayWorker(dragonGame);
