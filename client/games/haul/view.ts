/** The view of Haul: trucks on hills in the evening. Metres. */
import {
  FINISH,
  game,
  heightAt,
  isCountdown,
  RACE_TICKS,
  ROAD,
} from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";

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

/**
 * A place on the bar of progress, in metres of the world. The bar stays in the upper part of the
 * picture while the camera moves, so its place is computed from pixels of the canvas.
 * @param share −1 at the bar's left end … 1 at its right one
 */
function onBar({ context }: Brush, share: number) {
  const { a: pixelsPerMetre, e: originX, f: originY } = context.getTransform();
  const { width, height } = context.canvas;
  const x = (width * (0.5 + 0.2 * share) - originX) / pixelsPerMetre;
  const y = (originY - 0.26 * height) / pixelsPerMetre;
  return [x, y] as const;
}

export const view = defineView(game, {
  view: [30, 15],
  sky: EVENING,
  ground: EARTH,

  // The camera looks ahead of the truck, and shows more when that is fast.
  camera: (_world, own) =>
    own && { x: own.x + 2 + 0.2 * own.vx, y: own.y + 1.5, width: 26 + 0.5 * own.speed },

  background(brush) {
    // The sun stands still in the picture. The far hills are the road, stretched, and move slower.
    const [x, y] = onBar(brush, 0);
    const farHills = ROAD.map(([roadX, roadY]) =>
      [1.4 * roadX - 150 + 0.8 * x, 1.5 * roadY + 3] as const
    );
    brush.disc(2.5, SUN, { x: x + 7, y: y - 1 });
    brush.polygon([...farHills, [900, -60], [-400, -60]], FAR_HILLS);

    // Firs behind the road, about every 3 m.
    for (let i = -8; i < 140; i++) {
      brush.polygon(TREE, FOREST, { x: 3 * i + i * i % 3, y: heightAt(3 * i) - 0.8 });
    }
    brush.line(ROAD, GRASS, { width: 0.8 });

    brush.line([onBar(brush, -1), onBar(brush, 1)], "rgb(20 24 50 / 60%)", { width: 0.25 });
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

    truck(brush, { colour, own, x, y, angle, fields }) {
      // Cabin, window, frame and a stripe.
      brush.polygon([[0, 0.3], [0.1, 1.15], [0.85, 1.15], [1.25, 0.3]], colour);
      brush.polygon([[0.5, 0.5], [0.5, 1], [0.78, 1], [1.02, 0.5]], "#cfeefb");
      brush.box(1.6, 0.35, colour, { round: 0.15 });
      brush.box(1.3, 0.08, SNOW, { y: 0.05, outline: false });

      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 3.2, size: 1.2, upright: true });

      // Its dot on the bar, in the frame of the world.
      brush.context.rotate(-angle);
      brush.context.translate(-x, -y);
      const share = 2 * x / FINISH - 1;
      const [barX, barY] = onBar(brush, Math.max(-1, Math.min(1, share)));
      brush.disc(own ? 0.4 : 0.3, colour, { x: barX, y: barY });
    },
  },

  status(world) {
    const { round, phase, left } = world.match;
    const waitSeconds = (left - RACE_TICKS) / game.tickHz;
    return {
      scores: world.all("truck").map(({ seat, fields }) => ({ seat, score: fields.points })),
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
