import { assertEquals, assertMatch } from "@std/assert";
import { PRELOAD_MS_MAX } from "../../../client/ui/lobby.ts";
import { PLAYER_NAME_LENGTH_MAX, sanitizeName } from "../../../client/ui/player_name.ts";
import { browserTest } from "../../browser/chromium.ts";
import { openWords } from "./words.ts";

Deno.test("sanitizeName: one line without needless space, cut at a whole character", () => {
  assertEquals(sanitizeName("  Ada\n\tLovelace "), "Ada Lovelace");
  assertEquals(sanitizeName("x\u202ey"), "x y"); // no character that reverses other texts
  assertEquals(sanitizeName(" \n "), "");
  assertEquals(sanitizeName("🐉".repeat(40)), "🐉".repeat(PLAYER_NAME_LENGTH_MAX));
  assertEquals(sanitizeName("abcdefghijk lmn"), "abcdefghijk");
});

browserTest(
  "Lobby: each button says what it does, Join and Watch need a room, one press disables all (SPEC 8.18)",
  async (browser) => {
    const page = await openWords(browser);
    const watch = page.locator("#watch");
    const play = page.locator("#play");
    const join = page.locator("#go");
    const entries = await page.evaluateHandle(() => {
      const entries: unknown[] = [];
      lobby.onEnter((entry) => entries.push(entry));
      return entries;
    });
    assertEquals(await play.innerText(), "Play now");
    await page.fill("#name", "  Ada ");
    for (const button of [watch, join]) {
      await button.click();
      assertEquals(await page.innerText("#lobby-notice"), "A room is four letters, A to Z.");
      assertEquals(await page.evaluate(() => document.activeElement?.id), "room");
    }

    await page.fill("#room", "dusk");
    assertEquals(
      await play.innerText(),
      "Play now",
      "the text field belongs to the buttons beside it",
    );
    await watch.click();
    await page.waitForFunction((entries) => entries.length === 1, entries);
    assertEquals(await entries.jsonValue(), [{
      name: "Ada",
      room: "DUSK",
      spectate: true,
      choices: [],
    }]);
    assertEquals([await watch.innerText(), await play.innerText()], ["Joining…", "Play now"]);
    for (const button of [watch, play, join]) assertEquals(await button.isDisabled(), true);

    await page.evaluate(() => lobby.show("Connection lost."));
    await page.press("#room", "Enter");
    await page.waitForFunction((entries) => entries.length === 2, entries);
    assertEquals((await entries.jsonValue())[1], {
      name: "Ada",
      room: "DUSK",
      spectate: false,
      choices: [],
    });
    assertEquals([await join.innerText(), await play.innerText()], ["Joining…", "Play now"]);

    await page.evaluate(() => lobby.show("Connection lost."));
    await page.fill("#name", " ");
    await page.press("#name", "Enter");
    await page.waitForFunction((entries) => entries.length === 3, entries);
    const { name, room, spectate: spectates } = (await entries.jsonValue())[2] as {
      name: string;
      room: string;
      spectate: boolean;
    };
    assertEquals([name, spectates], ["", false], "the server draws a name");
    assertMatch(room, /^[A-Z]{4}$/); // no server lists rooms here, so the room is new
    assertEquals(room === "DUSK", false);
    assertEquals(
      await page.inputValue("#room"),
      "",
      "nobody can use the code of a room that is not open",
    );
    assertEquals([await watch.innerText(), await play.innerText()], ["Watch", "Joining…"]);
    await page.evaluate(() => lobby.show());
    await page.evaluate(() => location.hash = "#DAWN");
    await page.waitForFunction(() =>
      document.querySelector("#play")?.textContent === "Play in room DAWN"
    );
    await play.click();
    await page.waitForFunction((entries) => entries.length === 4, entries);
    assertEquals((await entries.jsonValue())[3], {
      name: "",
      room: "DAWN",
      spectate: false,
      choices: [],
    });
    await page.evaluate(() => lobby.hide());
    assertEquals(await page.evaluate(() => document.activeElement?.tagName), "BODY");
  },
);

