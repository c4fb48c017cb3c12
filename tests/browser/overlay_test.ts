/**
 * The debug overlay: loaded only when it is opened, with figures that match the network, sliders that change
 * it, and a trace file.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import type { Trace } from "../../client/debug/trace.ts";
import { ServerProcess } from "../support/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { shoot } from "./shots.ts";

/** The first number in a row of the overlay. */
const figure = async (page: Page, id: string) => parseFloat(await page.innerText(`#debug-${id}`));

/** Waits until a row shows a number in the range, whose end is excluded. */
const untilFigure = (page: Page, id: string, between: readonly [number, number]) =>
  page.waitForFunction(([id, [from, to]]) => {
    const shown = parseFloat(document.querySelector(`#debug-${id}`)!.textContent!);
    return shown >= from && shown < to;
  }, [id, between] as const);

/** The overlay stands beside the arena, and explains its figures to players who cannot hover with a mouse. */
async function seeItExplained(page: Page): Promise<void> {
  const [arena, panel] = await Promise.all(["#arena", "#debug"].map((part) => page.locator(part).boundingBox()));
  assertEquals(arena!.x + arena!.width, panel!.x);
  assertEquals(await page.locator("#debug .meaning:visible").count(), 0);
  await page.focus("#explain");
  await page.keyboard.press("Enter");
  assertEquals(await page.locator("#debug .meaning:visible").count(), await page.locator("#debug dt").count());
  assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
  await shoot(page, "overlay_explained.png");
}

/** Saves a trace by the button "I felt a lag here", on a network that was set to 300 ms. */
async function takeTrace(page: Page): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#felt")]);
  const trace: Trace = JSON.parse(await Deno.readTextFile(await download.path()));
  assertEquals([trace.format, trace.game.room, trace.quality], ["wyvern trace 1", "LOOK", {
    rttMs: 300,
    jitterMs: 0,
    lossPercent: 0,
    more: {},
  }]);
  const ticks = trace.rows.map((row) => row[trace.columns.indexOf("tick")]!);
  assertGreater(ticks.length, 60);
  assertEquals(ticks, [...ticks].sort((a, b) => a - b));
}

browserTest("overlay: opens with F3, shows a round trip of 100 ms, saves a trace, and closes", async (browser) => {
  await using server = await ServerProcess.start("--seed", "7", "--npcs", "4");
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${server.url}play?rtt=100#LOOK`);
  await page.click("#play");
  await untilPlaying(page);
  assert(!scripts.some((path) => path.includes("overlay")), "not loaded for play");
  await page.keyboard.press("F3");
  await page.waitForFunction(() => wyvern!.stats.ticks > 60);
  await page.waitForFunction(() => document.querySelector("#debug-in-step")?.textContent === "yes");
  assert(scripts.some((path) => /^\/overlay-\w{8}\.js$/.test(path)));

  // The figures match the network as soon as the machine is not busy with other work.
  await untilFigure(page, "rtt", [100, 300]);
  await untilFigure(page, "lead", [50, 400]);
  await untilFigure(page, "slack", [-50, 450]);
  assertGreater(await figure(page, "foreknown"), 90);
  assertGreater(await figure(page, "bytes"), 50);
  assertGreater(await figure(page, "tick-ms"), 0);
  await untilFigure(page, "late", [0, 20]);
  assertEquals(await page.locator("#debug canvas").count(), 2);
  // The overlay draws definitive positions of dragons and crates, and contacts of resting crates.
  const { ghosts, contacts } = await page.locator("#debug").evaluate(({ dataset }) => ({ ...dataset })) as Record<
    string,
    string
  >;
  assertGreater(Number(ghosts), 10);
  assertGreater(Number(contacts), 10);
  await shoot(page, "overlay.png");

  await seeItExplained(page);

  await page.fill("#line-rtt", "300");
  await page.waitForFunction(() => parseFloat(document.querySelector("#debug-rtt")!.textContent!) >= 300);
  await page.waitForFunction(() => document.querySelector("#debug-verdict")!.textContent !== "good");

  await takeTrace(page);
  await page.selectOption("#line-profile", "4g");
  assertEquals([await page.inputValue("#line-jitter"), await page.inputValue("#line-loss")], ["20", "1"]);
  await page.click("#debug-close");
  await page.waitForFunction(() =>
    document.querySelector("#debug") === null && document.querySelector("#ghosts") === null
  );
  assertEquals(faults, []);
});
