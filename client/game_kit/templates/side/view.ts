/**
 * Template: how a match looks and sounds. Metres, y up. A thing without a drawing shows its shapes.
 */
import { game } from "../../../../shared/game_kit/templates/side/game.ts";
import { defineView, SOUNDS } from "wyvern/view";

export const view = defineView(game, {
  // The width and height that every window shows, and the point in the middle.
  view: [26, 15],
  centre: [0, 5],

  things: {
    coin: (brush) => brush.disc(0.4, "#ffd76a"),
  },

  // The caption shows as a line beside the picture: "Ash took the coin".
  events: {
    coin: { sound: SOUNDS.coin, burst: { colour: "#ffd76a", count: 16 }, caption: "took the coin" },
  },

  // The list of players, with their points.
  status: (world) => ({
    scores: world.all("hero").map(({ seat, fields }) => ({ seat, score: fields.score })),
  }),
});
