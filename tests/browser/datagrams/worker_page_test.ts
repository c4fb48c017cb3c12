/** The real page on a server of two match processes, by datagrams. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { WorkerServer } from "../../support/servers/worker_server.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import "../pages/page_globals.ts";

/** A room of each process: the second one goes to the less busy of the two. */
const ROOMS = ["CROW", "WREN"];

browserTest(
  "page: at two match processes it plays by datagrams, beside a socket and without one (SPEC 16.9, 16.10, 17.3, 17.13)",
  async (browser) => {
    await using workers = await WorkerServer.start("--datagrams", "on");
    for (const query of ["?debug", "?transport=webtransport"]) {
      const context = await browser.newContext();
      const pages = await Promise.all(ROOMS.map(async (room) => {
        const page = await context.newPage();
        await page.goto(`${workers.server.url}${query}#${room}`);
        await page.fill("#name", "Ada");
        await page.click("#play");
        await untilPlaying(page);
        return page;
      }));
      for (const page of pages) {
        if (query === "?debug") {
          await page.waitForFunction(() => wyvern!.datagrams?.report?.transport === "webtransport");
          await page.waitForFunction(() => wyvern!.datagrams!.stats.down > 40);
        }
        await page.waitForFunction(() => wyvern!.stats.ticks > 60 && wyvern!.isInSync);
        assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
      }
      await context.close();
    }

    assertNotEquals(await workers.workerOf(ROOMS[0]!), await workers.workerOf(ROOMS[1]!));
  },
  { isWhole: true },
);
