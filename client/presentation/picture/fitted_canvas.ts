/** A canvas with as many pixels as its element has on the screen, or fewer on slow devices. */
import type { Context } from "./canvas.ts";

/** The limits of the picture on one rung of the quality ladder. */
interface Quality {
  readonly pixelRatioMax: number;
  /** The share of all particles. */
  readonly particles: number;
}

/**
 * By rung. At 4 canvas pixels per CSS pixel the work would be four times as much, and no eye sees
 * them in motion. In Chromium without a graphics processor a frame of eight dragons costs 5.1 ms of
 * the main thread on rung 0, 2.9 on rung 1, where dragons are copied from bitmaps, and 2.2 on rung
 * 3, at a device pixel ratio of 1. On rung 0 at a ratio of 2 it is 9.5 ms.
 */
const QUALITIES: readonly Quality[] = [
  { pixelRatioMax: 2, particles: 1 },
  { pixelRatioMax: 1, particles: 0.5 },
  { pixelRatioMax: 1, particles: 0.25 },
  { pixelRatioMax: 0.6, particles: 0.25 },
];

/** The limits on a rung of `QualityLadder`, 0 (everything) … 4. */
export function qualityOf(rung: number): Quality {
  return QUALITIES[Math.min(rung, QUALITIES.length - 1)]!;
}

export class FittedCanvas {
  readonly context: Context;
  readonly #canvas: HTMLCanvasElement;
  /** Width and height of the element in CSS pixels, as last reported. */
  #widthCss: number;
  #heightCss: number;

  /** @param canvas as large as CSS makes it. @throws Error if the browser cannot draw on it */
  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser has no 2D canvas");
    this.context = context;
    this.#canvas = canvas;
    this.#widthCss = canvas.clientWidth;
    this.#heightCss = canvas.clientHeight;
    new ResizeObserver(() => {
      this.#widthCss = canvas.clientWidth;
      this.#heightCss = canvas.clientHeight;
    }).observe(canvas);
  }

  /**
   * Gives the canvas its pixels.
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
