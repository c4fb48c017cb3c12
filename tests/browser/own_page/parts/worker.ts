/** Finds the causes of corrections for the overlay of the page beside it. */
import { runOverlayWorker } from "wyvern/page";
import { game } from "../../../../shared/game_kit/templates/top/game.ts";

runOverlayWorker(game);
