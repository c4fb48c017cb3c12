/** Spectators: the director, whom they choose instead, and the names that they see. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import type { KitFrame } from "../../../client/game_kit/kit_frame.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

interface PageGlobals {
  readonly wyvernScene?: KitFrame;
  /** Words that the page has drawn, with the font and the place of the newest time, canvas pixels. */
  words: Map<string, { readonly font: string; readonly x: number; readonly y: number }>;
}

const GAMES = ["dragons", "puck", "haul"] as const;
const DESKTOP = { viewport: { width: 1280, height: 720 } };
const UPRIGHT = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LYING = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** Joins a room of a game as Ash, who does nothing. */
async function join(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
  await page.goto(`${url}#SEEN`);
  await page.fill("#name", "Ash");
  await page.click("#play");
  await page.waitForFunction(() =>
    (globalThis as unknown as PageGlobals).wyvernScene?.own !== undefined
  );
  return page;
}

/** Opens a page that watches, and notes the words that it draws. */
async function watch(
  browser: Browser,
  url: string,
  options: Parameters<Browser["newPage"]>[0],
): Promise<Page> {
  const page = await browser.newPage(options);
  await page.addInitScript(() => {
    const words = (globalThis as unknown as PageGlobals).words = new Map();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      const [x, y] = place;
      words.set(text, { font: this.font, x, y });
      return fillText.call(this, text, ...place);
    };
  });
  await page.goto(`${url}watch#SEEN`);
  await untilSaid(page, /^Director: ./);
  return page;
}

const untilSaid = (page: Page, words: RegExp) =>
  page.locator("#watched span", { hasText: words }).waitFor();

/** The seat that the newest frame follows; −1 for none. */
const followedSeat = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as PageGlobals).wyvernScene!.followed?.seat ?? -1);

browserTest(
  "haul: the director leaves who stands still for the first of the race; keys, buttons and fingers switch (SPEC 13.61, 13.200)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "2", "--seed", "24");
    const url = `${server.url}haul/`;
    await join(browser, url);
    for (const [name, device] of Object.entries({ DESKTOP, UPRIGHT, LYING })) {
      const page = await watch(browser, url, device);

      // Ash stands at the start, so the race is where a bot is.
      await untilSaid(page, /^Director: Bot \d$/);
      assertGreater(await followedSeat(page), 15);
      await page.keyboard.press("ArrowRight");
      await untilSaid(page, /^Ash$/);
      assertEquals(await followedSeat(page), 0);
      await page.keyboard.press("ArrowRight");
      await untilSaid(page, /^Bot 1$/);
      const button = page.getByRole("button", { name: "Follow the player before" });
      await (name === "DESKTOP" ? button.click() : button.tap());
      await untilSaid(page, /^Ash$/);
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /^Director: /);

      // Two buttons of a finger's size, in the window.
      const { x, y, width, height } = (await button.boundingBox())!;
      const { viewport } = device;
      assertLess(0, Math.min(x, y));
      assertLess(x + width, viewport.width);
      assertLess(y + height, viewport.height);
      if (name !== "DESKTOP") assertLess(43, Math.min(width, height));
      assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
      await shoot(page, `haul_watcher_${name.toLowerCase()}.png`);
      await page.close();
    }
  },
);

browserTest(
  "page: who watches any game sees all names, a part of the view around the followed one, and follows whom they click (SPEC 13.61, 13.201, 13.202)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "2", "--seed", "24");
    for (const game of GAMES) {
      const url = `${server.url}${game}/`;
      const player = await join(browser, url);
      const page = await watch(browser, url, DESKTOP);

      // Everybody's name is drawn, wherever they are in the picture.
      await page.waitForFunction(() => {
        const { wyvernScene, words } = globalThis as unknown as PageGlobals;
        const labels = wyvernScene!.things.filter(({ seat }) => seat >= 0).map(({ label }) =>
          label
        );
        return labels.length > 2 && labels.every((label) => words.has(label));
      });
      await shoot(page, `${game}_watched.png`);

      // A click beside Ash follows Ash, whose name is bold then.
      await page.keyboard.press("ArrowRight");
      await untilSaid(page, game === "haul" ? /^Ash$/ : /^Everybody$/);
      if (game === "haul") {
        await page.keyboard.press("ArrowRight");
        await untilSaid(page, /^Bot 1$/);
        await page.keyboard.press("ArrowLeft");
        await untilSaid(page, /^Ash$/);
      } else {
        assertEquals(await followedSeat(page), -1);
        await clickOn(page, "Ash");
        await untilSaid(page, /^Ash$/);
      }
      assertEquals(await followedSeat(page), 0);
      await page.waitForFunction(() =>
        /^(700|bold)/.test((globalThis as unknown as PageGlobals).words.get("Ash")?.font ?? "")
      );
      await shoot(page, `${game}_watched_ash.png`);
      await page.close();
      await player.close();
    }
  },
);

/** Clicks below a player's name until the page follows them. */
async function clickOn(page: Page, name: string): Promise<void> {
  for (let tries = 0; tries < 20 && await followedSeat(page) !== 0; tries++) {
    const { x, y } = await page.evaluate((name) => {
      const { width, clientWidth } = document.querySelector<HTMLCanvasElement>("#arena")!;
      const place = (globalThis as unknown as PageGlobals).words.get(name)!;
      return { x: place.x * clientWidth / width, y: place.y * clientWidth / width };
    }, name);
    await page.mouse.click(x, y + 12);
    await page.evaluate(() =>
      new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))
    );
  }
}
