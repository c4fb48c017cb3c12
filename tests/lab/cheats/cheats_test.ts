import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { CHEATS } from "../links/cheating_link.ts";
import { chanceMargin, isProfitable, runCheats, shareOf } from "./cheats.ts";

/** A share of what `deno task lab:cheats` plays. */
const DUELS = 32;

Deno.test("Lab: delaying, bursting, withholding and lying about the clock win no duels (SPEC 1.4, 1.5, 5.5) [seed 1]", () => {
  const results = runCheats(1, DUELS);
  assertGreater(results.length, 5);
  for (const result of results) {
    // A liar whose lead goes up and down hardly gets to the other one: some ten of these are decided, twenty and more of most.
    assertGreater(result.decided, DUELS / 4, result.name);
    assert(!isProfitable(result), `${result.name} won ${result.winShare}`);
  }
});

Deno.test("Lab: who does not cheat wins half of his duels with seats swapped: the same match, seen from both sides [seed 2]", () => {
  const [honest] = runCheats(2, DUELS, [{ name: "honest" }]);
  assertGreater(honest!.decided, DUELS / 2);
  assertEquals(honest!.winShare, 0.5);
  assertLess(chanceMargin(honest!), 0.25);
});

Deno.test("isProfitable: only what chance does not explain", () => {
  /** So many pairs, each with this score. */
  const result = (pairs: number, won: number, lost: number) =>
    isProfitable({ name: "x", duels: 0, ...shareOf(new Array(pairs).fill({ won, lost })) });
  assertEquals([result(100, 8, 8), result(100, 9, 7), result(4, 8, 7), result(0, 0, 0)], [false, true, false, false]);
  // Few pairs can tell, where they agree.
  assertEquals(result(2, 14, 0), true);
  // Whole pairs that go one way or the other are no hundred independent duels.
  const clumped = shareOf([...new Array(7).fill({ won: 12, lost: 4 }), ...new Array(3).fill({ won: 4, lost: 12 })]);
  assertEquals([clumped.winShare, isProfitable({ name: "x", duels: 160, ...clumped })], [0.6, false]);
  assertGreater(clumped.winShare, 0.5 + 1 / Math.sqrt(clumped.decided));
  assertEquals(CHEATS.length, new Set(CHEATS.map(({ name }) => name)).size);
});
