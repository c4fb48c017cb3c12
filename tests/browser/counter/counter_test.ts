/**
 * Page, session and server name no game: the counter game plays through them with a view of its
 * own.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import type { Session } from "../../../client/session/session.ts";
import type { CounterCommand, CounterSimulation } from "../../tools/lab/counter_game.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import { counterPage } from "./page_source.ts";

type CounterSession = Session<CounterCommand, CounterSimulation>;

const SERVER = new URL("server.ts", import.meta.url);
const PRESSES = 5;

/** A page in room PLUG over a round trip of 100 ms. */
async function join(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}?rtt=100#PLUG`);
  await page.fill("#name", name);
  await page.click("#play");
  await page.waitForFunction(() => {
    const session = (globalThis as unknown as { wyvern?: CounterSession }).wyvern;
    return session?.phase === "playing" && session.isInSync &&
      session.simulation!.isPresent(session.seat);
  });
}

/** Reads the page's session in the page. */
function read<Result>(page: Page, select: (session: CounterSession) => Result): Promise<Result> {
  return page.evaluate(`(${select})(globalThis.wyvern)`) as Promise<Result>;
}

/** Pixels of the canvas that are not empty. Runs in the page. */
function pixelsDrawn(): number {
  const canvas = document.querySelector("canvas")!;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}

const scoresOf = (page: Page) =>
  page.locator("#scores li:not([hidden])").evaluateAll((rows) =>
    rows.map((
      row,
    ) => [row.querySelector(".name")!.textContent, row.querySelector(".score")!.textContent])
  );

browserTest(
  "page: a game without physics plays through the same page, with a view of a hundred lines",
  async (browser) => {
    const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
    try {
      const files = await buildPage(counterPage, new URL("counter/", folder));
      for (const { name, bytes } of files) {
        assert(!/dragon/i.test(new TextDecoder().decode(bytes)), `${name} names dragons`);
      }
      await using server = await ServerProcess.startScript(SERVER, folder.href, "--npcs", "2");
      const ash = await browser.newPage();
      const wren = await browser.newPage();
      await join(ash, server.url, "Ash");
      await join(wren, server.url, "Wren");
      await ash.bringToFront();
      for (let i = 0; i < PRESSES; i++) await ash.keyboard.press("Space", { delay: 60 });
      await ash.keyboard.down("ArrowRight");
      const seat = await read(ash, (session) => session.seat);
      await wren.waitForFunction(
        ({ seat, presses }) => {
          const { simulation, poses } =
            (globalThis as unknown as { wyvern: CounterSession }).wyvern;
          return simulation!.pressesOf(seat) === presses && poses.head.findBySeat(seat)!.x > 3;
        },
        { seat, presses: PRESSES },
      );
      await ash.keyboard.up("ArrowRight");
      assertEquals((await scoresOf(ash)).find(([name]) => name === "Ash (you)"), [
        "Ash (you)",
        String(PRESSES),
      ]);
      assertEquals((await scoresOf(wren)).find(([name]) => name === "Ash"), [
        "Ash",
        String(PRESSES),
      ]);
      const scores = (await scoresOf(wren)).map(([, score]) => Number(score));
      assertEquals(
        scores,
        scores.toSorted((a, b) => b - a),
        "players and NPCs are in one list (SPEC 8.19)",
      );
      assertEquals(await ash.locator("#timer").isVisible(), false, "there are no rounds");
      assertGreater(await ash.evaluate(pixelsDrawn), 4 * 200, "four dots");
      await ash.keyboard.press("F3");
      await ash.waitForSelector("#debug");
      await shoot(ash, "counter.png");
      assertGreater(await read(wren, (session) => session.stats.rollbacks), 0);
      assertEquals(await read(ash, (session) => session.stats.desyncs), 0);
      assertEquals(await read(wren, (session) => session.stats.desyncs), 0);
      await ash.click("#open-menu");
      await ash.click("#leave");
      await ash.waitForSelector("#lobby:not([hidden])");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
