/**
 * Template: how a match looks and sounds. Metres, y up. A thing without a drawing shows its shapes.
 */
import { game } from "../../../../shared/game_kit/templates/blank/game.ts";
import { defineView } from "wyvern/view";

export const view = defineView(game, {
  // The width and height that every window shows.
  view: [20, 12],
});
