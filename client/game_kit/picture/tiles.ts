/** Draws a layer of a Tiled map. */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import type { TiledTiles } from "../../../shared/game_kit/game_kit.ts";
import { gameFiles, type LoadedImage } from "../files/game_files.ts";
import { drawFrame, type Sheet } from "../files/sheet.ts";
import type { Brush } from "./brush.ts";

/** Flips in the upper bits of a tile. */
const FLIPPED_X = 0x8000_0000;
const FLIPPED_Y = 0x4000_0000;
const FLIPPED_DIAGONALLY = 0x2000_0000;
const TILE_BITS = 0x0fff_ffff;
/** A canvas's side, pixels: as large as every browser allows. */
const SIDE_MAX = 4096;

/** A layer that draws itself. The map's lower left corner is at 0, 0. */
export type TileDrawing = (brush: Brush) => void;

/**
 * Makes a drawing of a layer of tiles: call it in `background` or `foreground`. It paints the layer
 * once and copies it then, so no seam shows between tiles.
 * @param tiles `map.tiles("rock")`
 * @param sheets the images of the map's tilesets, in Tiled's order
 * @throws GameError if the map has more tilesets, or a layer has more than 4096 pixels to a side
 */
export function tileDrawing(
  tiles: TiledTiles,
  sheets: readonly Sheet[],
  { pixelated = false }: { readonly pixelated?: boolean } = {},
): TileDrawing {
  const { columns, rows, tileWidth, tileHeight, firstTiles } = tiles;
  if (sheets.length !== firstTiles.length) {
    throw new GameError(
      `tileDrawing: ${sheets.length} sheets are given; the map has ${firstTiles.length} tilesets`,
    );
  }

  let painted: HTMLCanvasElement | undefined;
  return (brush) => {
    painted ??= paint(tiles, sheets);
    if (painted === undefined) return;
    const { context } = brush;
    const height = rows * tileHeight;
    context.save();
    context.scale(1, -1);
    context.imageSmoothingEnabled = !pixelated;
    context.drawImage(painted, 0, -height, columns * tileWidth, height);
    context.restore();
  };
}

/** @returns undefined until all images are loaded */
function paint(
  { columns, rows, tiles, firstTiles }: TiledTiles,
  sheets: readonly Sheet[],
): HTMLCanvasElement | undefined {
  const images: LoadedImage[] = [];
  for (const { file } of sheets) {
    const image = gameFiles.images.get(file);
    if (image === undefined) return undefined;
    images.push(image);
  }

  // All sheets have tiles of one size
  const width = Math.round(images[0]!.width / sheets[0]!.columns);
  const height = Math.round(images[0]!.height / sheets[0]!.rows);
  const canvas = document.createElement("canvas");
  canvas.width = columns * width;
  canvas.height = rows * height;
  if (Math.max(canvas.width, canvas.height) > SIDE_MAX) {
    throw new GameError(
      `tileDrawing: the layer has ${canvas.width} × ${canvas.height} pixels; ` +
        `at most ${SIDE_MAX} to a side are allowed`,
    );
  }

  const context = canvas.getContext("2d")!;
  tiles.forEach((tile, i) => {
    const number = tile & TILE_BITS;
    if (number === 0) return;
    const at = firstTiles.findLastIndex((first) => number >= first);
    context.setTransform(
      ...turned(tile),
      (i % columns + 0.5) * width,
      (Math.floor(i / columns) + 0.5) * height,
    );
    const frame = number - firstTiles[at]!;
    drawFrame(context, images[at]!, { ...sheets[at]!, frame, width, height });
  });
  return canvas;
}

/** How a tile is flipped, as the first four numbers of a canvas's transform. */
function turned(tile: number): [number, number, number, number] {
  const x = (tile & FLIPPED_X) !== 0 ? -1 : 1;
  const y = (tile & FLIPPED_Y) !== 0 ? -1 : 1;
  return (tile & FLIPPED_DIAGONALLY) === 0 ? [x, 0, 0, y] : [0, y, x, 0];
}
