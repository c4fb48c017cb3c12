/** The view of Haul: trucks on hills in the evening. Metres. */
import { FINISH, game, heightAt, ROAD } from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";
const DARK = "#232b36", RUST = "#b5562f", WOOD = "#c98f4e", SNOW = "#f4f1e8", DUST = { colour: "#e6c99a", count: 10 };
export const page = {
  pitch: "Race over the hills, and bring your trailer:",
  point: "lean with care, hop over crates.",
};
/** A place on the bar of progress, which is in the upper part of the picture. @param share −1 … 1 */
function onBar({ context, pixel }: Brush, share: number) {
  const { a, e, f } = context.getTransform(), { width } = context.canvas;
  return [(width * (0.5 + 0.2 * share) - e) / a, f / a - 90 * pixel] as const;
}
function earth(brush: Brush, points: typeof ROAD, fill: string, edge: string): void {
  brush.polygon([...points, [900, -60], [-400, -60]], fill);
  brush.line(points, edge, { width: 0.4 });
}
function wheel(brush: Brush, radius: number, x = 0, angle = 0): void {
  brush.disc(radius, DARK, { x });
  brush.disc(radius * 0.55, "#aeb7c4", { x, outline: false });
  for (const turn of [0, 1.57]) brush.box(radius / 2, radius / 9, DARK, { x, angle: angle + turn, outline: false });
}
export const view = defineView(game, {
  sees: [30, 15],
  camera: (_world, own) => own && { x: own.x + 3 + 0.35 * own.vx, y: own.y + 1.5, width: 26 + 0.5 * own.speed },
  sky: ["#26336f", "#7a5f98", "#f2a37a", "#ffd9a0"],
  ground: false,
  background(brush) {
    const [x, y] = onBar(brush, 0);
    brush.disc(3, "#ffe9b8", { x: x + 7, y: y - 5 });
    earth(brush, ROAD.map((at) => [1.4 * at[0] - 150 + 0.85 * x, at[1] + 5] as const), "#a0789c", "#a0789c");
    for (let at = -26; at < 430; at += 5 + at * at % 4) {
      const low = heightAt(at) - 0.3, size = 1 + at * at % 3 / 3;
      for (const up of [0, 1, 2]) {
        brush.polygon([[at - size, low + up], [at, low + up + 2 * size], [at + size, low + up]], "#3f6b4f", {
          outline: true,
        });
      }
    }
    earth(brush, ROAD, "#5b4034", "#8fbf5a");
    brush.line([onBar(brush, -1), onBar(brush, 1)], "rgb(20 24 50 / 60%)", { width: 0.25 });
  },
  things: {
    gate: (brush, { x }) => {
      brush.box(0.1, 3, SNOW, { y: 2 });
      brush.polygon([[0.1, 5], [2, 4.3], [0.1, 3.6]], x < FINISH ? "#5fc3e4" : "#ffd35c");
    },
    plank: (brush) => brush.box(0.65, 0.15, WOOD, { round: 0.1 }),
    crate(brush) {
      brush.box(0.5, 0.5, WOOD);
      for (const y of [-0.35, 0.35]) brush.line([[-0.35, -y], [0.35, y]], RUST);
    },
    trailer(brush, { x, angle }) {
      for (const at of [-0.8, 0, 0.8, -0.4, 0.4]) {
        brush.disc(0.42, "#d9a066", { x: at, y: Math.abs(at) === 0.4 ? 1.35 : 0.7 });
      }
      brush.box(1.3, 0.28, RUST, { y: 0.2, round: 0.08 });
      for (const at of [-0.8, 0.8]) wheel(brush, 0.5, at, -x / 0.5 - angle);
    },
    wheel: (brush) => wheel(brush, 0.55),
    truck(brush, { colour, own, x, y, angle, fields }) {
      brush.polygon([[0, 0.3], [0.1, 1.15], [0.85, 1.15], [1.25, 0.3]], colour);
      brush.polygon([[0.5, 0.5], [0.5, 1], [0.78, 1], [1.02, 0.5]], "#cfeefb");
      brush.box(1.6, 0.35, colour, { round: 0.15 });
      brush.box(1.3, 0.08, SNOW, { y: 0.05, outline: false });
      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 3.2, size: 1.2, upright: true });
      brush.context.rotate(-angle);
      brush.context.translate(-x, -y);
      const [barX, barY] = onBar(brush, Math.max(-1, Math.min(1, 2 * x / FINISH - 1)));
      brush.disc((own ? 11 : 8) * brush.pixel, colour, { x: barX, y: barY });
    },
  },
  joints: {
    rope: (brush, { ax, ay, bx, by }) => brush.line([[ax, ay], [bx, by]], SNOW, { width: 0.1 }),
    ...{ axle: () => {}, hinge: () => {} },
  },
  status: (world) => {
    const { phase, left, round } = world.match;
    return {
      scores: world.all("truck").map(({ seat, fields }) => ({ seat, score: fields.points })),
      round: { number: round, phase: phase === "result" ? "result" : "playing", secondsLeft: left / 20 },
      banner: phase === "ready" ? `${Math.ceil(left / 20)}` : phase === "race" && left > 1770 ? "Go!" : undefined,
    };
  },
  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    land: { sound: SOUNDS.thud, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 12 }, shake: 0.3 },
    lost: { sound: SOUNDS.lose, deed: "lost the trailer" },
    finish: { sound: SOUNDS.fanfare, burst: { colour: "seat", count: 40 }, deed: "arrived" },
  },
});
