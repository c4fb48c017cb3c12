/** Each state of the connection is produced for real, and its words are on the page. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { Proxy } from "../support/proxy.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { Stranger } from "../support/sockets/stranger.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { shoot } from "./shots.ts";

const SEATS = 16;

const untilSaid = (page: Page, selector: string, words: string) =>
  page.waitForFunction(
    ([selector, words]) => document.querySelector(selector!)?.textContent?.includes(words!),
    [
      selector,
      words,
    ],
  );
/** The same for words with a number of seconds, which a busy machine may make longer. */
const untilNotice = (page: Page, words: RegExp) =>
  page.waitForFunction(
    ([source]) => new RegExp(source!).test(document.querySelector("#notice")!.textContent!),
    [words.source],
  );
const untilSilent = (page: Page) =>
  page.waitForFunction(() => document.querySelector("#notice")?.textContent === "");

browserTest(
  "page: reports connecting, a silent server, and the return from a hidden tab (SPEC 4.5)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using proxy = new Proxy(server.port);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${proxy.port}/play#WORD`);
    await page.waitForFunction(() => document.querySelector("#server-ping")?.textContent !== "");
    proxy.stall();
    await page.click("#play");
    await untilSaid(page, "#lobby-notice", "Connecting…");
    assertEquals(await page.innerText("#play"), "Joining…");
    proxy.unstall();
    await untilPlaying(page);
    await untilSilent(page);

    proxy.stall();
    await untilNotice(page, /^Nothing from the server for \d+ s\. Catching up…$/);
    await shoot(page, "starved.png");
    proxy.unstall();
    await untilSilent(page);

    // The tab is hidden, and the page does nothing for two and a half seconds or a little more. The
    // notice has whole seconds, rounded up.
    await page.evaluate(() => {
      let hidden = true;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
      const wakeAtMs = performance.now() + 2500;
      while (performance.now() < wakeAtMs);
      hidden = false;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await untilNotice(page, /^Back after [3-9] s\. Catching up…$/);
    await untilSilent(page);
    await untilPlaying(page);
  },
);

browserTest(
  "page: waits at a room that nobody plays in, watches when somebody does, and says when all have left (SPEC 7.22, 7.23, 8.12)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    const page = await browser.newPage();

    // The room stays for half a minute, and the page looks again after up to 15 s.
    page.setDefaultTimeout(90_000);
    await page.goto(`${server.url}watch#NEXT`);
    await untilSaid(
      page,
      "#lobby-notice",
      "Nobody plays in this room. Play in it, or wait for somebody. Looking again in",
    );
    assertEquals(await page.innerText("#play"), "Play in room NEXT");
    assertEquals(await page.isEnabled("#play"), true);
    const player = await Stranger.join(server.port, { room: "NEXT" });
    void player.playUntil(() => false);
    await untilSaid(page, "#watching", "You are watching");
    await player.leave();
    await untilNotice(page, /^Nobody plays here any more\. Looking again in \d+ s…$/);
    const next = await Stranger.join(server.port, { room: "NEXT" });
    void next.playUntil(() => false);
    await untilSilent(page);
    next.cut();
  },
);

browserTest(
  "page: reports a full room, which can be watched, and another version, which a reload fixes",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0");
    const crowd = await Promise.all(
      Array.from({ length: SEATS }, () => Stranger.join(server.port, { room: "FULL" })),
    );
    const page = await browser.newPage();
    await page.goto(server.url);
    await untilSaid(page, "#room-list", "16 players: full");
    assertEquals(await page.locator("#room-list button:visible").allInnerTexts(), ["Watch"]);
    await page.fill("#room", "full");
    await page.press("#room", "Enter");
    await untilSaid(
      page,
      "#lobby-notice",
      "This room is full. You can watch it, or choose another.",
    );
    assertEquals(await page.evaluate(() => document.activeElement?.id), "watch");
    await page.keyboard.press("Enter");
    await untilSaid(page, "#watching", "You are watching");
    assertEquals(new URL(page.url()).pathname, "/watch");
    await page.click("#open-menu");
    await page.click("#leave");
    await page.waitForFunction(() => document.activeElement?.id === "play");

    // The link of a spectator joins without a key press.
    await page.goto(`${server.url}watch#FULL`);
    await untilSaid(page, "#watching", "You are watching");
    await page.click("#open-menu");
    await page.click("#leave");
    for (const each of crowd) each.cut();

    // The page reloads itself once. If it is still of another version, a stale cache is on the way.
    let olderLines = 2;
    await page.routeWebSocket(/socket/, (line) => {
      const far = line.connectToServer();
      const isOlder = olderLines-- > 0;
      let isFirst = true;
      line.onMessage((message) => {
        // The version is in the bits after the first two.
        if (isOlder && isFirst && typeof message !== "string") message[0]! ^= 1 << 7;
        isFirst = false;
        far.send(message);
      });
    });
    await page.reload();
    await Promise.all([page.waitForEvent("load"), page.click("#create")]);
    await page.click("#create");
    await untilSaid(
      page,
      "#lobby-notice",
      "This page and the server are of different versions. Please reload.",
    );
    assertEquals(await page.evaluate(() => document.activeElement?.id), "reload");
    await shoot(page, "version.png");

    // The new page has its text before its script, and a click in between would be lost.
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    assertEquals(await page.innerText("#lobby-notice"), "");
    await page.click("#play");
    await untilPlaying(page);
  },
);
