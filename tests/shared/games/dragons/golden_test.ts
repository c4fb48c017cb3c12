import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun, goldenSet } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [
  146_522_181,
  4_152_930_932,
  1_583_731_183,
  626_950_364,
  796_680_610,
  2_888_248_064,
  2_947_696_739,
  2_632_798_272,
];

Deno.test("golden hash: 2,000 ticks and a scene in each arena lead to the pinned states (SPEC 9.4)", () => {
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
  assertEquals(hash, 3_488_964_102);
});
