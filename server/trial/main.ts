/**
 * The entry of the threads in which matches are tried. Like the server's entry it knows the
 * registry's games.
 */
import { GAMES } from "../../shared/games/registry.ts";
import { runTrialThread } from "./trial_thread.ts";

runTrialThread(GAMES);
