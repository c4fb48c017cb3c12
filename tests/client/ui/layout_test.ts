/** Each screen of the page at every width, with normal and with doubled text. */
import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import type { HudValues } from "../../../client/presentation/match_presenter.ts";
import { browserTest } from "../../browser/chromium.ts";
import { shoot } from "../../browser/shots.ts";
import { layoutFaultsOf } from "./layout_faults.ts";
import { openWords } from "./words.ts";

const PHONES = [[320, 568], [390, 844], [390, 664], [844, 390], [750, 342], [667, 375]] as const;
const TABLETS = [[768, 1024], [1024, 768]] as const;
const DESKTOPS = [[1280, 720], [1920, 1080], [3440, 1440]] as const;
/** Text sizes in percent: 200 is the text size that WCAG 1.4.4 requires. */
const TEXT_PERCENTS = [100, 200];

/** The longest words that the HUD can show. */
const BUSY: HudValues = {
  room: "WWWW",
  pingMs: 1234,
  scores: Array.from({ length: 12 }, (_, i) => (
    { seat: i < 8 ? i : 8 + i, name: "WWWWWWWWW 16", score: 40 - i, own: i === 7, npc: i >= 8 }
  )),
  round: { number: 88, phase: "playing", secondsLeft: 9 },
  ready: false,
  isSpectating: false,
  proof: { ticks: 123_456, differences: 12, rollbacks: 4321 },
  notice:
    "Connection lost. Trying again in 2 s… A bot plays your dragon; its seat is yours for 26 s.",
};

/** The page's states in turn, by the name of the screenshot. */
const SCREENS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  lobby: (page) =>
    page.evaluate(() => {
      bestList.show([{ name: "Wren", wins: 12, rounds: 40, best: 9 }, {
        name: "WWWWWWWWWWWW",
        wins: 3,
        rounds: 4,
        best: 20,
      }]);
      lobby.show("This page and the server are of different versions. Please reload.", "reload");
      document.querySelector("#lobby-help")!.textContent =
        "Left thumb: fly · right thumb: flap, and fire above it";
    }),
  controls: (page) => page.evaluate(() => settingsPanel.open()),
  how: (page) =>
    page.evaluate(() => {
      document.querySelector<HTMLDialogElement>("#controls")!.close();
      howItWorks.open();
    }),
  invitation: (page) =>
    page.evaluate(() => {
      document.querySelector<HTMLDialogElement>("#how")!.close();
      const link = `https://long.name.of.a.host.example.org/dragons/play#WWWW.${"W".repeat(22)}`;
      inviteDialog.open({ room: "WWWW", link, isCopied: true });
    }),
  begin: (page) =>
    page.evaluate((values) => {
      document.querySelector<HTMLDialogElement>("#invitation")!.close();
      lobby.hide();
      document.querySelector("#help")!.textContent =
        document.querySelector("#lobby-help")!.textContent;
      hud.show({ ...values, notice: "" }, 0);
    }, BUSY),
  match: (page) =>
    page.evaluate((values) => {
      hud.show(values, 0);
      for (let i = 0; i < 6; i++) hud.report({ verb: "unseated", doer: i, victim: i + 1 });
    }, BUSY),
  oneButton: (page) => page.evaluate(() => document.body.classList.add("one-button")),
  watching: (page) =>
    page.evaluate((values) => {
      document.body.classList.remove("one-button");
      hud.show({ ...values, isSpectating: true }, 0);
    }, BUSY),
  result: (page) =>
    page.evaluate(
      (values) =>
        hud.show({ ...values, round: { number: 88, phase: "result", secondsLeft: 8 } }, 0),
      { ...BUSY, notice: "" },
    ),
  menu: (page) =>
    page.evaluate(() => {
      menu.reset({ isSolo: true });
      menu.open(new Event("test"));
    }),
};

