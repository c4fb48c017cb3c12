import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { CHEATS } from "./cheating_link.ts";
import { chanceMargin, paysOff, runCheats } from "./cheats.ts";

/** A share of what `deno task lab:cheats` plays. */
const DUELS = 32;

Deno.test("Lab: delaying, bursting, withholding and lying about the clock win no duels (SPEC 1.4, 1.5, 5.5) [seed 1]", () => {
  const results = runCheats(1, DUELS);
  assertGreater(results.length, 5);
  for (const result of results) {
    assertGreater(result.decided, DUELS / 2, result.name);
    assert(!paysOff(result), `${result.name} won ${result.winShare}`);
  }
});

Deno.test("Lab: who does not cheat wins half of his duels with seats swapped: the same match, seen from both sides [seed 2]", () => {
  const [honest] = runCheats(2, DUELS, [{ name: "honest" }]);
  assertGreater(honest!.decided, DUELS / 2);
  assertEquals(honest!.winShare, 0.5);
  assertLess(chanceMargin(honest!), 0.25);
});

Deno.test("paysOff: only what chance does not explain", () => {
  const result = (decided: number, winShare: number) => paysOff({ name: "x", duels: decided, decided, winShare });
  assertEquals([result(400, 0.54), result(400, 0.56), result(25, 0.56), result(0, 0)], [false, true, false, false]);
  assertEquals(CHEATS.length, new Set(CHEATS.map(({ name }) => name)).size);
});
