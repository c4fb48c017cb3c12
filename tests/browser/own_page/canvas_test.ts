/** The example `examples/canvas`: a page of one's own on another site, in a real browser. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { Match } from "../../../client/package/session.ts";
import type { game } from "../../../shared/game_kit/templates/top/game.ts";
import type { TypesOf } from "../../../shared/game_kit/game_kit.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import { OtherSite } from "./site.ts";
import { yardServerFor } from "./yard_server.ts";

const CANVAS = new URL("../../../examples/canvas/", import.meta.url);

type YardMatch = Match<TypesOf<typeof game>>;

/** Reads the page's match in the page. */
function read<Result>(page: Page, select: (match: YardMatch) => Result): Promise<Result> {
  return page.evaluate(`(${select})(globalThis.match)`) as Promise<Result>;
}

/** Waits until something is so of the page's match. */
async function reach(page: Page, isReached: (match: YardMatch) => boolean): Promise<void> {
  await page.waitForFunction(`globalThis.match !== undefined && (${isReached})(globalThis.match)`);
}

/** Where a seat's car definitively is, metres. */
function placeOf(page: Page, seat: number): Promise<{ x: number; y: number }> {
  return page.evaluate(`(({ x, y }) => ({ x, y }))(
    globalThis.match.frame().definitive.player(${seat})
  )`);
}

/** Waits until a seat's car is more than 1 m from a place. */
async function hasLeft(page: Page, seat: number, place: { x: number; y: number }): Promise<void> {
  await page.waitForFunction(
    ({ seat, place }) => {
      const { match } = globalThis as unknown as { match: YardMatch };
      const { x, y } = match.frame().definitive.player(seat)!;
      return Math.hypot(x - place.x, y - place.y) > 1;
    },
    { seat, place },
  );
}

browserTest(
  "own page: two pages of another site play one room with NPCs by keys and fingers, come back to their seats, and never desync (SPEC 19.15)",
  async (browser) => {
    await using site = await OtherSite.of(CANVAS);
    await using server = await yardServerFor(site);

    // The second page comes by the first one's address
    const ash = await browser.newPage();
    const errors: string[] = [];
    ash.on("pageerror", ({ message }) => errors.push(message));
    await ash.goto(`${site.origin}/?server=${server.url}`);
    await reach(ash, ({ stats, players }) => stats.ticks > 40 && players.length === 4);
    assertMatch(ash.url(), /#[A-Z]{4}$/);
    const phone = await browser.newContext({
      viewport: { width: 390, height: 780 },
      hasTouch: true,
    });
    const wren = await phone.newPage();
    wren.on("pageerror", ({ message }) => errors.push(message));
    await wren.goto(ash.url());
    await reach(wren, ({ stats, players }) => stats.ticks > 40 && players.length === 5);

    // By keys, askew and through the middle: whoever meets a block slides along it
    const from = await placeOf(ash, 0);
    const keys = [
      from.x > 0 ? "ArrowLeft" : "ArrowRight",
      from.y > 0 ? "ArrowDown" : "ArrowUp",
    ];
    for (const key of keys) await ash.keyboard.down(key);
    await hasLeft(ash, 0, from);
    for (const key of keys) await ash.keyboard.up(key);

    // By a finger, which the other page sees
    const seat = await read(wren, ({ seat }) => seat);
    const { x, y } = await placeOf(ash, seat);
    await wren.mouse.move(x > 0 ? 20 : 370, y > 0 ? 500 : 280);
    await wren.mouse.down();
    await hasLeft(ash, seat, { x, y });
    await shoot(ash, "own_page.png");
    await shoot(wren, "own_page_phone.png");
    await wren.mouse.up();

    // A reload comes back to the seat
    await ash.reload();
    await reach(ash, ({ stats }) => stats.ticks > 40);
    assertEquals(await read(ash, ({ seat }) => seat), 0);
    for (const page of [ash, wren]) {
      assertEquals(await read(page, ({ stats }) => [stats.desyncs, stats.isInSync]), [0, true]);
      await reach(page, ({ players }) => players.length === 5);
    }
    assertEquals(errors, []);
    await phone.close();
  },
);
