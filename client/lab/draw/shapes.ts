/** Traces declared fixtures, for the ground and for things without a glyph of their own. */
import type { FixtureDef } from "../../../shared/game_kit/game_kit.ts";
import { type Context, TURN } from "../../presentation/picture/canvas.ts";

/** Adds a fixture's outline to the context's path. */
export function traceFixture(context: Context, { shape }: FixtureDef): void {
  if ("circle" in shape) {
    const x = shape.x ?? 0;
    const y = shape.y ?? 0;
    context.moveTo(x + shape.circle, y);
    context.arc(x, y, shape.circle, 0, TURN);
  } else if ("box" in shape) {
    const [halfWidth, halfHeight] = shape.box;
    const x = shape.x ?? 0;
    const y = shape.y ?? 0;
    const angle = shape.angle ?? 0;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([sideX, sideY]) => {
      const dx = sideX! * halfWidth;
      const dy = sideY! * halfHeight;
      return [x + dx * cos - dy * sin, y + dx * sin + dy * cos] as const;
    });
    tracePath(context, corners);
  } else if ("polygon" in shape) {
    tracePath(context, shape.polygon);
  } else if ("chain" in shape) {
    tracePath(context, shape.chain, shape.loop === true);
  }
}

/** Whether a fixture is a line without an inside. */
export function isLine({ shape }: FixtureDef): boolean {
  return "chain" in shape || "edge" in shape;
}

function tracePath(
  context: Context,
  points: readonly (readonly [number, number])[],
  isClosed = true,
): void {
  points.forEach(([x, y], i) => i === 0 ? context.moveTo(x, y) : context.lineTo(x, y));
  if (isClosed) context.closePath();
}