browserTest(
  "Lobby: a button opens a private room, and an invitation's key is for its own room (SPEC 14.23)",
  async (browser) => {
    const page = await openWords(browser);
    const entries = await page.evaluateHandle(() => {
      const entries: unknown[] = [];
      lobby.onEnter((entry) => entries.push(entry));
      return entries;
    });

    // A private room has a code and a key that nobody else has, and an invitation leads into it.
    await page.click("#create-private");
    await page.waitForFunction((entries) => entries.length === 1, entries);
    const secret = (await entries.jsonValue())[0] as {
      room: string;
      key: string;
      spectate: boolean;
    };
    assertMatch(`${secret.room} ${secret.key}`, /^[A-Z]{4} [\w-]{22}$/);
    assertEquals(secret.spectate, false);
    await page.evaluate((key) => location.hash = `#NOON.${key}`, secret.key);

    for (const [id, spectate] of [["play", false], ["go", false], ["watch", true]] as const) {
      await page.evaluate(() => lobby.show());
      await page.waitForFunction(() =>
        document.querySelector("#play")?.textContent === "Play in room NOON"
      );
      await page.click(`#${id}`);
      await page.waitForFunction(
        (button) => document.querySelector<HTMLButtonElement>(`#${button}`)!.disabled,
        id,
      );
      const entry = { name: "", room: "NOON", spectate, choices: [], key: secret.key };
      assertEquals((await entries.jsonValue()).at(-1), entry);
    }

    // The key is for its own room.
    await page.evaluate(() => lobby.show());
    await page.fill("#room", "DUSK");
    await page.click("#go");
    await page.waitForFunction((entries) => entries.length === 5, entries);
    assertEquals((await entries.jsonValue())[4], {
      name: "",
      room: "DUSK",
      spectate: false,
      choices: [],
    });
  },
);

browserTest(
  "Lobby: Play shows how far the game's files are, and waits for them 20 s at most (SPEC 13.71)",
  async (browser) => {
    const page = await openWords(browser);
    /** What Play says at a moment, and whether it can be pressed. */
    const playAt = (nowMs: number, progress: number) =>
      page.evaluate(([nowMs, progress]) => {
        files.progress = progress!;
        lobby.advanceLoading(nowMs!);
        const play = document.querySelector<HTMLButtonElement>("#play")!;
        return [play.textContent, play.disabled];
      }, [nowMs, progress]);

    for (const isSlow of [false, true]) {
      await page.evaluate(() => {
        files.progress = 0;
        lobby = newWaitingLobby();
      });
      assertEquals(await playAt(1000, 0.257), ["Loading… 25 %", true]);
      const last = 1000 + PRELOAD_MS_MAX;
      assertEquals(await playAt(last - 1, 0.999), ["Loading… 99 %", true]);
      const [nowMs, progress] = isSlow ? [last, 0.999] : [last - 1, 1];
      assertEquals(await playAt(nowMs!, progress!), ["Play now", false]);
      assertEquals(await playAt(nowMs! + 1, 0.5), ["Play now", false]);
    }

    // A page that is led straight into a match
    const entries = await page.evaluateHandle(() => {
      const entries: { readonly room: string; readonly spectate: boolean }[] = [];
      files.progress = 0;
      lobby = newWaitingLobby();
      lobby.onEnter((entry) => entries.push(entry));
      lobby.enter("NOON", { spectate: true });
      return entries;
    });
    assertEquals(await playAt(0, 0.5), ["Loading… 50 %", true]);
    assertEquals(await entries.jsonValue(), []);
    await playAt(1, 1);
    await page.waitForFunction((entries) => entries.length > 0, entries);
    assertEquals((await entries.jsonValue()).map(({ room, spectate }) => [room, spectate]), [
      ["NOON", true],
    ]);
    await page.close();
  },
);
