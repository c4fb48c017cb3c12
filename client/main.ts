/** The page's entry. It names the game. */
// The page comes before the game: in this order the compressed script is 0.2 kB smaller.
import { runPage } from "./ui/run_page.ts";
import { streamedDragonGame } from "../shared/games/dragons/body_stream.ts";
import { dragonView } from "./games/dragons/view.ts";

runPage(streamedDragonGame, dragonView);
