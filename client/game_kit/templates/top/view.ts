/**
 * Template: how a match looks and sounds. Metres, y up. A thing without a drawing shows its shapes.
 */
import { game } from "../../../../shared/game_kit/templates/top/game.ts";
import { defineView, SOUNDS } from "wyvern/view";

export const view = defineView(game, {
  // The width and height that every window shows.
  view: [30, 18],

  things: {
    ring: (brush) => brush.disc(2, "rgb(255 215 106 / 25%)", { outline: "#ffd76a", width: 0.15 }),

    car(brush, { colour }) {
      for (const x of [-0.5, 0.5]) brush.box(0.2, 0.55, "#1b2138", { x });
      brush.box(0.8, 0.42, colour, { round: 0.2 });
      brush.box(0.25, 0.3, "#1b2138", { x: 0.15, round: 0.1 });
    },
  },

  // The caption is a line beside the picture: "Ash holds the ring".
  events: {
    point: {
      sound: SOUNDS.coin,
      burst: { colour: "#ffd76a", count: 8 },
      caption: "holds the ring",
    },
    bump: { sound: SOUNDS.thud, burst: { colour: "#ffffff", count: 6 }, shake: 0.3 },
  },

  // The list of players and their points.
  status: (world) => ({
    scores: world.all("car").map(({ seat, fields }) => ({ seat, score: fields.score })),
  }),
});
