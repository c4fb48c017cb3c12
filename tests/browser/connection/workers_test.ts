/**
 * A page on a server of several match processes: its policy lets it to them, and it comes back when
 * one of them dies.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { noteNotices, untilNoted } from "../notices.ts";

browserTest(
  "page: plays at its room's process, watches by an operator's link, and has its seat again after a kill (SPEC 17.3, 17.5)",
  async (browser) => {
    using data = await TemporaryData.make();
    await using workers = await WorkerServer.start("--data", data.folder, "--ops-port", "0");
    const [, opsUrl, token] =
      (await workers.server.waitForOutput(/^Operators: (\S+)ops; the token is (\w+)$/m))!;
    const [page, watching] = await Promise.all([1, 2].map(() => browser.newPage()));
    await page!.goto(`${workers.server.url}#CROW`);
    await page!.click("#play");
    await untilPlaying(page!);
    await page!.waitForFunction((ticks) => wyvern!.definitiveTick > ticks, KEPT_SEAT_TICKS);
    const { seat, tick } = await page!.evaluate(() => ({
      seat: wyvern!.seat,
      tick: wyvern!.definitiveTick,
    }));

    const headers = { authorization: `Bearer ${token}` };
    const body = '{"game": "dragons", "room": "CROW"}';
    const { link } =
      await (await fetch(`${opsUrl}api/ops/watch`, { method: "POST", headers, body })).json();
    await watching!.goto(link);
    await watching!.waitForFunction(() => wyvern !== undefined && wyvern.definitiveTick > 0);

    await noteNotices(page!);
    Deno.kill(workers.pidOf(await workers.workerOf("CROW")), "SIGKILL");
    await untilNoted(page!, "The server was restarted, and the match goes on.");
    await untilPlaying(page!);
    assertEquals(await page!.evaluate(() => wyvern!.seat), seat);
    assertGreater(await page!.evaluate(() => wyvern!.definitiveTick), tick, "the same match");
    assertEquals(await page!.evaluate(() => wyvern!.stats.desyncs), 0);

    // No other address: the policy refuses a socket before it is opened.
    const refused = await page!.evaluate((port) =>
      new Promise<boolean>((resolve) => {
        addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
        const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
        socket.onopen = () => resolve(false);
      }), workers.portOf(3));
    assert(refused);
  },
);
