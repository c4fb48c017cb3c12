/** The view of Puck: an ice rink at night. Metres. */
import { defineView, SOUNDS } from "../../game_kit/client_kit.ts";
import {
  boards,
  type Clocks,
  game,
  GOAL_BACK,
  HALF_WIDTH,
  KICK_OFF_TICKS,
  phaseOf,
} from "../../../shared/games/puck/game.ts";

const NIGHT = "#090c1c";
const ICE = "#dcebf5";
const RED = "#e2788a";
const BLUE = "#8fb4e0";
const DARK = "#1b2138";
const GOLD = "#ffd35c";
const AMBER = "#f2b84b";
const WHITE = "#ffffff";
const CLEAR = "transparent";

/** A car that has just boosted rests for more ticks than this, and shows its flame. */
const FLAME_REST_TICKS = 40;

/** The words over the rink. Before the whistle these are 3, 2 and 1, for half a second each. */
function bannerOf(clocks: Clocks): string | undefined {
  switch (phaseOf(clocks)) {
    case "celebration":
      return "GOAL!";
    case "kick-off":
      return `${Math.ceil(3 * clocks.pause / KICK_OFF_TICKS)}`;
    case "result": // the page says which team has won
    case "play":
      return undefined;
  }
}

export const view = defineView(game, {
  view: [30.6, 16.4],
  ground: RED,

  background(brush) {
    brush.line(boards(GOAL_BACK), NIGHT, { width: 1.1, closed: true });
    brush.polygon(boards(GOAL_BACK), ICE);

    // The middle line, its circle, and one before each goal.
    brush.line([[0, -HALF_WIDTH], [0, HALF_WIDTH]], RED, { width: 0.2 });
    brush.disc(3.6, CLEAR, { outline: RED, width: 0.16 });
    for (const x of [-9, 9]) brush.disc(2, CLEAR, { x, outline: BLUE, width: 0.16 });
  },

  things: {
    goal(brush, { teamColour, pattern }) {
      brush.polygon([[0.2, 1.5], [-1.5, 2.1], [-1.5, -2.1], [0.2, -1.5]], teamColour, { pattern });
    },

    hub(brush) {
      brush.box(1, 0.2, AMBER, { x: 0.8, round: 0.2 });
    },

    // Three boxes, each turned a little farther, are the spikes.
    ball(brush) {
      for (const angle of [0, 0.5, 1]) brush.box(0.65, 0.65, "#4b5266", { angle });
      brush.disc(0.68, "#6a7288");
    },

    puck(brush, { vx, vy, angle, speed }) {
      // A trail shows where the puck comes from, and how fast it is. It does not turn with the puck.
      brush.context.rotate(Math.atan2(vy, vx) - angle);
      brush.polygon([[0, 0.55], [-speed / 4, 0], [0, -0.55]], "rgb(40 60 110 / 25%)", {
        outline: false,
      });

      brush.disc(0.6, DARK);
      brush.disc(0.38, "#343d5e", { outline: "#59648c" });
    },

    car(brush, { fields: { rest }, own, teamColour, pattern }) {
      // A ring marks the own car. It is grey until the car can boost again.
      if (own) {
        brush.disc(1.1, CLEAR, { outline: rest > 0 ? "#c3d0dd" : AMBER, width: 0.12 });
      }

      // The flame of a boost shrinks.
      if (rest > FLAME_REST_TICKS) {
        brush.polygon([[-0.7, 0.35], [5.9 - rest / 6, 0], [-0.7, -0.35]], GOLD);
      }

      // Wheels, body, cabin and lights.
      for (const x of [-0.45, 0.42]) brush.box(0.2, 0.54, DARK, { x, round: 0.08 });
      const edge = own ? { outline: WHITE, width: 0.12 } : {};
      brush.box(0.75, 0.45, teamColour, { round: 0.2, pattern, ...edge });
      brush.box(0.3, 0.34, DARK, { x: 0.02, round: 0.12 });
      for (const y of [-0.27, 0.27]) brush.disc(0.09, "#fff7cf", { x: 0.64, y, outline: false });
    },
  },

  // Spectators see the cars that are at the puck.
  interest: (world, { x, y }) => {
    const [puck] = world.all("puck");
    return puck === undefined ? 0 : -Math.hypot(puck.x - x, puck.y - y);
  },

  // An upright phone shows half of the rink.
  marks: { puck: WHITE },

  status({ match }) {
    const isPlaying = match.left > 0;
    const ticksLeft = isPlaying ? match.left : match.pause - KICK_OFF_TICKS;
    return {
      teams: [{ team: "blue", score: match.blue }, { team: "orange", score: match.orange }],
      round: {
        number: match.round,
        phase: isPlaying ? "playing" : "result",
        secondsLeft: ticksLeft / game.tickHz,
      },
      banner: bannerOf(match),
    };
  },

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
    hit: { sound: SOUNDS.thud, burst: { colour: WHITE, count: 6 } },
    wreck: { sound: SOUNDS.boom, burst: { colour: GOLD, count: 24 }, shake: 0.6 },
  },
});
