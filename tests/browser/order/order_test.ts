/** Two pages in Chromium whose server only orders their commands, and what each of them shows. */
import { assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import "../pages/page_globals.ts";
import { shoot } from "../shots.ts";

const SIZE = { width: 960, height: 540 };

async function untilPlaying(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined
  );
}

browserTest(
  "page: in a match that the server only orders two pages play, with NPCs, names and proofs, and show the same (SPEC 24.1, 24.2, 24.3)",
  async (browser) => {
    await using server = await ServerProcess.start("--authority", "order", "--data", "off");
    const errors: string[] = [];
    const pages: Page[] = [];
    for (const name of ["Ash", "Birch"]) {
      const page = await (await browser.newContext({ viewport: SIZE })).newPage();
      page.on("pageerror", ({ message }) => errors.push(message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(`${server.url}play#ORDR`);
      await page.fill("#name", name);
      await page.click("#play:not([disabled])");
      await untilPlaying(page);
      pages.push(page);
    }

    // They move, and prove what they have computed
    for (const [i, page] of pages.entries()) {
      await page.keyboard.down(i === 0 ? "ArrowRight" : "ArrowLeft");
      for (let presses = 0; presses < 6; presses++) await page.keyboard.press("Space");
      await page.waitForFunction(() => wyvern!.stats.ticksProven > 100);
      assertGreater(await page.evaluate(() => wyvern!.simulation!.npcSeats.length), 0);
      assertEquals(await page.evaluate(() => wyvern!.names.size), 2);
    }
    await shoot(pages[1]!, "ordered_match.png");

    // One tick, on both pages
    const tick = await pages[0]!.evaluate(() => wyvern!.definitiveTick);
    const hashOf = async (page: Page) => {
      await page.waitForFunction((tick) => wyvern!.provenHash(tick) !== undefined, tick);
      return await page.evaluate((tick) => wyvern!.provenHash(tick), tick);
    };
    assertEquals(await hashOf(pages[0]!), await hashOf(pages[1]!));
    assertEquals(errors, []);
    assertEquals(/match_differs|room_simulated|referee_failed/.test(server.stdout), false);
  },
);
