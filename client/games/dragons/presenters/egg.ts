/**
 * An egg: speckled, in the colours of the rider who sits in it, so that one sees whom it would bring back. As it ripens it cracks,
 * rocks and glows: the last two seconds before it hatches are told by three signs, of which two need no motion.
 */
import { EGG_RADIUS } from "../../../../shared/games/dragons/tuning.ts";
import type { Look } from "../render/palette.ts";
import type { EggSprite } from "../scene.ts";

type Context = CanvasRenderingContext2D;

const OUTLINE = "#0d1020";
const OUTLINE_OWN = "#f6fbff";
/** From this ripeness on it shows that it will hatch. */
const UNREST_RIPENESS = 0.75;
/** Radii: what rolls is round, what is drawn is a little slimmer, and taller at the top. */
const WIDTH = 0.88;
const TOP = 1.18;
const BOTTOM = -0.95;
const GLOW_RADIUS = 2.6;
/** x, y, size of each in radii: all well inside the shell, no clipping. */
const SPECKLES = [
  -0.4,
  0.3,
  0.14,
  0.1,
  0.62,
  0.1,
  0.45,
  0.1,
  0.13,
  -0.1,
  -0.1,
  0.17,
  -0.5,
  -0.35,
  0.1,
  0.3,
  -0.5,
  0.15,
];
/** x, y of a zigzag across the shell; it opens from the left. */
const CRACK = [-0.82, 0.22, -0.5, 0.42, -0.3, 0.08, -0.02, 0.4, 0.22, 0.06, 0.5, 0.38, 0.8, 0.14];

export interface EggDrawing {
  /** Of the seat whose rider it was. */
  readonly look: Look;
  /** It was the player's own. */
  readonly own: boolean;
  readonly nowMs: number;
  /** It does not rock for who asked for less motion. */
  readonly reducedMotion: boolean;
}

/** Draws into a context that measures metres, y upwards. */
export function drawEgg(context: Context, egg: EggSprite, options: EggDrawing): void {
  const unrest = Math.max(0, Math.min(1, (egg.ripeness - UNREST_RIPENESS) / (1 - UNREST_RIPENESS)));
  context.save();
  context.translate(egg.x, egg.y);
  context.scale(EGG_RADIUS, EGG_RADIUS);
  if (unrest > 0) glow(context, unrest);
  context.rotate(egg.angle + (options.reducedMotion ? 0 : rocking(egg.id, unrest, options.nowMs)));
  context.lineJoin = "round";
  traceShell(context);
  context.strokeStyle = options.own ? OUTLINE_OWN : OUTLINE;
  context.lineWidth = options.own ? 0.5 : 0.36;
  context.stroke();
  context.fillStyle = options.look.light;
  context.fill();
  speckle(context, options.look);
  if (unrest > 0) crack(context, unrest);
  context.restore();
}

/** Radians: short bouts of rocking, harder and closer together as the time comes; no two eggs rock alike. */
function rocking(id: number, unrest: number, nowMs: number): number {
  const bout = Math.max(0, Math.sin(nowMs / (420 - 220 * unrest) + id * 1.7));
  return unrest === 0 ? 0 : (0.1 + 0.2 * unrest) * bout * Math.sin(nowMs / 28 + id);
}

/** A light from within; only an egg that is about to hatch has one, so a gradient of its own costs nothing. */
function glow(context: Context, unrest: number): void {
  const light = context.createRadialGradient(0, 0, 0.6, 0, 0, GLOW_RADIUS);
  light.addColorStop(0, "rgb(255 241 194 / 70%)");
  light.addColorStop(1, "rgb(255 241 194 / 0%)");
  context.globalAlpha = unrest;
  context.fillStyle = light;
  context.beginPath();
  context.arc(0, 0, GLOW_RADIUS, 0, Math.PI * 2);
  context.fill();
  context.globalAlpha = 1;
}

function traceShell(context: Context): void {
  context.beginPath();
  context.moveTo(0, TOP);
  context.bezierCurveTo(WIDTH * 0.7, TOP, WIDTH * 1.05, 0.3, WIDTH, -0.15);
  context.bezierCurveTo(WIDTH * 0.95, BOTTOM * 0.8, WIDTH * 0.5, BOTTOM, 0, BOTTOM);
  context.bezierCurveTo(-WIDTH * 0.5, BOTTOM, -WIDTH * 0.95, BOTTOM * 0.8, -WIDTH, -0.15);
  context.bezierCurveTo(-WIDTH * 1.05, 0.3, -WIDTH * 0.7, TOP, 0, TOP);
}

function speckle(context: Context, look: Look): void {
  context.fillStyle = look.shade;
  context.beginPath();
  for (let i = 0; i < SPECKLES.length; i += 3) {
    context.moveTo(SPECKLES[i]! + SPECKLES[i + 2]!, SPECKLES[i + 1]!);
    context.arc(SPECKLES[i]!, SPECKLES[i + 1]!, SPECKLES[i + 2]!, 0, Math.PI * 2);
  }
  context.fill();
}

/** A dark zigzag that runs farther round the shell as the time comes. */
function crack(context: Context, unrest: number): void {
  const corners = 2 + Math.floor(unrest * (CRACK.length / 2 - 2));
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.16;
  context.beginPath();
  for (let i = 0; i < corners * 2; i += 2) context.lineTo(CRACK[i]!, CRACK[i + 1]!);
  context.stroke();
}
