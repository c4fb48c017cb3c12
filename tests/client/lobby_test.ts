/** What the lobby makes of what people type. */
import { assertEquals } from "@std/assert";
import { DEFAULT_ROOM, nameFrom, NAMES, PLAYER_NAME_LENGTH_MAX, roomFrom } from "../../client/lobby.ts";

Deno.test("roomFrom: four letters, whatever is around them", () => {
  assertEquals(roomFrom("#play"), "PLAY");
  assertEquals(roomFrom(" p-l a.y!"), "PLAY");
  assertEquals(roomFrom("WYVERN"), "WYVE");
  assertEquals(roomFrom("äb1c"), "BC");
  assertEquals(roomFrom(""), "");
  assertEquals(roomFrom(DEFAULT_ROOM), DEFAULT_ROOM);
});

Deno.test("nameFrom: one line, no needless space, cut at a whole character", () => {
  assertEquals(nameFrom("  Ada\n\tLovelace "), "Ada Lovelace");
  assertEquals(nameFrom("x\u202ey"), "x y"); // no turning the text of others around
  assertEquals(nameFrom(" \n "), "");
  assertEquals(nameFrom("🐉".repeat(40)), "🐉".repeat(PLAYER_NAME_LENGTH_MAX));
  assertEquals(nameFrom("abcdefghijk lmn"), "abcdefghijk");
});

Deno.test("NAMES: each is one that the lobby accepts", () => {
  for (const name of NAMES) assertEquals(nameFrom(name), name);
});
