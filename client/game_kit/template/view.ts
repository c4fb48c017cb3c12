/**
 * Template: how a match looks and sounds. Metres, y up. A thing without a drawing shows its shapes.
 */
import { game } from "../../../shared/game_kit/template/game.ts";
import { defineView, SOUNDS } from "../client_kit.ts";

export const view = defineView(game, {
  // The metres that every window shows, and the point in their middle.
  view: [26, 15],
  centre: [0, 5],
  things: { coin: (brush) => brush.disc(0.4, "#ffd76a") },
  events: {
    coin: { sound: SOUNDS.coin, burst: { colour: "#ffd76a", count: 16 }, caption: "took the coin" },
  },
  status: (world) => ({
    scores: world.all("hero").map(({ seat, fields }) => ({ seat, score: fields.score })),
  }),
});
