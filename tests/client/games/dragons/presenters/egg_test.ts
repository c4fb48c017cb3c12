import { assert, assertEquals } from "@std/assert";
import { eggPresenter } from "../../../../../client/games/dragons/presenters/egg.ts";
import { dragonSprite, drawingOn } from "./dragon/sprites.ts";

/** Draws one egg and counts the operations that show its state. */
function drawnEgg(ripeness: number, { isOwn = false, isCalm = false } = {}) {
  const drawn = { turned: 0, lights: 0, outline: "", corners: 0 };
  const nothing = () => {};
  const context = {
    save: nothing,
    restore: nothing,
    translate: nothing,
    scale: nothing,
    fill: nothing,
    beginPath: nothing,
    moveTo: nothing,
    bezierCurveTo: nothing,
    arc: nothing,
    strokeStyle: "",
    rotate: (angle: number) => drawn.turned = angle,
    lineTo: () => drawn.corners++,
    stroke() {
      drawn.outline ||= context.strokeStyle;
    },
    createRadialGradient() {
      drawn.lights++;
      return { addColorStop() {} };
    },
  };
  const { look } = dragonSprite();
  const egg = { id: 1, x: 0, y: 0, angle: 0, look, isOwn, ripeness, isTaken: false };
  const canvas = context as unknown as CanvasRenderingContext2D;
  const drawing = drawingOn(canvas, { width: 1280, height: 720 });
  eggPresenter.painter().draw([egg], { ...drawing, nowMs: 100, isCalm });
  return drawn;
}

Deno.test("eggPresenter: an egg is still until it is nearly ripe, then it rocks, cracks more and more, and glows", () => {
  for (const ripeness of [0, 0.75]) {
    const { turned, lights, corners } = drawnEgg(ripeness);
    assertEquals({ turned, lights, corners }, { turned: 0, lights: 0, corners: 0 });
  }
  const [early, late] = [drawnEgg(0.8), drawnEgg(1)];
  assert(early.turned !== 0 && early.lights === 1 && early.corners > 0);
  assert(late.corners > early.corners, `${late.corners} corners`);
});

Deno.test("eggPresenter: with reduced motion an egg does not rock, but cracks and glows", () => {
  const { turned, lights, corners } = drawnEgg(0.95, { isCalm: true });
  assertEquals([turned, lights], [0, 1]);
  assert(corners > 0);
});

Deno.test("eggPresenter: the own egg has the own outline", () => {
  assert(drawnEgg(0, { isOwn: true }).outline !== drawnEgg(0).outline);
});
