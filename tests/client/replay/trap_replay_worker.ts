/** The worker in which a page plays logs of the game with traps. */
import { runReplayTrial } from "../../../client/replay/trial/trial_worker.ts";
import { trapGame } from "../../support/trials/trap_game.ts";

runReplayTrial(trapGame);
