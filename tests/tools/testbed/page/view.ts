/** The part of the stage that the canvas shows. */

/** The least width of a view for its height: all scenes are made for 16 : 9. */
const ASPECT = 16 / 9;

/** Metres. */
const PIXEL_MAX = 1 / 26;

export interface View {
  /** The middle, metres. */
  readonly x: number;
  readonly y: number;
  /** Canvas pixels per metre. */
  readonly scale: number;
  /** Of the canvas, in its pixels. */
  readonly width: number;
  readonly height: number;
  /** Canvas pixels per CSS pixel. */
  readonly density: number;
  /**
   * Metres: the unit of the widths of lines. A CSS pixel, or less if bodies are small on the
   * screen.
   */
  readonly pixel: number;
}

/** @param metres the height that must be seen; the width is 16/9 of it */
export function viewOf(
  canvas: HTMLCanvasElement,
  { x, y }: { readonly x: number; readonly y: number },
  metres: number,
): View {
  const { width, height } = canvas;
  const scale = Math.max(1e-3, Math.min(height / metres, width / (metres * ASPECT)));
  const density = width / Math.max(1, canvas.clientWidth);
  const pixel = Math.min(density / scale, PIXEL_MAX);
  return { x, y, scale, width, height, density, pixel };
}

/** Makes the canvas as fine as the screen, at most twice as fine as CSS pixels. */
export function fitCanvas(canvas: HTMLCanvasElement): void {
  const density = Math.min(2, devicePixelRatio);
  const width = Math.round(canvas.clientWidth * density);
  const height = Math.round(canvas.clientHeight * density);
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
}

/** From here on the context measures metres, with y up. */
export function useMetres(
  context: CanvasRenderingContext2D,
  { x, y, scale, width, height }: View,
): void {
  context.setTransform(scale, 0, 0, -scale, width / 2 - x * scale, height / 2 + y * scale);
}

export function usePixels(context: CanvasRenderingContext2D): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/** A place of the stage in canvas pixels. */
export function toPixels(
  { x, y, scale, width, height }: View,
  placeX: number,
  placeY: number,
): [number, number] {
  return [width / 2 + (placeX - x) * scale, height / 2 - (placeY - y) * scale];
}

/** A place in canvas pixels on the stage, metres. */
export function toMetres(
  { x, y, scale, width, height }: View,
  px: number,
  py: number,
): [number, number] {
  return [x + (px - width / 2) / scale, y - (py - height / 2) / scale];
}
