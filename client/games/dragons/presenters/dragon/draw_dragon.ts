/**
 * Draws one dragon with its rider. All parts are first stroked in the colour of the outline and
 * then filled. So the whole dragon has one outline, whatever the pose of wings and tail is. The own
 * dragon's outline is thick and light.
 */
import { DRAGON_RADIUS } from "../../../../../shared/games/dragons/tuning.ts";
import {
  type Context,
  OUTLINE,
  OUTLINE_OWN,
  traceDisc,
  TURN,
} from "../../../../presentation/picture/canvas.ts";
import type { Look } from "../../render/palette.ts";
import type { DragonAnimation } from "./animation.ts";
import * as shapes from "./shapes.ts";
import type { DragonSprite } from "./sprite.ts";

/** In radii. */
const OUTLINE_OWN_WIDTH = 0.3;
const OUTLINE_WIDTH = 0.18;
/** The width of the lance's outline relative to the dragon's: the lance must stay thin. */
const LANCE_OUTLINE = 0.6;
/** How high a rider's middle is above that of their dragon, in radii. */
const RIDER_MIDDLE = 0.7;
/** The least width of a dragon that turns round, so that its outline never flips inside out. */
const TURN_MIN = 0.22;

const STEEL = "#cfd6e2";
const STEEL_DARK = "#59627a";
const HORN = "#efe6d2";
const WOOD = "#f4e8cc";
const MOUTH = "#4a1020";
const FIRE = "#ffb347";

/** The shape of a dragon, without its place, turn and squash. */
export type DragonPose = Pick<
  DragonAnimation,
  "wing" | "fold" | "tail" | "stride" | "pitch" | "mouthOpenMs"
>;

/** A bitmap of a dragon shows this and nothing else. */
export interface PosedLook {
  readonly pose: DragonPose;
  readonly look: Look;
}

/** How a dragon is drawn. */
export interface DragonStyle {
  readonly animation: DragonAnimation;
  readonly look: Look;
}

/** Draws into a context that measures metres, y upwards. */
export function drawDragon(
  context: Context,
  sprite: DragonSprite,
  { animation, look }: DragonStyle,
): void {
  context.save();
  place(context, sprite, animation);
  drawParts(context, sprite, { pose: animation, look });
  context.restore();
}

/** Draws into a context that measures the dragon's radii and is tilted like the dragon. */
export function drawParts(context: Context, sprite: DragonSprite, posed: PosedLook): void {
  const { pose, look } = posed;
  context.lineJoin = "round";
  context.lineCap = "round";
  strokeOutline(context, sprite, pose);
  drawFarWing(context, look, pose);
  drawTail(context, look, pose.tail);
  drawBody(context, sprite, posed);
  drawNearWing(context, look, pose);
  if (!sprite.dead) drawRider(context, pose, look);
}

/** Makes the context measure the dragon's radii: moved, tilted, turned and squashed. */
function place(context: Context, sprite: DragonSprite, animation: DragonAnimation): void {
  context.translate(sprite.x, sprite.y);
  context.scale(DRAGON_RADIUS * widthOf(animation), DRAGON_RADIUS);
  context.rotate(sprite.dead ? -animation.tumble : animation.pitch);
  // On the ground it is squashed about its feet, in flight about its middle.
  const footing = sprite.onGround ? -1 : 0;
  context.translate(0, footing);
  context.scale(1 + animation.squash * 0.6, 1 - animation.squash);
  context.translate(0, -footing);
}

/** The width of a dragon relative to that of one that does not turn; negative if it faces left. */
export function widthOf({ turn }: DragonAnimation): number {
  return Math.abs(turn) < TURN_MIN ? Math.sign(turn || 1) * TURN_MIN : turn;
}

function strokeOutline(context: Context, sprite: DragonSprite, pose: DragonPose): void {
  const width = sprite.own ? OUTLINE_OWN_WIDTH : OUTLINE_WIDTH;
  context.strokeStyle = sprite.own ? OUTLINE_OWN : OUTLINE;
  context.lineWidth = width;
  shapes.traceTail(context, pose.tail);
  context.stroke();
  shapes.traceBody(context);
  context.stroke();
  shapes.poseWing(pose.wing, pose.fold);
  shapes.traceWing(context);
  context.stroke();
  shapes.traceHorns(context);
  context.stroke();

  if (!sprite.dead) {
    strokeRider(context);
    traceLevelLance(context, pose);
    context.lineWidth = width * LANCE_OUTLINE;
    context.stroke();
  }

  context.lineWidth = 0.17 + width;
  shapes.traceLegs(context, sprite.onGround, pose.stride);
  context.stroke();
}

function drawFarWing(context: Context, look: Look, { wing, fold }: DragonPose): void {
  context.save();
  context.translate(0.22, 0.04);
  shapes.poseWing(wing * 0.85, fold);
  shapes.traceWing(context);
  context.fillStyle = look.mark;
  context.fill();
  context.restore();
}

function drawTail(context: Context, look: Look, swing: number): void {
  shapes.traceTail(context, swing);
  context.fillStyle = look.fill;
  context.fill();
}

