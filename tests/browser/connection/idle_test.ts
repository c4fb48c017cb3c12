/**
 * A player who goes for coffee, and one who looks at another tab: an NPC flies, and the seat goes
 * in the end.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { chromiumTest, PlainChromium } from "../plain_chromium.ts";

/** An NPC's commands are announced for two seconds at most, and a message takes a moment. */
const ANNOUNCED_TICKS = 60;
const NOTICE = "A bot plays your dragon while you do nothing. Press anything to take over.";

async function ticksOf({ url }: ServerProcess): Promise<number> {
  return (await (await fetch(`${url}healthz`)).json()).ticks;
}

browserTest(
  "page: after 20 s without a key an NPC flies, until the first one; in the end the seat goes (SPEC 3.15, 3.17, 3.18, 3.22)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--idle", "30");
    const page = await browser.newPage();
    const watcher = await browser.newPage();
    await watcher.goto(`${server.url}watch#IDLE`);
    await page.goto(`${server.url}play#IDLE`);
    await page.bringToFront();
    await page.click("#play");
    await untilPlaying(page);
    const seat = await page.evaluate(() => wyvern!.seat);
    await page.keyboard.press("Space", { delay: 60 });
    await page.waitForFunction(
      (notice) => document.querySelector("#notice")?.textContent === notice,
      NOTICE,
    );
    const flaps = () =>
      watcher.evaluate(
        (seat) => wyvern!.simulation!.world.player(seat)?.fields.flapPresses ?? 0,
        seat,
      );
    await watcher.waitForFunction(
      ({ seat, flaps }) =>
        (wyvern!.simulation!.world.player(seat)?.fields.flapPresses ?? 0) > flaps,
      { seat, flaps: await flaps() },
    );

    await page.bringToFront();
    const began = await ticksOf(server);
    const sent = await page.evaluate(() => wyvern!.stats.commandsSent);
    await page.keyboard.down("ArrowLeft");
    await page.waitForFunction(
      (sent) => !wyvern!.isPlayedByNpc && wyvern!.stats.commandsSent > sent,
      sent,
    );
    assertLess(await ticksOf(server) - began, ANNOUNCED_TICKS);
    assertEquals(await page.evaluate(() => [wyvern!.seat, wyvern!.stats.desyncs]), [seat, 0]);
    await page.waitForFunction(
      (notice) => document.querySelector("#notice")?.textContent !== notice,
      NOTICE,
    );
    await page.keyboard.up("ArrowLeft");

    await page.waitForFunction(() =>
      document.querySelector("#lobby-notice")?.textContent?.startsWith(
        "You did not play for a while",
      )
    );
    await watcher.waitForFunction(
      (seat) => wyvern!.simulation!.world.player(seat) === undefined,
      seat,
    );
  },
);

chromiumTest(
  "page: while it is hidden an NPC flies; seen again, it flies itself (SPEC 3.17, 3.20)",
  async () => {
    await using server = await ServerProcess.start("--npcs", "1");
    await using browser = await PlainChromium.start();
    const page = await browser.open(`${server.url}play#HIDE`);
    await page.until(`document.querySelector("#play")?.disabled === false`);
    await page.evaluate(`document.querySelector("#play").click()`);
    await page.until(`globalThis.wyvern?.phase === "playing" && wyvern.stats.commandsSent > 20`);
    const seat = await page.evaluate("wyvern.seat");

    const other = await browser.open(`${server.url}watch#HIDE`);
    await page.until(`document.visibilityState === "hidden"`);
    await page.until("wyvern.isPlayedByNpc");
    const sent = await page.evaluate("wyvern.stats.commandsSent");
    const flaps = `wyvern?.simulation?.world.player(${seat})?.fields.flapPresses`;
    await other.until(`${flaps} > 0`);
    assertEquals(await page.evaluate("wyvern.stats.commandsSent"), sent);

    await page.show();
    const began = await ticksOf(server);
    await page.until(`!wyvern.isPlayedByNpc && wyvern.stats.commandsSent > ${sent}`);
    assertLess(await ticksOf(server) - began, ANNOUNCED_TICKS);
    assertEquals(await page.evaluate("[wyvern.seat, wyvern.stats.desyncs, wyvern.phase]"), [
      seat,
      0,
      "playing",
    ]);
    assertGreater(await page.evaluate("wyvern.definitiveTick"), 0);
  },
);
