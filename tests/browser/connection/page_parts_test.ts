/** A page whose scripts come late, or no more because the server has another build. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";

browserTest(
  "page: a press before its script is there neither submits the form nor is a surprise later (SPEC 8.62)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    const page = await browser.newPage();
    const released = Promise.withResolvers<void>();
    await page.route(/\/main-.*\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    const address = `${server.url}play#SLOW`;
    await page.goto(address, { waitUntil: "commit" });
    const play = page.locator("#play");
    await play.waitFor();
    assertEquals([await play.innerText(), await play.isDisabled()], ["Loading…", true]);
    await play.click({ force: true });
    await page.fill("#name", "Ada");
    await page.press("#name", "Enter");
    await page.fill("#room", "SLOW");
    await page.press("#room", "Enter");
    assertEquals(page.url(), address, "no form was submitted");
    released.resolve();
    await play.click();
    await untilPlaying(page);
    assertEquals(await page.evaluate(() => wyvern!.names.get(wyvern!.seat)), "Ada");
  },
);

/** The buttons and keys that need a script of their own. */
const PARTS: readonly (readonly [script: RegExp, ask: (page: Page) => Promise<void>])[] = [
  [/\/settings_panel-.*\.js$/, async (page) => {
    await page.keyboard.press("Escape");
    await page.click("#match-controls");
  }],
  [/\/overlay-.*\.js$/, (page) => page.keyboard.press("F3")],
  [/\/overlay-.*\.js$/, (page) => page.keyboard.press("F8")],
];

browserTest(
  "page: a part of an older build that is gone is said, with a way to the new page and the old seat (SPEC 8.63)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.url}play#PART`);
    await page.click("#play");
    await untilPlaying(page);
    await page.waitForFunction(() => wyvern!.definitiveTick > 200);
    const seat = await page.evaluate(() => wyvern!.seat);
    const why = page.locator("#question-text");
    const reload = page.getByRole("button", { name: "Reload" });
    const notNow = page.getByRole("button", { name: "Not now" });

    for (const [script, ask] of PARTS) {
      await page.route(script, (route) => route.abort());
      await ask(page);
      await why.waitFor();
      assertEquals(await why.innerText(), "This part of the page does not come at the moment.");
      assertEquals(await reload.isVisible(), false);
      await notNow.click();
      await page.unroute(script);

      await page.route(
        script,
        (route) => route.fulfill({ status: 404, headers: { [SERVER_MARK]: "15" } }),
      );
      await ask(page);
      await reload.waitFor();
      assertEquals((await why.innerText()).startsWith("There is a new version of this page"), true);
      await notNow.click();
    }

    assertEquals(errors, []);
    await page.keyboard.press("F3");
    const loaded = page.waitForEvent("load");
    await reload.click();
    await loaded;
    await untilPlaying(page);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
  },
);
