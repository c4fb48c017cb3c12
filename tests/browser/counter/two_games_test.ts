/**
 * Two games on one server, as players meet them: the list, both lobbies, play, reload, watch,
 * settings, overlay.
 */
import { assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import { TwoGames } from "../../support/two_games.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

interface AnySession {
  readonly phase: string;
  readonly seat: number;
  readonly isInSync: boolean;
  readonly stats: { readonly desyncs: number };
  readonly poses: { readonly head: { findBySeat(seat: number): unknown } };
}

/** Waits until the page's player has a body. @returns the seat */
async function untilSeated(page: Page): Promise<number> {
  await page.waitForFunction(() => {
    const { wyvern: session } = globalThis as unknown as { wyvern?: AnySession };
    return session?.phase === "playing" && session.isInSync &&
      session.poses.head.findBySeat(session.seat) !== undefined;
  });
  return await page.evaluate(() => (globalThis as unknown as { wyvern: AnySession }).wyvern.seat);
}

const textsOf = (page: Page, selector: string) => page.locator(selector).allInnerTexts();
const pathOf = (page: Page) => new URL(page.url()).pathname;

/**
 * Plays from the list to a match, and comes back to the same seat after a reload.
 * @returns the room's code
 */
async function playFromList(
  page: Page,
  { url, game }: { url: string; game: string },
): Promise<string> {
  await page.goto(url);
  await page.click(`a[href="/${game}/"]`);
  await page.waitForURL(`${url}${game}/`);
  await page.waitForSelector("#all-games", { state: "visible" });
  await page.click("#play");
  const seat = await untilSeated(page);
  // The address changes with the first frame.
  await page.waitForURL(/\/play#[A-Z]{4}$/);
  assertEquals(pathOf(page), `/${game}/play`);
  const { hash } = new URL(page.url());
  await page.reload();
  assertEquals(await untilSeated(page), seat, "the same seat after a reload");
  const tokens = await page.evaluate(() => Object.keys(sessionStorage));
  assertEquals(tokens.includes(`wyvern.seat.${game}.${hash.slice(1)}`), true, tokens.join());
  return hash.slice(1);
}

browserTest(
  "games: a list leads to both games; each is played, reloaded and watched below its name (SPEC 7.17, 8.11, 8.27)",
  async (browser) => {
    await using games = await TwoGames.open("--npcs", "2");
    const { url } = games;
    const list = await browser.newPage({ viewport: { width: 900, height: 600 } });
    const faults: string[] = [];
    list.on("pageerror", (error) => faults.push(error.message));
    await list.goto(url);
    await list.waitForFunction(() => document.querySelectorAll(".players:empty").length === 0);
    assertEquals(await textsOf(list, ".name"), ["Counter", "Dragons"]);
    assertEquals(await textsOf(list, ".players"), ["Nobody plays now", "Nobody plays now"]);
    assertEquals(await seriousFindings(list, { isMeasurable: false }), []);
    await list.keyboard.press("Tab");
    assertEquals(
      await list.evaluate(() => document.activeElement?.getAttribute("href")),
      "/counter/",
    );
    await shoot(list, "games.png");

    const counter = await browser.newPage();
    const dragons = await browser.newPage();
    const code = await playFromList(counter, { url, game: "counter" });
    await playFromList(dragons, { url, game: "dragons" });
    await list.waitForFunction(() =>
      [...document.querySelectorAll(".players")].every(({ textContent }) =>
        textContent === "1 player now"
      )
    );

    const watcher = await browser.newPage();
    await watcher.goto(`${url}counter/watch#${code}`);
    await watcher.waitForFunction(() =>
      (globalThis as unknown as { wyvern?: AnySession }).wyvern?.isInSync === true
    );
    await watcher.waitForSelector("#watching", { state: "visible" });
    await counter.keyboard.press("F3");
    await counter.waitForSelector("#debug");
    await counter.keyboard.press("F3");
    await counter.click("#open-menu");
    await counter.click("#leave");
    await counter.waitForSelector("#lobby:not([hidden])");
    assertEquals(pathOf(counter), "/counter/");
    assertGreater((await textsOf(counter, "#rooms-title")).length, 0);
    await counter.click("#all-games");
    await counter.waitForURL(url);
    assertEquals(await textsOf(counter, "h1"), ["Wyvern"]);
    assertEquals(faults, []);
  },
);

browserTest(
  "games: a lost connection is made again in each game, with the same seat (SPEC 3.4, 8.4)",
  async (browser) => {
    await using games = await TwoGames.open("--npcs", "0");
    for (const game of ["counter", "dragons"]) {
      const page = await browser.newPage();
      await page.addInitScript(() => {
        const sockets: WebSocket[] = [];
        const Native = WebSocket;
        Object.assign(globalThis, {
          sockets,
          WebSocket: class extends Native {
            constructor(...args: ConstructorParameters<typeof WebSocket>) {
              super(...args);
              sockets.push(this);
            }
          },
        });
      });
      await page.goto(`${games.url}${game}/#BACK`);
      await page.click("#play");
      const seat = await untilSeated(page);
      await page.evaluate(() =>
        (globalThis as unknown as { sockets: WebSocket[] }).sockets[0]!.close(4999)
      );
      await page.waitForFunction(() =>
        (globalThis as unknown as { sockets: WebSocket[] }).sockets.length === 2
      );
      assertEquals(await untilSeated(page), seat, game);
      assertEquals(pathOf(page), `/${game}/play`);
      await page.close();
    }
  },
);

browserTest(
  "games: volume holds for all games, keys and colour for one (SPEC 13.35)",
  async (browser) => {
    await using games = await TwoGames.open();
    const context = await browser.newContext();
    const page = await context.newPage();
    const stored = () =>
      page.evaluate(() => Object.fromEntries(Object.entries(localStorage))) as Promise<
        Record<string, string>
      >;

    // As a page of the time before several games left it.
    await page.addInitScript(() => {
      if (localStorage.length === 0) {
        localStorage.setItem("wyvern.settings", '{"colour":"mint","volume":0.25}');
      }
    });
    await page.goto(`${games.url}dragons/`);
    assertEquals(await page.locator('#colours input[value="mint"]').isChecked(), true);
    await page.goto(`${games.url}counter/`);
    await page.click('#colours input[value="white"]');
    await page.click("#lobby-controls");
    await page.waitForSelector("#volume"); // the dialog's script is loaded first
    assertEquals(await page.inputValue("#volume"), "0.25");
    await page.fill("#volume", "0.75");
    const { "wyvern.settings": text, ...rest } = await stored();
    const { volume, colour, "colour.counter": own } = JSON.parse(text!);
    assertEquals([volume, colour, own, Object.keys(rest)], [0.75, "mint", "white", []]);
    await page.goto(`${games.url}dragons/`);
    assertEquals(await page.locator('#colours input[value="mint"]').isChecked(), true);
    await page.click("#lobby-controls");
    await page.waitForSelector("#volume");
    assertEquals(await page.inputValue("#volume"), "0.75");
  },
);
