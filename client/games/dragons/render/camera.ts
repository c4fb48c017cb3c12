/**
 * Maps the arena's metres to canvas pixels. The whole arena is visible, as large as the window
 * allows. In an upright window it would be a narrow strip: there the camera shows about half of it
 * and follows a focus.
 *
 *     x px = left + scale · x,   y px = top + scale · ( height − y )
 *
 * In metres y grows upwards, in pixels downwards.
 */
import { ShakenCamera } from "../../../presentation/picture/shaken_camera.ts";

/**
 * The arena's share of an upright window's height. The rest is for words above it and two thumbs
 * below it.
 */
const UPRIGHT_SHARE = 0.5;
/** The share of the rest that is above the arena. */
const ABOVE_SHARE = 0.36;
/**
 * Metres of the arena's width that are visible at least: fire flies 12 m in a second, and players
 * must see it come.
 */
const WIDTH_METRES_MIN = 14;
/**
 * Time constant with which the camera follows, ms: it glides at a teleport, and hardly lags behind
 * a flying dragon.
 */
const FOLLOW_MS = 120;

/** The place that the camera follows. */
export interface Focus {
  /** Metres. */
  readonly x: number;
  /** Time since the last frame; with Infinity the camera jumps to the focus. */
  readonly elapsedMs: number;
}

export class Camera extends ShakenCamera {
  /** The arena's upper left corner in canvas pixels. */
  left = 0;
  top = 0;

  #arenaHeight = 0;
  /** Metres; undefined while the whole arena is visible. */
  #followedX: number | undefined;

  /**
   * Fits an arena (metres) into a canvas (pixels).
   * @param focus followed if not all of the arena is visible
   */
  fit(canvas: Size, arena: Size, focus?: Focus): void {
    const { width, height } = canvas;
    const isUpright = height > width;
    const whole = Math.max(1, Math.min(width / arena.width, height / arena.height));
    const near = Math.min(height * UPRIGHT_SHARE / arena.height, width / WIDTH_METRES_MIN);
    this.scale = isUpright && focus !== undefined ? Math.max(whole, near) : whole;
    this.top = Math.round((height - this.scale * arena.height) * (isUpright ? ABOVE_SHARE : 0.5));
    this.#arenaHeight = arena.height;
    this.#follow(width / this.scale, arena.width, focus);
    this.left = Math.round(width / 2 - this.scale * (this.#followedX ?? arena.width / 2));
  }

  /** A camera with the same scale and top that shows an arena in the middle of another canvas. */
  centred(canvasWidth: number, arenaWidth: number): Camera {
    const camera = new Camera();
    Object.assign(camera, { scale: this.scale, top: this.top });
    camera.#arenaHeight = this.#arenaHeight;
    camera.left = Math.round((canvasWidth - this.scale * arenaWidth) / 2);
    return camera;
  }

  override xPx(x: number): number {
    return this.left + this.scale * x;
  }

  override yPx(y: number): number {
    return this.top + this.scale * (this.#arenaHeight - y);
  }

  /** Follows the focus, but never beyond the arena's ends. All in metres. */
  #follow(visibleWidth: number, width: number, focus: Focus | undefined): void {
    if (focus === undefined || visibleWidth >= width) return void (this.#followedX = undefined);
    const target = Math.max(visibleWidth / 2, Math.min(width - visibleWidth / 2, focus.x));
    const from = this.#followedX ?? target;
    this.#followedX = from + (target - from) * (1 - Math.exp(-focus.elapsedMs / FOLLOW_MS));
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}
