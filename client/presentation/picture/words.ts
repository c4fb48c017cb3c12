/** Draws words on a canvas, in canvas pixels: names above bodies, points, arrows. */
import { type Context, HALO } from "./canvas.ts";

export const LABEL_COLOUR = "#f1eee6";
export const OWN_LABEL_COLOUR = "#bfe6ff";
export const FONT =
  `"Avenir Next", "Segoe UI", Ubuntu, Cantarell, "Noto Sans", "Liberation Sans", system-ui, sans-serif`;

/** How high a name is beside the page's letters, at most and at least. */
const LABEL_SHARE_MAX = 0.94;
const LABEL_SHARE_MIN = 0.69;
/** How high a name is that is neither, metres. */
const LABEL_METRES = 0.36;

/**
 * How high a name's letters are, canvas pixels: they grow with those of the page.
 * @param scale canvas pixels per metre
 * @param letter how high the page's letters are, canvas pixels
 */
export function labelSizePx(scale: number, letter: number): number {
  return Math.max(
    LABEL_SHARE_MIN * letter,
    Math.min(LABEL_SHARE_MAX * letter, scale * LABEL_METRES),
  );
}

/** Draws words with a halo. The caller sets the font and the halo's line width on the context. */
export function drawWords(
  context: Context,
  words: string,
  options: { x: number; y: number; colour: string },
): void {
  context.strokeStyle = HALO;
  context.strokeText(words, options.x, options.y);
  context.fillStyle = options.colour;
  context.fillText(words, options.x, options.y);
}

/**
 * Draws an arrow that points down at (x, y), to the own body while its player may be searching for
 * it.
 */
export function drawArrowDown(
  context: Context,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y - size);
  context.lineTo(x, y);
  context.closePath();
  context.strokeStyle = HALO;
  context.stroke();
  context.fillStyle = OWN_LABEL_COLOUR;
  context.fill();
}
