/** The page's entry. It names the game. */
import { streamedDragonGame } from "../shared/games/dragons/body_stream.ts";
import { dragonView } from "./games/dragons/view.ts";
import { runPage } from "./ui/run_page.ts";

runPage(streamedDragonGame, dragonView);
