/** What a page says without a network, and while a server that crashed is away. */
import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import type { Page } from "playwright-core";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

const untilSaid = (page: Page, selector: string, words: string) =>
  page.waitForFunction(
    ([selector, words]) => document.querySelector(selector!)?.textContent?.includes(words!),
    [selector, words],
  );

browserTest(
  "page: offline is called offline in the match, in the lobby and in the list of games, and is over with the network (SPEC 8.132)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "dragons,puck", "--data", "off");
    const context = await browser.newContext();
    const page = await context.newPage();
    const list = await context.newPage();
    await list.goto(server.url);
    await list.waitForSelector(".players:not(:empty)");
    await page.goto(`${server.url}dragons/play#GONE`);
    await page.click("#play");
    await untilPlaying(page);

    await context.setOffline(true);
    await untilSaid(list, "#list-notice", "You are offline.");
    await list.bringToFront();
    await shoot(list, "offline_list.png");
    assertEquals(await seriousFindings(list, { isMeasurable: false }), []);
    await page.bringToFront();
    // Chromium leaves open sockets alone, so the page has to notice a lost one.
    await page.evaluate(() => wyvern!.giveUp("the network is gone"));
    await untilSaid(page, "#notice", "You are offline. This page goes on by itself");
    await shoot(page, "offline_match.png");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await page.click("#open-menu");
    await page.click("#leave");
    await untilSaid(page, "#invited", "You are offline. You can practise alone");
    await shoot(page, "offline_lobby.png");
    assertEquals(await seriousFindings(page), []);

    await context.setOffline(false);
    await untilSaid(list, ".players", "Nobody plays now");
    assertEquals(await list.textContent("#list-notice"), "");
    await page.waitForFunction(() => document.querySelector("#invited")!.textContent === "");
    await page.click("#play");
    await untilPlaying(page);
  },
);

browserTest(
  "page: after a crash of the server it says that the match is saved, asks each second, then offers ways on, and comes back to its seat (SPEC 8.133)",
  async (browser) => {
    using data = await TemporaryData.make();
    const flags = ["--data", data.folder, "--npcs", "1"];
    const page = await browser.newPage();
    let server = await ServerProcess.start(...flags);
    const { port, url } = server;
    try {
      await page.goto(`${url}play#SAVE`);
      await page.click("#play");
      await untilPlaying(page);
      await page.waitForFunction(() => wyvern!.definitiveTick > 100);
      const seat = await page.evaluate(() => wyvern!.seat);
      let attempts = 0;
      page.on("request", (request) => request.url().endsWith("/join") && attempts++);
      await server.stop("SIGKILL");
      const tick = await page.evaluate(() => wyvern!.definitiveTick);

      await untilSaid(page, "#notice", "The server does not answer.");
      await untilSaid(page, "#notice", "The match is saved, and your seat waits for");
      assertEquals((await page.innerText("#notice")).includes("A bot plays"), false);
      await shoot(page, "after_kill.png");

      const question = page.locator("#question");
      await question.waitFor();
      // At once, after 0.25 and 0.5 s, and thirty more in half a minute
      assertEquals(attempts, 33);
      assertEquals(
        await page.innerText("#question-text"),
        "The server has not answered for half a minute. The match is saved, and goes on when it is back. This page goes on looking for it.",
      );
      assertEquals(await question.locator("button").allInnerTexts(), [
        "Go on waiting",
        "Practise alone",
        "Leave the match",
      ]);
      assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
      await shoot(page, "server_gone.png");

      // The question goes by itself when the server is back.
      server = await ServerProcess.start(...flags, "--port", String(port));
      await untilPlaying(page);
      await question.waitFor({ state: "hidden" });
      assertEquals(await page.evaluate(() => wyvern!.seat), seat);
      assertGreaterOrEqual(await page.evaluate(() => wyvern!.definitiveTick), tick);
    } finally {
      await server.stop("SIGKILL");
    }
  },
);
