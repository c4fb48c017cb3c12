import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type CameraInput, KitCamera } from "../../../../client/game_kit/picture/kit_camera.ts";

const WANTED = { x: 4, y: -2, width: 30, height: 18 };
const STILL: CameraInput = { wanted: WANTED, moves: false, own: undefined, elapsedMs: 17 };

/** The metres at the window's left, top, right and bottom edges. */
function edgesOf(
  camera: KitCamera,
  { width, height }: { width: number; height: number },
): number[] {
  const { left, top, scale } = camera;
  return [-left / scale, top / scale, (width - left) / scale, (top - height) / scale];
}

Deno.test("KitCamera.fit: all that is wanted is visible in any window, in the middle of a lying one, y upwards (SPEC 13.41)", () => {
  for (const [width, height] of [[1280, 720], [2560, 500], [720, 720], [390, 844]] as const) {
    const camera = new KitCamera();
    camera.fit({ width, height }, STILL);
    const [left, top, right, bottom] = edgesOf(camera, { width, height }) as [
      number,
      number,
      number,
      number,
    ];
    assert(
      left <= -11 + 0.1 && right >= 19 - 0.1 && top >= 7 - 0.1 && bottom <= -11 + 0.1,
      `${width}×${height}`,
    );
    assertAlmostEquals((left + right) / 2, 4, 0.05);
    if (width >= height) assertAlmostEquals((top + bottom) / 2, -2, 0.05);
    assertAlmostEquals(camera.yPx(1), camera.yPx(0) - camera.scale, 1e-9);
  }
});

Deno.test("KitCamera.fit: an upright window shows half of the width and follows the own thing, never beyond the ends (SPEC 13.41)", () => {
  const camera = new KitCamera();
  const upright = { width: 390, height: 844 };
  const around = (x: number, elapsedMs = Infinity) => {
    camera.fit(upright, { ...STILL, own: { x }, elapsedMs });
    const [left, , right] = edgesOf(camera, upright);
    return { left: left!, right: right!, middle: (left! + right!) / 2 };
  };
  const middle = around(4);
  assertLess(middle.right - middle.left, 18);
  assertAlmostEquals(middle.middle, 4, 0.05);
  assertAlmostEquals(around(-30).left, -11, 0.05);
  assertAlmostEquals(around(40).right, 19, 0.05);
  around(4);
  const gliding = around(8, 17).middle;
  assert(gliding > 4 && gliding < 5, "it glides");
  assert(camera.yPx(7) > 100 && camera.yPx(-11) < 620, "room for words above and for thumbs below");
});

Deno.test("KitCamera.fit: stays within the bounds, or shows their middle (SPEC 13.142)", () => {
  const window = { width: 1280, height: 720 };
  const bounds = { x: 20, y: 10, width: 60, height: 24 };
  const around = (x: number, y: number, size = window) => {
    const camera = new KitCamera();
    camera.fit(size, {
      ...STILL,
      moves: true,
      wanted: { x, y, width: 32, height: 18 },
      bounds,
    });
    return edgesOf(camera, size).map((edge) => Math.round(10 * edge) / 10);
  };
  // Left, top, right, bottom
  assertEquals(around(20, 10), [4, 19, 36, 1], "in the middle they change nothing");
  assertEquals(around(-5, -40), [-10, 16, 22, -2]);
  assertEquals(around(49, 21), [18, 22, 50, 4]);

  // A window that is wider than the bounds shows their middle.
  const [left, , right] = around(45, 10, { width: 2880, height: 720 });
  assertEquals([left, right], [20 - 36, 20 + 36]);

  // An upright one lets the thumbs lie on what is beneath the bounds.
  const upright = { width: 390, height: 844 };
  const [, , , bottom] = around(20, -40, upright);
  assertLess(bottom!, -2);
});

Deno.test("KitCamera.fit: follows a place and a width with a little delay, and jumps to a far one (SPEC 13.41)", () => {
  const camera = new KitCamera();
  const window = { width: 1280, height: 720 };
  const fit = (x: number, width: number, elapsedMs: number) => {
    camera.fit(window, {
      ...STILL,
      moves: true,
      wanted: { x, y: 0, width, height: width * 0.6 },
      elapsedMs,
    });
    const [left, , right] = edgesOf(camera, window);
    return { middle: (left! + right!) / 2, width: right! - left! };
  };
  const begun = fit(0, 30, 17).width;
  const glide = fit(5, 40, 17);
  assert(glide.middle > 0.1 && glide.middle < 2, `${glide.middle}`);
  assert(glide.width > begun && glide.width < 1.1 * begun);
  let after = glide;
  for (let i = 0; i < 300; i++) after = fit(5, 40, 17);
  assertAlmostEquals(after.middle, 5, 0.05);
  assertGreater(after.width, 1.3 * begun);
  assertAlmostEquals(fit(500, 40, 17).middle, 500, 0.1);
  assertAlmostEquals(fit(505, 40, Infinity).middle, 505, 0.1, "without motion it does not glide");
  assertEquals(Number.isInteger(camera.left), true, "whole pixels");
});

Deno.test("KitCamera.rest: what is wanted then is there at once, as after a seek (SPEC 13.203)", () => {
  const window = { width: 1280, height: 720 };
  const at = (x: number) => {
    const wanted = { ...WANTED, x };
    return { ...STILL, wanted, moves: true };
  };
  const camera = new KitCamera();
  camera.fit(window, at(0));
  camera.fit(window, at(10));
  const [left] = edgesOf(camera, window);
  camera.rest();
  camera.fit(window, at(10));
  const rested = new KitCamera();
  rested.fit(window, at(10));
  assertLess(left!, edgesOf(camera, window)[0]! - 1, "it glides");
  assertEquals(edgesOf(camera, window), edgesOf(rested, window));
});
