import { assert, assertEquals } from "@std/assert";
import { drawEdgeMark } from "../../../../../../client/games/dragons/presenters/dragon/labels.ts";
import type { DragonSprite } from "../../../../../../client/games/dragons/presenters/dragon/sprite.ts";
import { dragonSprite, drawingOn } from "./sprites.ts";

const WIDTH_PX = 390;

/** The x of an edge mark's first two corners, its tip and its base; empty if no mark is drawn. */
function edgeMark(x: number, changes: Partial<DragonSprite> = {}): number[] {
  const corners: number[] = [];
  const corner = (x: number) => corners.push(x);
  const paths = {
    beginPath() {},
    closePath() {},
    stroke() {},
    fill() {},
    moveTo: corner,
    lineTo: corner,
  };
  const context = { canvas: { width: WIDTH_PX }, ...paths } as unknown as CanvasRenderingContext2D;
  const drawing = drawingOn(context, { width: WIDTH_PX, height: 844 });
  drawEdgeMark(dragonSprite({ x, ...changes }), drawing);
  return corners.slice(0, 2);
}

Deno.test("drawEdgeMark: points outwards at the side beyond which a living dragon is", () => {
  const [tipLeft, baseLeft] = edgeMark(1);
  const [tipRight, baseRight] = edgeMark(31);
  assert(tipLeft! > 0 && baseLeft! > tipLeft!);
  assert(tipRight! < WIDTH_PX && baseRight! < tipRight!);
  assertEquals([edgeMark(16), edgeMark(31, { dead: true })], [[], []]);
});
