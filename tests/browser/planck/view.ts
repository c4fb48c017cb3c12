/** The view of the falling crates: a sky, and the shapes as the kit draws them. */
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { game } from "./game.ts";

export const view = defineView(game, {
  view: [30, 16],
  centre: [0, 6],
  words: { players: "heroes" },
});
