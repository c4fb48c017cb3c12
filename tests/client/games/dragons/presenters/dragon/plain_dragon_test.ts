import { assertEquals, assertLess } from "@std/assert";
import { dragonPresenter } from "../../../../../../client/games/dragons/presenters/dragon/dragon.ts";
import { Camera } from "../../../../../../client/games/dragons/render/camera.ts";
import { dragonSprite } from "./sprites.ts";

/** How many areas and lines a dragon is drawn with. */
function drawnParts(isPlain: boolean, changes: { own: boolean }): number {
  let parts = 0;
  const methods: Record<PropertyKey, () => void> = { fill: () => parts++, stroke: () => parts++ };
  const context = new Proxy({}, { get: (_, name) => methods[name] ?? (() => {}), set: () => true });
  const painter = dragonPresenter.painter(), sprites = painter.advance!([dragonSprite(changes)], 16);
  painter.draw(sprites, {
    ...{ context: context as CanvasRenderingContext2D, camera: new Camera(), nowMs: 0, ownSeat: -1 },
    ...{ reducedMotion: false, pixelRatio: 1, isPlain },
  });
  return parts;
}

Deno.test("dragonPresenter: a slow device draws rivals with half of the parts, and the own dragon with all (SPEC 8.21)", () => {
  assertLess(drawnParts(true, { own: false }), drawnParts(false, { own: false }) * 0.55);
  assertEquals(drawnParts(true, { own: true }), drawnParts(false, { own: true }));
});
