/** A hidden page, whose timers Chromium fires once a minute, loses its connection without a word. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { Intermediary } from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { chromiumTest, PlainChromium } from "../plain_chromium.ts";

/** The page's timers become rare meanwhile, and its seat is kept as long as it can be: 30 s. */
const HIDDEN_TICKS = 1_500;
const TICKS_BACK_MAX = 200;
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
  while (await ticksOf(server) < ticks) await new Promise((resolve) => setTimeout(resolve, 500));
}

chromiumTest("page: while it is hidden and throttled, a dead connection costs no seat (SPEC 8.50, 8.54)", async () => {
  await using server = await ServerProcess.start("--npcs", "1");
  await using relay = new Intermediary(server.port);
  await using browser = await PlainChromium.start();
  const page = await browser.open(`${relay.url}play#HIDE`);
  await page.until(`!document.querySelector("#play").disabled && document.querySelector("#colours input") !== null`);
  await page.evaluate(`document.querySelector("#play").click()`);
  await page.until(`globalThis.wyvern?.phase === "playing"`);
  const seat = await page.evaluate("wyvern.seat"), began = await ticksOf(server);
  await page.evaluate(MEASURE_TIMERS);

  await browser.open(`${server.url}watch#HIDE`);
  await page.until(`document.visibilityState === "hidden"`);
  await untilTicks(server, began + HIDDEN_TICKS);
  assertGreater(await page.evaluate("longestGapMs"), 10_000, "the page's own timers are rare");
  assertEquals(await page.evaluate("wyvern.phase"), "playing", "and its link is alive");

  const ticks = await ticksOf(server);
  relay.swallow("both");
  await page.until(`wyvern.phase !== "playing"`);
  await page.until(`wyvern.phase === "playing"`);
  assertLess(await ticksOf(server) - ticks, TICKS_BACK_MAX);
  assertEquals(await page.evaluate("[wyvern.seat, document.visibilityState]"), [seat, "hidden"]);
});
