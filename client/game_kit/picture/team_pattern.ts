/** Fills shapes with a pattern, so that teams differ on a screen, and to eyes, without hues. */
import type { Context } from "../../presentation/picture/canvas.ts";
import type { Pattern } from "../../presentation/picture/hues.ts";

/** A tile's size, pixels, and on the picture, metres. */
const TILE = 64;
const TILE_METRES = 0.44;
/** More tiles than teams have; beyond that, all are drawn anew. */
const TILES_MAX = 32;

const tiles = new Map<string, CanvasPattern>();

/**
 * What fills a shape above its own colour, in a context that measures metres.
 * @param colour CSS, for the marks
 * @returns undefined for a plain one
 */
export function patternFill(
  context: Context,
  pattern: Pattern,
  colour: string,
): CanvasPattern | undefined {
  if (pattern === "plain") return undefined;
  const key = `${pattern} ${colour}`;
  let fill = tiles.get(key);
  if (fill === undefined) {
    if (tiles.size >= TILES_MAX) tiles.clear();
    fill = context.createPattern(drawnTile(pattern, colour), "repeat")!;
    fill.setTransform(new DOMMatrix().scale(TILE_METRES / TILE));
    tiles.set(key, fill);
  }
  return fill;
}

function drawnTile(pattern: Pattern, colour: string): OffscreenCanvas {
  const tile = new OffscreenCanvas(TILE, TILE);
  const context = tile.getContext("2d")!;
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = TILE * 0.3;
  context.beginPath();

  if (pattern === "dots") {
    context.arc(TILE / 2, TILE / 2, TILE * 0.24, 0, 2 * Math.PI);
    context.fill();
    return tile;
  }
  if (pattern === "stripes") {
    context.moveTo(TILE / 2, 0);
    context.lineTo(TILE / 2, TILE);
  } else {
    // Their ends lie beyond the tile, so that one leads on into the next.
    context.moveTo(TILE * 0.1, -TILE * 0.1);
    context.lineTo(TILE * 0.7, TILE / 2);
    context.lineTo(TILE * 0.1, TILE * 1.1);
  }
  context.stroke();
  return tile;
}
