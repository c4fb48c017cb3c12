/** What lies over the picture: it gives way to players, and reads well on any screen. */
import { assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import type { KitFrame } from "../../client/game_kit/kit_frame.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { openWords } from "../client/ui/words.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { shoot } from "./shots.ts";

const GAMES = ["dragons", "puck", "haul"] as const;
/** Samples in which the own dragon is beneath a panel. */
const BENEATH = 60;
/** The share of all samples in which a panel may hide it, and of those beneath one: while it fades. */
const HIDDEN_SHARE_MAX = 0.02;
const HIDDEN_BENEATH_MAX = 0.2;

interface PageGlobals {
  readonly wyvernScene?: KitFrame;
  /** Words that the page has drawn, with the font and the place of the newest time, canvas pixels. */
  drawn: Map<string, { readonly font: string; readonly x: number; readonly y: number }>;
  samples: Samples;
}

interface Samples {
  beneath: number;
  hidden: number;
  all: number;
}

async function play(browser: Browser, url: string, options: Parameters<Browser["newPage"]>[0]) {
  const page = await browser.newPage(options);
  await page.addInitScript(() => {
    const drawn = (globalThis as unknown as PageGlobals).drawn = new Map();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...most) {
      drawn.set(text, { font: this.font, x, y });
      return fillText.call(this, text, x, y, ...most);
    };
  });
  await page.goto(url);
  await page.fill("#name", "Ash");
  await page.click("#play");
  await page.waitForFunction(() => {
    const { wyvernScene, drawn } = globalThis as unknown as PageGlobals;
    return wyvernScene?.own !== undefined && drawn.has("Ash");
  });
  return page;
}

/**
 * Flies to and fro under the upper panels, and counts with each frame whether the own dragon is
 * beneath one of them, and whether that one can be seen through. Runs in the page.
 */
function flyBeneathPanels(): void {
  const samples: Samples = { beneath: 0, hidden: 0, all: 0 };
  const { drawn } = globalThis as unknown as PageGlobals;
  const key = (type: string, code: string) => dispatchEvent(new KeyboardEvent(type, { code }));
  let frames = 0;
  const fly = () => {
    requestAnimationFrame(fly);
    frames++;
    if (frames % 14 === 0) key("keydown", "ArrowUp");
    if (frames % 14 === 4) key("keyup", "ArrowUp");
    const isLeft = frames % 240 < 120;
    if (frames % 240 === 0) key("keyup", "ArrowRight");
    if (frames % 240 === 120) key("keyup", "ArrowLeft");
    if (frames % 20 === 0) key("keydown", isLeft ? "ArrowLeft" : "ArrowRight");

    // Its name is just above it.
    const arena = document.querySelector<HTMLCanvasElement>("#arena")!;
    const place = drawn.get("Ash")!;
    const ratio = arena.clientWidth / arena.width;
    const x = place.x * ratio;
    const y = place.y * ratio + 16;
    samples.all++;
    for (const panel of document.querySelectorAll("#where, #timer, #scores, #help, #feed")) {
      const { left, top, right, bottom } = panel.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) continue;
      const { opacity, visibility } = getComputedStyle(panel);
      if (visibility === "hidden") continue;
      samples.beneath++;
      if (Number(opacity) > 0.5) samples.hidden++;
      break;
    }
  };
  Object.assign(globalThis, { samples });
  fly();
}

browserTest(
  "dragons: no panel hides the own dragon, in a small window either (SPEC 8.90)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0", "--seed", "5", "--idle", "0");
    for (const [width, height] of [[640, 360], [1280, 720]] as const) {
      const page = await play(browser, `${server.url}#W${width === 640 ? "ALF" : "HOL"}`, {
        viewport: { width, height },
      });
      await page.evaluate(flyBeneathPanels);
      await page.waitForFunction(
        (least) => (globalThis as unknown as PageGlobals).samples.beneath >= least,
        BENEATH,
      );
      const { beneath, hidden, all } = await page.evaluate(() =>
        (globalThis as unknown as PageGlobals).samples
      );
      const figures = `hidden in ${hidden} of ${beneath} samples beneath, of ${all}`;
      await shoot(page, `faint_${width}x${height}.png`);
      assertLessOrEqual(hidden / all, HIDDEN_SHARE_MAX, figures);
      assertLessOrEqual(hidden / beneath, HIDDEN_BENEATH_MAX, figures);
      assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
      await page.close();
    }
  },
);

