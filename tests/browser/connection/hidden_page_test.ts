/**
 * A hidden page, whose timers Chromium fires once a minute, loses its connection without a word.
 */
import { assertEquals, assertLess } from "@std/assert";
import { Intermediary } from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { chromiumTest, PlainChromium, type PlainPage } from "../plain_chromium.ts";

/** The page's timers become rare meanwhile, and its seat is kept as long as it can be: 30 s. */
const HIDDEN_TICKS = 1_500;
const TICKS_BACK_MAX = 200;
/** A seat is kept for as long as it was played. */
const KEPT_TICKS = 200;
/** Collects the longest time between two calls of a timer of the page's own. */
const MEASURE_TIMERS = `
  globalThis.longestGapMs = 0;
  let beforeMs = performance.now();
  setInterval(() => {
    longestGapMs = Math.max(longestGapMs, performance.now() - beforeMs);
    beforeMs = performance.now();
  }, 50);
`;

async function ticksOf({ url }: ServerProcess): Promise<number> {
  return (await (await fetch(`${url}healthz`)).json()).ticks;
}

async function untilTicks(server: ServerProcess, ticks: number): Promise<void> {
  while (await ticksOf(server) < ticks) await pause();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

/** Opens a page and plays until its seat is kept for so many ticks. */
async function play(browser: PlainChromium, url: string): Promise<PlainPage> {
  const page = await browser.open(url);
  await page.until(`document.querySelector("#play")?.disabled === false`);
  await page.evaluate(`document.querySelector("#play").click()`);
  await page.until(`globalThis.wyvern?.phase === "playing"`);
  return page;
}

chromiumTest(
  "page: one that the browser takes back from its history is back in its seat (SPEC 8.53, 8.54)",
  async () => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using browser = await PlainChromium.start();
    const page = await play(browser, `${server.url}play#BACK`);
    await page.until(`wyvern.definitiveTick > ${KEPT_TICKS}`);
    const seat = await page.evaluate("(globalThis.isTheSame = true, wyvern.seat)");
    await page.evaluate(`void (location.href = "/replay")`);
    await page.until(`location.pathname === "/replay" && document.readyState === "complete"`);
    // Nobody is connected: the page has let go of its socket by itself.
    while ((await (await fetch(`${server.url}api/rooms`)).json()).rooms.length > 0) await pause();
    await page.evaluate("void history.back()");
    await page.until(`location.pathname === "/play" && globalThis.wyvern?.phase === "playing"`);
    assertEquals(await page.evaluate("[globalThis.isTheSame, wyvern.seat]"), [true, seat]);
  },
);

chromiumTest(
  "page: while it is hidden and throttled, a dead connection costs no seat (SPEC 8.50, 8.54)",
  async () => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using relay = new Intermediary(server.port);
    await using browser = await PlainChromium.start();
    const page = await play(browser, `${relay.url}play#HIDE`);
    const seat = await page.evaluate("wyvern.seat");
    const began = await ticksOf(server);
    await page.evaluate(MEASURE_TIMERS);

    await browser.open(`${server.url}watch#HIDE`);
    await page.until(`document.visibilityState === "hidden"`);
    await untilTicks(server, began + HIDDEN_TICKS);

    // Chromium fires the timers of a hidden page once a minute, on a clock of its own. How soon the
    // first long gap is over depends on when the page was hidden.
    await page.until("longestGapMs > 10_000");
    assertEquals(await page.evaluate("wyvern.phase"), "playing", "and its link is alive");

    const ticks = await ticksOf(server);
    relay.swallow("both");
    await page.until(`wyvern.phase !== "playing"`);
    await page.until(`wyvern.phase === "playing"`);
    assertLess(await ticksOf(server) - ticks, TICKS_BACK_MAX);
    assertEquals(await page.evaluate("[wyvern.seat, document.visibilityState]"), [seat, "hidden"]);
  },
);
