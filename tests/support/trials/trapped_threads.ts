/** The program of the threads in which matches with traps are tried. */
import { runTrialThread } from "../../../server/trial/trial_thread.ts";
import { TRAPPED_GAMES } from "./trapped_games.ts";

runTrialThread(TRAPPED_GAMES);
