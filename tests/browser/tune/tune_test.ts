/**
 * Sliders for constants on two pages of a server in development: both matches' states stay equal
 * while they move, the log repeats them, and pages of other builds have none.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import type { Session } from "../../../client/session/session.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { game as hillGame } from "../../shared/game_kit/tune/hill_game.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import { hillPage } from "./page_source.ts";

const SERVER = new URL("server.ts", import.meta.url);

type HillSession = Session<typeof hillGame.command.neutral, ReturnType<typeof hillGame.start>>;

interface HillGlobals {
  readonly wyvern?: HillSession;
}

async function join(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${url}?rtt=80&jitter=10#HILL`);
  await page.click("#play");
  await page.waitForFunction(() => {
    const { wyvern } = globalThis as unknown as HillGlobals;
    return wyvern?.phase === "playing" && wyvern.isInSync && wyvern.simulation!.tick > 0;
  });
  return page;
}

/** Moves a slider as a mouse does, with every value on the way. */
async function slide(page: Page, name: string, values: readonly number[]): Promise<void> {
  for (const value of values) {
    await page.locator(`#tune-${name}`).fill(String(value));
    // So that commands with this value are sent before the next one.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Waits until a page's own simulation has these values. */
async function untilTuned(page: Page, values: { speed: number; wind: number }): Promise<void> {
  await page.waitForFunction(({ speed, wind }) => {
    const { world: { tune } } = (globalThis as unknown as HillGlobals).wyvern!.simulation!;
    return tune.speed === speed && tune.wind === wind;
  }, values);
}

browserTest(
  "tune: two pages slide one match's constants: no desync, the log repeats it, the line is there (SPEC 13.120, 13.122, 13.123)",
  async (browser) => {
    const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
    using data = await TemporaryData.make();
    try {
      await buildPage(hillPage, new URL("hill/", folder), { isDevelopment: true });
      const flags = ["--dev", "--npcs", "2", "--data", data.folder];
      await using server = await ServerProcess.startScript(SERVER, folder.href, ...flags);
      const ash = await join(browser, server.url);
      const wren = await join(browser, server.url);

      // One page slides, and both have it.
      await slide(ash, "speed", [4.1, 4.5, 5, 6, 7, 7.5]);
      for (const page of [ash, wren]) await untilTuned(page, { speed: 7.5, wind: 0.25 });
      await wren.locator("#tune output", { hasText: "7.5" }).waitFor();
      await shoot(ash, "tune.png");

      // Both at once, each its own and then the same one
      await Promise.all([
        slide(ash, "speed", [8, 8.5, 9, 9.5, 10]),
        slide(wren, "wind", [0.3, 0.5, 0.7, 0.9, 1]),
      ]);
      for (const page of [ash, wren]) await untilTuned(page, { speed: 10, wind: 1 });
      await Promise.all([
        slide(ash, "speed", [9, 7, 5, 3]),
        slide(wren, "speed", [1, 3, 5, 3]),
      ]);
      for (const page of [ash, wren]) await untilTuned(page, { speed: 3, wind: 1 });
      const lines = await ash.waitForFunction(() => {
        const text = document.querySelector("#tune-lines")!.textContent!;
        return text.startsWith("speed: tune(3,") ? text : undefined;
      });
      assertEquals(
        await lines.jsonValue(),
        "speed: tune(3, { min: 0, max: 10 }),\nwind: tune(1, { min: -1, max: 1, step: 0.1 }),",
      );

      // Back to what is declared, which no step of the slider has
      await wren.locator("#tune button", { hasText: "Reset" }).click();
      for (const page of [ash, wren]) await untilTuned(page, { speed: 4, wind: 0.25 });
      await ash.locator("#tune-lines").waitFor({ state: "hidden" });

      for (const page of [ash, wren]) {
        const stats = await page.evaluate(() => {
          const { stats, isInSync } = (globalThis as unknown as HillGlobals).wyvern!;
          return { desyncs: stats.desyncs, isInSync };
        });
        assertEquals(stats, { desyncs: 0, isInSync: true });
      }

      // The log, tick by tick
      await server.stop();
      const speeds = new Set<number>();
      const { error, fault } = replayedLog(data.only(), {
        gameOf: () => hillGame,
        onTick: ({ simulation }) =>
          speeds.add((simulation as ReturnType<typeof hillGame.start>).world.tune.speed),
      });
      assertEquals([error, fault], [undefined, undefined]);
      assertGreater(speeds.size, 5);
      assert(speeds.has(10));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
