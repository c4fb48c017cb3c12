import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, and `dragonGame.id` changes with it. */
export const GOLDEN_HASHES = [406_723_653, 2_803_940_848, 2_055_936_595, 1_485_086_863];

Deno.test("golden hash: two thousand ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
