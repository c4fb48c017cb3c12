import { assertEquals } from "@std/assert";
import { type Context, drawFading } from "../../../../client/presentation/picture/canvas.ts";

Deno.test("drawFading: the old picture shows as far as the new one does not, and only during a fade", () => {
  const context = { globalAlpha: 1 } as Context;
  const shown: number[][] = [];
  const draw = ({ x, y }: { x: number; y: number }) => shown.push([x, y, context.globalAlpha]);
  drawFading(context, { x: 5, y: 6, fade: { x: 1, y: 2, opacity: 0.25 } }, draw);
  assertEquals(shown, [[1, 2, 0.75], [5, 6, 0.25]]);
  drawFading(context, { x: 5, y: 6, fade: undefined }, draw);
  assertEquals(shown.slice(2), [[5, 6, 1]]);
  assertEquals(context.globalAlpha, 1);
});
