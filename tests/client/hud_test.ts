/** Which rows of a long scoreboard are shown. */
import { assertEquals } from "@std/assert";
import { SCORE_ROWS_MAX, visibleScores } from "../../client/hud.ts";

function scoresOf(count: number, ownRank: number) {
  return Array.from({ length: count }, (_, rank) => (
    { seat: rank, name: `n${rank}`, score: count - rank, own: rank === ownRank, npc: false }
  ));
}

function seats(count: number, ownRank: number): number[] {
  return visibleScores(scoresOf(count, ownRank)).map((score) => score.seat);
}

Deno.test("visibleScores: a short list is shown whole", () => {
  assertEquals(seats(SCORE_ROWS_MAX, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(seats(0, 0), []);
});

Deno.test("visibleScores: of a long list the best, and always the own row", () => {
  assertEquals(seats(12, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(seats(12, 10), [0, 1, 2, 3, 4, 5, 6, 10]);
  assertEquals(seats(12, -1), [0, 1, 2, 3, 4, 5, 6, 7]); // a spectator has none
});
