/** The entry of the worker behind the counter game's debug overlay. */
import { runReplayWorker } from "../../../client/debug/replay/replay_worker.ts";
import { counterGame } from "../../lab/counter_game.ts";

runReplayWorker(counterGame);
