/** The yard's view: defaults but for the drones, the field, events and scores. */
import { defineView, SOUNDS } from "../../../client/game_kit/client_kit.ts";
import { game, HALF } from "./game.ts";

export const view = defineView(game, {
  view: [30, 18],
  background(brush) {
    brush.box(HALF[0], HALF[1], "#1d2547");
    brush.line([[0, -HALF[1]], [0, HALF[1]]], "#2f3a66", { width: 0.12 });
    brush.disc(3, "transparent", { outline: "#2f3a66", width: 0.12 });
  },
  things: {
    drone(brush, { speed, fields }) {
      brush.body();
      brush.disc(0.16, speed > 5 ? "#ffffff" : "#11152a", { outline: false });
      if (fields.kicks > 0) {
        brush.text(`${fields.kicks}`, { y: 0.02, size: 0.34, bold: true, upright: true });
      }
    },
  },
  status: (world) => ({
    scores: world.all("drone").map(({ seat, fields }) => ({ seat, score: fields.kicks })),
    teams: [{ team: "blue", score: world.match.blue }, {
      team: "orange",
      score: world.match.orange,
    }],
    banner: world.match.shout > 0 ? "GOAL!" : undefined,
  }),
  events: {
    goal: {
      sound: SOUNDS.fanfare,
      burst: { colour: "#ffd76a", count: 40 },
      shake: 0.8,
      everywhere: true,
    },
    kick: { sound: SOUNDS.pop, burst: { colour: "seat", count: 8 }, caption: "kicked" },
  },
  words: { players: "drones" },
});
