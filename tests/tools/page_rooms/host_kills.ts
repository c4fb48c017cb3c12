/** A room of four pages in Chromium whose host is killed again and again. */
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../browser/chromium.ts";
import { RelayedPages } from "../../browser/page_rooms/relayed_pages.ts";
import { untilPlaying } from "../../browser/page_rooms/until_playing.ts";
import "../../browser/pages/page_globals.ts";
import { quantileOf } from "../bench/median.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const PAGES = 4;
/** A round trip of 80 ± 10 ms, and 2 % of loss. */
const LINE = { seed: 1, model: { oneWayMs: 35, jitterMs: 5, loss: 0.02 } };
const SIZE = { width: 640, height: 360 };
/** A room must be back within this time at the 95th percentile, ms (SPEC 23.4). */
const BACK_MS_MAX = 3000;
/** How many ticks a page has to prove before its host is killed. */
const PROVEN_TICKS = 40;
/** How long one wait may take, ms. */
const WAIT_MS_MAX = 60_000;

/** What became of one kill. */
export interface SurvivedKill {
  /** From the kill to a new tick on every page that is left, ms. */
  readonly backMs: number;
  /** How many of the pages that are left kept their seat. */
  readonly seatsKept: number;
  /** The ticks that only the host had. */
  readonly ticksLost: number;
  readonly desyncs: number;
  readonly rollbacks: number;
  /** Of the pages that are left, their mean round trip to the host before the kill, ms. */
  readonly roundTripMs: number;
}

export interface KillSummary {
  readonly kills: number;
  readonly backMsP50: number;
  readonly backMsP95: number;
  readonly backMsMax: number;
  readonly seatsKept: number;
  readonly seats: number;
  readonly ticksLost: number;
  readonly ticksLostMax: number;
  readonly desyncs: number;
  readonly rollbacks: number;
  readonly roundTripMs: number;
}

export function summaryOf(survived: readonly SurvivedKill[]): KillSummary {
  const backMs = survived.map(({ backMs }) => Math.round(backMs)).sort((a, b) => a - b);
  const sum = (key: keyof SurvivedKill) => survived.reduce((total, kill) => total + kill[key], 0);
  return {
    kills: survived.length,
    backMsP50: quantileOf(backMs, 0.5),
    backMsP95: quantileOf(backMs, 0.95),
    backMsMax: backMs.at(-1) ?? 0,
    seatsKept: sum("seatsKept"),
    seats: survived.length * (PAGES - 1),
    ticksLost: sum("ticksLost"),
    ticksLostMax: Math.max(0, ...survived.map(({ ticksLost }) => ticksLost)),
    desyncs: sum("desyncs"),
    rollbacks: sum("rollbacks"),
    roundTripMs: Math.round(sum("roundTripMs") / survived.length),
  };
}

/** @returns a sentence for each thing that is wrong */
export function faultsOf(
  { kills: survived, backMsP95, seatsKept, seats, desyncs, rollbacks }: KillSummary,
  { kills, isTimed }: { readonly kills: number; readonly isTimed: boolean },
): string[] {
  return [
    ...survived < kills ? [`${kills - survived} kills were not survived`] : [],
    ...seatsKept < seats ? [`${seats - seatsKept} of ${seats} seats were lost`] : [],
    ...desyncs > 0 ? [`${desyncs} desyncs`] : [],
    ...rollbacks === 0 ? ["no page was ever corrected, so nothing was proven"] : [],
    ...isTimed && backMsP95 > BACK_MS_MAX ? [`back after ${backMsP95} ms at the p95`] : [],
  ];
}

/** @returns the kills that the room survived; it stops at the first that it did not */
export async function killHosts(
  { kills, log }: { readonly kills: number; readonly log: (line: string) => void },
): Promise<SurvivedKill[]> {
  await using server = await ServerProcess.start("--signalling", "--data", "off");
  using relays = new RelayedPages(LINE);
  const browser = await launchChromium({ connectsPages: true });
  const survived: SurvivedKill[] = [];
  let room: Room | undefined;
  try {
    room = await Room.open(browser, { relays, url: server.url });
    while (survived.length < kills) {
      const kill = await room.killHost();
      survived.push(kill);
      log(
        `${survived.length} of ${kills}: back after ${Math.round(kill.backMs)} ms, ` +
          `${kill.seatsKept} of ${PAGES - 1} seats, ${kill.ticksLost} ticks lost`,
      );
      await room.refill();
    }
  } catch (error) {
    log(`The room is not back: ${error instanceof Error ? error.message : error}`);
    for (const line of await room?.describe() ?? []) log(line);
  } finally {
    await browser.close();
  }
  return survived;
}

