/** The view of Haul: trucks on hills in the evening. Metres. */
import { FINISH, game, heightAt, RACE, ROAD } from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";

const DARK = "#232b36";
const WOOD = "#c98f4e";
const LOG = "#d9a066";
const SNOW = "#f4f1e8";
const DUST = { colour: "#e6c99a", count: 10 };
/** The outline of a fir. */
const TREE = [[-1.5, 0], [-0.7, 1.4], [-1.2, 1.4], [0, 3.6], [1.2, 1.4], [0.7, 1.4], [
  1.5,
  0,
]] as const;

export const page = {
  pitch: "Race over the hills, and bring your trailer:",
  point: "six points if you are first.",
};

/** A place on the bar of progress in the upper part of the picture. @param share −1 … 1 */
function onBar({ context }: Brush, share: number) {
  const { a, e, f } = context.getTransform();
  const { width, height } = context.canvas;
  return [(width * (0.5 + 0.2 * share) - e) / a, (f - 0.26 * height) / a] as const;
}

export const view = defineView(game, {
  view: [30, 15],
  // It looks ahead of the truck, and farther when that is fast.
  camera: (_world, own) =>
    own && { x: own.x + 2 + 0.2 * own.vx, y: own.y + 1.5, width: 26 + 0.5 * own.speed },
  sky: ["#26336f", "#7a5f98", "#f2a37a", "#ffd9a0"],
  ground: "#6b4a3a",
  background(brush) {
    // The sun, and hills far away that move less than the road.
    const [x, y] = onBar(brush, 0);
    const far = ROAD.map((at) => [1.4 * at[0] - 150 + 0.8 * x, 1.5 * at[1] + 3] as const);
    brush.disc(2.5, "#ffe9b8", { x: x + 7, y: y - 1 });
    brush.polygon([...far, [900, -60], [-400, -60]], "#8a6b98");

    // Firs behind the road.
    for (let i = -8; i < 140; i++) {
      brush.polygon(TREE, "#3f6b4f", { x: 3 * i + i * i % 3, y: heightAt(3 * i) - 0.8 });
    }
    brush.line(ROAD, "#8fbf5a", { width: 0.8 });

    brush.line([onBar(brush, -1), onBar(brush, 1)], "rgb(20 24 50 / 60%)", { width: 0.25 });
  },
  things: {
    gate: (brush, { x }) =>
      brush.polygon([[0, -1], [0, 6], [2, 5], [0.2, 4], [0.2, -1]], x < FINISH ? SNOW : "#ffd35c"),
    crate: (brush) => brush.box(0.44, 0.44, WOOD, { outline: "#8a5a2b", width: 0.12 }),
    // Five logs on two runners.
    trailer(brush) {
      brush.body(DARK);
      for (const x of [-0.8, 0, 0.8, -0.4, 0.4]) {
        brush.disc(0.42, LOG, { x, y: x % 0.8 ? 1.35 : 0.7 });
      }
      brush.box(1.3, 0.28, "#b5562f", { y: 0.2, round: 0.08 });
    },
    wheel: (brush) =>
      [0.55, 0.3, 0.1].forEach((r) =>
        brush.disc(r, r === 0.3 ? SNOW : DARK, { x: r < 0.3 ? 0.2 : 0 })
      ),
    truck(brush, { colour, own, x, y, angle, fields }) {
      // Cabin, window, frame and a stripe.
      brush.polygon([[0, 0.3], [0.1, 1.15], [0.85, 1.15], [1.25, 0.3]], colour);
      brush.polygon([[0.5, 0.5], [0.5, 1], [0.78, 1], [1.02, 0.5]], "#cfeefb");
      brush.box(1.6, 0.35, colour, { round: 0.15 });
      brush.box(1.3, 0.08, SNOW, { y: 0.05, outline: false });
      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 3.2, size: 1.2, upright: true });

      // Its dot on the bar, in the picture's own directions.
      brush.context.rotate(-angle);
      brush.context.translate(-x, -y);
      const [barX, barY] = onBar(brush, Math.max(-1, Math.min(1, 2 * x / FINISH - 1)));
      brush.disc(own ? 0.4 : 0.3, colour, { x: barX, y: barY });
    },
  },
  status: (world) => ({
    scores: world.all("truck").map(({ seat, fields }) => ({ seat, score: fields.points })),
    round: {
      number: world.match.round,
      phase: world.match.phase,
      secondsLeft: Math.min(RACE, world.match.left) / 20,
    },
    banner: world.match.left > RACE ? `${Math.ceil((world.match.left - RACE) / 20)}` : undefined,
  }),
  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    land: { sound: SOUNDS.thud, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 12 }, shake: 0.3 },
    lost: { sound: SOUNDS.lose, caption: "lost the trailer" },
    finish: { sound: SOUNDS.fanfare, burst: { colour: "seat", count: 40 }, caption: "arrived" },
  },
});
