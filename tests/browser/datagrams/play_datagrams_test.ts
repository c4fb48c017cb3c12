/** The real page on the real server, by datagrams. */
import { assert, assertEquals } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import "../pages/page_globals.ts";

browserTest(
  "page: with ?transport=webtransport it plays in sync, and its seat waits as soon as it is closed (SPEC 16.7, 16.9)",
  async (browser) => {
    await using server = await ServerProcess.start("--datagrams", "on");
    // A tab of a browser that stays: a page of its own context would end its whole network.
    const context = await browser.newContext();
    const page = await context.newPage();
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await page.goto(`${server.url}?transport=webtransport#PLAY`);
    await page.fill("#name", "Ada");
    await page.click("#play");
    await untilPlaying(page);
    await page.waitForFunction(() => wyvern!.stats.ticks > 60 && wyvern!.isInSync);
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    assertEquals(sockets, []);
    await page.close();
    // A cut connection would have the code 1006, five seconds later.
    const closed = await server.waitForOutput(/link_closed .*/);
    assert(closed![0].includes('code=4008 by=peer reason="the page was left"'), closed![0]);
  },
  { isWhole: true },
);
