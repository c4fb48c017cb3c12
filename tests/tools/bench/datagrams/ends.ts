/**
 * Measures with a real page in Chromium how soon ends are noticed: a closed tab, a killed browser,
 * and a path that goes dark.
 */
import { launchChromium } from "../../../browser/chromium.ts";
import { untilPlaying } from "../../../browser/duel.ts";
import "../../../browser/pages/page_globals.ts";
import { BEHIND_GATE, UdpGate } from "../../../support/datagrams/udp_gate.ts";
import { freePort } from "../../../support/servers/public_server.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";

export interface NoticedEnds {
  /**
   * From the end of the tab, and of the browser's processes, to the line in the server's log, ms.
   */
  readonly closedTabMs: number;
  readonly killedBrowserMs: number;
  /**
   * From the first lost packet until the page plays on over its socket, ms; and how many ticks that
   * cost.
   */
  readonly darkMs: number;
  readonly darkTicksLost: number;
  readonly darkDesyncs: number;
}

export async function measureEnds(): Promise<NoticedEnds> {
  return { ...await measureAlone(), ...await measureDark() };
}

/** Measures pages that use nothing but a datagram session. */
async function measureAlone(): Promise<Pick<NoticedEnds, "closedTabMs" | "killedBrowserMs">> {
  const measure = async (kill: boolean) => {
    await using server = await ServerProcess.start("--datagrams", "on");
    await using browser = await launchChromium();
    // Opens a tab in a browser that stays, because closing a page's own context would end its whole
    // network.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}?transport=webtransport#PLAY`);
    await page.fill("#name", "Ada");
    await page.click("#play");
    await untilPlaying(page);
    await page.waitForFunction(() => wyvern!.stats.ticks > 60);
    const closed = server.waitForOutput(/link_closed .*/);
    const killer = await browser.newBrowserCDPSession();
    const beganMs = performance.now();
    if (kill) killer.send("Browser.crash").catch(() => {});
    else await page.close();
    if (await closed === undefined) throw new Error("the server has ended");
    return Math.round(performance.now() - beganMs);
  };
  return { closedTabMs: await measure(false), killedBrowserMs: await measure(true) };
}

async function measureDark(): Promise<
  Pick<NoticedEnds, "darkMs" | "darkTicksLost" | "darkDesyncs">
> {
  const port = freePort();
  const flags = ["--datagrams-host", BEHIND_GATE, "--datagrams-port", String(port)];
  await using gate = await new UdpGate(port).open();
  await using server = await ServerProcess.start("--datagrams", "on", ...flags);
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(`${server.url}#PLAY`);
  await page.fill("#name", "Ada");
  await page.click("#play");
  await untilPlaying(page);
  await page.waitForFunction(() => (wyvern!.datagrams?.stats.down ?? 0) > 100);
  const read = () =>
    page.evaluate(() => {
      const { ticks, desyncs } = wyvern!.stats;
      return { ticks, desyncs, definitive: wyvern!.definitiveTick };
    });
  const before = await read();
  const beganMs = performance.now();
  gate.isDark = true;
  const transportOf = () => wyvern!.datagrams!.report!.transport === "websocket";
  await page.waitForFunction(transportOf, undefined, { polling: 10 });
  const darkMs = Math.round(performance.now() - beganMs);
  await page.waitForFunction((tick) => wyvern!.definitiveTick > tick + 100, before.definitive);
  const after = await read();
  return {
    darkMs,
    darkTicksLost: after.definitive - before.definitive - (after.ticks - before.ticks),
    darkDesyncs: after.desyncs - before.desyncs,
  };
}
