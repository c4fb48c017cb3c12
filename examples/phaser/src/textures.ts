/** Pixel art that the page paints itself, so that the example needs no files. A pixel is a letter. */
import type Phaser from "phaser";

/** Pixels per metre of the art. */
export const TILE_PX = 16;

const COLOURS: Readonly<Record<string, string>> = {
  // Greys become shades of a hero's colour, because Phaser multiplies them with a tint.
  W: "#ffffff",
  G: "#c9c9c9",
  D: "#8d8d8d",
  K: "#1d1b2e",
  S: "#fff4e0",
  Y: "#ffd65c",
  O: "#e79a2e",
  B: "#a8683a",
  N: "#7d4628",
  L: "#c98a52",
  E: "#6fbf5a",
  F: "#4a9447",
  T: "#8a5a44",
  U: "#6d4335",
};

/** A hero's coat, which takes the player's colour: standing, two steps, in the air. */
const COATS = [
  [
    "................",
    ".....WWWWWW.....",
    "....WWWWWWWW....",
    "...WWWWWWWWWW...",
    "...WWWWWWWWWW...",
    "...W........W...",
    "...W........W...",
    "...GW......WG...",
    "...GWWWWWWWWG...",
    "..GGWWWWWWWWGG..",
    "..GGWWWWWWWWGG..",
    "....GWWWWWWG....",
    "....GGGGGGGG....",
    "....DD....DD....",
    "....DD....DD....",
    "................",
  ],
  [
    "................",
    ".....WWWWWW.....",
    "....WWWWWWWW....",
    "...WWWWWWWWWW...",
    "...WWWWWWWWWW...",
    "...W........W...",
    "...W........W...",
    "...GW......WG...",
    "...GWWWWWWWWGG..",
    "...GWWWWWWWWGGG.",
    "..GGWWWWWWWWG...",
    "..G.GWWWWWWG....",
    "...DGGGGGGGDD...",
    "..DD.......DD...",
    "..D.............",
    "................",
  ],
  [
    "................",
    ".....WWWWWW.....",
    "....WWWWWWWW....",
    "...WWWWWWWWWW...",
    "...WWWWWWWWWW...",
    "...W........W...",
    "...W........W...",
    "...GW......WG...",
    "..GGWWWWWWWWG...",
    ".GGGWWWWWWWWG...",
    "...GWWWWWWWWGG..",
    "....GWWWWWWG.G..",
    "....GGGDDGGG....",
    ".....DDDD.......",
    "......DDD.......",
    "................",
  ],
  [
    "................",
    ".....WWWWWW.....",
    "....WWWWWWWW....",
    "...WWWWWWWWWW...",
    ".G.WWWWWWWWWW.G.",
    ".GGW........WGG.",
    "..GW........WG..",
    "...GW......WG...",
    "....WWWWWWWW....",
    "....WWWWWWWW....",
    "....WWWWWWWW....",
    "....GWWWWWWG....",
    "....GGGGGGGG....",
    "...DDD...DDD....",
    "...DD......DD...",
    "................",
  ],
] as const;

/** A face over the coat: awake, and dizzy. */
const FACES = [
  [
    "................",
    "................",
    "................",
    "................",
    "................",
    "....SSSSSSSS....",
    "....SSSKSSKS....",
    ".....SSSSSS.....",
  ],
  [
    "................",
    "................",
    "................",
    "................",
    "................",
    "....SKSKKSKS....",
    "....SSKSSKSS....",
    ".....SSKKSS.....",
  ],
] as const;

/** A coin that turns. */
const COINS = [
  ["..KKKK..", ".KYYYYK.", "KYSYYYOK", "KYSYYYOK", "KYYYYYOK", "KYYYYYOK", ".KOOOOK.", "..KKKK.."],
  ["..KKKK..", "..KYYK..", ".KYSYOK.", ".KYSYOK.", ".KYYYOK.", ".KYYYOK.", "..KOOK..", "..KKKK.."],
  ["...KK...", "...KK...", "..KYOK..", "..KYOK..", "..KYOK..", "..KYOK..", "...KK...", "...KK..."],
] as const;

