/**
 * The debug overlay: loaded only when it is opened, with figures that match the network, sliders
 * that change it, a log of the last half minute that can be frozen, and a trace file.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import type { Trace } from "../../client/debug/trace.ts";
import { HonestBot } from "../support/honest_bot.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
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

const isProfiled = () =>
  (wyvern!.simulation as { profile?: unknown } | undefined)?.profile !== undefined;

/**
 * The overlay stands beside the arena, and explains its figures to players who cannot hover with a
 * mouse.
 */
async function seeItExplained(page: Page): Promise<void> {
  const [arena, panel] = await Promise.all(
    ["#arena", "#debug"].map((part) => page.locator(part).boundingBox()),
  );
  assertEquals(arena!.x + arena!.width, panel!.x);
  assertEquals(await page.locator("#debug .meaning:visible").count(), 0);
  await page.focus("#explain");
  await page.keyboard.press("Enter");
  assertEquals(
    await page.locator("#debug .meaning:visible").count(),
    await page.locator("#debug dt").count(),
  );
  assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
  await shoot(page, "overlay_explained.png");
}

/** Saves a trace by the button "Save the figures", on a network that was set to 300 ms. */
async function takeTrace(page: Page): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#felt")]);
  const trace: Trace = JSON.parse(await Deno.readTextFile(await download.path()));
  assertEquals([trace.format, trace.game.room, trace.quality], ["wyvern trace 2", "LOOK", {
    rttMs: 300,
    jitterMs: 0,
    lossPercent: 0,
    more: {},
  }]);
  const ticks = trace.rows.map((row) => row[trace.columns.indexOf("tick")]!);
  assertGreater(ticks.length, 60);
  assertEquals(ticks, [...ticks].sort((a, b) => a - b));
}

browserTest(
  "overlay: opens with F3, shows a round trip of 100 ms, saves a trace, and closes",
  async (browser) => {
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
    await page.waitForFunction(() =>
      document.querySelector("#debug-in-step")?.textContent === "yes"
    );
    assert(scripts.some((path) => /^\/overlay-\w{8}\.js$/.test(path)));

    // The figures match the network, and a machine that is busy with other work.
    await untilFigure(page, "rtt", [100, 1000]);
    await untilFigure(page, "lead", [50, 1500]);
    await untilFigure(page, "slack", [-500, 1500]);
    await untilFigure(page, "foreknown", [50, 101]);
    assertGreater(await figure(page, "bytes"), 50);
    assertGreater(await figure(page, "tick-ms"), 0);

    // The parts of a tick, by a profile that the simulation has only while the overlay is open.
    await untilFigure(page, "step-solver", [0.0001, 50]);
    await untilFigure(page, "step-save", [0.0001, 50]);
    assert(await page.evaluate(isProfiled));
    await untilFigure(page, "late", [0, 50]);
    assertEquals(await page.locator("#debug canvas").count(), 3);

    // The overlay draws definitive positions of dragons and crates, and contacts of resting crates.
    const { ghosts, contacts } = await page.locator("#debug").evaluate(({ dataset }) => ({
      ...dataset,
    })) as Record<
      string,
      string
    >;
    assertGreater(Number(ghosts), 10);
    assertGreater(Number(contacts), 10);
    await shoot(page, "overlay.png");

    await seeItExplained(page);

    await page.fill("#line-rtt", "300");
    await page.waitForFunction(() =>
      parseFloat(document.querySelector("#debug-rtt")!.textContent!) >= 300
    );
    await page.waitForFunction(() =>
      document.querySelector("#debug-verdict")!.textContent !== "good"
    );

    await takeTrace(page);
    await page.selectOption("#line-profile", "4g");
    assertEquals([await page.inputValue("#line-jitter"), await page.inputValue("#line-loss")], [
      "20",
      "1",
    ]);
    await page.click("#debug-close");
    await page.waitForFunction(() =>
      document.querySelector("#debug") === null && document.querySelector("#ghosts") === null
    );
    assert(!await page.evaluate(isProfiled));
    assertEquals(faults, []);
  },
);

/** Pixels of a canvas that are not transparent. Runs in the page. */
function pixelsOf(selector: string): number {
  const canvas = document.querySelector<HTMLCanvasElement>(selector)!;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}

/**
 * Waits until a frozen moment has all its rows. They stay while the match goes on.
 * @returns their texts
 */
