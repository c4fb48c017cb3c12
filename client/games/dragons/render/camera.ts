/**
 * Where a metre of the arena lands on the canvas. The whole arena is visible, as large as the window allows and in its middle; only on
 * an upright window, where it would be a strip, half of it is, and follows somebody. y grows upwards in metres and downwards in pixels:
 *
 *     x px = left + scale · x,   y px = top + scale · (height − y)
 */
import type { Context } from "./canvas.ts";

/** A blow is felt, not watched: longer shaking hides the picture. */
export const SHAKE_MS_MAX = 120;
/** Metres: a fifth of a dragon. */
const SHAKE_METRES_MAX = 0.12;
/** Two coprime rates per second: no direction repeats within one shake. */
const SHAKE_HZ_X = 31;
const SHAKE_HZ_Y = 43;
/** Of an upright window's height: the arena's; the rest is for words above and two thumbs below it. */
const UPRIGHT_SHARE = 0.5;
/** Of the rest: what is above. */
const ABOVE_SHARE = 0.36;
/** Seen of the arena's width at least, metres: fire flies farther in a second than one would see coming. */
const WIDTH_METRES_MIN = 14;
/** Most of the way to whom it follows takes this long, ms: it glides over a teleport and is hardly behind a dragon. */
const FOLLOW_MS = 120;

/** What it looks at. */
export interface Focus {
  /** Metres. */
  readonly x: number;
  /** Since the last picture; Infinity leaps. */
  readonly elapsedMs: number;
}

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
  /** Metres; undefined while the whole arena is visible. */
  #followedX: number | undefined;
  #shakeStrength = 0;
  #shakeEndMs = -Infinity;

  /** Fits an arena (metres) into a canvas (pixels). @param focus whom to follow where not all of it is visible */
  fit(canvas: Size, arena: Size, focus?: Focus): void {
    const { width, height } = canvas, isUpright = height > width;
    const whole = Math.max(1, Math.min(width / arena.width, height / arena.height));
    const near = Math.min(height * UPRIGHT_SHARE / arena.height, width / WIDTH_METRES_MIN);
    this.scale = isUpright && focus !== undefined ? Math.max(whole, near) : whole;
    this.top = Math.round((height - this.scale * arena.height) * (isUpright ? ABOVE_SHARE : 0.5));
    this.#arenaHeight = arena.height;
    this.#follow(width / this.scale, arena.width, focus);
    this.left = Math.round(width / 2 - this.scale * (this.#followedX ?? arena.width / 2));
  }

  /** The same, where an arena of this width would be in the middle of a canvas of its own. */
  centred(canvasWidth: number, arenaWidth: number): Camera {
    const camera = new Camera();
    Object.assign(camera, { scale: this.scale, top: this.top });
    camera.#arenaHeight = this.#arenaHeight;
    camera.left = Math.round((canvasWidth - this.scale * arenaWidth) / 2);
    return camera;
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
  useMetres(context: Context): void {
    const { scale } = this;
    context.setTransform(scale, 0, 0, -scale, this.xPx(this.shakeX), this.yPx(this.shakeY));
  }

  /** Goes after the focus, never past the arena's ends. All in metres. */
  #follow(visibleWidth: number, width: number, focus: Focus | undefined): void {
    if (focus === undefined || visibleWidth >= width) return void (this.#followedX = undefined);
    const target = Math.max(visibleWidth / 2, Math.min(width - visibleWidth / 2, focus.x)),
      from = this.#followedX ?? target;
    this.#followedX = from + (target - from) * (1 - Math.exp(-focus.elapsedMs / FOLLOW_MS));
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}
