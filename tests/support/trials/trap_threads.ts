/** The program of the threads in which matches with traps are tried. */
import { runTrialThread } from "../../../server/trial/trial_thread.ts";
import { trapGame } from "./trap_game.ts";

runTrialThread({ trap: () => Promise.resolve({ game: trapGame }) });
