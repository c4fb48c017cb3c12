/** How Haul looks and sounds. */
import { FINISH, game, roadOf, TRAY } from "../../../shared/games/haul/game.ts";
import { type Brush, defineView, SOUNDS } from "../../game_kit/client_kit.ts";

const DUST = { colour: "#d8b98a", count: 14 }, DARK = "#232b36", RUST = "#a8552f", WOOD = "#c98f4e", SNOW = "#f4f1e8";
const FAR = roadOf("canyon").map(([x, y]) => [1.7 * x - 90, 9 + 1.2 * y] as const);

/** Earth down to far below. */
function earth(brush: Brush, points: ReturnType<typeof roadOf>, fill: string, grass: string): void {
  brush.polygon([...points, [points.at(-1)![0], -60], [points[0]![0], -60]], fill, { outline: false });
  brush.line(points, grass, { width: 0.4 });
}
function flag(brush: Brush, colour: string): void {
  brush.box(0.08, 2.5, SNOW, { y: 1 });
  brush.polygon([[0.1, 3.5], [1.7, 3], [0.1, 2.5]], colour);
}

export const view = defineView(game, {
  sees: [30, 15],
  camera: (_world, own) => own && { x: own.x + 0.45 * own.vx, y: own.y + 1.5, width: 28 + 0.4 * own.speed },
  sky: ["#1d2a5c", "#6b5a8e", "#f0a875"],
  background: (brush) => earth(brush, FAR, "#574a7a", "#6f5f96"),
  things: {
    hills: (brush) => earth(brush, roadOf("hills"), "#5b4034", "#8fbf5a"),
    canyon: (brush) => earth(brush, roadOf("canyon"), "#8a4a33", "#d99a5b"),
    station: (brush) => flag(brush, "#5fc3e4"),
    finish(brush) {
      for (let i = 0; i < 24; i++) brush.box(0.25, 0.25, (i + (i >> 1)) % 2 ? DARK : SNOW, { x: i % 2 / 2, y: i >> 1 });
    },
    crate(brush) {
      brush.box(0.5, 0.5, WOOD);
      brush.line([[-0.35, -0.35], [0.35, 0.35]], RUST);
    },
    trailer(brush) {
      for (const x of [-0.8, 0.8]) brush.disc(0.4, DARK, { x, y: -0.3 });
      brush.polygon(TRAY, RUST);
    },
    wheel(brush) {
      brush.disc(0.55, DARK);
      brush.disc(0.3, SNOW);
      brush.box(0.28, 0.06, DARK, { outline: false });
    },
    truck(brush, { colour, fields }) {
      brush.body(colour);
      brush.polygon([[0.3, 0.5], [1.2, 0.5], [0.95, 1.1], [0.3, 1.1]], "#bfe6f5");
      brush.disc(0.14, "#fff3b0", { x: 1.5 });
      if (fields.place > 0) brush.text(`${fields.place}.`, { y: 2.8, size: 1, bold: true, upright: true });
    },
  },
  joints: { rope: (brush, { ax, ay, bx, by }) => brush.line([[ax, ay], [bx, by]], SNOW, { width: 0.09 }) },
  events: {
    hop: { sound: SOUNDS.jump, burst: DUST },
    crash: { sound: SOUNDS.hit, burst: { colour: WOOD, count: 10 }, shake: 0.3 },
    hitch: { sound: SOUNDS.coin, deed: "got a trailer" },
    lost: { sound: SOUNDS.lose, deed: "lost the trailer" },
    finish: { sound: SOUNDS.fanfare, burst: { colour: "seat", count: 40 }, deed: "arrived" },
  },
  status({ all, match: { phase, left, round, finished }, ticks }) {
    const secondsLeft = Math.ceil(left / ticks(1)), trucks = all("truck");
    const lead = Math.max(0, ...trucks.map(({ x }) => Math.min(x, FINISH)));
    return {
      scores: trucks.map(({ seat, fields: { points } }) => ({ seat, score: points })),
      round: { number: round, phase: phase === "result" ? "result" : "playing", secondsLeft },
      banner: phase === "ready"
        ? `${secondsLeft}`
        : phase === "race" && finished === 0 && lead < 12
        ? "Go!"
        : undefined,
    };
  },
  words: { players: "trucks" },
});
