import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, and `dragonGame.id` changes with it. */
export const GOLDEN_HASHES = [279_030_738, 2_545_091_075, 1_907_234_789, 3_880_878_395];

Deno.test("golden hash: two thousand ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
