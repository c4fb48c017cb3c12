/** Draws joints in metres: ropes and springs below things, pins above them. */
import { type Context, OUTLINE, traceDisc } from "../../presentation/picture/canvas.ts";
import type { ShownJoint } from "../view_definition.ts";

const STEEL = "#c3cad9";
const STEEL_DARK = "#4a5168";
const ROPE = "#d9b384";
const ROPE_DARK = "#5b4128";
const HAND = "#a9e0ff";
/** How many zigzags a drawn spring shows. */
const COILS = 6;
/** Metres. */
const PIN = 0.1;
const THICK = 0.12;

/** Draws everything but pins. */
export function drawJointLine(context: Context, shown: ShownJoint): void {
  const { joint, ax, ay, bx, by } = shown;
  const { definition } = joint;
  const ends = [ax, ay, bx, by];
  context.lineCap = context.lineJoin = "round";

  switch (definition.type) {
    case "rope":
      return drawRope(context, shown);
    case "pulley": {
      const { groundA, groundB } = joint;
      return stroke(
        context,
        [ax, ay, groundA.x, groundA.y, groundB.x, groundB.y, bx, by],
        ROPE,
        ROPE_DARK,
        0.09,
      );
    }
    case "distance":
    case "wheel":
      if (definition.spring === undefined) return stroke(context, ends, STEEL, STEEL_DARK, THICK);
      return definition.type === "wheel"
        ? stroke(context, ends, STEEL, STEEL_DARK, 0.18)
        : stroke(context, coils(ends), STEEL, STEEL_DARK, 0.07);
    case "mouse":
      return stroke(context, ends, HAND, "#2678b8", 0.06);
    case "prismatic":
      context.setLineDash([0.2, 0.2]);
      stroke(context, ends, STEEL_DARK, STEEL_DARK, 0.05);
      context.setLineDash([]);
  }
}

/** Draws a bolt for joints that hold two bodies at a point. */
export function drawJointPin(
  context: Context,
  { joint: { definition: { type } }, ax, ay, bx, by }: ShownJoint,
): void {
  if (type === "revolute" || type === "wheel") drawPin(context, bx, by);
  if (type !== "rope" && type !== "distance" && type !== "pulley") return;
  drawPin(context, ax, ay);
  drawPin(context, bx, by);
}

function drawPin(context: Context, x: number, y: number): void {
  traceDisc(context, x, y, PIN);
  context.fillStyle = STEEL;
  context.fill();
  context.strokeStyle = OUTLINE;
  context.lineWidth = 0.04;
  context.stroke();
}

/** A rope hangs through if it is longer than the distance between its ends. */
function drawRope(context: Context, { joint: { length }, ax, ay, bx, by }: ShownJoint): void {
  const distance = Math.hypot(bx - ax, by - ay);
  const slack = Math.sqrt(Math.max(0, length * length - distance * distance));
  context.beginPath();
  context.moveTo(ax, ay);
  context.quadraticCurveTo((ax + bx) / 2, (ay + by) / 2 - 0.7 * slack, bx, by);
  context.strokeStyle = ROPE_DARK;
  context.lineWidth = 0.16;
  context.stroke();
  context.strokeStyle = ROPE;
  context.lineWidth = 0.09;
  context.stroke();
}

/** @param points x and y by turns */
function stroke(
  context: Context,
  points: readonly number[],
  colour: string,
  dark: string,
  width: number,
): void {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    if (i === 0) context.moveTo(points[i]!, points[i + 1]!);
    else context.lineTo(points[i]!, points[i + 1]!);
  }
  context.strokeStyle = dark;
  context.lineWidth = width + 0.07;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** The points of a spring between two ends. */
function coils([ax, ay, bx, by]: readonly number[]): number[] {
  const dx = (bx! - ax!) / (2 * COILS);
  const dy = (by! - ay!) / (2 * COILS);
  const length = Math.hypot(dx, dy) || 1;
  const nx = -dy / length * 0.18;
  const ny = dx / length * 0.18;
  const points = [ax!, ay!];
  for (let i = 1; i < 2 * COILS; i++) {
    const side = i % 2 === 0 ? 1 : -1;
    points.push(ax! + dx * i + side * nx, ay! + dy * i + side * ny);
  }
  return [...points, bx!, by!];
}
