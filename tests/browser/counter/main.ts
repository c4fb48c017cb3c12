/** The entry of the counter game's page. */
import { runPage } from "../../../client/ui/run_page.ts";
import { counterGame } from "../../lab/counter_game.ts";
import { counterView } from "./view.ts";

runPage(counterGame, counterView);
