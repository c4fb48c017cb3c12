import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Guesser } from "../../../../shared/netcode/game.ts";
import { puckPeople } from "../../people/puck/puck_people.ts";
import { type GuessRowOptions, runGuessRow } from "./guess_row.ts";

const MATCH: GuessRowOptions = {
  profile: "far",
  link: "ordered",
  players: 4,
  npcs: 0,
  seconds: 12,
  seed: 2,
  correlated: false,
};

for (const isJudging of [false, true]) {
  const whom = isJudging ? "who only judge" : "it was chosen on";
  Deno.test(`Lab: rivals in Puck are drawn nearer to where they are by the guesses of the kit than by assumed commands, with people ${whom} (SPEC 13.80) [seed 2]`, () => {
    const row = runGuessRow(puckPeople(isJudging), MATCH);
    assertLess(row.drawnErrorToAssumed, 0.98);
    assertLess(row.headErrorToAssumed, 1.01);
    assertLess(row.popMeterToAssumed, 1.05);
    assertEquals(
      Object.keys(row.drawnErrorToAssumedByStyle),
      isJudging ? ["charger", "dancer"] : ["swooper", "runner", "gunner", "collector"],
    );

    // A match in which everybody stands still would compare nothing.
    assertGreater(row.assumed.headErrorM, 0.08);
    assertGreater(row.assumed.thingsHeadErrorM, 0.002);
  });
}

Deno.test("Lab: the row of guesses repeats, and sees that a guesser is worse [seed 2]", () => {
  const people = puckPeople(false);
  const { command } = people.game;
  type Command = typeof command.neutral;
  const letsGo: Guesser<Command> = { learn() {}, guess: () => command.neutral };
  const worse = { ...people, game: { ...people.game, newGuesser: () => letsGo } };
  const options = { ...MATCH, seconds: 5 };
  const row = runGuessRow(worse, options);
  assertGreater(row.drawnErrorToAssumed, 1.1);
  assertGreater(row.headErrorToAssumed, 1.1);
  assert(Object.values(row.drawnErrorToAssumedByStyle).every((ratio) => ratio > 1));
  assertEquals(runGuessRow(worse, options), row);
});
