/** Sprite sheets: images of several frames, side by side and below one another. */
import { GameError } from "../../../shared/game_kit/game_error.ts";
import type { ImageFile, LoadedImage } from "./game_files.ts";

/** An image whose frames are equally large. Frame 0 is at the upper left, and 1 is right of it. */
export interface Sheet {
  /** What the view imports. */
  readonly file: ImageFile;
  /** Frames side by side. */
  readonly columns: number;
  /** Frames below one another. */
  readonly rows: number;
}

/**
 * Divides an image into frames, for `Brush.image` and its `frame`.
 * @param options.columns frames side by side, 1 … 256; default 1
 * @param options.rows frames below one another, 1 … 256; default 1
 * @throws GameError if a number is not one of these
 */
export function sheet(
  file: ImageFile,
  { columns = 1, rows = 1 }: { readonly columns?: number; readonly rows?: number },
): Sheet {
  for (const [name, count] of Object.entries({ columns, rows })) {
    if (Number.isInteger(count) && count >= 1 && count <= 256) continue;
    throw new GameError(`sheet: ${name} is ${count}; a whole number from 1 to 256 is allowed`);
  }
  return { file, columns, rows };
}

/**
 * Draws a frame of a loaded sheet around the context's origin, in the context's units.
 * @param options.frame 0 … columns · rows − 1
 */
export function drawFrame(
  context: CanvasRenderingContext2D,
  { source, width: imageWidth, height: imageHeight }: LoadedImage,
  { columns, rows, frame, width, height }: Pick<Sheet, "columns" | "rows"> & {
    readonly frame: number;
    readonly width: number;
    readonly height: number;
  },
): void {
  const frameWidth = imageWidth / columns;
  const frameHeight = imageHeight / rows;
  context.drawImage(
    source,
    (frame % columns) * frameWidth,
    Math.floor(frame / columns) * frameHeight,
    frameWidth,
    frameHeight,
    -width / 2,
    -height / 2,
    width,
    height,
  );
}
