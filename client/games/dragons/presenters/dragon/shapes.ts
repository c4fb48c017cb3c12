/**
 * The paths of a dragon that faces right, in units of its radius. The origin is its middle, y grows
 * upwards, and its feet stand at -1. Each function begins a path; the caller fills or strokes it.
 */
import { type Context, traceDisc } from "../../../../presentation/picture/canvas.ts";

/**
 * Elbow, tip, middle finger, rear finger and root of a wing: x and y of each. The shoulder never
 * moves.
 */
type WingPose = readonly number[];

const SHOULDER_X = 0.2;
const SHOULDER_Y = 0.2;
const RAISED: WingPose = [-0.15, 1.15, -0.65, 2.35, -1.45, 1.7, -1.25, 0.8, -0.65, 0.12];
const GLIDING: WingPose = [-0.35, 0.95, -1.6, 1.5, -1.9, 0.75, -1.3, 0.25, -0.65, 0.05];
const STRUCK: WingPose = [0.1, -0.6, -0.35, -1.8, -1.15, -1.3, -1, -0.5, -0.6, 0];
const FOLDED: WingPose = [-0.2, 0.72, -1.35, 0.3, -1.3, 0.05, -1.05, -0.1, -0.55, 0.05];

/** Scratch: the pose of the next wing, between the four above. */
const pose: number[] = new Array(10).fill(0);

/**
 * Sets the pose that the next wing paths use.
 * @param wing -1 struck … 1 raised
 * @param fold 0 spread … 1 folded
 */
export function poseWing(wing: number, fold: number): void {
  const far = wing < GLIDE ? STRUCK : RAISED;
  const share = wing < GLIDE ? (GLIDE - wing) / (GLIDE + 1) : (wing - GLIDE) / (1 - GLIDE);
  for (let i = 0; i < pose.length; i++) {
    const spread = GLIDING[i]! + (far[i]! - GLIDING[i]!) * share;
    pose[i] = spread + (FOLDED[i]! - spread) * fold;
  }
}

const GLIDE = 0.3;

/** The membrane: along the arm to the tip, back in three scallops. */
export function traceWing(context: Context): void {
  context.beginPath();
  context.moveTo(SHOULDER_X, SHOULDER_Y);
  context.quadraticCurveTo(SHOULDER_X, pose[1]! * 0.7, pose[0]!, pose[1]!);
  context.lineTo(pose[2]!, pose[3]!);
  scallop(context, 2, 4);
  scallop(context, 4, 6);
  scallop(context, 6, 8);
  context.closePath();
}

/** A curve from the end of one finger to the next, drawn in toward the elbow. */
function scallop(context: Context, from: number, to: number): void {
  const middleX = (pose[from]! + pose[to]!) / 2;
  const middleY = (pose[from + 1]! + pose[to + 1]!) / 2;
  context.quadraticCurveTo(
    middleX + (pose[0]! - middleX) * 0.35,
    middleY + (pose[1]! - middleY) * 0.35,
    pose[to]!,
    pose[to + 1]!,
  );
}

/** Arm and fingers: lines to stroke. */
export function traceWingBones(context: Context): void {
  context.beginPath();
  context.moveTo(SHOULDER_X, SHOULDER_Y);
  context.quadraticCurveTo(SHOULDER_X, pose[1]! * 0.7, pose[0]!, pose[1]!);
  for (let i = 2; i < 8; i += 2) {
    context.moveTo(pose[0]!, pose[1]!);
    context.lineTo(pose[i]!, pose[i + 1]!);
  }
}

/** @param swing -1 hangs, 1 stands up */
export function traceTail(context: Context, swing: number): void {
  const tipY = 0.1 + swing * 0.55;
  context.beginPath();
  context.moveTo(-0.6, 0.2);
  context.quadraticCurveTo(-1.25, 0.12 - swing * 0.15, -1.75, tipY + 0.07);
  context.lineTo(-1.72, tipY + 0.25);
  context.lineTo(-2.2, tipY + 0.02);
  context.lineTo(-1.76, tipY - 0.2);
  context.lineTo(-1.75, tipY - 0.04);
  context.quadraticCurveTo(-1.2, -0.35 - swing * 0.1, -0.55, -0.55);
  context.closePath();
}

/** Body, neck and head in one. */
export function traceBody(context: Context): void {
  context.beginPath();
  context.moveTo(-0.95, -0.12);
  context.bezierCurveTo(-0.9, 0.22, -0.4, 0.4, 0.05, 0.36);
  context.bezierCurveTo(0.5, 0.36, 0.55, 0.66, 0.98, 0.66);
  context.bezierCurveTo(1.15, 0.68, 1.25, 0.62, 1.34, 0.54);
  context.lineTo(1.72, 0.42);
  context.quadraticCurveTo(1.84, 0.32, 1.72, 0.22);
  context.lineTo(1.3, 0.14);
  context.bezierCurveTo(1.08, 0.1, 1, -0.02, 0.9, -0.25);
  context.bezierCurveTo(0.8, -0.6, 0.3, -0.74, -0.15, -0.7);
  context.bezierCurveTo(-0.6, -0.66, -0.95, -0.4, -0.95, -0.12);
  context.closePath();
}

