import { assert, assertEquals } from "@std/assert";
import { titleScene } from "../../../../../client/games/dragons/render/title_scene.ts";

Deno.test("titleScene: all dragons stay inside the arena, and the scene is a function of the time", () => {
  for (let nowMs = 0; nowMs < 60_000; nowMs += 170) {
    const { arena, dragons } = titleScene(nowMs);
    for (const { x, y } of dragons) {
      assert(x > 0 && x < arena.width && y > 1 && y < arena.height, `${nowMs}: ${x} ${y}`);
    }
  }
  assertEquals(titleScene(1234), titleScene(1234));
});
