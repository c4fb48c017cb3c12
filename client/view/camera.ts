/**
 * Where a metre of the arena lands on the canvas. The whole arena is always visible, as large as the window allows and in
 * its middle; y grows upwards in metres and downwards in pixels:
 *
 *     x px = left + scale · x,   y px = top + scale · (height − y)
 */

/** A blow is felt, not watched: longer shaking hides the picture. */
export const SHAKE_MS_MAX = 120;
/** Metres: a fifth of a dragon. */
const SHAKE_METRES_MAX = 0.12;
/** Two coprime rates per second: no direction repeats within one shake. */
const SHAKE_HZ_X = 31;
const SHAKE_HZ_Y = 43;

export class Camera {
  /** Canvas pixels per metre. */
  scale = 1;
  /** The arena's upper left corner in canvas pixels. */
  left = 0;
  top = 0;
  /** Metres: how far the picture is shaken now. */
  shakeX = 0;
  shakeY = 0;

  #arenaHeight = 0;
  #shakeStrength = 0;
  #shakeEndMs = -Infinity;

  /** Fits an arena (metres) into a canvas (pixels). */
  fit(canvas: { width: number; height: number }, arena: { width: number; height: number }): void {
    this.scale = Math.max(1, Math.min(canvas.width / arena.width, canvas.height / arena.height));
    this.left = Math.round((canvas.width - this.scale * arena.width) / 2);
    this.top = Math.round((canvas.height - this.scale * arena.height) / 2);
    this.#arenaHeight = arena.height;
  }

  xPx(x: number): number {
    return this.left + this.scale * x;
  }

  yPx(y: number): number {
    return this.top + this.scale * (this.#arenaHeight - y);
  }

  /** Begins a shake. @param strength 0 … 1; the stronger of two wins */
  shake(strength: number, nowMs: number): void {
    const remaining = Math.max(0, this.#shakeEndMs - nowMs) / SHAKE_MS_MAX;
    if (strength <= this.#shakeStrength * remaining) return;
    this.#shakeStrength = Math.min(1, strength);
    this.#shakeEndMs = nowMs + SHAKE_MS_MAX;
  }

  /** Moves the shake on to `nowMs`. */
  advance(nowMs: number): void {
    const remaining = Math.max(0, this.#shakeEndMs - nowMs) / SHAKE_MS_MAX;
    const amplitude = this.#shakeStrength * remaining * SHAKE_METRES_MAX;
    this.shakeX = amplitude * Math.sin(nowMs / 1000 * SHAKE_HZ_X * Math.PI * 2);
    this.shakeY = amplitude * Math.cos(nowMs / 1000 * SHAKE_HZ_Y * Math.PI * 2);
  }

  /** Makes `context` draw in metres, y upwards, shaken. */
  useMetres(context: CanvasRenderingContext2D): void {
    const { scale } = this;
    context.setTransform(scale, 0, 0, -scale, this.xPx(this.shakeX), this.yPx(this.shakeY));
  }
}
