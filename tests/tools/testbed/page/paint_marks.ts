/** Draws marks in canvas pixels, so that all have the same width and size of letters. */
import { HALO, PAINTS } from "./colours.ts";
import type { ShownMark } from "./shown.ts";
import { toPixels, type View } from "./view.ts";

type Context = CanvasRenderingContext2D;

/** CSS pixels. */
const LETTERS = 14;
const ARROW_HEAD = 7;
const DOT = 3.5;

export function paintMark(
  context: Context,
  { form, numbers, colour, text = "" }: ShownMark,
  view: View,
): void {
  const [px, py] = toPixels(view, numbers[0]!, numbers[1]!);
  const { density, scale } = view;
  const { fill } = PAINTS[colour];
  context.strokeStyle = context.fillStyle = fill;
  context.lineWidth = 2 * density;
  context.beginPath();

  switch (form) {
    case "line":
      context.moveTo(px, py);
      context.lineTo(...toPixels(view, numbers[2]!, numbers[3]!));
      return context.stroke();
    case "glow":
      context.lineWidth = 3 * density;
      context.globalAlpha = 0.2;
      context.moveTo(px, py);
      context.lineTo(...toPixels(view, numbers[2]!, numbers[3]!));
      context.stroke();
      context.globalAlpha = 1;
      return;
    case "arrow":
      return paintArrow(
        context,
        [px, py],
        toPixels(view, numbers[2]!, numbers[3]!),
        ARROW_HEAD * density,
      );
    case "dot":
      context.arc(px, py, DOT * density, 0, 2 * Math.PI);
      return context.fill();
    case "circle":
      context.arc(px, py, numbers[2]! * scale, 0, 2 * Math.PI);
      return context.stroke();
    case "box":
      context.save();
      context.translate(px, py);
      context.rotate(-numbers[4]!);
      context.strokeRect(
        -numbers[2]! * scale,
        -numbers[3]! * scale,
        2 * numbers[2]! * scale,
        2 * numbers[3]! * scale,
      );
      return context.restore();
    case "text":
      context.font = `600 ${
        LETTERS * density
      }px "Avenir Next", "Segoe UI", Ubuntu, "Liberation Sans", sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.lineJoin = "round";
      context.lineWidth = 4 * density;
      context.strokeStyle = HALO;
      context.strokeText(text, px, py);
      return context.fillText(text, px, py);
  }
}

type Place = readonly [x: number, y: number];

function paintArrow(
  context: Context,
  [fromX, fromY]: Place,
  [toX, toY]: Place,
  head: number,
): void {
  const dx = toX - fromX;
  const dy = toY - fromY;
  const length = Math.hypot(dx, dy);
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
  if (length < head) return;
  const ux = dx / length * head, uy = dy / length * head;
  context.beginPath();
  context.moveTo(toX, toY);
  context.lineTo(toX - ux - uy / 2, toY - uy + ux / 2);
  context.lineTo(toX - ux + uy / 2, toY - uy - ux / 2);
  context.fill();
}
