/**
 * Rooms that a page hosts, in a real browser: four pages play through a line with delay and loss,
 * their host is killed, and the room goes on.
 */
import { assertEquals, assertGreater } from "@std/assert";
import type { Browser, ElementHandle, Page } from "playwright-core";
import { game } from "../../../shared/games/dragons/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import "../pages/page_globals.ts";
import { shoot } from "../shots.ts";
import { untilKept } from "../solo/kept.ts";
import { RelayedPages } from "./relayed_pages.ts";
import { untilPlaying } from "./until_playing.ts";

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

    // It can be kept as a log of the new host, which replays to the same states
    const saved: string[] = [];
    for (const page of others) {
      page.on("download", async (download) => saved.push(await download.path()));
      await page.keyboard.press("Escape");
      const isHost = await page.isVisible("#save-match");
      if (isHost) await Promise.all([page.waitForEvent("download"), page.click("#save-match")]);
      else await page.click("#resume");
    }
    assertEquals(saved.length, 1, "one of them hosts");
    const log = replayedLog(await Deno.readFile(saved[0]!), { gameOf: () => game });
    assertEquals([log.error, log.fault], [undefined, undefined]);
    assertGreater(log.firstTick, 0);
    assertGreater(log.replay.tick, newest);

    // And who comes later finds the new host
    const late = await opened(browser, { relays, url: link });
    await late.click("#play:not([disabled])");
    await untilPlaying(late);
    assertGreater(relays.carried, 1000);
  },
  { connectsPages: true },
);

browserTest(
  "page room: who wants to play with anybody comes together in one room, also at the same moment, and later when its first host is gone (SPEC 23.15)",
  async (browser) => {
    await using server = await ServerProcess.start("--signalling", "--data", "off");
    using relays = new RelayedPages(LINE);
    const pages = await Promise.all(
      Array.from({ length: 4 }, () => opened(browser, { relays, url: server.url })),
    );
    const play = async (page: Page) => {
      await page.click("#play-pages:not([disabled])");
      await untilPlaying(page);
      return await linkOf(page);
    };
    const [first, second, third, fourth] = pages as [Page, Page, Page, Page];
    await first.waitForSelector("#play-pages:not([hidden])");

    // Two press at the same moment, and a third one a little later
    const links = await Promise.all([first, second].map(play));
    links.push(await play(third));
    assertEquals(new Set(links).size, 1, links.join());
    const seats = await Promise.all(
      [first, second, third].map((page) => page.evaluate(() => wyvern!.seat)),
    );
    assertEquals(new Set(seats).size, 3);
    await shoot(third, "page_room_play.png");

    // One leaves, whoever of them hosts, and the fourth one is led to the two others
    await first.close();
    await Promise.all([second, third].map(untilPlaying));
    assertEquals(await play(fourth), links[0]);
    for (const page of [second, third, fourth]) {
      await page.waitForFunction(() => wyvern!.stats.ticksProven > 20);
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    }
    const { rooms } = await (await fetch(`${server.url}api/rooms`)).json();
    assertEquals(rooms, [], "the server has no match");
  },
  { connectsPages: true },
);

/** The field of a dialog with this label. */
function fieldOf(page: Page, label: string) {
  return page.getByLabel(label, { exact: false });
}

/** Lets a page into a room without a server: two texts are carried between it and one inside. */
async function letInByHand(newcomer: Page, inside: Page, { waitMs = 0 } = {}): Promise<void> {
  await newcomer.click("#by-hand:not([disabled])");
  await newcomer.getByRole("button", { name: "Join a room" }).click();
  const text = await filled(newcomer, "1. Send this text");
  await inside.click("#invite");
  await fieldOf(inside, "1. Paste their text").fill(
    `Come in:\n${text.slice(0, 60)}\n${text.slice(60)}`,
  );
  await inside.getByRole("button", { name: "Make the answer" }).click();
  const answer = await filled(inside, "2. Send them this answer");
  await inside.getByRole("button", { name: "Close" }).click();
  await inside.waitForTimeout(waitMs);
  await fieldOf(newcomer, "2. Paste their answer").fill(answer);
  await newcomer.getByRole("button", { name: "Connect" }).click();
  await untilPlaying(newcomer);
}

/** @returns what the page has written into a field */
async function filled(page: Page, label: string): Promise<string> {
  const field = fieldOf(page, label);
  await field.waitFor();
  const handle = await field.elementHandle() as ElementHandle<HTMLTextAreaElement>;
  await page.waitForFunction((field) => field.value !== "", handle);
  return await field.inputValue();
}

browserTest(
  "page room: people connect their pages by hand, also through one that does not host, and play on when no server is left (SPEC 23.10, 23.11)",
  async (browser) => {
    const server = await ServerProcess.start("--data", "off");
    const [host, second, third] = await Promise.all([1, 2, 3].map(async () => {
      const context = await browser.newContext({ viewport: SIZE, serviceWorkers: "allow" });
      const page = await context.newPage();
      await page.goto(server.url);
      await page.waitForSelector("#by-hand:not([hidden])");
      return page;
    })) as [Page, Page, Page];

    await host.click("#by-hand:not([disabled])");
    await shoot(host, "by_hand.png");
    await host.getByRole("button", { name: "Host a room" }).click();
    await untilPlaying(host);

    // What is no text of such a page says so, and what is cut, too
    await host.click("#invite");
    const status = host.locator("#by-hand-dialog .status");
    for (
      const [text, sentence] of [
        ["hello", "This is not a text of such a page."],
        ["wyvern-q1YqSS0uAQA", "A part of this text is missing. Please copy all of it."],
      ] as const
    ) {
      await fieldOf(host, "1. Paste their text").fill(text);
      await host.getByRole("button", { name: "Make the answer" }).click();
      await host.waitForFunction(
        ([status, sentence]) => status!.textContent === sentence,
        [await status.elementHandle(), sentence] as const,
      );
    }
    await host.getByRole("button", { name: "Close" }).click();

    await letInByHand(second, host);
    await shoot(second, "by_hand_playing.png");

    // The server goes, and a third page comes in through the second one
    await untilKept(third);
    await third.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await server[Symbol.asyncDispose]();
    await letInByHand(third, second);
    for (const page of [second, third]) {
      await page.waitForFunction(() => wyvern!.stats.ticksProven > 20);
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    }
    const rooms = await Promise.all(
      [host, second, third].map((page) => page.locator("#room-code").textContent()),
    );
    assertEquals(new Set(rooms).size, 1, rooms.join());
  },
  { connectsPages: true },
);
