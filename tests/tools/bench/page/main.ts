/**
 * `bench page`: how long the scripts of one frame take. Chromium plays a match on a real server
 * with a round trip of 100 ms. Eight dragons, twenty fireballs and three hundred particles are in
 * sight, at 1280×720 and a device pixel ratio of 2. The script time excludes the browser's
 * painting. The frame rate shows whether the browser keeps up. `--overlay` opens the debug overlay,
 * measures its part of each frame, and lets four bots join, because their commands make
 * corrections. With `--cpu` it measures another page (`slow_device.ts`).
 */
import { fileURLToPath } from "node:url";
import { bundle } from "../../../../client/build/build.ts";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { HonestBot } from "../../../support/honest_bot.ts";
import { launchChromium } from "../../../browser/chromium.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { quantileOf } from "../median.ts";
import type { SceneOptions, SceneResult } from "./page_scene.ts";
import { measureSlowDevice } from "./slow_device.ts";

/** Chromium can slow its thread down even more, but people do not play on such machines. */
const CPU_MAX = 20;

export const FLAGS = {
  seconds: {
    schema: wholeNumber(120, 3).default(15),
    about: "how long it is measured [15]",
    allowed: "a whole number 3 to 120",
  },
  overlay: {
    schema: present(),
    about: "with the debug overlay open, and four bots",
    allowed: "",
    switch: true,
  },
  cpu: {
    schema: wholeNumber(CPU_MAX, 1).optional(),
    about: "measures the page as players have it, on a processor so many times slower",
    allowed: `a whole number 1 to ${CPU_MAX}`,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

const DRAGONS = 8;
const FIREBALLS = 20;
const PARTICLES = 300;
const BOTS = 4;

/** @returns the object that `--json` prints */
export async function measurePage(
  { seconds, overlay, cpu }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  if (cpu !== undefined) return rounded(await measureSlowDevice({ cpu, seconds }));
  const bots = overlay ? BOTS : 0;
  await using server = await ServerProcess.start(
    "--seed",
    "5",
    "--npcs",
    String(DRAGONS - 1 - bots),
  );
  const script = await bundle(fileURLToPath(new URL("page_scene.ts", import.meta.url)));
  const browser = await launchChromium();
  const riders: HonestBot[] = [];

  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 720 },
      deviceScaleFactor: 2,
      bypassCSP: true,
    });
    // Only the server's own page may open its sockets. The page's script is blocked; the
    // benchmark's script draws instead.
    await page.route("**/main-*.js", (route) => route.abort());
    await page.goto(server.url);
    await page.evaluate(() => document.querySelector("#lobby")!.remove());
    await page.addScriptTag({ content: script, type: "module" });
    // A module script runs asynchronously.
    await page.waitForFunction(() => "benchPage" in globalThis);
    for (let i = 0; i < bots; i++) {
      riders.push(new HonestBot(server.url, { name: `bot ${i}`, seed: i, room: "BENC" }));
    }
    const socket = `${server.url.replace("http", "ws")}socket`;
    const options: SceneOptions = {
      socket,
      seconds,
      fireballs: FIREBALLS,
      particles: PARTICLES,
      overlay,
    };
    const result = await page.evaluate(
      (options) =>
        (globalThis as unknown as { benchPage: (options: SceneOptions) => Promise<SceneResult> })
          .benchPage(options),
      options,
    );
    return rounded(reportOf(result));
  } finally {
    for (const rider of riders) rider.stop();
    await browser.close();
  }
}

function reportOf(
  { scripts, overlays, intervals, dragons, fireballs, particles, rollbacks }: SceneResult,
): Record<string, unknown> {
  const elapsedMs = intervals.reduce((sum, ms) => sum + ms, 0);
  return {
    scriptMsP50: quantileOf(scripts, 0.5),
    scriptMsP95: quantileOf(scripts, 0.95),
    ...(overlays.length > 0 && {
      overlayMsP50: quantileOf(overlays, 0.5),
      overlayMsP95: quantileOf(overlays, 0.95),
      overlayMsP99: quantileOf(overlays, 0.99),
    }),
    picturesPerSecond: 1000 * intervals.length / elapsedMs,
    pictures: intervals.length,
    dragons,
    fireballs,
    particlesMin: particles[0],
    particlesMax: particles[1],
    rollbacks,
  };
}

/** The report with its numbers rounded to a hundredth. */
function rounded(report: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(report);
  return Object.fromEntries(
    entries.map((
      [key, value],
    ) => [key, typeof value === "number" ? Math.round(value * 100) / 100 : value]),
  );
}
