/** The hill as the kit shows it by itself. */
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { game } from "../../shared/game_kit/tune/hill_game.ts";

export const view = defineView(game, { view: [24, 12] });
