/** Small dragons, crates, eggs and fireballs, for canvases of a few hundred pixels. */
import { type Context, TURN } from "../../presentation/picture/canvas.ts";
import type { Glyph } from "../draw/glyph.ts";
import { crateOf, OUTLINE, ownRing } from "../draw/glyph_parts.ts";

/** Dragons are drawn larger than their solid part, as in the game. */
const SIZE = 1.2;
/** How fast wings beat while a dragon rises, radians per ms. */
const BEAT = 0.022;

const dragon: Glyph = (context, { colour, facesLeft, isOwn, vy }, ms) => {
  context.scale(facesLeft ? -SIZE : SIZE, SIZE);
  context.lineWidth = 0.1;
  context.lineJoin = "round";
  context.strokeStyle = OUTLINE;
  context.fillStyle = colour;

  // Tail, body, head with a snout
  path(context, [[-0.35, 0.1], [-1.15, 0.28], [-0.95, -0.05], [-0.3, -0.3]]);
  ellipse(context, 0, 0, 0.56, 0.42);
  path(context, [[0.2, 0.2], [0.5, 0.62], [0.98, 0.5], [0.95, 0.33], [0.62, 0.3], [0.42, -0.1]]);

  // The wing, which beats while it rises
  const beat = vy > 0.5 ? Math.sin(ms * BEAT) : 0.55;
  path(context, [[-0.3, 0.12], [-0.62, 0.3 + 0.85 * beat], [0.1, 0.2 + 0.5 * beat], [0.22, 0.08]]);

  // The rider with a lance, and an eye
  context.fillStyle = "#f6efdd";
  ellipse(context, -0.02, 0.55, 0.19, 0.22);
  context.strokeStyle = "#f6efdd";
  context.lineWidth = 0.09;
  context.beginPath();
  context.moveTo(0.05, 0.45);
  context.lineTo(1.25, 0.28);
  context.stroke();
  dot(context, 0.68, 0.47, 0.07, OUTLINE);
  if (isOwn) ownRing(context, 1.25, 0.1);
};

const fireball: Glyph = (context) => {
  dot(context, 0, 0, 0.34, "#ff8a2b");
  dot(context, 0, 0, 0.2, "#ffe9a8");
};

const crate: Glyph = (context) => crateOf(context, 0.4);

const egg: Glyph = (context) => {
  context.fillStyle = "#efe6d2";
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.06;
  ellipse(context, 0, 0, 0.26, 0.33);
};

export const DRAGON_GLYPHS = { dragon, fireball, crate, egg } as const;

function path(context: Context, points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  points.forEach(([x, y], i) => i === 0 ? context.moveTo(x, y) : context.lineTo(x, y));
  context.closePath();
  context.fill();
  context.stroke();
}

function ellipse(context: Context, x: number, y: number, rx: number, ry: number): void {
  context.beginPath();
  context.ellipse(x, y, rx, ry, 0, 0, TURN);
  context.fill();
  context.stroke();
}

function dot(context: Context, x: number, y: number, radius: number, colour: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, TURN);
  context.fillStyle = colour;
  context.fill();
}
