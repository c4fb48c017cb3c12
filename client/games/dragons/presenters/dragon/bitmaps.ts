/**
 * Bitmaps of dragons in rounded poses, for slow devices. Each is drawn once, and then copied pixel
 * by pixel, which costs a fraction of its thirty paths. A copy is stretched only while a dragon
 * turns or is squashed, and rotated only while it tumbles, because each makes it several times as
 * expensive.
 *
 *     key = look, own, facing, alive, on the ground, mouth, wing, fold, stride, pitch
 */
import { DRAGON_RADIUS } from "../../../../../shared/games/dragons/tuning.ts";
import { TURN } from "../../../../presentation/picture/canvas.ts";
import type { Drawing } from "../presenter.ts";
import {
  type DragonPose,
  type DragonStyle,
  drawParts,
  type PosedLook,
  widthOf,
} from "./draw_dragon.ts";
import type { DragonSprite } from "./sprite.ts";

/**
 * Pixels of all bitmaps together: 32 MB. In a window of 1280×720 these are 600 bitmaps. A dragon in
 * a fight needs about
 * 40. The bitmap that was not used for the longest time makes room.
 */
export const BITMAP_PIXELS_MAX = 8_000_000;
/**
 * A bitmap costs more than the dragon's paths, so further ones wait, and their dragons are drawn as
 * paths.
 */
export const NEW_BITMAPS_PER_FRAME = 2;

/** Radii from a dragon's middle to the sides of a box around every pose with its outline. */
const ASIDE = 2.8;
const ABOVE = 2.6;
const BELOW = 2.2;

/**
 * The wing of a gliding dragon, and the distance between two wings: so the wing that shows longest
 * is exact.
 */
const WING_GLIDING = 0.3;
const WING_STEP = 0.35;
/** Radians between two tilts. */
const PITCH_STEP = 0.1;
/** From a spread wing to a folded one, and radians of a running dragon's stride. */
const FOLD_STEP = 0.5;
const STRIDE_STEP = TURN / 8;
/**
 * Both follow the vertical speed. So the tail follows from the pitch, and needs no bitmaps of its
 * own.
 */
const TAIL_PER_PITCH = -3.3;
/**
 * A copy's width and height are rounded to this step. So a dragon that hardly turns is not
 * stretched at all.
 */
const STRETCH_STEP = 1 / 16;

export class DragonBitmaps {
  readonly #create: () => HTMLCanvasElement;
  /** The bitmap that was used last is the last one. */
  readonly #byKey = new Map<string, HTMLCanvasElement>();
  /** Canvas pixels per radius. */
  #scale = 0;
  #newInFrame = 0;

  /** @param create makes an empty canvas */
  constructor(create: () => HTMLCanvasElement = () => document.createElement("canvas")) {
    this.#create = create;
  }

  get count(): number {
    return this.#byKey.size;
  }

  /**
   * Call it before the first dragon of a frame.
   * @param pixelsPerMetre of the canvas that dragons are copied to
   */
  beginFrame(pixelsPerMetre: number): void {
    const scale = pixelsPerMetre * DRAGON_RADIUS;
    if (scale !== this.#scale) this.#byKey.clear();
    this.#scale = scale;
    this.#newInFrame = 0;
  }

  /**
   * Copies a dragon.
   * @returns false if there is no bitmap of its pose yet: then it has drawn nothing
   */
  draw(
    { context, camera, shake }: Drawing,
    sprite: DragonSprite,
    { animation, look }: DragonStyle,
  ): boolean {
    const { own, dead, onGround } = sprite;
    const pose = roundedPose(sprite, animation);
    const facing = animation.turn < 0 ? -1 : 1;
    const key = [look.fill, look.pattern, own, dead, onGround, facing, ...Object.values(pose)]
      .join();
    const bitmap = this.#byKey.get(key) ?? this.#prepare(sprite, { pose, look, facing });
    if (bitmap === undefined) return false;
    this.#byKey.delete(key);
    this.#byKey.set(key, bitmap);
    const { squash } = animation;
    const scale = this.#scale;
    const height = rounded(1 - squash, STRETCH_STEP);
    const width = rounded(Math.abs(widthOf(animation)) * (1 + squash * 0.6), STRETCH_STEP);
    const x = Math.round(camera.xPx(sprite.x + shake.x));
    const y = Math.round(camera.yPx(sprite.y + shake.y));
    context.save();
    context.setTransform(width, 0, 0, height, x, y + (onGround ? scale * (1 - height) : 0));
    if (dead) context.rotate(facing * animation.tumble);
    context.drawImage(bitmap, -Math.ceil(ASIDE * scale), -Math.ceil(ABOVE * scale));
    context.restore();
    return true;
  }

  /** @returns undefined if this frame has enough new bitmaps */
  #prepare(
    sprite: DragonSprite,
    { pose, look, facing }: PosedLook & { facing: number },
  ): HTMLCanvasElement | undefined {
    if (this.#newInFrame === NEW_BITMAPS_PER_FRAME) return undefined;
    this.#newInFrame++;
    const scale = this.#scale;
    const x = Math.ceil(ASIDE * scale);
    const y = Math.ceil(ABOVE * scale);
    const width = 2 * x;
    const height = y + Math.ceil(BELOW * scale);

    // The first of a map is the oldest.
    const [oldest] = this.#byKey;
    const isFull = (this.#byKey.size + 1) * width * height > BITMAP_PIXELS_MAX;
    if (isFull && oldest !== undefined) this.#byKey.delete(oldest[0]);
    const canvas = this.#create();
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d")!;
    context.setTransform(facing * scale, 0, 0, -scale, x, y);
    context.rotate(pose.pitch);
    drawParts(context, sprite, { pose, look });
    return canvas;
  }
}

function roundedPose({ dead, onGround }: DragonSprite, animation: DragonPose): DragonPose {
  const pitch = dead ? 0 : rounded(animation.pitch, PITCH_STEP);
  const fold = rounded(animation.fold, FOLD_STEP);
  return {
    pitch,
    fold,
    // A folded wing has one pose, whatever its beat, and legs that are drawn up do not run.
    wing: WING_GLIDING + (fold === 1 ? 0 : rounded(animation.wing - WING_GLIDING, WING_STEP)),
    tail: pitch * TAIL_PER_PITCH,
    stride: onGround ? rounded(animation.stride, STRIDE_STEP) % TURN : 0,
    mouthOpenMs: Number(animation.mouthOpenMs > 0),
  };
}

function rounded(value: number, step: number): number {
  return Math.round(value / step) * step;
}
