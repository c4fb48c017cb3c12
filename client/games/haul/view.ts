/** The view of Haul: trucks on hills in the evening. Metres. */
import { FINISH, game, heightAt, ROAD } from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";

const DARK = "#232b36", RUST = "#b5562f", WOOD = "#c98f4e", SNOW = "#f4f1e8", DUST = { colour: "#e6c99a", count: 10 };
const TREES = Array.from({ length: 62 }, (_, i) => [7.3 * i - 25, 1 + i * i % 5 / 5] as const);

/** The bar of progress in the upper part of the picture: its middle and half of its length. */
function barOf({ context, pixel }: Brush) {
  const { a, e, f } = context.getTransform(), half = context.canvas.width / 2 / a;
  return { x: half - e / a, y: f / a - 92 * pixel, reach: Math.min(0.6 * half, 260 * pixel) };
}
/** Earth down to far below. */
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
    const bar = barOf(brush);
    brush.disc(3, "#ffe9b8", { x: bar.x + 7, y: bar.y - 5 });
    for (const [far, up, colour] of [[0.85, 7, "#a0789c"], [0.65, 2, "#6b5486"]] as const) {
      earth(brush, ROAD.map(([x, y]) => [1.4 * x - 200 + far * bar.x, 1.2 * y + up] as const), colour, colour);
    }
    for (const [x, size] of TREES) {
      const y = heightAt(x) - 0.2;
      brush.line([[x, y], [x, y + size]], "#4a3428", { width: 0.3 });
      for (const up of [0.8, 1.8, 2.8]) {
        const low = y + up * size, half = (1.7 - up / 3) * size;
        brush.polygon([[x - half, low], [x, low + 1.8 * size], [x + half, low]], "#3f6b4f", { outline: "#2c5241" });
      }
    }
    earth(brush, ROAD, "#5b4034", "#8fbf5a");
    brush.box(bar.reach, 0.12, "rgb(20 24 50 / 60%)", { x: bar.x, y: bar.y, round: 0.1 });
  },
  things: {
    gate(brush, { x }) {
      brush.box(0.1, 3, SNOW, { y: 2 });
      if (x < FINISH) return brush.polygon([[0.1, 5], [2, 4.3], [0.1, 3.6]], "#5fc3e4");
      for (let i = 0; i < 24; i++) {
        brush.box(0.25, 0.25, (i + (i >> 2)) % 2 ? DARK : SNOW, { x: 0.4 + i % 4 / 2, y: 2 + (i >> 2) / 2 });
      }
    },
    plank: (brush) => brush.box(0.65, 0.15, WOOD, { round: 0.1 }),
    crate(brush) {
      brush.box(0.5, 0.5, WOOD);
      for (const y of [-0.35, 0.35]) brush.line([[-0.35, -y], [0.35, y]], RUST);
    },
    trailer(brush, { x, angle }) {
      for (const [at, y] of [[-0.8, 0.7], [0, 0.7], [0.8, 0.7], [-0.4, 1.35], [0.4, 1.35]] as const) {
        brush.disc(0.42, "#d9a066", { x: at, y });
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
      brush.disc(0.15, "#fff3b0", { x: 1.5, y: 0.1 });
      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 3.2, size: 1.2, bold: true, upright: true });
      brush.context.rotate(-angle);
      brush.context.translate(-x, -y);
      const bar = barOf(brush), way = Math.max(0, Math.min(1, x / FINISH));
      brush.disc((own ? 11 : 8) * brush.pixel, colour, { x: bar.x + bar.reach * (2 * way - 1), y: bar.y });
    },
  },
  joints: {
    rope: (brush, { ax, ay, bx, by }) => brush.line([[ax, ay], [bx, by]], SNOW, { width: 0.1 }),
    ...{ axle: () => {}, hinge: () => {} },
  },
  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    land: { sound: SOUNDS.thud, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 12 }, shake: 0.3 },
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
