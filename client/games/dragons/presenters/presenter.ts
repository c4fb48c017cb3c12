/**
 * The presenter of one kind of thing: everything that the picture shows of it. `presenters.ts` lists
 * all presenters, and the renderer walks that list. It names no thing but the dragon.
 *
 *     kit's frame → sprites → painter → canvas
 */
import type { DragonTypes } from "../../../../shared/games/dragons/declaration.ts";
import type { LayerEvent, LayerFrame, LayerMoment, Shown } from "../../../game_kit/client_kit.ts";
import type { Fade } from "../../../presentation/error_smoother.ts";
import type { Context } from "../../../presentation/picture/canvas.ts";

/** The kit's frame of a match of dragons. */
export type DragonFrame = LayerFrame<DragonTypes>;
export type DragonEvent = LayerEvent<DragonTypes>;
/** A thing as the kit's frame shows it. */
export type ShownAs<Name extends keyof DragonTypes["things"] & string> = Shown<
  DragonTypes,
  Name
>;

/** One thing as the picture shows it. */
export interface Sprite {
  /** The thing's id. Painters key the state that they keep between frames by it. */
  id: number;
  /** Metres, y upwards. */
  x: number;
  y: number;
  /** Radians. */
  angle: number;
  /** Undefined if it is not faded over. */
  fade?: Fade | undefined;
}

export interface Presenter<Drawn extends Sprite> {
  /** The sprites of a frame. */
  sprites(frame: DragonFrame): Drawn[];
  /** One painter per renderer. */
  painter(): Painter<Drawn>;
}

/**
 * Draws the sprites of one kind. It may keep state between frames, which only changes how sprites
 * look.
 */
export interface Painter<Drawn extends Sprite> {
  /** Begins a frame, before its events. @returns the sprites at the places where they are drawn */
  advance?(sprites: Drawn[], elapsedMs: number): Drawn[];
  /** Called once for each event that a frame shows. */
  onEvent?(event: DragonEvent, sprites: readonly Drawn[]): void;
  /** The context measures metres, y upwards. */
  draw(sprites: readonly Drawn[], drawing: Drawing): void;
  /**
   * Draws above the sprites and particles of all kinds. The context measures metres, y upwards.
   */
  drawAbove?(sprites: readonly Drawn[], drawing: Drawing): void;
  /**
   * Draws above everything. The context measures canvas pixels: in metres, letters would be upside
   * down.
   */
  drawLabels?(sprites: readonly Drawn[], drawing: Drawing): void;
}

/** The values that all painters of one renderer share in a frame. */
export interface Drawing extends LayerMoment {
  readonly context: Context;
}

/** What every sprite has of its thing. */
export function spriteOf(
  { id, x, y, angle, fade }: ShownAs<"dragon" | "egg" | "crate" | "fireball">,
): Sprite {
  return { id, x, y, angle, fade };
}
