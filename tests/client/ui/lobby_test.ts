/** What the lobby makes of what people type, and of what the server says of its rooms. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { formatPageUrl, isRoomCode, newRoomCode, parsePageUrl, sanitizeRoomCode } from "../../../client/ui/page_url.ts";
import { NAMES, PLAYER_NAME_LENGTH_MAX, sanitizeName } from "../../../client/ui/lobby.ts";
import { bestRoom, type Listing, occupancyText } from "../../../client/ui/room_list.ts";
import { browserTest } from "../../browser/chromium.ts";
import { openWords } from "./words.ts";

Deno.test("sanitizeRoomCode: four letters, whatever is around them", () => {
  assertEquals(sanitizeRoomCode("#play"), "PLAY");
  assertEquals(sanitizeRoomCode(" p-l a.y!"), "PLAY");
  assertEquals(sanitizeRoomCode("WYVERN"), "WYVE");
  assertEquals(sanitizeRoomCode("äb1c"), "BC");
  assertEquals(sanitizeRoomCode(""), "");
});

Deno.test("parsePageUrl: an invitation, a watcher's link, and an address without either", () => {
  const pageUrl = (pathname: string, hash: string) => parsePageUrl({ pathname, hash });
  assertEquals(pageUrl("/play", "#DUEL"), { room: "DUEL", spectate: false });
  assertEquals(pageUrl("/watch", "#duel"), { room: "DUEL", spectate: true });
  assertEquals(pageUrl("/", "#DUEL"), { room: "DUEL", spectate: false });
  assertEquals(pageUrl("/", "#DU"), { room: "", spectate: false });
  for (const spectate of [false, true]) {
    const { pathname, hash, search } = new URL(formatPageUrl({ room: "DUEL", spectate }, "?rtt=9"), "http://x");
    assertEquals([pageUrl(pathname, hash), search], [{ room: "DUEL", spectate }, "?rtt=9"]);
  }
});

Deno.test("newRoomCode: any of all codes, and nothing else", () => {
  assertEquals([newRoomCode(() => 0), newRoomCode(() => 0.999999)], ["AAAA", "ZZZZ"]);
  assert(isRoomCode(newRoomCode(() => 0.5)));
});

Deno.test("sanitizeName: one line, no needless space, cut at a whole character", () => {
  assertEquals(sanitizeName("  Ada\n\tLovelace "), "Ada Lovelace");
  assertEquals(sanitizeName("x\u202ey"), "x y"); // no turning the text of others around
  assertEquals(sanitizeName(" \n "), "");
  assertEquals(sanitizeName("🐉".repeat(40)), "🐉".repeat(PLAYER_NAME_LENGTH_MAX));
  assertEquals(sanitizeName("abcdefghijk lmn"), "abcdefghijk");
});

Deno.test("NAMES: each is one that the lobby accepts", () => {
  for (const name of NAMES) assertEquals(sanitizeName(name), name);
});

const listing = (code: string, players: number, watchers = 0): Listing => ({ code, players, seats: 16, watchers });

Deno.test("bestRoom: the most company that still leaves room to fly", () => {
  assertEquals(bestRoom([listing("FULL", 16), listing("CROW", 8), listing("NICE", 5), listing("LONE", 1)]), "NICE");
  assertEquals(bestRoom([listing("EYES", 0, 3), listing("CROW", 9)]), undefined);
  assertEquals(bestRoom([]), undefined);
});

Deno.test("occupancyText: who is there, in words", () => {
  assertEquals(occupancyText(listing("A", 1)), "1 player");
  assertEquals(occupancyText(listing("A", 3, 1)), "3 players · 1 watching");
  assertEquals(occupancyText(listing("A", 16)), "16 players: full");
});

browserTest(
  "Lobby: each button says what it does; Join and Watch ask for a room; each waits for the others",
  async (browser) => {
    const page = await openWords(browser);
    const watch = page.locator("#watch"), play = page.locator("#play"), join = page.locator("#go");
    const heard = await page.evaluateHandle(() => {
      const heard: unknown[] = [];
      lobby.onEnter((entry) => heard.push(entry));
      return heard;
    });
    assertEquals(await play.innerText(), "Play now");
    await page.fill("#name", "  Ada ");
    for (const button of [watch, join]) {
      await button.click();
      assertEquals(await page.innerText("#lobby-notice"), "A room is four letters, A to Z.");
      assertEquals(await page.evaluate(() => document.activeElement?.id), "room");
    }
    await page.fill("#room", "dusk");
    assertEquals(await play.innerText(), "Play now", "what is typed belongs to the button beside it");
    await watch.click();
    await page.waitForFunction((heard) => heard.length === 1, heard);
    assertEquals(await heard.jsonValue(), [{ name: "Ada", room: "DUSK", spectate: true }]);
    assertEquals([await watch.innerText(), await play.innerText()], ["Joining…", "Play now"]);
    for (const button of [watch, play, join]) assertEquals(await button.isDisabled(), true);

    await page.evaluate(() => lobby.show("Connection lost."));
    await page.press("#room", "Enter");
    await page.waitForFunction((heard) => heard.length === 2, heard);
    assertEquals((await heard.jsonValue())[1], { name: "Ada", room: "DUSK", spectate: false });
    assertEquals([await join.innerText(), await play.innerText()], ["Joining…", "Play now"]);

    await page.evaluate(() => lobby.show("Connection lost."));
    await page.press("#name", "Enter");
    await page.waitForFunction((heard) => heard.length === 3, heard);
    const { name, room, spectate: spectates } = (await heard.jsonValue())[2] as {
      name: string;
      room: string;
      spectate: boolean;
    };
    assertEquals([name, spectates], ["Ada", false]);
    assertMatch(room, /^[A-Z]{4}$/); // no server tells of rooms here: a new one
    assertEquals(room === "DUSK", false);
    assertEquals([await watch.innerText(), await play.innerText()], ["Watch", "Joining…"]);
    await page.evaluate(() => lobby.show());
    await page.evaluate(() => location.hash = "#DAWN");
    await page.waitForFunction(() => document.querySelector("#play")?.textContent === "Play in room DAWN");
    await play.click();
    await page.waitForFunction((heard) => heard.length === 4, heard);
    assertEquals((await heard.jsonValue())[3], { name: "Ada", room: "DAWN", spectate: false });
    await page.evaluate(() => lobby.hide());
    assertEquals(await page.evaluate(() => document.activeElement?.tagName), "BODY");
  },
);
