import { assertEquals } from "@std/assert";
import { bestRoom, type Listing } from "../../../../client/net/rooms.ts";
import { occupancyText } from "../../../../client/ui/lobby/room_list.ts";

const listing = (code: string, players: number, watchers = 0): Listing => ({
  code,
  players,
  seats: 16,
  playNow: 8,
  watchers,
});

Deno.test("bestRoom: the room with most players that still has space", () => {
  assertEquals(
    bestRoom([listing("FULL", 16), listing("CROW", 8), listing("NICE", 5), listing("LONE", 1)]),
    "NICE",
  );
  assertEquals(bestRoom([listing("EYES", 0, 3), listing("CROW", 9)]), undefined);
  assertEquals(bestRoom([]), undefined);
});

Deno.test("occupancyText: players and spectators in words", () => {
  assertEquals(occupancyText(listing("A", 1)), "1 player");
  assertEquals(occupancyText(listing("A", 3, 1)), "3 players · 1 watching");
  assertEquals(occupancyText(listing("A", 16)), "16 players: full");
  const options = { map: "cross", goals: "5" };
  assertEquals(
    occupancyText({ ...listing("A", 2, 3), options }),
    "2 players · 3 watching · map cross · goals 5",
  );
});
