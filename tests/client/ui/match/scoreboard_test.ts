import { assertEquals } from "@std/assert";
import { placeOf, SCORE_ROWS_MAX, visibleScores } from "../../../../client/ui/match/scoreboard.ts";
import { scoresOf, standings } from "../scores.ts";

/** The seats of the visible rows. */
function visibleSeats(count: number, ownRank: number): number[] {
  return visibleScores(scoresOf(count, ownRank)).map((score) => score.seat);
}

Deno.test("visibleScores: shows the whole of a short list", () => {
  assertEquals(visibleSeats(SCORE_ROWS_MAX, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(visibleSeats(0, 0), []);
});

Deno.test("visibleScores: shows the best of a long list, and always the own row", () => {
  assertEquals(visibleSeats(12, 3), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(visibleSeats(12, 10), [0, 1, 2, 3, 4, 5, 6, 10]);
  assertEquals(visibleSeats(12, -1), [0, 1, 2, 3, 4, 5, 6, 7]); // a spectator has none
});

Deno.test("placeOf: equal scores share the better place", () => {
  const scores = standings([9, 4, 4, 1]);
  assertEquals(scores.map((score) => placeOf(score, scores)), [1, 2, 2, 4]);
});

Deno.test("placeOf: NPCs have places among players (SPEC 25.10)", () => {
  const [ash, wren, bot] = standings([4, 1, 9]);
  const scores = [{ ...bot!, npc: true }, ash!, wren!];
  assertEquals(scores.map((score) => placeOf(score, scores)), [1, 2, 3]);
});
