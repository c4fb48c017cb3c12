/**
 * Plants causes in a real match: a page in Chromium behind a line of its own, bots in this process,
 * and the real server. The page's own file ("Save the figures") shows how the overlay judged them.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { Trace } from "../../../../client/debug/trace.ts";
import "../../../browser/pages/page_globals.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { quantileOf } from "../median.ts";
import { FLOODERS } from "./flood_main.ts";
import { PageLine } from "./page_line.ts";
import { epochMs, TimedRider } from "./timed_rider.ts";
import { type Heads, type Place, Truth, type Verdict } from "./truth.ts";

const ROOM = "CAUS";
/** Round trips of the page, and of the bots that may be disturbed, ms. */
const PAGE_RTT_MS = 80;
const RIDER_RTT_MS = 100;
const TICK_MS = 1000 / dragonGame.tickHz;

declare global {
  var pageHeads: Heads | undefined;
}

/** A page and four bots in one room on a server of their own. */
export class CauseMatch implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly line: PageLine;
  readonly page: Page;
  /** The bots that may be disturbed. */
  readonly rivals: readonly TimedRider[];
  /** Records when the server ran its ticks. */
  readonly #observer: TimedRider;
  readonly #pageOriginMs: number;
  #turns = 0;
  #flood: Deno.ChildProcess | undefined;

  private constructor(
    { server, line, page, riders, pageOriginMs }: {
      server: ServerProcess;
      line: PageLine;
      page: Page;
      riders: readonly TimedRider[];
      pageOriginMs: number;
    },
  ) {
    this.server = server;
    this.line = line;
    this.page = page;
    this.rivals = riders.slice(0, -1);
    this.#observer = riders.at(-1)!;
    this.#pageOriginMs = pageOriginMs;
  }

  static async start(browser: Browser): Promise<CauseMatch> {
    const server = await ServerProcess.start("--npcs", "2", "--seed", "7");
    const line = new PageLine(server.port, PAGE_RTT_MS);

    // A small picture, because the match needs the processor.
    const page = await browser.newPage({ viewport: { width: 800, height: 500 } });

    // Without an input delay, which would spare the page corrections.
    await page.addInitScript(
      (text) => localStorage.setItem("wyvern.settings", text),
      `{"inputDelay":0}`,
    );
    await page.goto(`${line.url}play?debug#${ROOM}`);
    await page.click("#play");
    const riders = ["Rook", "Ash", "Wren", "Observer"].map((name, i) =>
      new TimedRider(server.url, {
        name,
        seed: i + 1,
        room: ROOM,
        rttMs: name === "Observer" ? 0 : RIDER_RTT_MS,
      })
    );
    await page.waitForFunction(() =>
      globalThis.wyvern?.phase === "playing" && globalThis.wyvern.isInSync
    );
    await page.waitForSelector("#flight-rows li:not([hidden])");
    await page.evaluate(recordHeads);
    const pageOriginMs = await page.evaluate(() => performance.timeOrigin);
    return new CauseMatch({ server, line, page, riders, pageOriginMs });
  }

  /** The bots that may be disturbed, one after the other. */
  nextRival(): TimedRider {
    return this.rivals[this.#turns++ % this.rivals.length]!;
  }

  /** The page's clock at this moment. */
  get pageNowMs(): number {
    return epochMs() - this.#pageOriginMs;
  }

  /**
   * Judges the corrections from this time on, on the page's clock. The page's file covers the last
   * half minute.
   */
  async judge(where: Place, fromMs: number): Promise<Verdict & { readonly toMs: number }> {
    const toMs = this.pageNowMs;
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.page.click("#felt"),
    ]);
    const trace: Trace = JSON.parse(await Deno.readTextFile(await download.path()));
    const heads = await this.page.evaluate(() => globalThis.pageHeads!);
    const riders = [...this.rivals, this.#observer];
    const { line } = this;
    const pageOriginMs = this.#pageOriginMs;
    return {
      ...new Truth(trace, { riders, line, heads, pageOriginMs }).judge(where, fromMs, toMs),
      toMs,
    };
  }

  /**
   * How late the server ran its ticks from this time on, on the page's clock: the quantiles 0.99
   * and 1, ms.
   */
  serverLateMs(fromMs: number): { readonly p99: number; readonly max: number } {
    const offsets: number[] = [];
    for (const [tick, atMs] of this.#observer.cameMs) {
      if (atMs >= fromMs + this.#pageOriginMs) offsets.push(atMs - tick * TICK_MS);
    }
    const usual = quantileOf(offsets, 0.5);
    return { p99: quantileOf(offsets, 0.99) - usual, max: Math.max(...offsets) - usual };
  }

  /** Lets spectators flood the server until `endFlood`, from a process of their own. */
  beginFlood(): void {
    const script = fileURLToPath(new URL("flood_main.ts", import.meta.url));
    const args = ["run", "--allow-net", script, String(this.server.port), ROOM];
    this.#flood = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  }

  /** @throws Error if the server has not closed all of them */
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
    for (const rider of [...this.rivals, this.#observer]) rider.stop();
    this.#stopFlood();
    await this.page.close();
    await this.line[Symbol.asyncDispose]();
    await this.server.stop("SIGKILL");
  }
}

/** Records when the page's head reaches each tick, from now on. Runs in the page. */
function recordHeads(): void {
  const heads: Heads = globalThis.pageHeads = [];
  let head = wyvern!.head;
  setInterval(() => {
    const nowMs = performance.now();
    while (head < (wyvern?.head ?? -1)) heads.push([++head, nowMs]);
  }, 4);
}
