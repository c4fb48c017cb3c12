/**
 * One run of `bench feel`: a real server, a real page with a rider at its keys, and seven riders in
 * another process.
 */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bundle } from "../../../../client/build/build.ts";
import { launchChromium } from "../../../browser/chromium.ts";
import "../../../browser/pages/page_globals.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import type { FeelFigures } from "./figures.ts";
import { conditionsOf, type LineName } from "./lines.ts";
import type {} from "./page_rider.ts";

const ROOM = "FEEL";
/** Beside the page's person. */
const RIDERS = 7;
/** How long it takes until all leads have converged on every line, s. */
const WARM_UP_SECONDS = 10;
/**
 * Within this time a person flaps even if their dragon was dead, stunned or in the air at first, s.
 */
const KEY_SECONDS_MAX = 60;
const VIEWPORT = { width: 960, height: 540 };

export interface LineRun {
  readonly line: LineName;
  /** The recording goes on, at most for `KEY_SECONDS_MAX`, until a key has shown. */
  readonly seconds: number;
  /** The page's input delay, whole ticks 0 … 3. */
  readonly inputDelay?: number;
  /** Seconds of play before the record begins: all leads must have converged. */
  readonly warmUpSeconds?: number;
  /** Called once a second while the run is recorded. */
  readonly onSecond?: () => void;
}

/**
 * The figures, and the mean leads of the page and of the riders in ms: a lead beyond what the line
 * needs reveals a busy machine.
 */
export interface LineFigures extends FeelFigures {
  readonly leadMs: number;
  readonly ridersLeadMs: number;
}

/** @throws Error if the server, the page or a rider fails */
export async function runLine(
  { line, seconds, warmUpSeconds = WARM_UP_SECONDS, inputDelay = 0, onSecond }: LineRun,
): Promise<LineFigures> {
  // Hatchlings are the only NPCs, so nearly every dragon is a person's.
  await using server = await ServerProcess.start("--seed", "21", "--npcs", "0");
  const script = await bundle(fileURLToPath(new URL("page_rider.ts", import.meta.url)));
  const browser = await launchChromium();

  try {
    // The browser starts first, because its work would stall people who play, and stalls count
    // towards their line.
    const page = await openPage(browser, { url: server.url, line, script, inputDelay });
    await using riders = await Riders.start(
      server.url.replace("http", "ws").replace(/\/$/, ""),
      line,
    );
    await page.click("#play");
    await page.waitForFunction((people) => feel.people() === people, RIDERS + 1);
    await page.waitForTimeout(warmUpSeconds * 1000);
    await page.waitForFunction((ticks) => wyvern!.inputDelayTicks === ticks, inputDelay);
    await page.evaluate(() => feel.record());
    const leads: number[] = [];
    const ridersLeads: number[] = [];
    const lacksKey = async () =>
      leads.length < KEY_SECONDS_MAX && await page.evaluate(() => feel.shownKeys() === 0);
    while (leads.length < seconds || await lacksKey()) {
      await page.waitForTimeout(1000);
      leads.push(await page.evaluate(() => wyvern!.leadMs));
      ridersLeads.push(riders.leadMs());
      onSecond?.();
    }
    const figures = await page.evaluate(() => feel.figures());
    return {
      ...figures,
      leadMs: Math.round(mean(leads)),
      ridersLeadMs: Math.round(mean(ridersLeads)),
    };
  } finally {
    await browser.close();
  }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Opens the room's page, which has not joined yet, and puts a person in front of it. */
async function openPage(
  browser: Browser,
  { url, line, script, inputDelay }: {
    url: string;
    line: LineName;
    script: string;
    inputDelay: number;
  },
): Promise<Page> {
  // The page's policy allows only its own script.
  const page = await browser.newPage({ viewport: VIEWPORT, bypassCSP: true });
  await page.addInitScript(
    (text) => localStorage.setItem("wyvern.settings", text),
    JSON.stringify({ inputDelay }),
  );
  await page.goto(`${url}play#${ROOM}`);
  await page.evaluate(
    (conditions) => Object.assign(wyvernConditions, conditions),
    conditionsOf(line),
  );
  await page.addScriptTag({ content: script, type: "module" });
  // A module runs some time after its tag is in the page.
  await page.waitForFunction(() => "feel" in globalThis);
  await page.evaluate(() => feel.play());
  return page;
}

/** The other people's process. */
class Riders implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: AsyncIterator<string>;
  #leadMs = 0;
  #error: Error | undefined;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#output = child.stdout.pipeThrough(new TextDecoderStream()).values();
  }

  /** Waits until all of them play. @throws Error if they do not */
  static async start(url: string, line: LineName): Promise<Riders> {
    const script = fileURLToPath(new URL("riders_main.ts", import.meta.url));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-net", "--allow-env", script, url, ROOM, line, String(RIDERS)],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const riders = new Riders(child);
    await riders.#read();
    riders.#readOn();
    riders.leadMs();
    return riders;
  }

  /** Their mean lead, ms. @throws Error if a rider has lost the connection */
  leadMs(): number {
    if (this.#error !== undefined) throw this.#error;
    return this.#leadMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#error === undefined) this.#child.kill();
    await this.#child.status;
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#output.next();
    if (done) this.#error = new Error("the riders' process has ended");
    else this.#leadMs = Number(value.trim().split("\n").at(-1));
  }

  async #readOn(): Promise<void> {
    while (this.#error === undefined) await this.#read();
  }
}
