/** What all games' cameras share: metres for the context, and a short shake. */
import type { Camera } from "../view.ts";
import type { Context } from "./canvas.ts";

/** A longer shake would hide the game (DESIGN 13). */
const SHAKE_MS_MAX = 120;
/** Metres: a fifth of a dragon. */
const SHAKE_METRES_MAX = 0.12;
/** The two rates are coprime, so directions do not repeat within one shake. */
const SHAKE_HZ_X = 31;
const SHAKE_HZ_Y = 43;

export abstract class ShakenCamera implements Camera {
  /** Canvas pixels per metre. */
  scale = 1;
  /** How far the shake displaces the picture now, metres. */
  shakeX = 0;
  shakeY = 0;

  #shakeStrength = 0;
  #shakeEndMs = -Infinity;

  abstract xPx(x: number): number;
  abstract yPx(y: number): number;

  /** Begins a shake, unless a stronger one still lasts. @param strength 0 … 1 */
  shake(strength: number, nowMs: number): void {
    const remaining = Math.max(0, this.#shakeEndMs - nowMs) / SHAKE_MS_MAX;
    if (strength <= this.#shakeStrength * remaining) return;
    this.#shakeStrength = Math.min(1, strength);
    this.#shakeEndMs = nowMs + SHAKE_MS_MAX;
  }

  /** Ends the shake. */
  rest(): void {
    this.#shakeEndMs = -Infinity;
  }

  /** Advances the shake to `nowMs`. */
  advance(nowMs: number): void {
    const remaining = Math.max(0, this.#shakeEndMs - nowMs) / SHAKE_MS_MAX;
    const amplitude = this.#shakeStrength * remaining * SHAKE_METRES_MAX;
    this.shakeX = amplitude * Math.sin(nowMs / 1000 * SHAKE_HZ_X * Math.PI * 2);
    this.shakeY = amplitude * Math.cos(nowMs / 1000 * SHAKE_HZ_Y * Math.PI * 2);
  }

  /** Makes the context measure metres, y upwards, displaced by the shake. */
  useMetres(context: Context): void {
    const { scale } = this;
    context.setTransform(scale, 0, 0, -scale, this.xPx(this.shakeX), this.yPx(this.shakeY));
  }
}
