/** The view of Haul: trucks on hills in the evening. Metres. */
import { FINISH, game, heightAt, roadOf } from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";

const DARK = "#232b36", RUST = "#b5562f", WOOD = "#c98f4e", SNOW = "#f4f1e8", DUST = { colour: "#e6c99a", count: 10 };

/** The middle of the picture, its upper edge, and half of its width. */
function frameOf({ context, pixel }: Brush) {
  const { a, e, f } = context.getTransform(), half = context.canvas.width / 2 / a;
  return { x: half - e / a, top: f / a - 92 * pixel, reach: Math.min(0.6 * half, 260 * pixel) };
}

/** Earth down to far below. */
function earth(brush: Brush, points: ReturnType<typeof roadOf>, fill: string, edge: string): void {
  brush.polygon([...points, [points.at(-1)![0], -60], [points[0]![0], -60]], fill, { outline: false });
  brush.line(points, edge, { width: 0.4 });
}
function wood(brush: Brush, road: "hills" | "canyon", leaf: string): void {
  for (let x = -26; x < 430; x += 7 + (x * x) % 5) {
    const y = heightAt(road, x) - 0.3, size = 1 + (x * x) % 3 / 4;
    for (const up of [1, 2, 3]) {
      brush.polygon([[x - size * (1.6 - up / 3), y + up * size], [x, y + (up + 1.7) * size], [
        x + size * (1.6 - up / 3),
        y + up * size,
      ]], leaf);
    }
    brush.box(0.15, size / 2, "#4a3428", { x, y: y + size / 2 });
  }
}
function spokes(brush: Brush, radius: number, x: number, y: number, angle: number): void {
  brush.disc(radius, DARK, { x, y });
  brush.disc(radius * 0.55, "#aeb7c4", { x, y, outline: false });
  for (const turn of [0, 1.57]) {
    brush.box(radius * 0.5, radius * 0.1, DARK, { x, y, angle: angle + turn, outline: false });
  }
}

export const view = defineView(game, {
  sees: [30, 15],
  camera: (_world, own) => own && { x: own.x + 3 + 0.35 * own.vx, y: own.y + 1.5, width: 28 + 0.4 * own.speed },
  sky: ["#26336f", "#7a5f98", "#f2a37a", "#ffd9a0"],
  background(brush) {
    const { x, top, reach } = frameOf(brush);
    brush.disc(3.4, "#ffe9b8", { x: x + 6, y: top - 5 });
    for (const [far, up, colour] of [[0.85, 7, "#a0789c"], [0.65, 2, "#6b5486"]] as const) {
      const points = roadOf("canyon").map((at) => [2 * at[0] - 200 + far * x, 0.8 * at[1] + up] as const);
      earth(brush, points, colour, colour);
    }
    brush.box(reach, 0.12, "rgb(20 24 50 / 60%)", { x, y: top, round: 0.1 });
  },
  things: {
    hills(brush) {
      wood(brush, "hills", "#3f6b4f");
      earth(brush, roadOf("hills"), "#5b4034", "#8fbf5a");
    },
    canyon(brush) {
      wood(brush, "canyon", "#7d8a4a");
      earth(brush, roadOf("canyon"), "#8a4a33", "#d99a5b");
    },
    station(brush) {
      brush.box(0.1, 3, SNOW, { y: 2 });
      brush.polygon([[0.1, 5], [2, 4.3], [0.1, 3.6]], "#5fc3e4");
    },
    finish(brush) {
      for (let i = 0; i < 24; i++) {
        brush.box(0.3, 0.3, (i + (i >> 1)) % 2 ? DARK : SNOW, { x: i % 2 * 0.6, y: (i >> 1) * 0.6 });
      }
    },
    plank: (brush) => brush.box(0.65, 0.15, WOOD, { round: 0.1 }),
    crate(brush) {
      brush.box(0.5, 0.5, WOOD);
      brush.line([[-0.35, -0.35], [0.35, 0.35]], RUST);
      brush.line([[-0.35, 0.35], [0.35, -0.35]], RUST);
    },
    trailer(brush, { x, angle }) {
      for (const at of [-0.75, 0, 0.75]) brush.disc(0.42, "#d9a066", { x: at, y: 0.45 });
      brush.disc(0.42, "#d9a066", { x: 0.35, y: 1.05 });
      brush.disc(0.42, "#d9a066", { x: -0.4, y: 1.05 });
      brush.box(1.3, 0.3, RUST, { round: 0.08 });
      for (const at of [-0.8, 0.8]) spokes(brush, 0.4, at, -0.4, -x / 0.4 - angle);
    },
    wheel: (brush) => spokes(brush, 0.55, 0, 0, 0),
    truck(brush, { colour, own, x, y, angle, fields }) {
      brush.box(0.6, 0.4, colour, { x: 0.6, y: 0.65, round: 0.25 });
      brush.box(0.32, 0.2, "#cfeefb", { x: 0.78, y: 0.72, round: 0.1 });
      brush.box(1.6, 0.3, colour, { round: 0.15 });
      brush.box(1.3, 0.07, SNOW, { y: 0.02, outline: false });
      brush.disc(0.15, "#fff3b0", { x: 1.5, y: 0.1 });
      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 2.8, size: 1, bold: true, upright: true });
      brush.context.rotate(-angle);
      brush.context.translate(-x, -y);
      const { x: middle, top, reach } = frameOf(brush), way = Math.max(0, Math.min(1, x / FINISH));
      brush.disc(reach * (own ? 0.04 : 0.03), colour, { x: middle + reach * (2 * way - 1), y: top });
    },
  },
  joints: {
    rope: (brush, { ax, ay, bx, by }) => brush.line([[ax, ay], [bx, by]], SNOW, { width: 0.1 }),
    axle: () => {},
    hinge: () => {},
  },
  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    land: { sound: SOUNDS.thud, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 12 }, shake: 0.3 },
    hitch: { sound: SOUNDS.coin },
    lost: { sound: SOUNDS.lose, deed: "lost the trailer" },
    finish: { sound: SOUNDS.fanfare, burst: { colour: "seat", count: 40 }, deed: "arrived" },
  },
  status(world) {
    const { phase, left, round } = world.match, secondsLeft = Math.ceil(left / 20);
    return {
      scores: world.all("truck").map(({ seat, fields }) => ({ seat, score: fields.points })),
      round: { number: round, phase: phase === "result" ? "result" : "playing", secondsLeft },
      banner: phase === "ready" ? `${secondsLeft}` : phase === "race" && secondsLeft > 88 ? "Go!" : undefined,
    };
  },
  words: { players: "trucks" },
});
