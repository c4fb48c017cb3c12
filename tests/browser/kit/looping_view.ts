/** A view of the game that hangs. It uses the page when it loads, as a view may (SPEC 13.75). */
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { game } from "./looping_game.ts";

document.body.dataset.looping = "its view was loaded";

export const view = defineView(game, { view: [20, 12] });
