/**
 * The real page on the real server: it goes over to datagrams in play, and back when UDP is cut or
 * a clock is wrong.
 */
import { assert, assertEquals } from "@std/assert";
import { BEHIND_GATE, UdpGate } from "../../support/datagrams/udp_gate.ts";
import { freePort } from "../../support/servers/public_server.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import "../pages/page_globals.ts";
import { builtPage } from "../../support/built_page.ts";

browserTest(
  "page: it goes over to datagrams, and back to its socket after a cut, with its seat; the overlay says why (SPEC 16.12, 16.13, 16.16)",
  async (browser) => {
    const port = freePort();
    const flags = ["--datagrams-host", BEHIND_GATE, "--datagrams-port", String(port)];
    await using gate = await new UdpGate(port).open();
    await using server = await ServerProcess.start("--datagrams", "on", ...flags);
    const page = await browser.newPage();
    await page.goto(`${server.url}?debug#PLAY`);
    await page.fill("#name", "Ada");
    await page.click("#play");
    await untilPlaying(page);
    const transport = () => page.evaluate(() => wyvern!.datagrams?.report?.transport);
    await page.waitForFunction(() => wyvern!.datagrams?.report?.transport === "webtransport");
    await page.waitForFunction(() => wyvern!.datagrams!.stats.down > 40);
    await page.waitForFunction(() =>
      document.querySelector("#debug-transport")?.textContent?.startsWith("WebTransport: ")
    );
    const shots = Deno.env.get("WYVERN_SHOTS");
    if (shots !== undefined) await page.screenshot({ path: `${shots}/path.png` });
    const before = await page.evaluate(() => ({
      seat: wyvern!.seat,
      states: wyvern!.stats.statesAdopted,
    }));

    gate.isDark = true;
    await page.waitForFunction(() => wyvern!.datagrams!.report!.transport === "websocket");
    await page.waitForFunction(
      (tick) => wyvern!.definitiveTick > tick + 2,
      await page.evaluate(() => wyvern!.definitiveTick),
    );
    assertEquals(await transport(), "websocket");
    const after = await page.evaluate(() => ({
      seat: wyvern!.seat,
      states: wyvern!.stats.statesAdopted,
    }));
    assertEquals(after, before);
    assertEquals(await page.evaluate(() => [wyvern!.isInSync, wyvern!.stats.desyncs]), [true, 0]);
    await page.waitForFunction(() =>
      document.querySelector("#debug-transport")?.textContent?.includes("back 1×")
    );
    if (shots !== undefined) await page.screenshot({ path: `${shots}/path_back.png` });
    assert(
      (await page.textContent("#debug-transport"))!.startsWith("WebSocket: datagrams ended: "),
    );
  },
  { isWhole: true },
);

const DAY_AHEAD_SERVER = new URL("../../support/datagrams/day_ahead_server.ts", import.meta.url);

browserTest(
  "page: where its clock and the server's differ by a day, it stays on its socket, and the overlay says why (SPEC 16.25)",
  async (browser) => {
    await builtPage();
    await using server = await ServerProcess.startScript(DAY_AHEAD_SERVER, "--datagrams", "on");
    const page = await browser.newPage();
    await page.goto(`${server.url}?debug#PLAY`);
    await page.fill("#name", "Ada");
    await page.click("#play");
    await untilPlaying(page);
    await page.waitForFunction(() =>
      document.querySelector("#debug-transport")?.textContent?.startsWith(
        "WebSocket: no datagrams: ",
      )
    );
    assertEquals(
      await page.textContent("#debug-transport"),
      "WebSocket: no datagrams: the clock of this machine is wrong by 24 h",
    );
    const shots = Deno.env.get("WYVERN_SHOTS");
    if (shots !== undefined) {
      await page.locator("#debug-transport").scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${shots}/path_clock.png` });
    }
    const before = await page.evaluate(() => wyvern!.definitiveTick);
    await page.waitForFunction((tick) => wyvern!.definitiveTick > tick + 20, before);
    assertEquals(
      await page.evaluate(() => {
        const { report } = wyvern!.datagrams!;
        const { desyncs, statesAdopted } = wyvern!.stats;
        return [
          report!.transport,
          report!.handovers,
          report!.returns,
          desyncs,
          statesAdopted,
          wyvern!.isInSync,
        ];
      }),
      ["websocket", 0, 0, 0, 1, true],
    );
  },
  { isWhole: true },
);

/** Drawn without a graphics card, two pages of the usual size take both cores from their server. */
const SMALL = { width: 320, height: 240 };
const RENEWING_SERVER = new URL("../../support/datagrams/renewing_server.ts", import.meta.url);

browserTest(
  "page: a certificate that is renewed under play ends no path, and the next page takes the new one (SPEC 16.26)",
  async (browser) => {
    await builtPage();
    await using server = await ServerProcess.startScript(RENEWING_SERVER, "--datagrams", "on");
    const play = async (name: string) => {
      const page = await browser.newPage({ viewport: SMALL });
      await page.goto(`${server.url}#PLAY`);
      await page.fill("#name", name);
      await page.click("#play");
      await untilPlaying(page);
      await page.waitForFunction(() => wyvern!.datagrams?.report?.transport === "webtransport");
      await page.waitForFunction(() => wyvern!.datagrams!.stats.down > 40);
      return page;
    };
    const ada = await play("Ada");
    Deno.kill(server.pid, "SIGUSR2");
    assert(await server.waitForOutput(/^The certificate is [0-9a-f]{64}$/m) !== undefined);
    const bo = await play("Bo");
    const before = await ada.evaluate(() => wyvern!.datagrams!.stats.down);
    await ada.waitForFunction((down) => wyvern!.datagrams!.stats.down > down + 40, before);

    for (const page of [ada, bo]) {
      assertEquals(
        await page.evaluate(() => {
          const { report } = wyvern!.datagrams!;
          const { desyncs, statesAdopted } = wyvern!.stats;
          return [
            report!.transport,
            report!.handovers,
            report!.returns,
            desyncs,
            statesAdopted,
            wyvern!.isInSync,
          ];
        }),
        ["webtransport", 1, 0, 0, 1, true],
      );
    }
  },
  { isWhole: true },
);
