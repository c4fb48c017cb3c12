/** The view of Puck: an ice rink at night. Metres. */
import { defineView, SOUNDS } from "../../game_kit/client_kit.ts";
import { BACK, boards, game, KICK_OFF, WIDE } from "../../../shared/games/puck/game.ts";

const RED = "#e2788a";
const BLUE = "#8fb4e0";
const DARK = "#1b2138";
const GOLD = "#ffd35c";
const CLEAR = "transparent";
/** A car that has just boosted rests for more ticks than this, and shows its flame. */
const FLAME_REST = 40;
/** The length of a goal's net, m, and half of its width at the front and at the back. */
const NET = [[0.2, 1.5], [-1.5, 2.1], [-1.5, -2.1], [0.2, -1.5]] as const;

export const page = {
  pitch: "Two teams, one heavy puck, a wrecking ball:",
  point: "five goals win.",
};

/** What stands over the rink: a goal, or the seconds until the kick-off in halves. */
function bannerOf(pause: number): string | undefined {
  if (pause > KICK_OFF) return "GOAL!";
  return pause > 0 ? `${Math.ceil(pause / 10)}` : undefined;
}

export const view = defineView(game, {
  view: [30.6, 16.4],
  ground: "#e2788a",
  background(brush) {
    brush.line(boards(BACK), "#090c1c", { width: 1.1, closed: true });
    brush.polygon(boards(BACK), "#dcebf5");
    brush.line([[0, -WIDE], [0, WIDE]], RED, { width: 0.2 });
    brush.disc(3.6, CLEAR, { outline: RED, width: 0.16 });
    for (const x of [-9, 9]) brush.disc(2, CLEAR, { x, outline: BLUE, width: 0.16 });
  },
  things: {
    goal: (brush, { teamColour }) => brush.polygon(NET, teamColour),
    hub: (brush) => brush.box(1, 0.2, "#f2b84b", { x: 0.8, round: 0.2 }),
    ball(brush) {
      for (const angle of [0, 0.5, 1]) brush.box(0.65, 0.65, "#4b5266", { angle });
      brush.disc(0.68, "#6a7288");
    },
    // A shadow behind the puck shows where it comes from.
    puck(brush, { vx, vy, angle, speed }) {
      brush.context.rotate(Math.atan2(vy, vx) - angle);
      brush.polygon([[0, 0.55], [-speed / 4, 0], [0, -0.55]], "rgb(40 60 110 / 25%)", {
        outline: false,
      });
      brush.disc(0.6, DARK);
      brush.disc(0.38, "#343d5e", { outline: "#59648c" });
    },
    car(brush, { fields: { rest }, own, teamColour }) {
      // The own car stands in a ring, which is bright when it can boost.
      if (own) brush.disc(1.1, CLEAR, { outline: rest > 0 ? "#c3d0dd" : "#f2b84b", width: 0.12 });
      if (rest > FLAME_REST) {
        brush.polygon([[-0.7, 0.35], [5.9 - rest / 6, 0], [-0.7, -0.35]], GOLD);
      }

      // Wheels, bodywork, windows and two lamps.
      for (const x of [-0.45, 0.42]) brush.box(0.2, 0.54, DARK, { x, round: 0.08 });
      brush.box(0.75, 0.45, teamColour, {
        round: 0.2,
        ...own && { outline: "#ffffff", width: 0.12 },
      });
      brush.box(0.3, 0.34, DARK, { x: 0.02, round: 0.12 });
      for (const y of [-0.27, 0.27]) brush.disc(0.09, "#fff7cf", { x: 0.64, y, outline: false });
    },
  },
  status: ({ match: { pause, left, round, blue, orange } }) => ({
    teams: [{ team: "blue", score: blue }, { team: "orange", score: orange }],
    round: {
      number: round,
      phase: left > 0 ? "playing" : "result",
      secondsLeft: (left || pause - KICK_OFF) / 20,
    },
    banner: bannerOf(pause),
  }),
  events: {
    goal: {
      sound: SOUNDS.fanfare,
      shake: 0.7,
      everywhere: true,
      caption: "scored",
      burst: { colour: GOLD, count: 60 },
    },
    whistle: { sound: SOUNDS.whistle, everywhere: true },
    boost: { sound: SOUNDS.whoosh, burst: { colour: GOLD, count: 8 } },
    hit: { sound: SOUNDS.thud, burst: { colour: "#ffffff", count: 6 } },
    wreck: { sound: SOUNDS.boom, burst: { colour: GOLD, count: 24 }, shake: 0.6 },
  },
});
