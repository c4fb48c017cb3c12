/**
 * A path and colours that all drawing functions share. Colours are CSS. `hues.ts` holds the bodies'
 * hues.
 */

export type Context = CanvasRenderingContext2D;

/**
 * A canvas's context.
 * @param options.isClear whether what lies below it shows where nothing is drawn
 * @throws Error if the browser cannot draw on it
 */
export function contextOf(
  canvas: HTMLCanvasElement,
  { isClear = false }: { readonly isClear?: boolean } = {},
): Context {
  const context = canvas.getContext("2d", { alpha: isClear });
  if (context === null) throw new Error("this browser has no 2D canvas");
  return context;
}

/** A full turn, radians. */
export const TURN = Math.PI * 2;

/** Begins a circular path, to fill or to stroke, in the context's units. */
export function traceDisc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, TURN);
}

/** A sprite, as far as fading needs it. Metres. */
export interface FadingSprite {
  readonly x: number;
  readonly y: number;
  readonly fade?: { readonly x: number; readonly y: number; readonly opacity: number } | undefined;
}

/**
 * Draws a sprite. While it is faded over, its old picture shows as much as the new one does not
 * yet.
 */
export function drawFading<Shown extends FadingSprite>(
  context: Context,
  sprite: Shown,
  draw: (sprite: Shown) => void,
): void {
  const { fade } = sprite;
  if (fade !== undefined) {
    context.globalAlpha = 1 - fade.opacity;
    draw({ ...sprite, x: fade.x, y: fade.y });
    context.globalAlpha = fade.opacity;
  }
  draw(sprite);
  context.globalAlpha = 1;
}

export const OUTLINE = "#0d1020";
/** For everything that belongs to the player. */
export const OUTLINE_OWN = "#f6fbff";

/** Behind marks and letters, so that they stand out from everything. */
export const HALO = "#0b0e1c";

export const FIRE = "#ff8a2b";
export const FIRE_CORE = "#ffe9a8";
export const FLAME = "#ff9a3d";
export const HOT = "#fff1c2";

export const SMOKE = "#c9c5d3";
export const DUST = "#a39caf";
export const SHELL = "#efe6d2";
export const GOLD = "#ffd76a";
