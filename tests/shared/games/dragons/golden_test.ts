import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [2_490_698_176, 1_595_583_919, 4_099_819_445, 3_550_406_928];

Deno.test("golden hash: 2,000 ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});
