import { assertEquals, assertGreater } from "@std/assert";
import { goldenRun, goldenSet } from "./golden.ts";

/** Pinned: a change here is a change of the rules, so `dragonGame.id` must change, too. */
export const GOLDEN_HASHES = [
  4_248_513_731,
  3_893_433_529,
  2_508_339_789,
  2_567_414_015,
  2_241_674_540,
  2_308_163_725,
  2_611_233_096,
  1_766_265_470,
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
  assertEquals(hash, 1_955_810_700);
});
