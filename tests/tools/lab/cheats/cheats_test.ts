import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { CHEATS } from "../links/cheating_link.ts";
import { chanceMargin, isProfitable, runCheats, shareOf } from "./cheats.ts";

/** Fewer than `deno task lab cheats` plays. */
const DUELS = 32;

Deno.test("Lab: delaying, bursting, withholding and lying about the clock win no duels (SPEC 1.4, 1.5, 5.5) [seed 1]", () => {
  const results = runCheats(1, DUELS);
  assertGreater(results.length, 5);
  for (const result of results) {
    // The cheat with a lead that goes up and down rarely meets the other dragon. About ten of its
    // duels are decided, compared with twenty or more of most others.
    assertGreater(result.decided, DUELS / 4, result.name);
    assert(!isProfitable(result), `${result.name} won ${result.winShare}`);
  }
});

Deno.test("Lab: a player that does not cheat wins half of the duels with seats swapped: both matches are the same [seed 2]", () => {
  const [honest] = runCheats(2, DUELS, [{ name: "honest" }]);
  assertGreater(honest!.decided, DUELS / 2);
  assertEquals(honest!.winShare, 0.5);
  assertLess(chanceMargin(honest!), 0.25);
});

Deno.test("isProfitable: true only for a share that chance does not explain", () => {
  /** @param pairs the number of pairs, each with this score */
  const result = (pairs: number, won: number, lost: number) =>
    isProfitable({ name: "x", duels: 0, ...shareOf(new Array(pairs).fill({ won, lost })) });
  assertEquals([result(100, 8, 8), result(100, 9, 7), result(4, 8, 7), result(0, 0, 0)], [
    false,
    true,
    false,
    false,
  ]);

  // Two pairs are enough if they agree.
  assertEquals(result(2, 14, 0), true);

  // Ten pairs that each go one way are less than 160 independent duels.
  const clumped = shareOf([
    ...new Array(7).fill({ won: 12, lost: 4 }),
    ...new Array(3).fill({ won: 4, lost: 12 }),
  ]);
  assertEquals([clumped.winShare, isProfitable({ name: "x", duels: 160, ...clumped })], [
    0.6,
    false,
  ]);
  assertGreater(clumped.winShare, 0.5 + 1 / Math.sqrt(clumped.decided));
  assertEquals(CHEATS.length, new Set(CHEATS.map(({ name }) => name)).size);
});
