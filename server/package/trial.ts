/** The entry of the threads in which `wyvern serve` tries matches of the project's games. */
import { runTrialThread } from "../trial/trial_thread.ts";
import { ownGames } from "./own_games.ts";

runTrialThread(ownGames());
