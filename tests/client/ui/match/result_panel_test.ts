import { assertEquals } from "@std/assert";
import { nextRoundText, resultText } from "../../../../client/ui/match/result_panel.ts";
import { standings } from "../scores.ts";

Deno.test("resultText: names the winner, calls the player you, and reports a draw", () => {
  const textOf = (points: number[], own = false) =>
    resultText({ round: 2, scores: standings(points, own), players: "dragons" });
  assertEquals(textOf([7, 3]), "Ash wins round 2 with 7 points.");
  assertEquals(textOf([1, 0]), "Ash wins round 2 with 1 point.");
  assertEquals(textOf([7, 3], true), "You win round 2 with 7 points!");
  assertEquals(textOf([7, 7, 3], true), "Round 2 is a draw: you and Wren have 7 points.");
  assertEquals(textOf([7, 7, 7, 3]), "Round 2 is a draw: Ash, Wren and Gale have 7 points.");
  assertEquals(textOf([7, 7, 7, 7]), "Round 2 is a draw: 4 dragons have 7 points.");
  assertEquals([textOf([0, 0]), textOf([])], [
    "Nobody scored in round 2.",
    "Nobody scored in round 2.",
  ]);
});

Deno.test("resultText: NPCs win nothing while there are players, and a lone player beats nobody (SPEC 8.19)", () => {
  const textOf = (players: number[], npcs: number[], own = false) => {
    const bots = standings(npcs).map((score) => ({
      ...score,
      name: `Drifter ${score.seat}`,
      npc: true,
    }));
    return resultText({
      round: 2,
      scores: [...standings(players, own), ...bots],
      players: "dragons",
    });
  };
  assertEquals(textOf([7, 3], [9]), "Ash wins round 2 with 7 points.");
  assertEquals(textOf([1], [9], true), "You scored 1 point in round 2.");
  assertEquals(textOf([0, 0], [9]), "Only bots scored in round 2.");
  assertEquals(textOf([], [9, 1]), "Drifter 0 wins round 2 with 9 points.");
});

Deno.test("nextRoundText: asks players for a flap, confirms it, and asks spectators for nothing", () => {
  const next = (ready: boolean, isSpectating: boolean) =>
    nextRoundText({ secondsLeft: 5.2, ready, isSpectating, readyHint: "flap when you are ready" });
  assertEquals(next(false, false), "Next round in 6 s — flap when you are ready");
  assertEquals(next(true, false), "You are ready · next round in 6 s");
  assertEquals(next(false, true), "Next round in 6 s");
});
