/** How a scene draws its things: in the body's own frame, metres, y upwards. */
import type { Context } from "../../presentation/picture/canvas.ts";
import type { Look } from "../engine/truth.ts";

export interface GlyphBody extends Look {
  readonly seat: number;
  /** CSS: the seat's or the thing's. */
  readonly colour: string;
  /** Whether the canvas belongs to this body's player. */
  readonly isOwn: boolean;
  /** How fast it moves on the canvas, metres per second. */
  readonly vx: number;
  readonly vy: number;
}

/**
 * Draws a body.
 * @param ms the time that is shown, for what moves by itself
 */
export type Glyph = (context: Context, body: GlyphBody, ms: number) => void;
