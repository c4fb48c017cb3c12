/** Spectators look back in a match that goes on, and come back to it. */
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { HonestBot } from "../../support/honest_bot.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import { focused, plugIn, press } from "../ways/plugged_pad.ts";
import "../pages/page_globals.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LYING = { viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true };
const TICK_HZ = 20;
/** More controls than the page has. */
const CONTROLS_MAX = 40;

/** What the bar shows; undefined while the match is shown live. */
const shownTick = (page: Page) =>
  page.evaluate(() => {
    const timeline = document.querySelector<HTMLInputElement>("#rewind-timeline");
    return timeline === null || timeline.hidden ? undefined : Number(timeline.value);
  });
const liveTick = (page: Page) => page.evaluate(() => wyvern!.head);
const untilBack = (page: Page) => page.waitForSelector("#rewind-timeline", { state: "visible" });
const untilLive = (page: Page) => page.waitForSelector("#rewind-timeline", { state: "hidden" });

/** Waits for so many frames. */
const frames = (page: Page, count: number) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }, count);

async function watch(page: Page, url: string): Promise<void> {
  await page.goto(`${url}watch#PAST`);
  await page.waitForSelector("#rewind-back", { state: "visible" });
}

browserTest(
  "watch: the past of a match that goes on, by keys and by touch, and from there forward to live again (SPEC 8.193, 8.194)",
  async (browser) => {
    using data = await TemporaryData.make();
    await using server = await ServerProcess.start("--data", data.folder, "--npcs", "3");
    const bot = new HonestBot(server.url, { name: "Wren", seed: 1, room: "PAST" });
    await bot.until(() => bot.session.definitiveTick > 16 * TICK_HZ);

    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    const logs: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("request", (request) => request.url().endsWith("/log") && logs.push(request.url()));
    await watch(page, server.url);
    assertEquals(await shownTick(page), undefined);
    assertEquals(logs, [], "the log is fetched when somebody looks back");

    // Back, and the past plays on while the match does
    await page.keyboard.press("KeyJ");
    await untilBack(page);
    const first = (await shownTick(page))!;
    const behind = await liveTick(page) - first;
    assertGreater(behind, 9 * TICK_HZ);
    assertMatch(await page.innerText("#rewind-behind"), /^−0:\d\d\.\d$/);
    await page.waitForFunction(
      (first) =>
        Number(document.querySelector<HTMLInputElement>("#rewind-timeline")!.value) > first,
      first + 10,
    );
    assert(await page.isVisible("#watching"), "it is still said that one watches");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "rewind.png");

    // A pause stands still, and the match goes on behind it
    await page.keyboard.press("KeyK");
    await frames(page, 2);
    const paused = await shownTick(page);
    const live = await liveTick(page);
    const picture = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>("#arena")!.toDataURL());
    const still = await picture();
    await page.waitForFunction((live) => wyvern!.head > live + 20, live);
    assertEquals(await shownTick(page), paused);
    assertEquals(await picture(), still);
    assertEquals(await page.innerText("#rewind-toggle"), "Play");
    await page.keyboard.press("KeyJ");
    await frames(page, 3);
    assertLess((await shownTick(page))!, paused!);

    // End leads to the match as it is now
    await page.keyboard.press("End");
    await untilLive(page);
    await page.waitForFunction(
      () => globalThis.wyvernScene!.world.tick >= wyvern!.head - 2,
    );

    // Forward by play alone: a longer log is fetched on the way
    const fetched = logs.length;
    await page.keyboard.press("KeyJ");
    await untilBack(page);
    await page.keyboard.press("KeyK");
    await page.waitForFunction((before) => wyvern!.head > before + 120, await liveTick(page));
    await page.keyboard.press("KeyK");
    await page.selectOption("#rewind-speed", "4");
    await untilLive(page);
    assertGreater(logs.length, fetched + 1, "another one than the first");
    assertEquals(await page.innerText("#rewind-notice"), "");
    await page.close();

    // Touch, on both sides of a phone
    for (const [name, options] of Object.entries({ upright: PHONE, lying: LYING })) {
      const phone = await browser.newPage(options);
      await watch(phone, server.url);
      await phone.tap("#rewind-back");
      await untilBack(phone);
      await phone.tap("#rewind-toggle");
      await phone.locator("#rewind-timeline").fill("0");
      await frames(phone, 3);
      assertEquals(await shownTick(phone), 0);
      assertEquals(await seriousFindings(phone, { isMeasurable: false }), []);
      await shoot(phone, `rewind_${name}.png`);
      const outside = await phone.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("#rewind :is(button, input, select)")].filter(
          (part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
          },
        ).map(({ id }) => id)
      );
      assertEquals(outside, []);
      await phone.tap("#rewind-live");
      await untilLive(phone);
      await phone.close();
    }
    assertEquals(errors, []);
    bot.stop();
  },
);

browserTest(
  "watch: a gamepad alone looks back, pauses, seeks, changes the speed and comes back to live (SPEC 8.193, 8.198)",
  async (browser) => {
    using data = await TemporaryData.make();
    await using server = await ServerProcess.start("--data", data.folder, "--npcs", "3");
    const bot = new HonestBot(server.url, { name: "Wren", seed: 1, room: "PAST" });
    await bot.until(() => bot.session.definitiveTick > 12 * TICK_HZ);

    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await plugIn(page);
    await watch(page, server.url);

    // Down leads from the match to the bar, whatever else stands on the page
    const goTo = async (id: string) => {
      for (let i = 0; await focused(page) !== id; i++) {
        assertLess(i, CONTROLS_MAX, `${id} is not on the way`);
        const turns = await page.evaluate(() =>
          document.activeElement!.matches("select, input[type=range]")
        );
        await press(page, turns ? "down" : "right");
      }
    };
    await goTo("rewind-back");
    await press(page, "a");
    await untilBack(page);
    await goTo("rewind-toggle");
    await press(page, "a");
    assertEquals(await page.innerText("#rewind-toggle"), "Play");

    // A pause seeks by the timeline: one press is a twentieth of it
    const paused = (await shownTick(page))!;
    await page.focus("#rewind-timeline");
    await press(page, "left");
    await frames(page, 2);
    assertLess((await shownTick(page))!, paused);
    await page.focus("#rewind-speed");
    const speed = await page.inputValue("#rewind-speed");
    await press(page, "right");
    assert(await page.inputValue("#rewind-speed") !== speed, "another speed");
    await goTo("rewind-live");
    await press(page, "a");
    await untilLive(page);
    await page.close();
    bot.stop();
  },
);

browserTest(
  "watch: a server that keeps no log says so, and players have no past (SPEC 8.193)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    const player = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await player.goto(`${server.url}play#PAST`);
    await player.click("#play");
    await player.waitForFunction(() => globalThis.wyvernScene?.own !== undefined);
    const page = await browser.newPage();
    await watch(page, server.url);
    await page.click("#rewind-back");
    await page.locator("#rewind-notice", { hasText: "This server keeps no log of the match" })
      .waitFor();
    assertEquals(await shownTick(page), undefined);
    assertEquals(await player.locator("#rewind").count(), 0);
  },
);
