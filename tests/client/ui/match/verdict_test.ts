import { assertEquals } from "@std/assert";
import type { Score } from "../../../../client/presentation/view.ts";
import { nextText, roundText, setText } from "../../../../client/ui/match/verdict.ts";
import { outcomeOf } from "../../../../shared/netcode/round_outcome.ts";
import { standings } from "../scores.ts";

const round = { number: 2, set: undefined };
const players = "dragons";

/** The best first, as pages sort them. */
function sorted(scores: readonly Score[]): Score[] {
  return [...scores].sort((a, b) => b.score - a.score);
}

Deno.test("roundText: names the winner, calls the player you, and says who drew (SPEC 25.11)", () => {
  const textOf = (points: number[], own = false) =>
    roundText({ round, scores: standings(points, own), players });
  assertEquals(textOf([7, 3]), "Ash wins round 2 with 7 points.");
  assertEquals(textOf([1, 0]), "Ash wins round 2 with 1 point.");
  assertEquals(textOf([7, 3], true), "You win round 2 with 7 points!");
  assertEquals(textOf([7, 7, 3], true), "Round 2 is a draw: you and Wren have 7 points.");
  assertEquals(textOf([7, 7, 7, 3]), "Round 2 is a draw: Ash, Wren and Gale have 7 points.");
  assertEquals(
    textOf([7, 7, 7, 7]),
    "Round 2 is a draw: Ash, Wren, Gale and another one have 7 points.",
  );
  assertEquals([textOf([0, 0]), textOf([])], [
    "Nobody scored in round 2.",
    "Nobody scored in round 2.",
  ]);
  assertEquals(textOf([1], true), "You scored 1 point in round 2.");
});

Deno.test("roundText: an NPC wins and draws as a player does, and the stored outcome names the same (SPEC 25.10, 25.12)", () => {
  const scores = (people: number[], npcs: number[]) =>
    sorted([
      ...standings(people, true),
      ...standings(npcs).map((score) => ({
        ...score,
        seat: 16 + score.seat,
        name: `Hunter ${score.seat + 1}`,
        npc: true,
      })),
    ]);
  const textOf = (people: number[], npcs: number[]) =>
    roundText({ round, scores: scores(people, npcs), players });
  assertEquals(textOf([7, 3], [25]), "Hunter 1 wins round 2 with 25 points.");
  assertEquals(textOf([7, 3], [7]), "Round 2 is a draw: you and Hunter 1 have 7 points.");
  assertEquals(textOf([4, 4], [25]), "Hunter 1 wins round 2 with 25 points.");

  const named = (list: readonly Score[]) => list.map(({ name }) => name);
  assertEquals(named(outcomeOf(scores([7, 3], [25])).winners), ["Hunter 1"]);
  assertEquals(named(outcomeOf(scores([7, 3], [7])).winners), []);
  assertEquals(named(outcomeOf(scores([7, 3], [7])).drew), ["Ash", "Hunter 1"]);
});

Deno.test("setText: rounds decide, then the total, which is called so; a draw says who drew (SPEC 25.13)", () => {
  const of = (rows: readonly (readonly [wins: number, total: number])[]) =>
    setText({
      players,
      scores: standings(rows.map(() => 1), true).map((score, i) => ({
        ...score,
        wins: rows[i]![0],
        total: rows[i]![1],
      })),
    });
  assertEquals(of([[2, 9], [1, 30]]), "You win the match with 2 rounds and 9 points in total!");
  assertEquals(of([[1, 9], [1, 30]]), "Wren wins the match with 1 round and 30 points in total.");
  assertEquals(
    of([[1, 9], [1, 9], [0, 40]]),
    "The match is a draw: you and Wren have 1 round and 9 points in total.",
  );
  assertEquals(of([[0, 0], [0, 0]]), "Nobody scored in this match.");
});

Deno.test("roundText, nextText: a round of a set says which one it is, and a podium offers a rematch (SPEC 25.1, 25.5)", () => {
  const set = { round: 2, of: 3, isOver: false };
  const scores = standings([7, 3], true).map((score, i) => ({ ...score, ready: i === 1 }));
  assertEquals(
    roundText({ round: { number: 8, set }, scores, players }),
    "You win round 2 of 3 with 7 points!",
  );

  const next = (isOver: boolean, ready: boolean, isSpectating = false) =>
    nextText({
      round: { number: 8, phase: "result", secondsLeft: 5.2, set: { ...set, isOver } },
      scores,
      ready,
      isSpectating,
      readyHint: "flap when you are ready",
    });
  assertEquals(next(false, false), "Next round in 6 s — flap when you are ready · 1 of 2 ready");
  assertEquals(next(false, true), "You are ready · next round in 6 s · 1 of 2 ready");
  assertEquals(next(false, false, true), "Next round in 6 s · 1 of 2 ready");
  assertEquals(next(true, false), "Rematch in 6 s — flap when you are ready · 1 of 2 ready");
});