function drawBody(context: Context, sprite: DragonSprite, { pose, look }: PosedLook): void {
  shapes.traceLegs(context, sprite.onGround, pose.stride);
  context.strokeStyle = look.shade;
  context.lineWidth = 0.17;
  context.stroke();
  shapes.traceHorns(context);
  context.fillStyle = HORN;
  context.fill();
  shapes.traceBody(context);
  context.fillStyle = look.fill;
  context.fill();
  shapes.traceBelly(context);
  context.fillStyle = look.light;
  context.fill();
  drawPattern(context, look);

  if (pose.mouthOpenMs > 0) {
    shapes.traceMouth(context);
    context.fillStyle = MOUTH;
    context.fill();
    shapes.traceBreath(context);
    context.fillStyle = FIRE;
    context.fill();
  }

  drawEye(context, sprite.dead);
  shapes.traceFace(context);
  context.strokeStyle = look.mark;
  context.lineWidth = 0.06;
  context.stroke();
}

function drawEye(context: Context, dead: boolean): void {
  if (dead) {
    context.strokeStyle = OUTLINE;
    context.lineWidth = 0.07;
    context.beginPath();
    context.moveTo(1.06, 0.52);
    context.lineTo(1.26, 0.34);
    context.moveTo(1.06, 0.34);
    context.lineTo(1.26, 0.52);
    context.stroke();
    return;
  }
  context.fillStyle = "#ffffff";
  traceDisc(context, 1.16, 0.43, 0.13);
  context.fill();
  context.fillStyle = OUTLINE;
  traceDisc(context, 1.21, 0.42, 0.07);
  context.fill();
}

/** All marks lie inside the body's outline, so nothing is clipped. */
function drawPattern(context: Context, look: Look): void {
  context.fillStyle = look.mark;
  context.strokeStyle = look.mark;
  context.lineWidth = 0.13;
  context.beginPath();

  switch (look.pattern) {
    case "plain":
      return;
    case "stripes":
      for (let i = 0; i < STRIPES.length; i += 3) {
        context.moveTo(STRIPES[i]!, STRIPES[i + 1]!);
        context.lineTo(STRIPES[i]! - 0.06, STRIPES[i + 1]! - STRIPES[i + 2]!);
      }
      context.stroke();
      return;
    case "dots":
      for (let i = 0; i < DOTS.length; i += 2) {
        context.moveTo(DOTS[i]! + 0.1, DOTS[i + 1]!);
        context.arc(DOTS[i]!, DOTS[i + 1]!, 0.1, 0, TURN);
      }
      context.fill();
      return;
    case "chevrons":
      for (let i = 0; i < CHEVRONS.length; i += 2) {
        context.moveTo(CHEVRONS[i]! - 0.12, CHEVRONS[i + 1]! + 0.16);
        context.lineTo(CHEVRONS[i]!, CHEVRONS[i + 1]!);
        context.lineTo(CHEVRONS[i]! - 0.12, CHEVRONS[i + 1]! - 0.16);
      }
      context.stroke();
  }
}

/** x, y of the upper end, length. */
const STRIPES = [-0.72, 0.02, 0.34, -0.45, 0.14, 0.44, 0.42, 0.2, 0.46, 0.66, 0.36, 0.42];
// deno-fmt-ignore
const DOTS = [
  -0.75, -0.1, -0.5, 0.08, -0.45, -0.25, -0.7, -0.34,
  0.45, 0.02, 0.62, 0.28, 0.38, 0.24, 0.86, 0.42,
];
const CHEVRONS = [-0.55, -0.12, -0.25, -0.12, 0.5, 0.1, 0.75, 0.3];

function drawNearWing(context: Context, look: Look, { wing, fold }: DragonPose): void {
  shapes.poseWing(wing, fold);
  shapes.traceWing(context);
  context.fillStyle = look.light;
  context.fill();
  shapes.traceWingBones(context);
  context.strokeStyle = look.shade;
  context.lineWidth = 0.1;
  context.stroke();
}

function drawRider(context: Context, pose: DragonPose, look: Look): void {
  fillRider(context, { plume: look.fill, body: look.shade });
  traceLevelLance(context, pose);
  context.fillStyle = WOOD;
  context.fill();
  shapes.traceHand(context);
  context.fillStyle = STEEL;
  context.fill();
}

function strokeRider(context: Context): void {
  shapes.traceRider(context);
  context.stroke();
  shapes.traceHelmet(context);
  context.stroke();
  shapes.tracePlume(context);
  context.stroke();
}

function fillRider(
  context: Context,
  { plume, body }: { readonly plume: string; readonly body: string },
): void {
  shapes.tracePlume(context);
  context.fillStyle = plume;
  context.fill();
  shapes.traceRider(context);
  context.fillStyle = body;
  context.fill();
  shapes.traceHelmet(context);
  context.fillStyle = STEEL;
  context.fill();
  context.fillStyle = STEEL_DARK;
  context.fillRect(0.06, 1.13, 0.24, 0.08);
}

/** Draws a rider who was thrown off, around the middle of their body, as a particle's figure. */
export function drawThrownRider(context: Context, colour: string): void {
  context.scale(DRAGON_RADIUS, DRAGON_RADIUS);
  context.translate(0, -RIDER_MIDDLE);
  context.lineJoin = "round";
  context.strokeStyle = OUTLINE;
  context.lineWidth = OUTLINE_OWN_WIDTH;
  strokeRider(context);
  fillRider(context, { plume: colour, body: colour });
}

/**
 * Begins the lance's path. The lance stays level while the dragon tilts, because a joust compares
 * the lances' heights.
 */
function traceLevelLance(context: Context, { pitch }: DragonPose): void {
  context.save();
  context.translate(0.1, 0.74);
  context.rotate(-pitch);
  context.translate(-0.1, -0.74);
  shapes.traceLance(context);
  context.restore();
}
