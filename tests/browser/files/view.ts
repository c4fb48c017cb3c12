/** The cave's view: images, a sprite sheet, sounds, a font, layers, particles, a map and a HUD. */
import {
  bar,
  defineView,
  miniMap,
  parallax,
  sheet,
  tileDrawing,
  trail,
} from "../../../client/game_kit/client_kit.ts";
import blocks from "./blocks.woff2";
import coin from "./coin.ogg";
import coinImage from "./coin.svg";
import { cave, game } from "./game.ts";
import hills from "./hills.webp";
import jump from "./jump.mp3";
import runner from "./runner.png";
import thud from "./thud.wav";
import tiles from "./tiles.png";

// What only a page has, at the top of the module: the build must not run this.
const shine = document.createElement("canvas");

/** The whole map, and its rock as lines for the small one. */
const area = { x: cave.width / 2, y: cave.height / 2, width: cave.width, height: cave.height };
const rock = cave.ground.flatMap(({ shape }) => "chain" in shape ? [shape.chain] : []);
const coinCount = cave.places("coin").length;

const frames = sheet(runner, { columns: 4 });
const tileset = sheet(tiles, { columns: 4 });
const layers = ["decor", "rock", "planks"].map((name) =>
  tileDrawing(cave.tiles(name), [tileset], { pixelated: true })
);

export const view = defineView(game, {
  view: [18, 10],
  camera: (_world, own) => own && { x: own.x, y: own.y + 1 },
  bounds: area,
  sky: ["#1a2440", "#45608a"],
  background(brush) {
    parallax(brush, hills, { depth: 0.3, x: 15, y: 6, height: 9 });
    for (const draw of layers) draw(brush);
    brush.text("CAVE", { x: 6.5, y: 8, size: 1.4, font: blocks });
  },
  ground: false,
  things: {
    coin: (brush) => brush.image(coinImage, { width: 0.8 }),
    runner: (brush, { vx, own }) =>
      brush.image(frames, {
        frame: Math.abs(vx) > 0.5 ? brush.nowMs / 80 : 0,
        width: 1.2,
        flip: vx < -0.1,
        pixelated: true,
        opacity: own ? 1 : 0.8,
      }),
  },
  trails: {
    runner: trail({
      shape: "puff",
      colour: "#d8c9a8",
      perSecond: 20,
      from: [0, -0.45],
      speed: [0.2, 0.8],
      turns: [0.1, 0.4],
      lifeMs: 400,
      size: 0.1,
      when: ({ speed, fields }) => speed > 5 && fields.coins < 255,
    }),
  },
  events: {
    coin: { sound: coin, burst: { colour: "#ffd23c", count: 12 }, caption: "took a coin" },
    jump: { sound: jump },
    thud: { sound: thud },
  },
  hud(brush, world, own) {
    const coins = world.all("coin");
    miniMap(brush, "top right", {
      area,
      lines: rock,
      marks: [
        ...coins.map(({ x, y }) => ({ x, y, colour: "#ffe9a8" })),
        ...world.all("runner").map(({ x, y, seat }) => ({
          x,
          y,
          colour: "#ffffff",
          own: seat === own?.seat,
        })),
      ],
    });
    const taken = own?.fields.coins ?? 0;
    bar(brush, "bottom left", taken / coinCount, {
      label: `${taken} of ${coinCount} coins`,
      colour: "#c98f1a",
    });
  },
  music: (world) => world.tick > 0 ? thud : undefined,
  status: (world) => ({
    scores: world.all("runner").map(({ seat, fields }) => ({ seat, score: fields.coins })),
  }),
  words: { help: shine.getContext("2d") === null ? "" : "Take the coins" },
});