/** The paler underside from throat to tail. */
export function traceBelly(context: Context): void {
  context.beginPath();
  context.moveTo(1.12, 0.1);
  context.bezierCurveTo(1.02, 0.02, 0.96, -0.1, 0.9, -0.25);
  context.bezierCurveTo(0.8, -0.6, 0.3, -0.74, -0.15, -0.7);
  context.bezierCurveTo(-0.45, -0.68, -0.7, -0.56, -0.83, -0.42);
  context.bezierCurveTo(-0.3, -0.34, 0.5, -0.4, 0.72, -0.1);
  context.bezierCurveTo(0.82, 0.06, 0.95, 0.12, 1.12, 0.1);
  context.closePath();
}

/** Two horns, swept back. */
export function traceHorns(context: Context): void {
  context.beginPath();
  context.moveTo(1.08, 0.6);
  context.quadraticCurveTo(0.85, 0.72, 0.6, 0.98);
  context.quadraticCurveTo(0.72, 0.72, 0.86, 0.56);
  context.closePath();
}

/** Mouth, nostril and a stern brow: lines to stroke. */
export function traceFace(context: Context): void {
  context.beginPath();
  context.moveTo(1.76, 0.27);
  context.quadraticCurveTo(1.5, 0.32, 1.3, 0.22);
  context.moveTo(1.66, 0.38);
  context.lineTo(1.68, 0.38);
  context.moveTo(1, 0.63);
  context.lineTo(1.32, 0.52);
}

/** The open mouth. */
export function traceMouth(context: Context): void {
  context.beginPath();
  context.moveTo(1.3, 0.3);
  context.lineTo(1.8, 0.42);
  context.lineTo(1.78, 0.12);
  context.closePath();
}

/** The fire in an open mouth. */
export function traceBreath(context: Context): void {
  traceDisc(context, 1.84, 0.28, 0.16);
}

/**
 * Both legs: lines to stroke. They run on the ground and are drawn up in flight.
 * @param stride radians
 */
export function traceLegs(context: Context, onGround: boolean, stride: number): void {
  context.beginPath();
  for (let leg = 0; leg < 2; leg++) {
    const hipX = leg === 0 ? 0.38 : -0.35;
    const phase = stride + leg * Math.PI;
    const footX = onGround ? hipX + Math.sin(phase) * 0.3 : hipX - 0.38;
    const footY = onGround
      ? -0.92 + Math.max(0, Math.cos(phase)) * 0.14 * Math.min(1, Math.abs(stride))
      : -0.84;
    context.moveTo(hipX, -0.5);
    context.lineTo(onGround ? hipX + 0.1 : hipX - 0.05, -0.72);
    context.lineTo(footX, footY);
    context.lineTo(footX + 0.18, footY);
  }
}

/** The lance: a long thin triangle with a guard before the hand. */
export function traceLance(context: Context): void {
  context.beginPath();
  context.moveTo(-0.6, 0.8);
  context.lineTo(0.26, 0.81);
  context.lineTo(0.22, 0.94);
  context.lineTo(0.52, 0.8);
  context.lineTo(2.45, 0.74);
  context.lineTo(0.52, 0.68);
  context.lineTo(0.22, 0.54);
  context.lineTo(0.26, 0.67);
  context.lineTo(-0.6, 0.68);
  context.closePath();
}

export function traceHand(context: Context): void {
  traceDisc(context, 0.12, 0.74, 0.12);
}

/** Body and leg of the rider. */
export function traceRider(context: Context): void {
  context.beginPath();
  context.moveTo(-0.22, 0.3);
  context.quadraticCurveTo(-0.3, 0.85, -0.14, 1);
  context.lineTo(0.16, 1);
  context.quadraticCurveTo(0.3, 0.8, 0.22, 0.3);
  context.lineTo(0.34, -0.08);
  context.lineTo(0.12, -0.1);
  context.lineTo(0.02, 0.25);
  context.closePath();
}

export function traceHelmet(context: Context): void {
  traceDisc(context, 0.03, 1.17, 0.25);
}

/** The plume on the helmet, in the seat's colour. */
export function tracePlume(context: Context): void {
  context.beginPath();
  context.moveTo(0.05, 1.4);
  context.quadraticCurveTo(-0.15, 1.66, -0.5, 1.5);
  context.quadraticCurveTo(-0.25, 1.4, -0.18, 1.2);
  context.closePath();
}
