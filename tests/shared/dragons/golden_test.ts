import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, and `dragonGame.id` changes with it. */
export const GOLDEN_HASHES = [3_346_332_459, 2_045_938_206, 1_316_979_347, 422_896_370];

Deno.test("golden hash: two thousand ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
