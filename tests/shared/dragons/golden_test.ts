import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, and `dragonGame.id` changes with it. */
export const GOLDEN_HASHES = [2_614_406_300, 4_068_480_521, 709_888_099, 2_527_090_894];

Deno.test("golden hash: two thousand ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
