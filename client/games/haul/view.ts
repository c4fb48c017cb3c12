/** The view of Haul: trucks on hills in the evening. Metres. */
import {
  FINISH,
  game,
  heightAt,
  isCountdown,
  RACE_TICKS,
  ROAD,
} from "../../../shared/games/haul/game.ts";
import { defineView, SOUNDS } from "../../game_kit/client_kit.ts";

const EVENING = ["#26336f", "#7a5f98", "#f2a37a", "#ffd9a0"];
const SUN = "#ffe9b8";
const FAR_HILLS = "#8a6b98";
const FOREST = "#3f6b4f";
const GRASS = "#8fbf5a";
const EARTH = "#6b4a3a";
const DARK = "#232b36";
const WOOD = "#c98f4e";
const LOG = "#d9a066";
const SNOW = "#f4f1e8";
/** The bar of progress, as a share of the picture's width. */
const BAR_SHARE = 0.35;
const DUST = { colour: "#e6c99a", count: 10 };

/** A fir, three metres and a half high. */
const TREE = [
  [-1.5, 0],
  [-0.7, 1.4],
  [-1.2, 1.4],
  [0, 3.6],
  [1.2, 1.4],
  [0.7, 1.4],
  [1.5, 0],
] as const;

export const view = defineView(game, {
  view: [30, 15],
  sky: EVENING,
  ground: EARTH,

  // The camera looks ahead of the truck, and shows more when that is fast.
  camera: (_world, own) =>
    own && { x: own.x + 2 + 0.2 * own.vx, y: own.y + 1.5, width: 26 + 0.5 * own.speed },

  // A race is where its first truck is.
  interest: (_world, { x }) => x,

  background(brush) {
    // The sun stands still in the picture. The far hills are the road, stretched, and move slower.
    const { x, y, height } = brush.visible;
    const farHills = ROAD.map(([roadX, roadY]) =>
      [1.4 * roadX - 150 + 0.8 * x, 1.5 * roadY + 3] as const
    );
    brush.disc(2.5, SUN, { x: x + 7, y: y + height / 5 });
    brush.polygon([...farHills, [900, -60], [-400, -60]], FAR_HILLS);

    // Firs behind the road, about every 3 m.
    for (let i = -8; i < 140; i++) {
      brush.polygon(TREE, FOREST, { x: 3 * i + i * i % 3, y: heightAt(3 * i) - 0.8 });
    }
    brush.line(ROAD, GRASS, { width: 0.8 });
  },

  things: {
    gate(brush, { x }) {
      const colour = x < FINISH ? SNOW : "#ffd35c";
      brush.polygon([[0, -1], [0, 6], [2, 5], [0.2, 4], [0.2, -1]], colour);
    },

    crate(brush) {
      brush.box(0.44, 0.44, WOOD, { outline: "#8a5a2b", width: 0.12 });
    },

    trailer(brush) {
      brush.body(DARK);

      // Three logs with two on top, and the bed below.
      for (const x of [-0.8, 0, 0.8]) brush.disc(0.42, LOG, { x, y: 0.7 });
      for (const x of [-0.4, 0.4]) brush.disc(0.42, LOG, { x, y: 1.35 });
      brush.box(1.3, 0.28, "#b5562f", { y: 0.2, round: 0.08 });
    },

    // The small disc shows how the wheel turns.
    wheel(brush) {
      brush.disc(0.55, DARK);
      brush.disc(0.3, SNOW);
      brush.disc(0.1, DARK, { x: 0.2 });
    },

    truck(brush, { colour, fields }) {
      // Cabin, window, frame and a stripe.
      brush.polygon([[0, 0.3], [0.1, 1.15], [0.85, 1.15], [1.25, 0.3]], colour);
      brush.polygon([[0.5, 0.5], [0.5, 1], [0.78, 1], [1.02, 0.5]], "#cfeefb");
      brush.box(1.6, 0.35, colour, { round: 0.15 });
      brush.box(1.3, 0.08, SNOW, { y: 0.05, outline: false });

      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 3.2, size: 1.2, upright: true });
    },
  },

  // A bar shows how far each truck is, the followed one in its colour.
  hud(brush, world, own) {
    const { context, letter } = brush;
    const length = BAR_SHARE * brush.width;
    const { x, y } = brush.place("top", length, letter);
    const middle = y + letter / 2;
    context.fillStyle = "rgb(20 24 50 / 60%)";
    context.fillRect(x, middle - letter / 6, length, letter / 3);

    const dot = (metres: number, colour: string, radius: number) => {
      const share = Math.max(0, Math.min(1, metres / FINISH));
      context.beginPath();
      context.arc(x + share * length, middle, radius, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
      context.strokeStyle = DARK;
      context.stroke();
    };
    for (const truck of world.all("truck")) dot(truck.x, SNOW, letter / 4);
    if (own !== undefined) dot(own.x, own.colour, letter / 2);
  },

  status(world) {
    const { round, phase, left } = world.match;
    const waitSeconds = (left - RACE_TICKS) / game.tickHz;
    return {
      round: { number: round, phase, secondsLeft: Math.min(RACE_TICKS, left) / game.tickHz },
      banner: isCountdown(left) ? `${Math.ceil(waitSeconds)}` : undefined,
    };
  },

  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    land: { sound: SOUNDS.thud, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 12 }, shake: 0.3 },
    lost: { sound: SOUNDS.lose, caption: "lost the trailer" },
    finish: { sound: SOUNDS.fanfare, burst: { colour: "seat", count: 40 }, caption: "arrived" },
  },
});
