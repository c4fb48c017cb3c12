import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [
  3_776_957_137,
  95_788_594,
  861_660_061,
  1_032_775_339,
  800_100_249,
  3_418_755_571,
  2_739_525_668,
  885_555_938,
];

Deno.test("golden hash: 2,000 ticks and a scene in each arena lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
