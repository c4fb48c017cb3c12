/** What the lobby makes of what people type. */
import { assertEquals } from "@std/assert";
import { DEFAULT_ROOM, nameFrom, NAMES, PLAYER_NAME_LENGTH_MAX, roomFrom } from "../../client/lobby.ts";
import { browserTest } from "../browser/chromium.ts";
import { openWords } from "./words.ts";

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

browserTest(
  "Lobby: Watch is there for who listens, and tells the same as Play; either waits for the other",
  async (browser) => {
    const page = await openWords(browser);
    const watch = page.locator("#watch");
    assertEquals(await watch.isVisible(), false);
    const heard = await page.evaluateHandle(() => {
      const heard: unknown[] = [];
      lobby.onPlay((entry) => heard.push("play", entry));
      lobby.onWatch((entry) => heard.push("watch", entry));
      return heard;
    });
    await page.fill("#name", "  Ada ");
    await page.fill("#room", "dusk");
    await watch.click();
    assertEquals(await heard.jsonValue(), ["watch", { name: "Ada", room: "DUSK" }]);
    assertEquals([await watch.innerText(), await page.innerText("#play")], ["Joining…", "Play"]);
    assertEquals([await watch.isDisabled(), await page.isDisabled("#play")], [true, true]);

    await page.evaluate(() => lobby.show("The server is away. Trying again…"));
    await page.press("#name", "Enter");
    assertEquals((await heard.jsonValue()).slice(2), ["play", { name: "Ada", room: "DUSK" }]);
    assertEquals([await watch.innerText(), await page.innerText("#play")], ["Watch", "Joining…"]);
    await page.evaluate(() => lobby.hide());
    assertEquals(await page.evaluate(() => document.activeElement?.tagName), "BODY");
  },
);
