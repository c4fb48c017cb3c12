/** Paints lines, sensors, conveyor belts and one-way surfaces. The context measures metres. */
import type { Context } from "../../presentation/picture/canvas.ts";
import type { Hue } from "../../presentation/picture/hues.ts";
import { type Outline, pathOf } from "./outlines.ts";

/** Metres. */
const LINE_WIDTH = 0.2;
const LINE_LIGHT_WIDTH = 0.08;
const BELT_GAP = 0.8;
const ARROW_GAP = 1.2;
const ARROW_SIZE = 0.16;

/** Paints edges and chains as a smooth stroke with a lit core. */
export function paintLines(context: Context, path: Path2D, hue: Hue): void {
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = hue.shade;
  context.lineWidth = LINE_WIDTH;
  context.stroke(path);
  context.strokeStyle = hue.light;
  context.lineWidth = LINE_LIGHT_WIDTH;
  context.stroke(path);
}

/** Paints a veil with a dashed edge. @param pixel metres per CSS pixel */
export function paintSensor(context: Context, { path }: Outline, hue: Hue, pixel: number): void {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.18;
  context.fillStyle = hue.fill;
  context.fill(path);
  context.globalAlpha = alpha * 0.8;
  context.setLineDash([0.3, 0.25]);
  context.strokeStyle = hue.light;
  context.lineWidth = Math.max(0.05, 1.5 * pixel);
  context.stroke(path);
  context.setLineDash([]);
  context.globalAlpha = alpha;
}

/**
 * Paints marks that run along a belt's surface, to the right on its top.
 * @param way metres since the start
 */
export function paintBelt(
  context: Context,
  { path, corners, isClosed }: Outline,
  way: number,
): void {
  // Go around clockwise, as a belt with positive speed runs.
  const around = corners.length === 0 || !isClosed ? path : pathOf(corners.toReversed(), true);
  context.setLineDash([BELT_GAP * 0.45, BELT_GAP * 0.55]);
  context.lineDashOffset = -(way % BELT_GAP);
  context.strokeStyle = "#f7cf52";
  context.lineWidth = 0.1;
  context.lineCap = "butt";
  context.stroke(around);
  context.lineCap = "round";
  context.lineDashOffset = 0;
  context.setLineDash([]);
}

/** Paints arrows the way that bodies pass. */
export function paintOneWay(
  context: Context,
  { fixture: { oneWay }, corners }: Outline,
  hue: Hue,
): void {
  const [dirX, dirY] = typeof oneWay === "object" ? [oneWay.x, oneWay.y] : [0, 1];
  const length = Math.hypot(dirX, dirY);
  const ux = dirX / length * ARROW_SIZE, uy = dirY / length * ARROW_SIZE;
  const left = Math.min(...corners.map(([x]) => x));
  const right = Math.max(...corners.map(([x]) => x));
  const y = corners.reduce((sum, corner) => sum + corner[1], 0) / corners.length;
  const count = Math.max(1, Math.floor((right - left) / ARROW_GAP));
  context.strokeStyle = hue.light;
  context.lineWidth = 0.06;
  context.beginPath();
  for (let i = 0; i < count; i++) {
    const x = left + (right - left) * (i + 0.5) / count;
    context.moveTo(x - uy - ux, y + ux - uy);
    context.lineTo(x, y);
    context.lineTo(x + uy - ux, y - ux - uy);
  }
  context.stroke();
}
