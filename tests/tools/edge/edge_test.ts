import { assertEquals } from "@std/assert";
import { chromiumTest } from "../../browser/plain_chromium.ts";
import { allRuins, faultsOf, type Outcome, runRuins } from "./ruins.ts";

const BACK: Outcome = {
  stage: "tick",
  damage: "hang",
  isHidden: true,
  backSeconds: 10,
  isSameSeat: true,
  isScoreKept: true,
};

/** One for each stage, and one of each kind of damage. */
const SOME = [
  "shown, address: hang",
  "shown, welcome: swallow up",
  "hidden, open: swallow down",
  "hidden, tick: close to the server",
];

Deno.test("edge: each page that is not back in its seat in time, with its score, is named", () => {
  assertEquals(allRuins().length, 64);
  assertEquals(faultsOf([BACK]), []);
  const wrong: readonly Partial<Outcome>[] = [{ backSeconds: 10.1 }, { isSameSeat: false }, {
    isScoreKept: false,
  }];
  assertEquals(faultsOf(wrong.map((each) => ({ ...BACK, ...each }))), [
    "hidden, tick: hang                       back after 10.1 s",
    "hidden, tick: hang                       back after 10.0 s, in another seat",
    "hidden, tick: hang                       back after 10.0 s, without its score",
  ]);
  assertEquals(faultsOf([{ ...BACK, backSeconds: Infinity }]), [
    "hidden, tick: hang                       not back",
  ]);
});

chromiumTest(
  "edge: one connection is ruined at each stage, and each page is back in its seat (SPEC 8.50, 3.4)",
  async () => {
    const ruins = allRuins().filter(({ stage, damage, isHidden }) =>
      SOME.includes(`${isHidden ? "hidden" : "shown"}, ${stage}: ${damage}`)
    );
    assertEquals(ruins.length, SOME.length);
    const outcomes = await runRuins(ruins, { pages: 4, log: () => {} });
    assertEquals([outcomes.length, faultsOf(outcomes)], [SOME.length, []]);
  },
);