async function seeFrozenRows(page: Page): Promise<string> {
  await page.locator("#flight-rows[aria-busy=false]").waitFor();
  const [rows, head] = [
    await page.innerText("#flight-rows"),
    await page.evaluate(() => wyvern!.head),
  ];
  await page.waitForFunction((head) => wyvern!.head > head + 20, head);
  assertEquals(await page.innerText("#flight-rows"), rows);
  return rows;
}

/**
 * Freezes the overlay at the newest tick. Corrections of this moment get their causes, and so their
 * rows, later.
 */
async function freezeNow(page: Page): Promise<void> {
  const isBusy = await page.evaluate(async () => {
    document.querySelector<HTMLElement>("#freeze")!.click();
    // The overlay's next frame shows the moment, then this callback runs.
    await new Promise(requestAnimationFrame);
    return document.querySelector("#flight-rows")!.ariaBusy;
  });
  assertEquals(isBusy, "true");
  await seeFrozenRows(page);
  await page.click("#freeze");
}

/** Freezes the overlay at a row, goes back a second with the slider, and lets it go on. */
async function scrub(page: Page): Promise<void> {
  await page.locator("#flight-rows button", { hasText: "than this page had guessed" }).first()
    .click();
  const momentOf = async () => Number(/tick (\d+)/.exec(await page.innerText("#moment"))?.[1]);
  const tick = await momentOf();
  const head = await page.evaluate(() => wyvern!.head);
  assert(tick > head - 200 && tick < head);
  const bodies = page.locator("#debug[data-frozen]");
  assertGreater(Number(await bodies.getAttribute("data-frozen")), 10);
  await shoot(page, "overlay_frozen.png");
  await page.focus("#scrub");
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowLeft");
  assertEquals(await momentOf(), tick - 20);
  const frozen = await seeFrozenRows(page);
  assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
  await page.click("#freeze");
  await page.waitForFunction(
    (frozen) => document.querySelector<HTMLElement>("#flight-rows")!.innerText !== frozen,
    frozen,
  );
  assertEquals(await page.innerText("#moment"), "");
}

browserTest(
  "overlay: says what was corrected, by how much and why, also before it was opened, and freezes at a moment",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "2");
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`${server.url}play?rtt=200#LOOK`);
    await page.click("#play");
    await untilPlaying(page);
    const riders = ["Nemo", "Odo"].map((name, i) =>
      new HonestBot(server.url, { name, seed: i, room: "LOOK" })
    );

    try {
      await page.waitForFunction(() => wyvern!.names.size === 3);
      const { ticks } = await page.evaluate(() => wyvern!.stats);
      await page.waitForFunction((ticks) => wyvern!.stats.ticks > ticks + 100, ticks);
      assertGreater(await page.evaluate(pixelsOf, "#lag"), 0);
      await page.keyboard.press("F4");
      const openedAt = await page.evaluate(() => wyvern!.head);
      await page.keyboard.press("F3");
      // The worker finds the causes of what happened before.
      await page.waitForFunction(() =>
        document.querySelector("#flight-rows")?.textContent?.includes("than this page had guessed")
      );
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#felt")]);
      const trace: Trace = JSON.parse(await Deno.readTextFile(await download.path()));
      const log = trace.log.map((row) =>
        Object.fromEntries(trace.logColumns.map((column, i) => [column, row[i]]))
      );
      const corrections = log.filter(({ kind }) => kind === "correction");
      assertGreater(corrections.length, 10);
      assert(
        corrections.some(({ tick }) => Number(tick) < openedAt),
        "from before the overlay was opened",
      );
      assert(corrections.every(({ cm, why }) => Number(cm) > 5 && why !== ""));
      assertEquals(log.filter(({ kind }) => kind === "mark").length, 1);
      assert(trace.lanes.every(({ states }) => /^[0-4]+$/.test(states)));
      assertGreater(await page.evaluate(pixelsOf, "#lane-canvas"), 4 * 50 * 3);
      assertEquals(
        (await page.locator(".lane-names li:visible").allInnerTexts()).slice(2, 4).sort(),
        ["Nemo", "Odo"],
      );
      await page.waitForFunction(() =>
        ["corrected", "guessing", "late", "slow", "jittery"].includes(
          document.querySelector("#debug-verdict")!.textContent!,
        )
      );
      await shoot(page, "overlay_flight.png");
      await scrub(page);
      await freezeNow(page);
      await page.waitForFunction(() =>
        document.querySelectorAll("#flight-rows li:not([hidden])").length === 8
      );
      assertEquals(faults, []);
    } finally {
      for (const rider of riders) rider.stop();
    }
  },
);
