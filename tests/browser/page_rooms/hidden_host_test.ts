/** A room whose host's tab is hidden, in a Chromium that throttles hidden pages. */
import { assertEquals, assertLess } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { CONNECTS_PAGES } from "../chromium.ts";
import { chromiumTest, PlainChromium, type PlainPage } from "../plain_chromium.ts";

/** Beyond the ten seconds after which Chromium fires a hidden page's timers once a minute. */
const HIDDEN_TICKS = 500;

async function play(page: PlainPage, button: string): Promise<void> {
  await page.until(
    `!document.querySelector("${button}").hidden && !document.querySelector("${button}").disabled`,
  );
  await page.evaluate(`document.querySelector("${button}").click()`);
  await page.until(
    "wyvern?.simulation?.world.player(wyvern.seat) !== undefined && wyvern.isInSync",
  );
}

chromiumTest(
  "page room: a host whose tab is hidden goes on as before, although the browser throttles it (SPEC 23.14)",
  async () => {
    await using server = await ServerProcess.start("--signalling", "--data", "off");
    await using browser = await PlainChromium.start(CONNECTS_PAGES);
    const host = await browser.open(server.url);
    await play(host, "#host-here");
    await host.until(`location.hash.endsWith(".page")`);
    const link = await host.evaluate("location.href");
    const guest = await browser.open(link, { newWindow: true });
    await play(guest, "#play");
    await host.hide();

    // A throttled host would take a minute for four ticks, and its guest would have left it
    const tick: number = await guest.evaluate("wyvern.definitiveTick");
    await guest.until(`wyvern.definitiveTick > ${tick + HIDDEN_TICKS}`);
    assertEquals(await host.evaluate("document.visibilityState"), "hidden");
    const { sent, late, desyncs } = await guest.evaluate(
      "({ sent: wyvern.stats.commandsSent, late: wyvern.stats.commandsLate, desyncs: wyvern.stats.desyncs })",
    );
    assertEquals(desyncs, 0);
    assertLess(late, 0.2 * sent);
  },
);
