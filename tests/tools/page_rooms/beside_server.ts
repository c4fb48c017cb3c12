/**
 * The same four pages in Chromium, first in a room that one of them hosts, and then on a server, over
 * equally bad lines:
 *
 *     late = commands that missed their tick / commands
 *     wait = mean time that a command waits at the match before its tick
 *
 *     deno task bench rooms [--seconds] [--json]
 */
import type { Browser, Page } from "playwright-core";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { launchChromium } from "../../browser/chromium.ts";
import { RelayedPages } from "../../browser/page_rooms/relayed_pages.ts";
import { untilPlaying } from "../../browser/page_rooms/until_playing.ts";
import "../../browser/pages/page_globals.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { runTool } from "../../support/tool.ts";

export const FLAGS = {
  seconds: {
    schema: wholeNumber(600, 10).default(60),
    about: "how long they play at each place [60]",
    allowed: "a whole number 10 to 600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

const PAGES = 4;
const SIZE = { width: 640, height: 360 };
const ONE_WAY_MS = 35;
const JITTER_MS = 5;
const LOSS_PERCENT = 2;
/** Between pages it is a relay. To the server, whose socket repeats what is lost, the page's model. */
const RELAY = {
  seed: 1,
  model: { oneWayMs: ONE_WAY_MS, jitterMs: JITTER_MS, loss: LOSS_PERCENT / 100 },
};
const QUERY = `?rtt=${2 * ONE_WAY_MS}&jitter=${JITTER_MS}&loss=${LOSS_PERCENT}`;
/** A page's lead has settled after so many seconds. */
const SETTLE_SECONDS = 10;
/** How often a page's keys change, ms. */
const KEY_MS = 700;
const WAIT_MS_MAX = 60_000;

/** What the pages of one place counted together. */
export interface PlaceReport {
  readonly commands: number;
  readonly latePercent: number;
  readonly waitMs: number;
  readonly roundTripMs: number;
  readonly rollbacks: number;
  readonly desyncs: number;
}

export interface RoomsReport {
  /** Those who do not host. */
  readonly room: PlaceReport;
  /** The page that hosts, whose commands wait as long as theirs (SPEC 23.6). */
  readonly host: PlaceReport;
  readonly server: PlaceReport;
}

export async function measureRooms(
  { seconds, log }: { readonly seconds: number; readonly log: (line: string) => void },
): Promise<RoomsReport> {
  await using server = await ServerProcess.start("--signalling", "--data", "off");
  using relays = new RelayedPages(RELAY);
  const browser = await launchChromium({ connectsPages: true });
  try {
    // In a room of theirs
    log("in a room that one of four pages hosts");
    const host = await opened(browser, server.url, relays);
    await host.click("#host-here:not([disabled])");
    await untilPlaying(host);
    await host.waitForFunction(() => location.hash.endsWith(".page"));
    const link = await host.evaluate(() => location.href);
    const guests: Page[] = [];
    while (guests.length < PAGES - 1) guests.push(await entered(browser, link, relays));
    const [ofHost, ...ofGuests] = await played([host, ...guests], seconds);
    for (const page of [host, ...guests]) await page.context().close();

    // On the server
    log("on the server");
    const pages: Page[] = [];
    while (pages.length < PAGES) pages.push(await entered(browser, `${server.url}${QUERY}#MESH`));
    return {
      room: reportOf(ofGuests),
      host: reportOf([ofHost!]),
      server: reportOf(await played(pages, seconds)),
    };
  } finally {
    await browser.close();
  }
}

/** What one page counted while it was measured. */
type Counts = Awaited<ReturnType<typeof countsOf>>;

/** Plays on all pages at once. @returns what each counted after its lead had settled */
async function played(pages: readonly Page[], seconds: number): Promise<Counts[]> {
  const keys = new AbortController();
  const pressing = pages.map((page, i) => pressKeys(page, { first: i, signal: keys.signal }));
  await pause(SETTLE_SECONDS * 1000);
  const before = await Promise.all(pages.map(countsOf));
  await pause(seconds * 1000);
  const after = await Promise.all(pages.map(countsOf));
  keys.abort();
  await Promise.all(pressing);
  return after.map((counts, i) => ({
    ...counts,
    commandsSent: counts.commandsSent - before[i]!.commandsSent,
    commandsLate: counts.commandsLate - before[i]!.commandsLate,
    waits: counts.waits - before[i]!.waits,
    waitMsSum: counts.waitMsSum - before[i]!.waitMsSum,
  }));
}

/** Flies to and fro until the signal. */
async function pressKeys(
  page: Page,
  { first, signal }: { readonly first: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let turn = first; !signal.aborted; turn++) {
    const key = turn % 2 === 0 ? "ArrowRight" : "ArrowLeft";
    await page.keyboard.down(key);
    await page.keyboard.press("Space");
    await pause(KEY_MS);
    await page.keyboard.up(key);
  }
}

function countsOf(page: Page) {
  return page.evaluate(() => ({ ...wyvern!.stats, roundTripMs: wyvern!.roundTripMs }));
}

function reportOf(pages: readonly Counts[]): PlaceReport {
  const sum = (key: keyof Counts) => pages.reduce((total, counts) => total + counts[key], 0);
  return {
    commands: sum("commandsSent"),
    latePercent: Number((100 * sum("commandsLate") / sum("commandsSent")).toFixed(2)),
    waitMs: Number((sum("waitMsSum") / sum("waits")).toFixed(1)),
    roundTripMs: Math.round(sum("roundTripMs") / pages.length),
    rollbacks: sum("rollbacks"),
    desyncs: sum("desyncs"),
  };
}

/** Opens a page. @param relays stand between it and all other pages; without them nothing does */
async function opened(browser: Browser, url: string, relays?: RelayedPages): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZE });
  await relays?.add(context);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  await page.goto(url);
  return page;
}

async function entered(browser: Browser, url: string, relays?: RelayedPages): Promise<Page> {
  const page = await opened(browser, url, relays);
  await page.click("#play:not([disabled])");
  await untilPlaying(page);
  return page;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @returns 0 if nobody desynced and somebody was corrected, else 1 */
async function rooms({ seconds, json }: FlagValues<typeof FLAGS>): Promise<number> {
  const report = await measureRooms({ seconds, log: (line) => console.error(line) });
  for (const [place, { latePercent, waitMs }] of Object.entries(report)) {
    if (!json) console.log(`${place}: ${latePercent} % late, ${waitMs} ms of wait`);
  }
  if (json) console.log(JSON.stringify(report));
  const places = Object.values(report) as PlaceReport[];
  return places.every(({ desyncs, rollbacks }) => desyncs === 0 && rollbacks > 0) ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("bench rooms", { flags: FLAGS, run: rooms }));
