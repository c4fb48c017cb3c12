/**
 * Eggs: speckled, in the colours of the rider inside, so that players see whom an egg would bring
 * back. In the last quarter of its time an egg shows by three signs that it will hatch: it rocks,
 * it cracks, and it glows. Two of them need no motion.
 */
import { EGG_RADIUS, HATCH_TICKS } from "../../../../shared/games/dragons/tuning.ts";
import {
  type Context,
  drawFading,
  OUTLINE,
  OUTLINE_OWN,
  traceDisc,
  TURN,
} from "../../../presentation/picture/canvas.ts";
import { type Look, lookOfSeat } from "../render/palette.ts";
import { type Drawing, type Presenter, type Sprite, spriteOf } from "./presenter.ts";

export interface EggSprite extends Sprite {
  /** That of the dragon whose rider it was. */
  look: Look;
  /** Whether that was the own dragon. */
  isOwn: boolean;
  /** Age from 0, just laid, to 1, hatching. */
  ripeness: number;
  /** A rider has taken it, in the prediction only. */
  isTaken: boolean;
}

/** From this ripeness on an egg shows that it will hatch. */
const UNREST_RIPENESS = 0.75;
const TAKEN_OPACITY = 0.4;
/** Radii of the body, which is a disc. The drawn shell is slimmer, and taller at the top. */
const WIDTH = 0.88;
const TOP = 1.18;
const BOTTOM = -0.95;
const GLOW_RADIUS = 2.6;
/** x, y and size of each speckle in radii: all inside the shell, so nothing is clipped. */
// deno-fmt-ignore
const SPECKLES = [
  -0.4, 0.3, 0.14, 0.1, 0.62, 0.1,
  0.45, 0.1, 0.13, -0.1, -0.1, 0.17,
  -0.5, -0.35, 0.1, 0.3, -0.5, 0.15,
];
/** x and y of a zigzag across the shell; it opens from the left. */
const CRACK = [-0.82, 0.22, -0.5, 0.42, -0.3, 0.08, -0.02, 0.4, 0.22, 0.06, 0.5, 0.38, 0.8, 0.14];

export const eggPresenter: Presenter<EggSprite> = {
  sprites: (frame) =>
    frame.things.filter((thing) => thing.name === "egg").map((egg) => {
      const { fields: { seat, age, hatchSeat }, leaving } = egg;
      return {
        ...spriteOf(egg),
        look: lookOfSeat(frame, seat),
        isOwn: seat === frame.own?.seat,
        ripeness: Math.min(1, age / HATCH_TICKS),
        isTaken: leaving && hatchSeat === 0,
      };
    }),
  painter: () => ({
    draw(eggs, drawing) {
      for (const egg of eggs) drawFading(drawing.context, egg, (shown) => drawEgg(shown, drawing));
    },
  }),
};

function drawEgg(egg: EggSprite, { context, nowMs, isCalm }: Drawing): void {
  const unrest = Math.max(0, Math.min(1, (egg.ripeness - UNREST_RIPENESS) / (1 - UNREST_RIPENESS)));
  const { look, isOwn } = egg;
  context.save();
  context.translate(egg.x, egg.y);
  context.scale(EGG_RADIUS, EGG_RADIUS);
  if (unrest > 0) drawGlow(context, unrest);
  if (egg.isTaken) context.globalAlpha *= TAKEN_OPACITY;
  context.rotate(egg.angle + (isCalm ? 0 : rockingAngle(egg.id, unrest, nowMs)));
  context.lineJoin = "round";
  traceShell(context);
  context.strokeStyle = isOwn ? OUTLINE_OWN : OUTLINE;
  context.lineWidth = isOwn ? 0.5 : 0.36;
  context.stroke();
  context.fillStyle = look.light;
  context.fill();
  drawSpeckles(context, look);
  if (unrest > 0) drawCrack(context, unrest);
  context.restore();
}

/**
 * Radians. Short bouts of rocking get stronger and more frequent with the unrest; each egg has a
 * phase of its own.
 */
function rockingAngle(id: number, unrest: number, nowMs: number): number {
  const bout = Math.max(0, Math.sin(nowMs / (420 - 220 * unrest) + id * 1.7));
  return unrest === 0 ? 0 : (0.1 + 0.2 * unrest) * bout * Math.sin(nowMs / 28 + id);
}

/** A light from within. Few eggs are about to hatch at once, so a gradient for each is cheap. */
function drawGlow(context: Context, unrest: number): void {
  const light = context.createRadialGradient(0, 0, 0.6, 0, 0, GLOW_RADIUS);
  light.addColorStop(0, "rgb(255 241 194 / 70%)");
  light.addColorStop(1, "rgb(255 241 194 / 0%)");
  const opacity = context.globalAlpha;
  context.globalAlpha = opacity * unrest;
  context.fillStyle = light;
  traceDisc(context, 0, 0, GLOW_RADIUS);
  context.fill();
  context.globalAlpha = opacity;
}

function traceShell(context: Context): void {
  context.beginPath();
  context.moveTo(0, TOP);
  context.bezierCurveTo(WIDTH * 0.7, TOP, WIDTH * 1.05, 0.3, WIDTH, -0.15);
  context.bezierCurveTo(WIDTH * 0.95, BOTTOM * 0.8, WIDTH * 0.5, BOTTOM, 0, BOTTOM);
  context.bezierCurveTo(-WIDTH * 0.5, BOTTOM, -WIDTH * 0.95, BOTTOM * 0.8, -WIDTH, -0.15);
  context.bezierCurveTo(-WIDTH * 1.05, 0.3, -WIDTH * 0.7, TOP, 0, TOP);
}

function drawSpeckles(context: Context, look: Look): void {
  context.fillStyle = look.shade;
  context.beginPath();
  for (let i = 0; i < SPECKLES.length; i += 3) {
    context.moveTo(SPECKLES[i]! + SPECKLES[i + 2]!, SPECKLES[i + 1]!);
    context.arc(SPECKLES[i]!, SPECKLES[i + 1]!, SPECKLES[i + 2]!, 0, TURN);
  }
  context.fill();
}

/** A dark zigzag that gets longer with the unrest. */
function drawCrack(context: Context, unrest: number): void {
  const corners = 2 + Math.floor(unrest * (CRACK.length / 2 - 2));
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.16;
  context.beginPath();
  for (let i = 0; i < corners * 2; i += 2) context.lineTo(CRACK[i]!, CRACK[i + 1]!);
  context.stroke();
}