interface RoomPlace {
  readonly relays: RelayedPages;
  readonly url: string;
}

class Room {
  readonly #browser: Browser;
  readonly #place: RoomPlace;
  readonly #pages: Page[] = [];
  #link = "";

  private constructor(browser: Browser, place: RoomPlace) {
    this.#browser = browser;
    this.#place = place;
  }

  static async open(browser: Browser, place: RoomPlace): Promise<Room> {
    const room = new Room(browser, place);
    const host = await room.#newPage(place.url);
    await host.click("#host-here:not([disabled])");
    await untilPlaying(host);
    await host.waitForFunction(() => location.hash.endsWith(".page"));
    room.#link = await host.evaluate(() => location.href);
    await room.refill();
    return room;
  }

  /** Lets pages in until there are four, and waits until all play. */
  async refill(): Promise<void> {
    while (this.#pages.length < PAGES) {
      const page = await this.#newPage(this.#link);
      await page.click("#play:not([disabled])");
      await untilPlaying(page);
    }
    for (const page of this.#pages) {
      await page.keyboard.press("Space");
      await page.keyboard.down("ArrowRight");
      await page.waitForFunction((ticks) => wyvern!.stats.ticksProven > ticks, PROVEN_TICKS);
    }
  }

  async killHost(): Promise<SurvivedKill> {
    const host = await this.#host();
    const others = this.#pages.filter((page) => page !== host);
    const seats = await Promise.all(others.map(seatOf));
    const roundTripMs = (await Promise.all(
      others.map((page) => page.evaluate(() => wyvern!.roundTripMs)),
    )).reduce((sum, ms) => sum + ms / others.length, 0);
    const rollbacks = (await Promise.all(
      others.map((page) => page.evaluate(() => wyvern!.stats.rollbacks)),
    )).reduce((sum, count) => sum + count, 0);

    // Kill it, and see what the others had by then
    const session = await host.context().newCDPSession(host);
    const hostTick = await tickOf(host);
    session.send("Page.crash").catch(() => {}); // there is no answer any more
    const beganMs = performance.now();
    const newest = Math.max(...await Promise.all(others.map(tickOf)));

    // Until each has a tick that the host did not send
    const backAfter = newest + 20;
    await Promise.all(others.map((page) =>
      page.waitForFunction(
        (tick) => globalThis.wyvern?.phase === "playing" && wyvern!.definitiveTick > tick,
        backAfter,
        { timeout: WAIT_MS_MAX },
      )
    ));
    // The ticks from the newest one to this one took their time as well
    const tickMs = 50;
    const backMs = performance.now() - beganMs - (backAfter - newest) * tickMs;
    const kept = await Promise.all(others.map(seatOf));
    const desyncs = (await Promise.all(
      others.map((page) => page.evaluate(() => wyvern!.stats.desyncs)),
    )).reduce((sum, count) => sum + count, 0);

    this.#pages.splice(this.#pages.indexOf(host), 1);
    await host.context().close();
    return {
      backMs,
      seatsKept: kept.filter((seat, i) => seat === seats[i]).length,
      ticksLost: Math.max(0, hostTick - newest),
      desyncs,
      rollbacks,
      roundTripMs,
    };
  }

  /** What each page shows and knows, for whoever looks for a fault. */
  async describe(): Promise<string[]> {
    return await Promise.all(this.#pages.map((page, i) =>
      page.evaluate(() => {
        const text = (id: string) => document.querySelector(id)?.textContent ?? "";
        const { phase, definitiveTick, isInSync, stats } = globalThis.wyvern ?? {};
        return JSON.stringify({
          notice: text("#lobby-notice"),
          state: text("#connection"),
          phase,
          definitiveTick,
          isInSync,
          stats,
        });
      }).then((line) => `page ${i}: ${line}`, (error) => `page ${i}: ${error.message}`)
    ));
  }

  /** The page whose menu offers to save the match, because it runs there. */
  async #host(): Promise<Page> {
    for (const page of this.#pages) {
      await page.keyboard.press("Escape");
      const isHost = await page.isVisible("#save-match");
      await page.click("#resume");
      if (isHost) return page;
    }
    throw new Error("no page hosts the room");
  }

  async #newPage(url: string): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: SIZE });
    await this.#place.relays.add(context);
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS_MAX);
    await page.goto(url);
    this.#pages.push(page);
    return page;
  }
}

function seatOf(page: Page): Promise<number | undefined> {
  return page.evaluate(() => wyvern!.seat);
}

function tickOf(page: Page): Promise<number> {
  return page.evaluate(() => wyvern!.definitiveTick);
}
