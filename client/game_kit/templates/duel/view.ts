/**
 * Template: how a match looks and sounds. Metres, y up. A thing without a drawing shows its shapes.
 */
import { game } from "../../../../shared/game_kit/templates/duel/game.ts";
import { defineView, SOUNDS } from "wyvern/view";

export const view = defineView(game, {
  // The width and height that every window shows.
  view: [26, 17],

  background(brush) {
    brush.line([[0, -7], [0, 7]], "rgb(255 255 255 / 20%)", { width: 0.15 });
  },

  things: {
    ball: (brush) => brush.disc(0.35, "#ffffff"),
    paddle: (brush, { colour }) => brush.box(0.25, 1.2, colour, { round: 0.2 }),
  },

  // The caption is a line beside the picture: "Ash scores".
  events: {
    hit: { sound: SOUNDS.thud, burst: { colour: "#ffffff", count: 5 } },
    point: { sound: SOUNDS.fanfare, everywhere: true, shake: 0.4, caption: "scores" },
  },

  // The list of players and their points, and the round.
  status: ({ match, all }) => ({
    scores: all("paddle").map(({ seat, fields }) => ({ seat, score: fields.score })),
    round: {
      number: match.round,
      phase: match.isOver === 1 ? "result" : "playing",
      secondsLeft: match.pause / game.tickHz,
    },
  }),
});
