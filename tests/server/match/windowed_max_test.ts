import { assertEquals } from "@std/assert";
import { WindowedMax } from "../../../server/match/windowed_max.ts";
import { Random } from "../../../shared/random.ts";

Deno.test("WindowedMax: is the largest of the newest values at every moment [seed 3]", () => {
  const random = new Random(3);
  const window = new WindowedMax(7);
  const all: number[] = [];
  assertEquals(window.max, -Infinity);
  for (let i = 0; i < 2000; i++) {
    // Few different values, so that the largest one is often there more than once.
    all.push(random.below(5));
    window.add(all.at(-1)!);
    assertEquals(window.max, Math.max(...all.slice(-7)));
    assertEquals(window.count, Math.min(7, all.length));
  }
});
