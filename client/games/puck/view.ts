/** The view of Puck: an ice rink at night. Metres. */
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";
import { boards, BOOST_SECONDS, game, LONG, MOUTH, WIDE } from "../../../shared/games/puck/game.ts";

const ICE = "#dcebf5", RED = "#e2788a", BLUE = "#8fb4e0", DARK = "#1b2138";
const STAR = Array.from({ length: 20 }, (_, i) => [i * Math.PI / 10, i % 2 === 0 ? 0.95 : 0.66] as const)
  .map(([angle, far]) => [far * Math.cos(angle), far * Math.sin(angle)] as const);

const GOAL = { colour: "#ffd76a", count: 60 };

/** A circle of paint on the ice. */
const ring = (brush: Brush, radius: number, colour: string, x = 0) =>
  brush.disc(radius, "transparent", { x, outline: colour, width: 0.14 });

export const view = defineView(game, {
  sees: [30.6, 16.4],
  centre: [0, 0.6],
  sky: ["#0d1226", "#1a2145"],
  ground: false,
  background(brush) {
    brush.polygon(boards(true), ICE, { outline: "#0a0e20", width: 0.9 });
    brush.line([[0, -WIDE], [0, WIDE]], RED, { width: 0.2 });
    ring(brush, 3.6, RED);
    for (const x of [-LONG, LONG]) {
      brush.line([[x / 3, -WIDE], [x / 3, WIDE]], BLUE, { width: 0.16 });
      brush.line([[x, -MOUTH], [x, MOUTH]], RED, { width: 0.16 });
      ring(brush, 2, BLUE, x * 0.7);
    }
    brush.line(boards(true), "#f7fbff", { width: 0.3, closed: true });
    brush.line(boards(true), "#d4546a", { width: 0.08, closed: true });
  },
  things: {
    goal(brush, { teamColour, x }) {
      brush.context.globalAlpha = 0.5;
      brush.box(0.85, MOUTH, teamColour, { x: x < 0 ? 0.6 : -0.6, outline: false });
    },
    hub(brush) {
      brush.disc(0.8, "#39425f");
      brush.box(0.6, 0.14, "#f2b84b", { x: 0.2, round: 0.1 });
    },
    ball(brush) {
      brush.polygon(STAR, "#4b5266");
      brush.disc(0.62, "#6a7288");
      brush.disc(0.2, "#b9c1d6", { x: -0.2, y: 0.22, outline: false });
    },
    puck(brush, { vx, vy, angle, speed }) {
      brush.context.rotate(Math.atan2(vy, vx) - angle);
      brush.polygon([[0, 0.55], [-speed / 4, 0], [0, -0.55]], "rgb(40 60 110 / 25%)", { outline: false });
      brush.disc(0.6, DARK);
      brush.disc(0.4, "#343d5e", { outline: "#59648c" });
    },
    car(brush, { fields, own, teamColour }, world) {
      const ready = 1 - fields.wait / world.ticks(BOOST_SECONDS), flame = Math.max(0, 1 - ready * 6);
      if (own) ring(brush, 1.1, ready < 1 ? "rgb(20 30 60 / 15%)" : "rgb(20 30 60 / 45%)");
      if (flame > 0) brush.polygon([[-0.7, 0.35], [-0.9 - 1.5 * flame, 0], [-0.7, -0.35]], "#ffd35c");
      for (const x of [-0.45, 0.42]) brush.box(0.2, 0.54, DARK, { x, round: 0.08 });
      brush.box(0.75, 0.45, teamColour, { round: 0.2, ...own && { outline: "#ffffff", width: 0.12 } });
      brush.box(0.3, 0.34, DARK, { x: 0.02, round: 0.12 });
      brush.box(0.2, 0.28, teamColour, { x: -0.06, round: 0.08, outline: false });
      for (const y of [-0.27, 0.27]) brush.disc(0.09, "#fff7cf", { x: 0.64, y, outline: false });
    },
  },
  status(world) {
    const { phase, pause, left, blue, orange, round } = world.match, isOver = phase === "result";
    return {
      scores: world.all("car").map(({ seat, fields }) => ({ seat, score: fields.goals })),
      teams: [{ team: "blue", score: blue }, { team: "orange", score: orange }],
      round: { number: round, phase: isOver ? "result" : "playing", secondsLeft: (isOver ? pause : left) / 20 },
      banner: phase === "goal" ? "GOAL!" : phase === "kickOff" ? `${Math.ceil(pause / 10)}` : undefined,
    };
  },
  events: {
    goal: { ...{ sound: SOUNDS.fanfare, shake: 0.7, everywhere: true, deed: "scored" }, burst: GOAL },
    result: { sound: SOUNDS.whistle, everywhere: true },
    whistle: { sound: SOUNDS.whistle, everywhere: true },
    boost: { sound: SOUNDS.whoosh, burst: { colour: "#ffd35c", count: 8 }, rumble: 0.2 },
    hit: { sound: SOUNDS.thud, burst: { colour: "#ffffff", count: 6 } },
    bump: { sound: SOUNDS.hit, burst: { colour: "#ffffff", count: 10 }, shake: 0.3 },
    wreck: { sound: SOUNDS.boom, burst: { colour: "#ffb03c", count: 24 }, shake: 0.6, deed: "was wrecked" },
  },
  words: { players: "cars" },
});
