/** Draws joints in metres: pins, ropes, springs, rails, and the hand that grabs. */
import { OUTLINE, PAINTS } from "./colours.ts";
import type { ShownJoint } from "./shown.ts";
import type { View } from "./view.ts";

type Context = CanvasRenderingContext2D;

/** Turns of a drawn spring. */
const COILS = 7;

export function paintJoint(
  context: Context,
  { definition, points, length }: ShownJoint,
  view: View,
): void {
  const [ax, ay, bx, by] = points as [number, number, number, number];
  const { pixel } = view;
  const line = { colour: PAINTS.snow.shade, width: 2 * pixel };

  switch (definition.type) {
    case "revolute":
    case "weld":
      return paintPin(context, bx, by, pixel);
    case "wheel":
      if (definition.spring !== undefined) paintSpring(context, [ax, ay + 0.5, bx, by], pixel);
      return paintPin(context, bx, by, pixel);
    case "distance":
      if (definition.spring !== undefined) paintSpring(context, [ax, ay, bx, by], pixel);
      else stroke(context, [ax, ay, bx, by], line);
      break;
    case "rope":
      paintRope(context, [ax, ay, bx, by], length, pixel);
      break;
    case "pulley": {
      const [, , , , gax, gay, gbx, gby] = points as [
        ...[number, number, number, number],
        number,
        number,
        number,
        number,
      ];
      stroke(context, [ax, ay, gax, gay, gbx, gby, bx, by], {
        colour: PAINTS.wood.light,
        width: 2.5 * pixel,
      });
      paintSheave(context, gax, gay, pixel);
      paintSheave(context, gbx, gby, pixel);
      break;
    }
    case "mouse":
      stroke(context, [ax, ay, bx, by], { colour: PAINTS.sky.light, width: 2 * pixel });
      paintPin(context, ax, ay, pixel, PAINTS.sky.light);
      break;
    case "prismatic":
    case "motor":
    case "friction":
    case "gear":
      context.setLineDash([5 * pixel, 5 * pixel]);
      stroke(context, [ax, ay, bx, by], { colour: "rgb(198 204 213 / 55%)", width: 1.5 * pixel });
      context.setLineDash([]);
      return;
  }

  paintPin(context, ax, ay, pixel);
  paintPin(context, bx, by, pixel);
}

function stroke(
  context: Context,
  points: readonly number[],
  { colour, width }: { colour: string; width: number },
) {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    if (i === 0) context.moveTo(points[i]!, points[i + 1]!);
    else context.lineTo(points[i]!, points[i + 1]!);
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function paintPin(
  context: Context,
  x: number,
  y: number,
  pixel: number,
  colour = PAINTS.snow.light,
): void {
  context.beginPath();
  context.arc(x, y, 3 * pixel, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = OUTLINE;
  context.lineWidth = 1.5 * pixel;
  context.stroke();
}

/** The wheel of a pulley. */
function paintSheave(context: Context, x: number, y: number, pixel: number): void {
  context.beginPath();
  context.arc(x, y, 9 * pixel, 0, 2 * Math.PI);
  context.fillStyle = PAINTS.slate.fill;
  context.fill();
  context.strokeStyle = OUTLINE;
  context.lineWidth = 2 * pixel;
  context.stroke();
  paintPin(context, x, y, pixel);
}

/** A rope that is longer than the distance of its ends hangs through. */
function paintRope(
  context: Context,
  [ax, ay, bx, by]: readonly number[],
  length: number,
  pixel: number,
): void {
  const distance = Math.hypot(bx! - ax!, by! - ay!);
  const slack = Math.max(0, length * length - distance * distance);
  context.beginPath();
  context.moveTo(ax!, ay!);
  context.quadraticCurveTo((ax! + bx!) / 2, (ay! + by!) / 2 - 0.8 * Math.sqrt(slack), bx!, by!);
  context.strokeStyle = PAINTS.wood.light;
  context.lineWidth = 2.5 * pixel;
  context.stroke();
}

function paintSpring(context: Context, [ax, ay, bx, by]: readonly number[], pixel: number): void {
  const dx = (bx! - ax!) / (2 * COILS);
  const dy = (by! - ay!) / (2 * COILS);
  const length = Math.hypot(dx, dy) || 1;
  const wide = 5 * pixel;
  const nx = -dy / length * wide;
  const ny = dx / length * wide;
  const points = [ax!, ay!];
  for (let i = 1; i < 2 * COILS; i++) {
    const side = i % 2 === 0 ? 1 : -1;
    points.push(ax! + dx * i + side * nx, ay! + dy * i + side * ny);
  }
  stroke(context, [...points, bx!, by!], { colour: PAINTS.snow.shade, width: 1.5 * pixel });
}
