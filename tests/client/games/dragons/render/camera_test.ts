import { assert, assertEquals } from "@std/assert";
import { Camera } from "../../../../../client/games/dragons/render/camera.ts";
import { SHAKE_MS_MAX } from "../../../../../client/presentation/picture/shaken_camera.ts";

const ARENA = { width: 32, height: 18 };

Deno.test("Camera.fit: shows the whole arena, as large as possible, y upwards; an upright window leaves room below", () => {
  const camera = new Camera();
  camera.fit({ width: 1280, height: 720 }, ARENA);
  assertEquals([camera.scale, camera.xPx(0), camera.yPx(0), camera.xPx(32), camera.yPx(18)], [
    40,
    0,
    720,
    1280,
    0,
  ]);
  camera.fit({ width: 320, height: 1000 }, ARENA);
  assertEquals([camera.scale, camera.xPx(0), camera.yPx(18), camera.yPx(0)], [10, 0, 295, 475]);
});

Deno.test("Camera.fit: an upright window shows half of the arena and follows the focus, never beyond the arena's ends", () => {
  const camera = new Camera();
  const upright = { width: 390, height: 844 };
  const visibleAround = (x: number, elapsedMs = Infinity) => {
    camera.fit(upright, ARENA, { x, elapsedMs });
    return {
      left: (0 - camera.left) / camera.scale,
      right: (upright.width - camera.left) / camera.scale,
    };
  };
  const middle = visibleAround(16);
  assert(camera.scale > 1.8 * upright.width / ARENA.width, `${camera.scale} pixels a metre`);
  assert(
    camera.yPx(ARENA.height) > 100 && camera.yPx(0) < 600,
    "room for words above and for thumbs below",
  );
  assert(Math.abs((middle.left + middle.right) / 2 - 16) < 0.1);
  const [left, right] = [visibleAround(1), visibleAround(31)];
  assert(Math.abs(left.left) < 0.1 && Math.abs(right.right - ARENA.width) < 0.1);

  // The camera glides. It stands still if the whole arena is visible.
  visibleAround(16);
  const gliding = visibleAround(20, 17);
  assert(gliding.left > middle.left && gliding.left < middle.left + 1);
  camera.fit({ width: 1280, height: 720 }, ARENA, { x: 1, elapsedMs: 17 });
  assertEquals([camera.scale, camera.left], [40, 0]);
});

Deno.test("Camera.shake: moves the picture and ends in time", () => {
  const camera = new Camera();
  camera.shake(1, 1000);
  camera.advance(1010);
  assert(camera.shakeX !== 0 && camera.shakeY !== 0);
  camera.shake(0.1, 1020); // a weaker shake neither replaces nor prolongs it
  camera.advance(1000 + SHAKE_MS_MAX);
  assertEquals([camera.shakeX, camera.shakeY], [0, 0]);
});
