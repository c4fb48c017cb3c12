import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun, goldenSet } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [610_366_994, 1_113_164_219, 436_410_129, 200_690_278];

Deno.test("golden hash: 2,000 ticks from a seed lead to the pinned states (SPEC 9.4)", () => {
  const { hashes, crateTurnMax } = goldenRun();
  assertEquals(hashes, GOLDEN_HASHES);
  assertGreater(crateTurnMax, 0.5);
});

Deno.test("golden hash: a set to its podium, and the rematch after it (SPEC 9.4, 25.1 to 25.5)", () => {
  const { hash, phases } = goldenSet();
  assertEquals(phases, [
    "1 playing",
    "1 result",
    "2 playing",
    "2 result",
    "3 playing",
    "3 podium",
    "4 playing",
  ]);
  assertEquals(hash, 2_525_681_391);
});
