/** Layers that move more slowly than the ground, as what is far away does. */
import { gameFiles, type ImageFile } from "../files/game_files.ts";
import type { Brush } from "./brush.ts";

/** So many copies fill any window; more would be an image that is far too small. */
const COPIES_MAX = 64;

/** Where a layer is. Metres. */
export interface ParallaxOptions {
  /**
   * How much it moves with the ground: 1 as the ground does, 0 not at all. Less than 1 looks far
   * away, more than 1 looks near.
   */
  readonly depth: number;
  /** The middle of the layer, where it is while it is in the middle of the picture; default 0, 0. */
  readonly x?: number;
  readonly y?: number;
  /** Metres; the width follows from the image's pixels. */
  readonly height: number;
  /** Whether copies to the left and right fill the window; default true. */
  readonly repeat?: boolean;
  /** Whether its pixels stay squares, for pixel art. Default false. */
  readonly pixelated?: boolean;
}

/**
 * Draws an image as a layer: call it in `background`, from the farthest to the nearest. It draws
 * nothing until the image is loaded.
 */
export function parallax(
  brush: Brush,
  file: ImageFile,
  { depth, x = 0, y = 0, height, repeat = true, pixelated = false }: ParallaxOptions,
): void {
  const loaded = gameFiles.images.get(file);
  if (loaded === undefined) return;
  const { visible } = brush;
  const width = height * loaded.width / loaded.height;
  const middleX = x + (visible.x - x) * (1 - depth);
  const middleY = y + (visible.y - y) * (1 - depth);
  if (!repeat) return brush.image(file, { x: middleX, y: middleY, height, pixelated });

  // The first copy that is in the window; each overlaps the next by a pixel, so that no gap shows
  const left = visible.x - visible.width / 2;
  const copies = Math.min(COPIES_MAX, Math.ceil(visible.width / width) + 1);
  const first = middleX + Math.floor((left - middleX + width / 2) / width) * width;
  for (let i = 0; i < copies; i++) {
    brush.image(file, {
      x: first + i * width,
      y: middleY,
      width: width + brush.pixel,
      height,
      pixelated,
    });
  }
}