browserTest(
  "page: names grow with the letters of the HUD, on a large screen and with large text (SPEC 13.205)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "0");
    const sizeOn = async (url: string, viewport: { width: number; height: number }) => {
      const page = await play(browser, url, { viewport });
      // The letters of the page are measured some times a second.
      const size = async (least: number) => {
        const found = await page.waitForFunction((least) => {
          const { font } = (globalThis as unknown as PageGlobals).drawn.get("Ash")!;
          const px = Number(/([\d.]+)px/.exec(font)![1]);
          return px > least && px;
        }, least);
        return await found.jsonValue() as number;
      };
      const normal = await size(viewport.height / 100);
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 32 } });
      const doubled = viewport.height > 1080 ? normal : await size(1.2 * normal);
      await shoot(page, `names_${viewport.height}.png`);
      await page.close();
      return { normal, doubled };
    };
    for (const game of GAMES) {
      const desktop = await sizeOn(`${server.url}${game}/#GROW`, { width: 1280, height: 720 });
      assertLess(desktop.normal, 16);
      assertGreater(desktop.doubled, 1.2 * desktop.normal, "200 % text");
      const large = await sizeOn(`${server.url}${game}/#LARG`, { width: 3840, height: 2160 });
      assertGreater(large.normal, 25);
    }
  },
);

browserTest(
  "page: on a phone the thumbs' pictures lie beside the arena, upright below it, in every game (SPEC 8.96)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "1");
    const phone = { hasTouch: true, isMobile: true };
    for (const game of GAMES) {
      const viewport = { width: 844, height: 390 };
      const page = await play(browser, `${server.url}${game}/#THUM`, { ...phone, viewport });
      for (const [width, height] of [[844, 390], [667, 375], [740, 360]] as const) {
        await page.setViewportSize({ width, height });
        const covering = await page.evaluate(() => {
          const arena = document.querySelector("#arena")!.getBoundingClientRect();
          const pictures = [...document.querySelectorAll("#touch span")]
            .map((picture) => picture.getBoundingClientRect());
          return {
            count: pictures.length,
            over: pictures.filter(({ left, right }) => left < arena.right && right > arena.left),
          };
        });
        assertGreater(covering.count, 1);
        assertEquals(covering.over, [], `${game} ${width}×${height}`);
        await shoot(page, `${game}_phone_${width}.png`);
      }
      assertEquals(await seriousFindings(page, { isMeasurable: false }), []);

      // Upright, the own thing stands above the zone for thumbs.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForFunction(() => {
        const arena = document.querySelector<HTMLCanvasElement>("#arena")!;
        const { top } = document.querySelector("#touch")!.getBoundingClientRect();
        const name = (globalThis as unknown as PageGlobals).drawn.get("Ash")!;
        return arena.width < arena.height && name.y * arena.clientWidth / arena.width < top;
      });
      await shoot(page, `${game}_phone_upright.png`);
      await page.close();
    }
  },
);

browserTest(
  "page: forced colours leave chips and teams theirs; a game of teams offers no colours (SPEC 8.94, 8.95)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "all", "--npcs", "3");
    const colourOf = (page: Page, selector: string, property: string) =>
      page.evaluate(
        ([selector, property]) =>
          getComputedStyle(document.querySelector(selector!)!).getPropertyValue(property!),
        [selector, property],
      );
    const page = await browser.newPage({ forcedColors: "active" });
    await page.goto(`${server.url}puck/#TEAM`);
    assertEquals(await page.locator("#colours").isVisible(), false);
    await page.selectOption(".choices select", "blue");
    await page.click("#play");
    await page.locator("#teams li").nth(1).waitFor();
    await page.locator("#scores .own .chip").waitFor();
    // axe measures words on the card by colours that this mode replaces.
    await page.click("#skip-flight");
    const blue = "rgb(47, 127, 230)";
    assertEquals(await colourOf(page, "#scores .own .chip", "background-color"), blue);
    assertEquals(await colourOf(page, "#teams .own", "border-bottom-color"), blue);
    assertEquals(await colourOf(page, "#teams li:not(.own)", "border-bottom-style"), "dashed");
    const text = await colourOf(page, "#clock", "color");
    assertEquals(await colourOf(page, ".team-name", "color"), text, "words have the mode's colour");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "forced_puck.png");

    await page.goto(`${server.url}dragons/#FORC`);
    assertEquals(await page.locator("#colours").isVisible(), true);
    await shoot(page, "forced_lobby.png");
  },
);

browserTest(
  "page: Invite stands beside the match for a minute, and then in the menu; the next match has it again (SPEC 8.91)",
  async (browser) => {
    const page = await openWords(browser, { viewport: { width: 1280, height: 720 } });
    const placeAt = (nowMs: number) =>
      page.evaluate((nowMs) => {
        menu.advance(nowMs);
        return document.querySelector("#invite")!.parentElement!.id;
      }, nowMs);
    await page.evaluate(() => {
      lobby.hide();
      menu.reset({ isSolo: false });
    });
    assertEquals([await placeAt(5_000), await placeAt(64_999)], ["tools", "tools"]);
    await page.evaluate(() => {
      document.querySelector<HTMLElement>("#hud")!.hidden = false;
      document.querySelector<HTMLElement>("#invite")!.focus();
    });
    assertEquals(await placeAt(65_000), "tools", "it has the focus");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    assertEquals(await placeAt(65_001), "menu");
    await page.click("#open-menu");
    await page.click("#menu #invite");
    assertEquals(await page.locator("#menu").isVisible(), false);
    await page.evaluate(() => menu.reset({ isSolo: false }));
    assertEquals(await placeAt(80_000), "tools");
  },
);
