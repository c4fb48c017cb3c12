import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { PLANTED_CAUSES, PlantedMatch } from "./planted_causes.ts";

/** The least share of the corrections that a planted cause made, and that are given to it. */
const GIVEN_SHARE = 0.95;
/** The most share of the corrections that the cause did not make, and that are given to it all the same. */
const FALSELY_GIVEN_SHARE = 0.05;
const UNKNOWN_SHARE = 0.05;
/** Any other page is never called slow. */
const SLOW_PAGE = /slow|this page stalls/;
const SECONDS = 45;
const SEED = 1;

for (const cause of PLANTED_CAUSES) {
  Deno.test(`FlightReplay: ${cause.name}, and the corrections that this made are given to it [seed ${SEED}]`, () => {
    const result = new PlantedMatch(cause, SEED).run(SECONDS);
    const { corrections, planted, given, falselyGiven, falselyOnPage, unknown, divergences } = result;
    assertEquals(divergences, 0);
    assertGreater(planted, 4);
    assertGreater(given, GIVEN_SHARE * planted - 0.01, `${given} of ${planted}`);
    assertLess(falselyGiven, FALSELY_GIVEN_SHARE * corrections, `${falselyGiven} of ${corrections}`);
    assertLess(falselyOnPage, FALSELY_GIVEN_SHARE * corrections, `${falselyOnPage} of ${corrections}`);
    if (!SLOW_PAGE.test(cause.name)) assertEquals(falselyOnPage, 0);
    assertLess(unknown, UNKNOWN_SHARE * corrections);
  });
}
