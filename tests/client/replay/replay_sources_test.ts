import { assertEquals } from "@std/assert";
import { isStump, type Listing, winnerText } from "../../../client/replay/replay_sources.ts";

const wordsFor = (rounds: number, wins: Readonly<Record<string, number>>) =>
  winnerText({ match: "m", rounds, wins });

Deno.test("winnerText: who won most rounds, alone or with others (SPEC 8.137)", () => {
  assertEquals(wordsFor(0, {}), "");
  assertEquals(wordsFor(1, { Ash: 1 }), "Ash won");
  assertEquals(wordsFor(1, { Ash: 1, Wren: 1 }), "Ash and Wren won");
  assertEquals(wordsFor(5, { Ash: 3, Wren: 2 }), "Ash won 3 of 5 rounds");
  assertEquals(
    wordsFor(6, { Ash: 2, Rook: 2, Wren: 2 }),
    "Ash, Rook and Wren won 2 of 6 rounds each",
  );
  assertEquals(wordsFor(2, {}), "No player won", "NPCs are not counted");
});

Deno.test("isStump: a match without players, or of less than ten seconds (SPEC 8.137)", () => {
  const listing: Listing = {
    id: "m",
    room: "CROW",
    startedAt: 0,
    ticks: 200,
    tickHz: 20,
    players: 1,
  };
  assertEquals(isStump(listing), false);
  assertEquals(isStump({ ...listing, ticks: 199 }), true);
  assertEquals(isStump({ ...listing, players: 0, ticks: 20_000 }), true);
});
