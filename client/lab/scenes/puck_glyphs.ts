/** Cars, the puck and the wrecking ball, seen from above. */
import type { Context } from "../../presentation/picture/canvas.ts";
import type { Glyph } from "../draw/glyph.ts";
import { OUTLINE, outlinedDisc, ownRing } from "../draw/glyph_parts.ts";

const TEAMS = ["#3fa7ff", "#ff8a3c"] as const;

const car: Glyph = (context, { colour, isOwn, team }) => {
  context.fillStyle = OUTLINE;
  for (const y of [-0.45, 0.45]) for (const x of [-0.45, 0.45]) wheel(context, x, y);
  box(context, 0.75, 0.42, colour);
  context.fillStyle = OUTLINE;
  context.globalAlpha = 0.6;
  context.fillRect(0.1, -0.3, 0.25, 0.6);
  context.globalAlpha = 1;
  context.fillStyle = TEAMS[team] ?? colour;
  context.fillRect(-0.62, -0.12, 0.5, 0.24);
  if (isOwn) ownRing(context, 1.15);
};

const puck: Glyph = (context) => {
  outlinedDisc(context, 0.6, "#f1eee6");
  outlinedDisc(context, 0.36, "#c9c2ae");
};

const ball: Glyph = (context) => {
  outlinedDisc(context, 0.7, "#6b7196");
  outlinedDisc(context, 0.3, "#9aa0c0");
};

const hub: Glyph = (context) => {
  context.fillStyle = "#4a5078";
  context.fillRect(-0.2, -0.12, 2, 0.24);
};

export const PUCK_GLYPHS = { car, puck, ball, hub } as const;

function wheel(context: Context, x: number, y: number): void {
  context.fillRect(x - 0.18, y - 0.1, 0.36, 0.2);
}

function box(context: Context, halfWidth: number, halfHeight: number, colour: string): void {
  context.beginPath();
  context.roundRect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight, 0.18);
  context.fillStyle = colour;
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.08;
  context.fill();
  context.stroke();
}
