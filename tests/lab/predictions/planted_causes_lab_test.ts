import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { PLANTED_CAUSES, PlantedMatch } from "./planted_causes.ts";

/** The least share of the corrections that a planted cause made, and that are given to it. */
const GIVEN_SHARE = 0.95;
/** The most share of the corrections that the cause did not make, and that are given to it all the same. */
const FALSELY_GIVEN_SHARE = 0.05;
const UNKNOWN_SHARE = 0.05;
const SECONDS = 45;
const SEED = 1;

for (const cause of PLANTED_CAUSES) {
  Deno.test(`FlightReplay: ${cause.name}, and the corrections that this made are given to it [seed ${SEED}]`, () => {
    const { corrections, planted, given, falselyGiven, unknown, divergences } = new PlantedMatch(cause, SEED).run(
      SECONDS,
    );
    assertEquals(divergences, 0);
    assertGreater(planted, 4);
    assertGreater(given, GIVEN_SHARE * planted - 0.01, `${given} of ${planted}`);
    assertLess(falselyGiven, FALSELY_GIVEN_SHARE * corrections, `${falselyGiven} of ${corrections}`);
    assertLess(unknown, UNKNOWN_SHARE * corrections);
  });
}