/** Two solid tiles: with grass on top, and the earth below. */
const GRASS = [
  "EEEEEEEEEEEEEEEE",
  "EEFEEEEEEFEEEEFE",
  "EFFFEEFEEFFEEFFF",
  "FFFFFFFFFFFFFFFF",
  "FTFFTTFFTTTFFTTF",
  "TTTTTTTTTTTTTTTT",
  "TTUTTTTTTTTUTTTT",
  "TTTTTTTTTTTTTTTT",
  "TTTTTUUTTTTTTTTT",
  "TTTTTTTTTTTTTUTT",
  "TUTTTTTTTTTTTTTT",
  "TTTTTTTTUUTTTTTT",
  "TTTTTTTTTTTTTTTT",
  "TTUUTTTTTTTTTUTT",
  "TTTTTTTTTTTTTTTT",
  "UTTTTTUTTTTTTTTU",
] as const;
const EARTH = [...GRASS.slice(6), ...GRASS.slice(6, 12)];

const CRATE = [
  "NNNNNNNNNNNNNN",
  "NLLLLLLLLLLLLN",
  "NLNNNNNNNNNNLN",
  "NLNBBBBBBBNNLN",
  "NLNBBBBBBNNBLN",
  "NLNBBBBBNNBBLN",
  "NLNBBBBNNBBBLN",
  "NLNBBBNNBBBBLN",
  "NLNBBNNBBBBBLN",
  "NLNBNNBBBBBBLN",
  "NLNNNBBBBBBBLN",
  "NLNNNNNNNNNNLN",
  "NLLLLLLLLLLLLN",
  "NNNNNNNNNNNNNN",
] as const;

type Art = readonly string[];

/** Paints all textures into Phaser's store. Frames of one texture stand side by side. */
export function paintTextures(textures: Phaser.Textures.TextureManager): void {
  paint(textures, "coat", COATS);
  paint(textures, "face", FACES);
  paint(textures, "coin", COINS);
  paint(textures, "tiles", [GRASS, EARTH]);
  paint(textures, "crate", [CRATE]);
  paint(textures, "spark", [["SS", "SS"]]);
  for (const layer of [0, 1]) paintHills(textures, layer);
}

function paint(
  textures: Phaser.Textures.TextureManager,
  key: string,
  frames: readonly Art[],
): void {
  const width = frames[0]![0]!.length;
  const height = Math.max(...frames.map((rows) => rows.length));
  const texture = textures.createCanvas(key, width * frames.length, height)!;
  frames.forEach((rows, frame) => {
    rows.forEach((row, y) => {
      [...row].forEach((letter, x) => {
        if (letter === ".") return;
        texture.context.fillStyle = COLOURS[letter]!;
        texture.context.fillRect(frame * width + x, y, 1, 1);
      });
    });
    texture.add(frame, 0, frame * width, 0, width, height);
  });
  texture.refresh();
}

/** Hills that continue at the edges. @param layer 0 for the far ones, 1 for the near ones */
function paintHills(textures: Phaser.Textures.TextureManager, layer: number): void {
  const [width, height] = [512, 160];
  const texture = textures.createCanvas(`hills${layer}`, width, height)!;
  const { context } = texture;
  context.fillStyle = ["#6b5f97", "#4b4a82"][layer]!;
  for (let x = 0; x < width; x++) {
    const turn = x / width * 2 * Math.PI;
    const top = layer === 0
      ? 60 + 26 * Math.sin(2 * turn) + 14 * Math.sin(5 * turn + 1)
      : 88 + 20 * Math.sin(3 * turn + 2) + 9 * Math.sin(7 * turn);
    context.fillRect(x, Math.round(top), 1, height);
  }
  texture.refresh();
}
