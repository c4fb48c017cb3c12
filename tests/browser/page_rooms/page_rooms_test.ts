/**
 * Rooms that a page hosts, in a real browser: four pages play through a line with delay and loss,
 * their host is killed, and the room goes on.
 */
import { assertEquals, assertGreater } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import "../pages/page_globals.ts";
import { shoot } from "../shots.ts";
import { RelayedPages } from "./relayed_pages.ts";

/** A round trip of 80 ± 10 ms, and 2 % of loss. */
const LINE = { seed: 1, model: { oneWayMs: 35, jitterMs: 5, loss: 0.02 } };
const SIZE = { width: 640, height: 360 };

/** Opens a page with the relay between it and all others. */
async function opened(browser: Browser, { relays, url }: { relays: RelayedPages; url: string }) {
  const context = await browser.newContext({ viewport: SIZE });
  await relays.add(context);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function untilPlaying(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined &&
    globalThis.wyvern.isInSync
  );
}

/** A page's address in the room that another page has opened. */
async function linkOf(host: Page): Promise<string> {
  await host.waitForFunction(() => location.hash.endsWith(".page"));
  return await host.evaluate(() => location.href);
}

browserTest(
  "page room: four pages play in a room that one of them hosts, and go on when that one is gone (SPEC 23.1, 23.3, 23.4, 23.9)",
  async (browser) => {
    await using server = await ServerProcess.start("--signalling", "--data", "off");
    using relays = new RelayedPages(LINE);
    const host = await opened(browser, { relays, url: server.url });
    await host.waitForSelector("#host-here:not([hidden])");
    await shoot(host, "page_room_lobby.png");
    await host.click("#host-here");
    await untilPlaying(host);
    const link = await linkOf(host);
    const others: Page[] = [];
    for (let i = 0; i < 3; i++) {
      const page = await opened(browser, { relays, url: link });
      await page.fill("#name", ["Ash", "Birch", "Cedar"][i]!);
      await page.click("#play:not([disabled])");
      await untilPlaying(page);
      others.push(page);
    }

    // They play, are corrected, and agree bit by bit
    for (const [i, page] of [host, ...others].entries()) {
      await page.keyboard.down(i % 2 === 0 ? "ArrowRight" : "ArrowLeft");
      for (let presses = 0; presses < 10; presses++) await page.keyboard.press("Space");
    }
    for (const page of others) {
      await page.waitForFunction(() =>
        wyvern!.stats.rollbacks > 0 && wyvern!.stats.ticksProven > 60
      );
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
      assertGreater(await page.evaluate(() => wyvern!.roundTripMs), 60);
    }
    await shoot(others[0]!, "page_room.png");
    const { rooms } = await (await fetch(`${server.url}api/rooms`)).json();
    assertEquals(rooms, [], "the server has no match");
    const seats = await Promise.all(others.map((page) => page.evaluate(() => wyvern!.seat)));
    assertEquals(new Set(seats).size, 3);

    // The host's process is killed
    const ticks = await Promise.all(
      others.map((page) => page.evaluate(() => wyvern!.definitiveTick)),
    );
    const newest = Math.max(...ticks);
    const session = await host.context().newCDPSession(host);
    session.send("Page.crash").catch(() => {}); // there is no answer any more
    const beganMs = performance.now();
    await Promise.all(others.map((page) =>
      page.waitForFunction(
        (newest) => globalThis.wyvern?.phase === "playing" && wyvern!.definitiveTick > newest + 40,
        newest,
      )
    ));
    console.log(`back and two seconds on after ${Math.round(performance.now() - beganMs)} ms`);
    assertEquals(await Promise.all(others.map((page) => page.evaluate(() => wyvern!.seat))), seats);
    for (const page of others) {
      await page.waitForFunction(() => wyvern!.stats.ticksProven > 20);
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    }
    await shoot(others[0]!, "page_room_taken_over.png");

    // And who comes later finds the new host
    const late = await opened(browser, { relays, url: link });
    await late.click("#play:not([disabled])");
    await untilPlaying(late);
    assertGreater(relays.carried, 1000);
  },
  { connectsPages: true },
);
