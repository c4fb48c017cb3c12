/** The overlay: a script that only who opens it loads, figures that fit the line, sliders that change it, a trace that is a file. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Page } from "playwright-core";
import type { Trace } from "../../client/overlay/trace.ts";
import { ServerProcess } from "../support/server_process.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { shoot } from "./shots.ts";

/** The first number that a line of the overlay shows. */
const figure = async (page: Page, id: string) => parseFloat(await page.innerText(`#debug-${id}`));

browserTest("overlay: opens with F3, shows a line of 100 ms as it is, saves a trace, and goes", async (browser) => {
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
  await page.waitForFunction(() => wyvern!.counts.ticks > 60);
  await page.waitForFunction(() => document.querySelector("#debug-in-step")?.textContent === "yes");
  assert(scripts.some((path) => /^\/overlay-\w{8}\.js$/.test(path)));

  const [rtt, lead, slack] = [await figure(page, "rtt"), await figure(page, "lead"), await figure(page, "slack")];
  assert(rtt >= 100 && rtt < 300, `a round trip of ${rtt} ms`);
  assert(lead >= 50 && lead < 400, `a lead of ${lead} ms`);
  assert(slack > -50 && slack < lead + 50, `a slack of ${slack} ms`);
  assertGreater(await figure(page, "foreknown"), 90);
  assertGreater(await figure(page, "bytes"), 50);
  assertGreater(await figure(page, "tick-ms"), 0);
  assertLess(await figure(page, "late"), 20);
  assertEquals(await page.locator("#debug canvas").count(), 2);
  // Definitive positions of dragons and crates, and crates that rest on each other.
  const { ghosts, contacts } = await page.locator("#debug").evaluate(({ dataset }) => ({ ...dataset })) as Record<
    string,
    string
  >;
  assertGreater(Number(ghosts), 10);
  assertGreater(Number(contacts), 10);
  await shoot(page, "overlay.png");

  await page.fill("#line-rtt", "300");
  await page.waitForFunction(() => parseFloat(document.querySelector("#debug-rtt")!.textContent!) >= 300);
  await page.waitForFunction(() => document.querySelector("#debug-verdict")!.textContent !== "good");

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
  await page.selectOption("#line-profile", "4g");
  assertEquals([await page.inputValue("#line-jitter"), await page.inputValue("#line-loss")], ["20", "1"]);
  await page.click("#debug-close");
  await page.waitForFunction(() =>
    document.querySelector("#debug") === null && document.querySelector("#ghosts") === null
  );
  assertEquals(faults, []);
});
