/**
 * Real pages behind an intermediary that ruins one connection at each of its stages. Chromium runs
 * without the switches that would spare hidden pages its throttling.
 */
import { assertEquals, assertLess } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { Intermediary, type Verdict } from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";

/** A seat is kept for as long as it was played, and a page is back within ten seconds. */
const PLAYED_TICKS = 260;
const TICKS_BACK_MAX = 200;

interface Scene extends AsyncDisposable {
  readonly page: Page;
  readonly relay: Intermediary;
  readonly server: ServerProcess;
  readonly seat: number;
}

/**
 * A page that has played for long enough to keep its seat, and a watcher, so that the match goes
 * on.
 */
async function play(browser: Browser): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await ServerProcess.start("--npcs", "1"));
  const relay = stack.use(new Intermediary(server.port));
  const page = await (await browser.newContext()).newPage();
  const watcher = await browser.newPage();
  await watcher.goto(`${server.url}watch#DEAD`);
  await page.goto(`${relay.url}play#DEAD`);
  await page.bringToFront();
  await page.click("#play");
  await untilPlaying(page);
  await page.waitForFunction((ticks) => wyvern!.definitiveTick > ticks, PLAYED_TICKS, {
    polling: 200,
  });
  const seat = await page.evaluate(() => wyvern!.seat);
  const rest = stack.move();
  return { page, relay, server, seat, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/**
 * Waits until the page plays on in its seat. The server's ticks are the clock: ten seconds of them
 * may pass.
 */
async function assertBack(
  { page, server, seat }: Scene,
  { sinceTicks, after }: { readonly sinceTicks: number; readonly after: string },
): Promise<void> {
  await page.waitForFunction(
    (tick) =>
      wyvern?.phase === "playing" && wyvern.definitiveTick > tick &&
      wyvern.simulation !== undefined,
    await page.evaluate(() => wyvern!.definitiveTick),
    { polling: 100 },
  );
  assertLess(await ticksOf(server) - sinceTicks, TICKS_BACK_MAX, after);
  assertEquals(await page.evaluate(() => [wyvern!.seat, wyvern!.stats.desyncs]), [seat, 0], after);
}

async function ticksOf(server: ServerProcess): Promise<number> {
  return (await (await fetch(`${server.url}healthz`)).json()).ticks;
}

/** Each ruins the page's connection as it is now. */
const RUINS: Readonly<Record<string, (relay: Intermediary) => void>> = {
  "both directions are swallowed": (relay) => relay.swallow("both"),
  "the way up is swallowed": (relay) => relay.swallow("up"),
  "the way down is swallowed": (relay) => relay.swallow("down"),
  "the client alone sees it closed": (relay) => relay.closeOneSide("client"),
  "the server alone sees it closed": (relay) => relay.closeOneSide("server"),
};

browserTest(
  "page: a connection that is swallowed, or closed for one side alone, costs no seat (SPEC 8.50, 3.4)",
  async (browser) => {
    await using scene = await play(browser);
    for (const [name, ruin] of Object.entries(RUINS)) {
      const ticks = await ticksOf(scene.server);
      ruin(scene.relay);
      await scene.page.waitForFunction(() => wyvern?.phase !== "playing", undefined, {
        polling: 50,
      });
      await assertBack(scene, { sinceTicks: ticks, after: name });
    }
  },
  { throttles: true },
);

/** What hangs once, by the first line of its request. */
const STAGES: Readonly<Record<string, RegExp>> = {
  "the request for a ticket": /^POST .*\/join/,
  "the socket": /^upgrade/,
};

browserTest(
  "page: the request for a ticket hangs once, then the socket, and the next ones are let through (SPEC 8.50)",
  async (browser) => {
    await using scene = await play(browser);
    for (const [name, pattern] of Object.entries(STAGES)) {
      let hung = 0;
      scene.relay.judge = (line): Verdict => pattern.test(line) && hung++ === 0 ? "hang" : "pass";
      const ticks = await ticksOf(scene.server);
      scene.relay.closeOneSide("client");
      await assertBack(scene, { sinceTicks: ticks, after: name });
      assertEquals(hung, 2, name);
    }
  },
  { throttles: true },
);
