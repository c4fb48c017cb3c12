/** A canvas with as many pixels as its element takes on the screen, or fewer on slow devices. */

/** The picture's limits on one rung of the quality ladder. */
interface Quality {
  readonly pixelRatioMax: number;
  /** Which share of all particles to show. */
  readonly particles: number;
}

/**
 * By rung. A ratio of 4 would cost four times the work of 2, and the eye cannot see such pixels in
 * motion. In Chromium without a graphics processor, at a device pixel ratio of 1, a frame with
 * eight dragons costs the main thread 5.1 ms on rung 0, 2.9 ms on rung 1, where dragons are copied
 * from bitmaps, and 2.2 ms on rung 3. On rung 0 at a ratio of 2 it costs 9.5 ms.
 */
const QUALITIES: readonly Quality[] = [
  { pixelRatioMax: 2, particles: 1 },
  { pixelRatioMax: 1, particles: 0.5 },
  { pixelRatioMax: 1, particles: 0.25 },
  { pixelRatioMax: 0.6, particles: 0.25 },
];

/** Returns the limits on a rung of `QualityLadder`, 0 (everything) … 4. */
export function qualityOf(rung: number): Quality {
  return QUALITIES[Math.min(rung, QUALITIES.length - 1)]!;
}

export class FittedCanvas {
  readonly #canvas: HTMLCanvasElement;
  /** The element's width and height in CSS pixels, as last reported. */
  #widthCss: number;
  #heightCss: number;

  /** @param canvas one that CSS sizes */
  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#widthCss = canvas.clientWidth;
    this.#heightCss = canvas.clientHeight;
    new ResizeObserver(() => {
      this.#widthCss = canvas.clientWidth;
      this.#heightCss = canvas.clientHeight;
    }).observe(canvas);
  }

  /**
   * Sets how many pixels the canvas holds.
   * @param pixelRatio canvas pixels per CSS pixel
   * @returns its size in pixels
   */
  fit(pixelRatio: number): { readonly width: number; readonly height: number } {
    const canvas = this.#canvas;
    const width = Math.max(1, Math.round(this.#widthCss * pixelRatio));
    const height = Math.max(1, Math.round(this.#heightCss * pixelRatio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    return { width, height };
  }
}
