/** The first flight: what a visitor's controls do, while the match goes on. */
import { assertEquals, assertGreater } from "@std/assert";
import type { BrowserContextOptions, Page } from "playwright-core";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

const wordsOf = (page: Page) => page.locator("#first-flight li").allInnerTexts();

async function play(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.click("#play");
  await page.waitForFunction(() => globalThis.wyvern?.phase === "playing");
}

browserTest(
  "page: a first visitor reads what each control does, tries them, and is asked no second time (SPEC 8.138)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--data", "off");
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await play(page, `${server.url}play#FRST`);
    await page.waitForSelector("#first-flight");
    assertEquals(await wordsOf(page), ["← → Fly left, fly right", "↑ Flap", "F Breathe fire"]);
    assertEquals(await page.evaluate(() => document.activeElement?.tagName), "BODY");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "first_flight.png");
    const tick = await page.evaluate(() => wyvern!.definitiveTick);
    await page.keyboard.press("ArrowRight", { delay: 80 });
    await page.waitForSelector("#first-flight li:first-child.done");
    await page.keyboard.press("ArrowUp", { delay: 80 });
    await page.keyboard.press("KeyF", { delay: 80 });
    await page.waitForFunction(() =>
      document.querySelector("#flight-title")?.textContent === "That is all. Good luck!"
    );
    await page.waitForSelector("#first-flight", { state: "detached" });
    assertGreater(await page.evaluate(() => wyvern!.definitiveTick), tick, "the match went on");

    // It is not loaded again, in this match or the next.
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.click("#open-menu");
    await page.click("#leave");
    await page.click("#play");
    await page.waitForFunction(() => document.querySelector("#lobby")!.hasAttribute("hidden"));
    await page.waitForFunction((tick) => wyvern!.definitiveTick > tick, tick);
    assertEquals(asked.filter((url) => url.includes("first_flight")), []);
    assertEquals(await page.locator("#first-flight").count(), 0);
  },
);

browserTest(
  "page: the first flight is skipped by key and by touch, and ends by itself; a watcher has none (SPEC 8.138)",
  async (browser) => {
    await using server = await ServerProcess.start(
      "--games",
      "all",
      "--npcs",
      "1",
      "--data",
      "off",
    );

    // By a key, in another game with its own controls
    const puck = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
    await play(puck, `${server.url}puck/play#FRST`);
    await puck.waitForSelector("#first-flight");
    assertGreater((await wordsOf(puck)).length, 1);
    await shoot(puck, "first_flight_puck.png");
    assertEquals(
      await puck.evaluate(() =>
        document.querySelector("#first-flight")!.getAnimations({ subtree: true }).length
      ),
      0,
    );
    await puck.keyboard.press("Enter");
    await puck.waitForSelector("#first-flight", { state: "detached" });

    // By touch: the card lets every other touch through.
    const phone = await (await browser.newContext(PHONE)).newPage();
    await play(phone, `${server.url}dragons/play#FRST`);
    await phone.waitForSelector("#first-flight");
    assertEquals((await wordsOf(phone))[0], "Left thumb Fly left, fly right");
    const isOpen = await phone.evaluate(() => {
      const { x, y } = document.querySelector("#flight-title")!.getBoundingClientRect();
      return document.elementFromPoint(x + 2, y + 2)!.closest("#first-flight") === null;
    });
    assertEquals(isOpen, true);
    await shoot(phone, "first_flight_phone.png");
    await phone.tap("#skip-flight");
    await phone.waitForSelector("#first-flight", { state: "detached" });

    // Nobody does anything: it ends by itself. Who only watches has no controls.
    const watcher = await (await browser.newContext()).newPage();
    const scripts: string[] = [];
    watcher.on("request", (request) => scripts.push(request.url()));
    await watcher.goto(`${server.url}dragons/watch#FRST`);
    await watcher.waitForSelector("#watching:not([hidden])");
    assertEquals(scripts.filter((url) => url.includes("first_flight")), []);
    const idle = await (await browser.newContext()).newPage();
    await play(idle, `${server.url}haul/play#FRST`);
    await idle.waitForSelector("#first-flight");
    await idle.waitForSelector("#first-flight", { state: "detached" });
    assertEquals(
      await idle.evaluate(() =>
        Object.keys(localStorage).some((key) => key.startsWith("wyvern.flown."))
      ),
      true,
    );
  },
);
