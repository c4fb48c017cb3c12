/**
 * Plants causes in a real match: a page in Chromium, bots in this process, the real server. The page's own file ("I felt
 * a lag here") says what the overlay has made of it. The truth comes from clocks that the page does not have: when each
 * command left its bot's line, when the server's ticks came to an undisturbed bot, and a heartbeat in the page.
 */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { Trace } from "../../../client/debug/trace.ts";
import "../../browser/pages/page_globals.ts";
import { ServerProcess } from "../../support/server_process.ts";
import { FLOODERS } from "./flood_main.ts";
import { epochMs, TimedRider } from "./timed_rider.ts";
import { type Beat, type Place, Truth, type Verdict } from "./truth.ts";

const ROOM = "CAUS";
/** Round trip of the page, ms. */
const PAGE_RTT_MS = 60;
/** The usual delays must be known before a cause is planted. */
const WARM_UP_MS = 7000;
/** A gap in the page's heartbeat that counts as a stall, ms. */
const BEAT_GAP_MS = 40;

declare global {
  var pageBeat: Beat | undefined;
}

export interface PageCause {
  readonly name: string;
  readonly where: Place;
  begin?(match: CauseMatch): void | Promise<void>;
  /** Called every `EVERY_MS`. */
  disturb?(match: CauseMatch): void | Promise<void>;
  end?(match: CauseMatch): void | Promise<void>;
}

const EVERY_MS = 2000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const PAGE_CAUSES: readonly PageCause[] = [
  { name: "one rider stalls for 300 ms", where: "their line", disturb: ({ rival }) => rival.stall(300) },
  {
    name: "5 % loss on one rider's line",
    where: "their line",
    begin: ({ rival: { conditions } }) => void Object.assign(conditions, { rttMs: 60, lossPercent: 5 }),
    end: ({ rival: { conditions } }) => void Object.assign(conditions, { rttMs: 0, lossPercent: 0 }),
  },
  {
    name: "5 % loss on this page's line",
    where: "own line",
    begin: ({ page }) => page.fill("#line-loss", "5"),
    end: ({ page }) => page.fill("#line-loss", "0"),
  },
  { name: "this page stalls for 300 ms", where: "this page", disturb: ({ page }) => page.evaluate(stallPage, 300) },
  {
    name: "this page is slow",
    where: "this page",
    // Twelve frames a second, as on a processor six times slower.
    disturb: async ({ page }) => {
      for (let i = 0; i < 15; i++) await page.evaluate(stallPage, 85);
    },
  },
  {
    name: "a rider's commands come as a flood",
    where: "their line",
    disturb: async ({ rival }) => {
      rival.hold();
      await pause(600);
      rival.release();
    },
  },
  {
    name: "strangers flood the server",
    where: "server",
    begin: (match) => match.beginFlood(),
    end: (match) => match.endFlood(),
  },
  {
    name: "the server drops ticks",
    where: "server",
    disturb: async ({ server }) => {
      server.signal("SIGSTOP");
      await pause(600);
      server.signal("SIGCONT");
    },
  },
];

/** On a busy machine the server drops ticks by itself. Then the cause is planted again, so often at most. */
const ATTEMPTS_MAX = 4;

/** Plants one cause for this time, in a match of its own. */
export async function measurePageCause(browser: Browser, cause: PageCause, ms: number): Promise<Verdict> {
  for (let attempt = 1;; attempt++) {
    await using match = await CauseMatch.start(browser);
    const result = await match.plant(cause, ms);
    if (!result.isDisturbed || attempt === ATTEMPTS_MAX) return result;
  }
}

/** A page and three bots in one room of a server of their own. */
class CauseMatch implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly page: Page;
  readonly rival: TimedRider;
  readonly #riders: readonly TimedRider[];
  readonly #pageOriginMs: number;
  #flood: Deno.ChildProcess | undefined;

  private constructor(
    server: ServerProcess,
    { page, riders, pageOriginMs }: { page: Page; riders: readonly TimedRider[]; pageOriginMs: number },
  ) {
    this.server = server;
    this.page = page;
    this.rival = riders[0]!;
    this.#riders = riders;
    this.#pageOriginMs = pageOriginMs;
  }

  static async start(browser: Browser): Promise<CauseMatch> {
    const server = await ServerProcess.start("--npcs", "2", "--seed", "7");
    // A small picture: the processor is for the match.
    const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
    // Without an input delay, which would spare the page corrections.
    await page.addInitScript((text) => localStorage.setItem("wyvern.settings", text), `{"inputDelay":0}`);
    await page.goto(`${server.url}play?debug&rtt=${PAGE_RTT_MS}#${ROOM}`);
    await page.click("#play");
    const riders = ["Rook", "Ash", "Wren"].map((name, i) =>
      new TimedRider(server.url, { name, seed: i + 1, room: ROOM })
    );
    await page.waitForFunction(() => globalThis.wyvern?.phase === "playing" && globalThis.wyvern.isInSync);
    await page.waitForSelector("#flight-rows li:not([hidden])");
    await page.evaluate(startBeat, BEAT_GAP_MS);
    const pageOriginMs = await page.evaluate(() => performance.timeOrigin);
    return new CauseMatch(server, { page, riders, pageOriginMs });
  }

  /** Plants a cause for this time. */
  async plant(cause: PageCause, ms: number): Promise<Verdict> {
    await pause(WARM_UP_MS);
    const fromMs = epochMs() - this.#pageOriginMs;
    await cause.begin?.(this);
    for (const endMs = epochMs() + ms; epochMs() < endMs;) {
      await cause.disturb?.(this);
      await pause(EVERY_MS);
    }
    const trace = await this.#saveTrace(), beat = await this.page.evaluate(() => globalThis.pageBeat!);
    await cause.end?.(this);
    const truth = new Truth(trace, { riders: this.#riders, beat, pageOriginMs: this.#pageOriginMs });
    return truth.judge(cause.where, fromMs);
  }

  /** Lets spectators flood the server until `endFlood`, from a process of their own. */
  beginFlood(): void {
    const script = fileURLToPath(new URL("flood_main.ts", import.meta.url));
    const args = ["run", "--allow-net", script, String(this.server.port), ROOM];
    this.#flood = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  }

  /** @throws Error if the server has not closed every one of them */
  async endFlood(): Promise<void> {
    const output = this.#flood!.output();
    this.#stopFlood();
    const { stdout } = await output;
    const closed = new TextDecoder().decode(stdout).trim().split("\n").map(Number);
    if (closed.some((count) => count !== FLOODERS)) {
      throw new Error(`of ${FLOODERS} flooders the server closed ${closed.join(", ")}`);
    }
  }

  #stopFlood(): void {
    this.#flood?.kill();
    this.#flood = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const rider of this.#riders) rider.stop();
    this.#stopFlood();
    await this.page.close();
    await this.server.stop("SIGKILL");
  }

  async #saveTrace(): Promise<Trace> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.click("#felt")]);
    return JSON.parse(await Deno.readTextFile(await download.path()));
  }
}

/** Blocks the page's thread. Runs in the page. */
function stallPage(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

/** Records gaps and heads from now on. Runs in the page. */
function startBeat(gapMs: number): void {
  const { gaps, heads }: Beat = globalThis.pageBeat = { gaps: [], heads: [] };
  let beforeMs = performance.now(), head = wyvern!.head;
  setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - beforeMs > gapMs) gaps.push([beforeMs, nowMs]);
    beforeMs = nowMs;
    while (head < (wyvern?.head ?? -1)) heads.push([++head, nowMs]);
  }, 4);
}
