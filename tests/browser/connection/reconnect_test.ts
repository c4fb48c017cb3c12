import {
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLessOrEqual,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import type { Page } from "playwright-core";
import { Proxy } from "../../support/proxy.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { killWithKeys, placePrey, untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

/** Ticks in the five seconds without a connection. */
const CUT_TICKS = 100;
/**
 * A seat is reserved as long as it was played: here for longer than a busy machine needs to come
 * back.
 */
const PLAYED_TICKS = { beforeCut: 450, beforeReload: 250 };
/**
 * A page tries again after two seconds at most. The rest of these ten seconds is for the join on a
 * busy machine.
 */
const BACK_TICKS = 200;

async function play(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.click("#play");
  await untilPlaying(page);
}

/** Waits for a dragon that was killed and comes back. */
async function dragonOf(page: Page, seat: number) {
  await page.waitForFunction((seat) => wyvern!.simulation!.world.player(seat) !== undefined, seat);
  return page.evaluate((seat) => {
    const { id, fields: { flapPresses, score } } = wyvern!.simulation!.world.player(seat)!;
    return { id, flapPresses, score, round: wyvern!.simulation!.world.match.round };
  }, seat);
}

async function ticksOf(server: ServerProcess): Promise<number> {
  return (await (await fetch(`${server.url}healthz`)).json()).ticks;
}

const untilNotice = (page: Page, words: string) =>
  page.waitForFunction(
    (words) => document.querySelector("#notice")?.textContent?.includes(words),
    words,
  );

browserTest(
  "page: after five seconds without connection: the same seat and dragon, flown by an NPC (SPEC 3.3, 3.4, 8.4)",
  async (browser) => {
    // A seat is promised while nothing answers only if the match is logged.
    using data = await TemporaryData.make();
    await using server = await ServerProcess.start(
      ...["--seed", "1", "--npcs", "1", "--idle", "0", "--data", data.folder],
    );
    await using proxy = new Proxy(server.port);
    const { prey, seat: preySeat } = await placePrey(server.port, "CUTS");
    const [page, witness] = [await browser.newPage(), await browser.newPage()];
    await play(page, `http://127.0.0.1:${proxy.port}/#CUTS`);
    await play(witness, `${server.url}#CUTS`);
    await page.bringToFront();
    await killWithKeys(page, preySeat);
    await prey.leave();
    const seat = await page.evaluate(() => wyvern!.seat);
    await page.waitForFunction((ticks) => wyvern!.definitiveTick > ticks, PLAYED_TICKS.beforeCut);
    const before = await dragonOf(page, seat);
    assertGreater(before.score, 0);

    const cutAt = await ticksOf(server);
    await proxy.cut();
    // The page cannot know whether the server has crashed or only its own way there is cut.
    await untilNotice(page, "The server does not answer. Trying again in");
    await untilNotice(page, "your seat waits for ");
    await shoot(page, "reconnecting.png");
    await witness.waitForFunction(
      ({ seat, flaps }) => wyvern!.simulation!.world.player(seat)!.fields.flapPresses > flaps,
      { seat, flaps: before.flapPresses },
    );
    while (await ticksOf(server) < cutAt + CUT_TICKS) {
      await witness.evaluate(() => new Promise(requestAnimationFrame));
    }
    const flown = await dragonOf(witness, seat);
    assertGreater(flown.flapPresses, before.flapPresses, "an NPC flew it");
    assertEquals(flown.id, before.id);

    proxy.mend();
    await untilPlaying(page);

    // The page would say for 4 s that the seat is gone.
    assertEquals((await page.innerText("#notice")).includes("gone"), false);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
    const after = await dragonOf(page, seat);
    assertEquals(after.id, before.id);
    assertEquals(after.round, before.round);
    assertGreaterOrEqual(after.score, before.score, "the score was kept");
    await page.waitForFunction(() => document.querySelector("#notice")?.textContent === "");

    // The dragon follows its player again once the NPC's announced commands are used up.
    await page.bringToFront();
    await page.waitForFunction(() => wyvern!.stats.commandsSent > 10);
    const presses = (await dragonOf(page, seat)).flapPresses;
    await page.keyboard.press("Space", { delay: 60 });
    await page.waitForFunction(
      ({ seat, presses }) =>
        wyvern!.simulation!.world.player(seat)!.fields.flapPresses === presses + 1,
      { seat, presses },
    );
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
  },
);

browserTest(
  "page: reports that the server restarts, and is soon in a new match (SPEC 8.4, 8.8, 8.17, 8.18)",
  async (browser) => {
    const port = await freePort();
    const page = await browser.newPage();
    const late = await browser.newPage();
    {
      await using server = await ServerProcess.start("--port", String(port));
      await late.goto(server.url);
      await play(page, `${server.url}#AWAY`);
      // Older than the new match will be when the page joins it.
      await page.waitForFunction(() => wyvern!.definitiveTick > 30);
      await server.stop("SIGTERM");
    }
    await untilNotice(page, "The server is restarting. The match is over. Trying again in");
    assertEquals(
      (await page.innerText("#notice")).includes("seat"),
      false,
      "the seat went with the match",
    );
    const token = () => page.evaluate(() => sessionStorage.getItem("wyvern.seat.AWAY"));
    const oldToken = await token();
    await late.click("#play");
    const untilSaid = (words: string) =>
      late.waitForFunction(
        (words) => document.querySelector("#lobby-notice")!.textContent!.includes(words),
        words,
      );
    await untilSaid("The server does not answer. Trying again in");
    assertEquals([await late.innerText("#play"), await late.inputValue("#room")], ["Play now", ""]);
    assertEquals(new URL(late.url()).hash, "");

    await using server = await ServerProcess.start("--port", String(port));
    await untilPlaying(page);

    // The server's ticks are the clock. They start with its restart.
    assertLessOrEqual(await ticksOf(server), BACK_TICKS);
    await untilNotice(page, "A new match has begun.");
    assertNotEquals(await token(), oldToken);
    await untilPlaying(late);
    assertMatch(new URL(late.url()).hash, /^#[A-Z]{4}$/);
    await page.waitForFunction(() => document.querySelector("#notice")?.textContent === "");
  },
);

browserTest(
  "page: one of another version reloads itself and is back in its seat (SPEC 8.12, 3.4)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0");
    const page = await browser.newPage();
    let hellos = 0;
    let cut = () => {};
    await page.routeWebSocket(/socket/, (line) => {
      const far = line.connectToServer();
      let isFirst = true;
      line.onMessage((message) => {
        // The version is in the bits after the first two. The second hello is that of an outdated
        // page.
        if (isFirst && ++hellos === 2 && typeof message !== "string") message[0]! ^= 1 << 7;
        isFirst = false;
        far.send(message);
      });
      cut = () => void Promise.all([line.close({ code: 1001 }), far.close({ code: 1001 })]);
    });
    await play(page, `${server.url}#OLDS`);
    await page.waitForFunction(
      (ticks) => wyvern!.definitiveTick > ticks,
      PLAYED_TICKS.beforeReload,
    );
    const before = await page.evaluate(() => ({
      seat: wyvern!.seat,
      tick: wyvern!.definitiveTick,
    }));
    const loaded = page.waitForEvent("load");
    cut();
    await loaded;
    await untilPlaying(page);
    const after = await page.evaluate(() => ({ seat: wyvern!.seat, tick: wyvern!.definitiveTick }));
    assertEquals([after.seat, hellos], [before.seat, 3]);
    assertGreater(after.tick, before.tick, "the same match");
  },
);

async function freePort(): Promise<number> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return await Promise.resolve(port);
}
