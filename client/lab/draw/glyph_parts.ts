/** What several scenes' glyphs are drawn with. Metres, in the body's own frame. */
import { type Context, TURN } from "../../presentation/picture/canvas.ts";

export const OUTLINE = "#0b0e1c";
const OUTLINE_WIDTH = 0.08;
const WOOD = { face: "#b98a55", edge: "#6f4d2b" } as const;

/** A disc with an outline around its own origin. */
export function outlinedDisc(context: Context, radius: number, colour: string): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, TURN);
  context.fillStyle = colour;
  context.strokeStyle = OUTLINE;
  context.lineWidth = OUTLINE_WIDTH;
  context.fill();
  context.stroke();
}

/** A square crate with one crossbar. @param half from its middle to a side */
export function crateOf(context: Context, half: number): void {
  const inner = 0.9 * half;
  context.fillStyle = WOOD.face;
  context.strokeStyle = WOOD.edge;
  context.lineWidth = 0.2 * half;
  context.fillRect(-half, -half, 2 * half, 2 * half);
  context.strokeRect(-inner, -inner, 2 * inner, 2 * inner);
  context.beginPath();
  context.moveTo(-inner, -inner);
  context.lineTo(inner, inner);
  context.stroke();
}

/** The ring around the body of the canvas's player. @param y of its middle */
export function ownRing(context: Context, radius: number, y = 0): void {
  context.strokeStyle = "#ffffff";
  context.lineWidth = OUTLINE_WIDTH;
  context.globalAlpha = 0.8;
  context.beginPath();
  context.arc(0, y, radius, 0, TURN);
  context.stroke();
}
