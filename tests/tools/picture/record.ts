/**
 * Records a duel: a real server and two pages in Chromium, each behind a network of its own, all in
 * slow time (`slow_time.ts`).
 */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bundle } from "../../../client/build/build.ts";
import { untilPlaying } from "../../browser/duel.ts";
import "../../browser/pages/page_globals.ts";
import { Proxy } from "../../support/proxy.ts";
import { builtPage } from "../../support/built_page.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import type { TimedFrame } from "./moments.ts";
import type {} from "./page_duelist.ts";
import { slowTime } from "./slow_time.ts";

/** Each page's way to the server takes half of it, and the way back the other half. */
export const RTT_MS = 200;
/** Standard deviation in each direction, ms. */
const JITTER_MS = 5;
/** The players, and the styles in which they ride (`client/lab/people/dragons/styles.ts`). */
export const PLAYERS = [{ name: "Wren", style: "swooper" }, { name: "Talon", style: "gunner" }];
/** Others who cross the picture; more of them would hide who duels. */
const NPCS = 2;
/** The arena fills such a window, and its texts are legible at two thirds of this size. */
const WINDOW = { width: 720, height: 405 };
/** Seconds of play until both leads have converged. */
const WARM_UP_SECONDS = 8;

export interface DuelOptions {
  /** Seconds of play. */
  readonly seconds: number;
  readonly framesPerSecond: number;
  /** Seconds of the machine in a second of play. */
  readonly slowdown: number;
  readonly seed: number;
  /** Called after each second of play. */
  readonly onSecond?: (second: number) => void;
}

/** What was recorded. Times are in ms of the machine. */
export interface Recording {
  /** In the order of `PLAYERS`. */
  readonly pages: readonly (readonly TimedFrame[])[];
  /** When a player had killed the other, as the first page showed it. */
  readonly kills: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** @throws Error if the server or a page fails, or if a page has desynced */
export async function recordDuel(browser: Browser, options: DuelOptions): Promise<Recording> {
  const { seconds, slowdown, seed, onSecond } = options;
  await builtPage();
  // A page's datagrams would go round the proxy.
  const flags = ["--seed", `${seed}`, "--npcs", `${NPCS}`, "--datagrams", "off", "--data", "off"];
  await using server = await ServerProcess.startScript(
    new URL("slow_server.ts", import.meta.url),
    `${slowdown}`,
    ...flags,
  );
  const script = await bundle(fileURLToPath(new URL("page_duelist.ts", import.meta.url)));
  const model = { oneWayMs: slowdown * RTT_MS / 2, jitterMs: slowdown * JITTER_MS };
  await using first = new Proxy(server.port, { model, seed });
  await using second = new Proxy(server.port, { model, seed: seed + 1 });

  const pages: Page[] = [];
  for (const [index, { port }] of [first, second].entries()) {
    pages.push(await openPage(browser, { port, index, script, options }));
  }
  for (const page of pages) await untilPlaying(page);
  await pages[0]!.waitForTimeout(WARM_UP_SECONDS * 1000 * slowdown);

  const kills: number[] = [];
  await pages[0]!.exposeFunction("onKill", () => void kills.push(Date.now()));
  const fromMs = Date.now();
  const casts = await Promise.all(pages.map(startCast));
  for (let passed = 1; passed <= seconds; passed++) {
    await pages[0]!.waitForTimeout(Math.max(0, fromMs + passed * 1000 * slowdown - Date.now()));
    onSecond?.(passed);
  }
  const toMs = Date.now();
  const recorded = await Promise.all(casts.map((stop) => stop()));

  for (const page of pages) {
    const { desyncs } = await page.evaluate(() => wyvern!.stats);
    if (desyncs > 0) throw new Error(`a page has desynced ${desyncs} times`);
    await page.context().close();
  }
  // Before its first frame a page shows nothing.
  const firstMs = recorded.map(([first]) => first?.atMs ?? toMs);
  return { pages: recorded, kills, fromMs: Math.max(fromMs, ...firstMs), toMs };
}

/** Opens a page in slow time, joins, and puts a person in front of it. */
async function openPage(
  browser: Browser,
  { port, index, script, options: { slowdown, framesPerSecond, seed } }: {
    port: number;
    index: number;
    script: string;
    options: DuelOptions;
  },
): Promise<Page> {
  const { name, style } = PLAYERS[index]!;
  // The page's policy allows no script but its own.
  const context = await browser.newContext({ viewport: WINDOW, bypassCSP: true });
  const page = await context.newPage();
  await page.addInitScript(slowTime, { slowdown, framesPerSecond });
  // The style sheet's transitions have the browser's time.
  const driver = await context.newCDPSession(page);
  await driver.send("Animation.enable");
  await driver.send("Animation.setPlaybackRate", { playbackRate: 1 / slowdown });

  await page.goto(`http://127.0.0.1:${port}/#DUEL`);
  await page.fill("#name", name);
  await page.click("#play");
  await page.addScriptTag({ content: script, type: "module" });
  // A module runs some time after its tag is in the page.
  await page.waitForFunction(() => globalThis.playDuel !== undefined);
  await page.evaluate(
    ({ style, seed }) => playDuel!(style, seed),
    { style, seed: 2 * seed + index },
  );
  return page;
}

/** Starts to record a page. @returns a function that ends it and has all frames */
export async function startCast(page: Page): Promise<() => Promise<TimedFrame[]>> {
  const frames: TimedFrame[] = [];
  const driver = await page.context().newCDPSession(page);
  driver.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ atMs: 1000 * metadata.timestamp!, png: data });
    // The page has been closed meanwhile if it refuses.
    driver.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await driver.send("Page.startScreencast", { format: "png" });
  return async () => {
    await driver.send("Page.stopScreencast");
    return frames;
  };
}
