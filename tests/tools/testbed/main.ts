/**
 * The testbed: a page with scenes of the physics. A person grabs bodies, pauses, steps and rolls
 * back.
 *
 *     deno task testbed [--port] [--shots] [--json]
 *
 * With `--shots` a Chromium plays every scene for a while and saves a picture of each.
 */
import type { Browser } from "playwright-core";
import * as z from "zod";
import {
  EXIT_UNUSABLE,
  type FlagValues,
  present,
  UsageError,
  wholeNumber,
} from "../../../shared/flags.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { runTool } from "../../support/tool.ts";
// It declares the page's global variable.
import "./page/player.ts";
import type { Scene } from "./scene.ts";
import { SCENES } from "./scenes.ts";
import { serveSite, type Site } from "./site.ts";

const FLAGS = {
  port: {
    schema: wholeNumber(65_535).default(8090),
    about: "the port on this machine, 0 for a free one [8090]",
    allowed: "a whole number 0 to 65535",
  },
  shots: {
    schema: z.string().min(1).optional(),
    about: "save a picture of every scene there, and end",
    allowed: "a folder",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The windows of the pictures: a desktop, and a phone on which all scenes must be legible. */
const DESKTOP = { viewport: { width: 1280, height: 720 } };
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** The figures of one scene after its pictures. */
interface Played {
  readonly ticks: number;
  readonly bodies: number;
  readonly tickMs: number;
  /** Of twenty ticks back and forward again. */
  readonly rollbackMs: number;
  readonly isEqual: boolean;
}

/** Plays a scene with the keys of its proof, and saves its picture. */
async function shootScene(
  browser: Browser,
  { url }: Site,
  { name, shotTicks = 120 }: Scene,
  folder: string,
) {
  let played: Played | undefined;
  for (const [suffix, options] of [["", DESKTOP], ["-phone", PHONE]] as const) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${url}#${name}`);
    await page.waitForFunction(() => globalThis.testbed !== undefined);
    played = await page.evaluate((ticks) => {
      const { player } = globalThis.testbed!;
      player.isPaused = true;
      player.restart();
      player.runProof(ticks);
      const { ms, before, after } = player.rollBack(20);
      const { run, tickMs } = player;
      const bodies = run.stage.entityCount;
      return { ticks: run.ticks, bodies, tickMs, rollbackMs: ms, isEqual: before === after };
    }, shotTicks);
    await page.waitForFunction(
      (frames) => globalThis.testbed!.frames > frames,
      await page.evaluate(() => testbed!.frames + 2),
    );
    await Deno.writeFile(`${folder}/${name}${suffix}.png`, new Uint8Array(await page.screenshot()));
    await context.close();
  }

  return played!;
}

async function shootAll(folder: string, json: boolean): Promise<void> {
  if (chromiumPath === undefined) {
    throw new UsageError("--shots needs a Chromium, and this machine has none");
  }
  await Deno.mkdir(folder, { recursive: true });
  await using site = await serveSite(0);
  const browser = await launchChromium();
  const scenes: Record<string, Played> = {};

  try {
    for (const scene of SCENES) {
      const { bodies, tickMs, rollbackMs, isEqual } = scenes[scene.name] = await shootScene(
        browser,
        site,
        scene,
        folder,
      );
      const equality = isEqual ? "equal" : "DIFFERENT";
      console.error(
        `${scene.name}: ${bodies} bodies, ${
          tickMs.toFixed(2)
        } ms a tick, 20 ticks rolled back in ` +
          `${rollbackMs.toFixed(1)} ms: ${equality}`,
      );
    }
  } finally {
    await browser.close();
  }

  if (json) console.log(JSON.stringify({ folder, scenes }));
}

async function run({ port, shots, json }: FlagValues<typeof FLAGS>): Promise<number | void> {
  if (shots !== undefined) return await shootAll(shots, json);
  try {
    await using site = await serveSite(port);
    console.log(json ? JSON.stringify({ url: site.url }) : `The testbed is at ${site.url}`);
    await site.finished;
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    console.error(`testbed: port ${port} is in use; --port names another one`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) Deno.exit(await runTool("testbed", { flags: FLAGS, run }));
