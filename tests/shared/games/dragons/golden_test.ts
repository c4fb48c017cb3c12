import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [2_840_909_657, 1_486_784_325, 4_271_170_231, 126_310_846];

Deno.test("golden hash: 2,000 ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
