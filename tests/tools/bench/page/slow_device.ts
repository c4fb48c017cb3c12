/**
 * `bench page --cpu N`: the page as players have it, in a Chromium whose main thread is slowed down
 * N times. It plays with two bots and five NPCs over a line of 60 ms with a jitter of 5 ms, and has
 * time to choose its quality.
 *
 * A third bot is on the same line. Its thread is never busy for long, so its lead is what the line
 * needs. Other load on the machine slows both down.
 */
import type { CDPSession, Page } from "playwright-core";
import { launchChromium } from "../../../browser/chromium.ts";
import "../../../browser/pages/page_globals.ts";
import { HonestBot } from "../../../support/honest_bot.ts";
import { Progress } from "../../../support/progress.ts";
import { Proxy } from "../../../support/proxy.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { quantileOf } from "../median.ts";

const ROOM = "SLOW";
const NPCS = 5;
const BOTS = 2;
const LINE = { model: { oneWayMs: 30, jitterMs: 5, loss: 0 }, seed: 1 };
/**
 * By then the picture can have gone down from the first rung to the last, and the leads are steady.
 */
const WARM_UP_SECONDS = 20;
const SAMPLE_MS = 200;

/** What a second script samples on the page, ms. */
interface PageCounts {
  readonly intervalsMs: number[];
  readonly leadsMs: number[];
  readonly roundTripsMs: number[];
}

/**
 * @param cpu how many times slower the page's thread is
 * @returns the object that `--json` prints
 */
export async function measureSlowDevice(
  { cpu, seconds }: { cpu: number; seconds: number },
): Promise<Record<string, unknown>> {
  await using server = await ServerProcess.start("--seed", "5", "--npcs", String(NPCS));
  await using proxy = new Proxy(server.port, LINE);
  const url = `http://127.0.0.1:${proxy.port}/`;
  const bots = Array.from(
    { length: BOTS },
    (_, i) => new HonestBot(server.url, { name: `bot ${i}`, seed: i, room: ROOM }),
  );
  const free = new HonestBot(url, { name: "free", seed: BOTS, room: ROOM });
  const browser = await launchChromium();

  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await play(page, url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
    await devtools.send("Performance.enable");
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    return { cpu, ...await measure({ page, devtools, free, seconds }) };
  } finally {
    for (const bot of [...bots, free]) bot.stop();
    await browser.close();
  }
}

/** Joins, and presses keys forever. */
async function play(page: Page, url: string): Promise<void> {
  await page.goto(`${url}#${ROOM}`);
  await page.click("#play");
  await page.waitForFunction(() => wyvern?.simulation?.world.player(wyvern.seat) !== undefined);
  await page.evaluate(() => {
    const key = (type: string, code: string) =>
      dispatchEvent(new KeyboardEvent(type, { code, bubbles: true }));
    const hold = (code: string, ms: number) => {
      key("keydown", code);
      setTimeout(() => key("keyup", code), ms);
    };
    let presses = 0;
    setInterval(() => {
      presses++;
      hold("Space", 60);
      if (presses % 7 === 0) hold("KeyF", 40);
      if (presses % 5 === 0) hold(presses % 2 === 0 ? "ArrowLeft" : "ArrowRight", 1000);
    }, 230);
  });
}

async function measure({ page, devtools, free, seconds }: {
  page: Page;
  devtools: CDPSession;
  free: HonestBot;
  seconds: number;
}): Promise<Record<string, unknown>> {
  const neededMs: number[] = [];
  const progress = new Progress(WARM_UP_SECONDS + seconds, "seconds");
  for (let second = 0; second < WARM_UP_SECONDS; second++) {
    progress.show(second);
    await page.waitForTimeout(1000);
  }
  await page.evaluate(count, SAMPLE_MS);
  const before = await page.evaluate(() => ({ ...wyvern!.stats }));
  const busyBefore = await busySeconds(devtools);
  for (let second = 0; second < seconds; second++) {
    progress.show(WARM_UP_SECONDS + second);
    await page.waitForTimeout(1000);
    neededMs.push(free.session.leadMs);
  }

  const busyMs = 1000 * (await busySeconds(devtools) - busyBefore);
  const counts = await page.evaluate(() =>
    (globalThis as unknown as { counts: PageCounts }).counts
  );
  const stats = await page.evaluate(() => ({ ...wyvern!.stats }));
  progress.end();
  const { intervalsMs, leadsMs, roundTripsMs } = counts;
  const leadMs = quantileOf(leadsMs, 0.5);
  const needMs = quantileOf(neededMs, 0.5);
  return {
    framesPerSecond: 1000 * intervalsMs.length / intervalsMs.reduce((sum, ms) => sum + ms, 0),
    frameMsP50: quantileOf(intervalsMs, 0.5),
    frameMsP95: quantileOf(intervalsMs, 0.95),
    threadMsPerFrame: busyMs / intervalsMs.length,
    qualityRung: await qualityRung(page),
    leadMs: leadMs,
    leadNeededMs: needMs,
    leadExcessMs: leadMs - needMs,
    pingMs: quantileOf(roundTripsMs, 0.5),
    lateShare: (stats.commandsLate - before.commandsLate) /
      (stats.commandsSent - before.commandsSent),
  };
}

/** Counts drawn frames and samples the leads from now on. It runs on the page. */
function count(sampleMs: number): void {
  const counts: PageCounts = { intervalsMs: [], leadsMs: [], roundTripsMs: [] };
  Object.assign(globalThis, { counts });
  let drawn: unknown;
  let drawnMs = performance.now();
  const look = () => {
    requestAnimationFrame(look);
    // Each frame uses the same scene object, so its moment shows whether the page has drawn it
    // anew.
    const atMs = (wyvernScene as { atMs: number } | undefined)?.atMs;
    const nowMs = performance.now();
    if (atMs === drawn) return;
    counts.intervalsMs.push(nowMs - drawnMs);
    drawn = atMs;
    drawnMs = nowMs;
  };
  requestAnimationFrame(look);
  setInterval(() => {
    counts.leadsMs.push(wyvern!.leadMs);
    counts.roundTripsMs.push(wyvern!.roundTripMs);
  }, sampleMs);
}

/** How much processor time the page's thread has used, including the slowdown. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value;
}

/** As the overlay shows it. */
async function qualityRung(page: Page): Promise<number> {
  await page.keyboard.press("F3");
  const text = await page.waitForFunction(() =>
    /· (\d)/.exec(document.querySelector("#debug-pictures")?.textContent ?? "")
  );
  return Number(((await text.jsonValue()) as string[])[1]);
}