async function faultsOf(
  browser: Browser,
  sizes: readonly (readonly [number, number])[],
  { hasTouch, textPercent }: { hasTouch: boolean; textPercent: number },
): Promise<string[]> {
  const page = await openWords(browser, { hasTouch, isMobile: hasTouch, reducedMotion: "reduce" });
  const session = await page.context().newCDPSession(page);
  const standard = 16 * textPercent / 100;
  await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  assertEquals(
    await page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)"),
    standard,
  );
  const faults: string[] = [];

  for (const [name, show] of Object.entries(SCREENS)) {
    await show(page);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const found = await layoutFaultsOf(page, { hasTouch });
      faults.push(
        ...found.map((fault) => `${name} ${width}×${height} at ${textPercent} %: ${fault}`),
      );
      if (name === "match" && textPercent === 100) {
        await shoot(page, `match_${width}x${height}.png`);
      }
    }
  }

  // On a phone the words beside the arena grow as far as there is room.
  const hudSize = await page.evaluate(() =>
    parseFloat(getComputedStyle(document.querySelector("#hud")!).fontSize)
  );
  assertGreaterOrEqual(hudSize, hasTouch ? 16 : standard);
  await page.close();
  return faults;
}

browserTest(
  "page: nothing overlaps and nothing is cut off, at any width and with doubled text",
  async (browser) => {
    const faults: string[] = [];
    for (const textPercent of TEXT_PERCENTS) {
      faults.push(
        ...await faultsOf(browser, [...PHONES, ...TABLETS], { hasTouch: true, textPercent }),
      );
      faults.push(...await faultsOf(browser, DESKTOPS, { hasTouch: false, textPercent }));
    }
    assertEquals(faults, []);
  },
);

/** The boxes of all shown elements that match. */
const boxesOf = (page: Page, selector: string) =>
  page.evaluate((selector) =>
    [...document.querySelectorAll(selector)]
      .filter((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
      .map((element) => element.getBoundingClientRect().toJSON() as DOMRect), selector);

browserTest(
  "page: on a phone on its side thumbs and scores leave the arena free; hints take turns; words grow with the screen",
  async (browser) => {
    const phone = await openWords(browser, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 844, height: 390 },
    });
    await SCREENS.begin!(phone);
    assertEquals(await phone.locator("#scores li:visible .name").allInnerTexts(), [
      "WWWWWWWWW 16",
      "WWWWWWWWW 16 (you)",
    ]);
    const [clock] = await boxesOf(phone, "#timer");
    const [scores] = await boxesOf(phone, "#scores");
    assertEquals(
      scores!.top < clock!.bottom && scores!.left - clock!.right < 16,
      true,
      "the scores are beside the clock",
    );
    const [arena] = await boxesOf(phone, "#arena");
    const pictures = await boxesOf(phone, "#touch span");
    assertEquals(pictures.length, 4);
    assertEquals(
      pictures.filter(({ left, right }) => left < arena!.right && right > arena!.left),
      [],
    );

    // The hints are above the thumbs, one at a time.
    const hintsAt = async (timeMs: number) => {
      await phone.evaluate((timeMs) => {
        for (const animation of document.getAnimations()) animation.currentTime = timeMs;
      }, timeMs);
      return [(await boxesOf(phone, "#help")).length, (await boxesOf(phone, "#turn")).length];
    };
    assertEquals([await hintsAt(100), await hintsAt(10_900), await hintsAt(12_000)], [[1, 0], [
      1,
      0,
    ], [0, 0]]);
    await phone.setViewportSize({ width: 390, height: 844 });
    const upright = [await hintsAt(100), await hintsAt(12_000), await hintsAt(19_000)];
    assertEquals(upright, [[1, 0], [0, 1], [0, 0]]);
    await phone.setViewportSize({ width: 768, height: 1024 });
    assertEquals(
      [await hintsAt(100), await hintsAt(12_000)],
      [[0, 0], [0, 0]],
      "a tablet needs no hint",
    );

    const desktop = await openWords(browser, { viewport: { width: 1920, height: 1080 } });
    const size = () =>
      desktop.evaluate(() => Math.round(parseFloat(getComputedStyle(document.body).fontSize)));
    assertEquals(await size(), 16);
    await desktop.setViewportSize({ width: 3840, height: 2160 });
    assertEquals(await size(), 32);
  },
);
