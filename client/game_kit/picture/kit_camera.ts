/**
 * Maps the world's metres to canvas pixels in windows of any shape.
 *
 *     x px = left + scale · x,   y px = top − scale · y
 *
 * Everything that the view asks for is visible, as large as the window allows, and its surroundings
 * fill the rest. In an upright window that would be a narrow strip, so there the camera shows about
 * half the width, above the thumbs, and follows the own thing.
 */
import { ShakenCamera } from "../../presentation/picture/shaken_camera.ts";
import type { Area } from "./brush.ts";

/**
 * The picture's share of an upright window's height. The rest is for words above and two thumbs
 * below.
 */
const UPRIGHT_SHARE = 0.5;
/** How much of the rest goes above the picture. */
const ABOVE_SHARE = 0.36;
/** An upright window shows at least this share of the width that the view asks for. */
const UPRIGHT_WIDTH_SHARE = 0.44;
/** Time constants, ms: the camera glides to a place, and more slowly to another width. */
const FOLLOW_MS = 140;
const ZOOM_MS = 500;
/** The camera jumps to a place farther away than this share of the width. */
const JUMP_SHARE = 1.2;

/** The part of the world to show, metres. */
export interface Wanted {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface CameraInput {
  readonly wanted: Wanted;
  /** Whether `wanted` moves: then an upright window follows it instead of the own thing. */
  readonly moves: boolean;
  /** The part of the world that the picture does not leave where it fits in. */
  readonly bounds?: Area | undefined;
  /** The own thing, metres. */
  readonly own: { readonly x: number } | undefined;
  /** Since the last frame, ms; with Infinity the camera jumps. */
  readonly elapsedMs: number;
}

export class KitCamera extends ShakenCamera {
  /** Where the world's origin is, canvas pixels. */
  left = 0;
  top = 0;
  /** Where the camera is on its way to what is wanted, metres; undefined before the first frame. */
  #now: { x: number; y: number; width: number; height: number } | undefined;
  /** Where an upright window's camera is, metres; undefined while it follows nothing. */
  #followedX: number | undefined;

  /** Ends shake and glide: the next frame may show any moment. */
  override rest(): void {
    super.rest();
    this.#now = this.#followedX = undefined;
  }

  override xPx(x: number): number {
    return this.left + this.scale * x;
  }

  override yPx(y: number): number {
    return this.top - this.scale * y;
  }

  /** What the picture shows, metres. @param canvas pixels */
  visible({ width, height }: Size): Area {
    const { left, top, scale } = this;
    return {
      x: (width / 2 - left) / scale,
      y: (top - height / 2) / scale,
      width: width / scale,
      height: height / scale,
    };
  }

  /** Fits the picture into a canvas (pixels). */
  fit(canvas: Size, input: CameraInput): void {
    const { width, height } = canvas;
    const now = this.#glide(input);
    const isUpright = height > width;
    const whole = Math.min(width / now.width, height / now.height);
    const near = Math.min(
      height * UPRIGHT_SHARE / now.height,
      width / (now.width * UPRIGHT_WIDTH_SHARE),
    );
    const isNear = isUpright && near > whole && (input.moves || input.own !== undefined);
    this.scale = isNear ? near : whole;
    const middle = isUpright
      ? (height - this.scale * now.height) * ABOVE_SHARE + this.scale * now.height / 2
      : height / 2;
    const followed = isNear && !input.moves ? this.#follow(width / this.scale, now, input) : now.x;
    if (!isNear) this.#followedX = undefined;

    // Beneath an upright window's picture are thumbs, so there its lower end counts.
    const { x, y } = within(input.bounds, { x: followed, y: now.y }, {
      aside: width / 2 / this.scale,
      above: middle / this.scale,
      below: isUpright ? now.height / 2 : (height - middle) / this.scale,
    });
    this.left = Math.round(width / 2 - this.scale * x);
    this.top = Math.round(middle + this.scale * y);
  }

  #glide({ wanted, moves, elapsedMs }: CameraInput): Wanted {
    const now = this.#now ??= { ...wanted };
    const isFar = Math.abs(wanted.x - now.x) > JUMP_SHARE * wanted.width ||
      Math.abs(wanted.y - now.y) > JUMP_SHARE * wanted.height;
    if (!moves || isFar) return Object.assign(now, wanted);
    const step = 1 - Math.exp(-elapsedMs / FOLLOW_MS);
    const zoom = 1 - Math.exp(-elapsedMs / ZOOM_MS);
    now.x += (wanted.x - now.x) * step;
    now.y += (wanted.y - now.y) * step;
    now.width += (wanted.width - now.width) * zoom;
    now.height += (wanted.height - now.height) * zoom;
    return now;
  }

  /** Follows the own thing, but never beyond what is wanted. @returns metres */
  #follow(visibleWidth: number, { x, width }: Wanted, { own, elapsedMs }: CameraInput): number {
    const reach = Math.max(0, (width - visibleWidth) / 2);
    const target = Math.max(x - reach, Math.min(x + reach, own!.x));
    const from = this.#followedX ?? target;
    return this.#followedX = from + (target - from) * (1 - Math.exp(-elapsedMs / FOLLOW_MS));
  }
}

/** How far the picture reaches from its place, metres. */
interface Reach {
  readonly aside: number;
  readonly above: number;
  readonly below: number;
}

/** @returns the nearest place to `at` whose picture stays within the bounds */
function within(
  bounds: Area | undefined,
  at: { readonly x: number; readonly y: number },
  { aside, above, below }: Reach,
): { readonly x: number; readonly y: number } {
  if (bounds === undefined) return at;
  const { x, y, width, height } = bounds;
  return {
    x: clamped(at.x, x - width / 2 + aside, x + width / 2 - aside),
    y: clamped(at.y, y - height / 2 + below, y + height / 2 - above),
  };
}

/** @returns the middle if the picture is larger than the bounds */
function clamped(value: number, least: number, greatest: number): number {
  if (least > greatest) return (least + greatest) / 2;
  return Math.max(least, Math.min(greatest, value));
}
