/**
 * Takes the pictures of games: a small one that moves, for the list of games, and a still one, for
 * previews of links. Both show the match behind the lobby, in Chromium and in slow time.
 *
 *     deno task chore scenes [--games] [--length] [--fps] [--slowdown]
 *
 * Beside each game's view lies then `preview.webp`, 480 × 270 px, which repeats for ever, and
 * `card.jpg`, 1200 × 630 px.
 */
import * as z from "zod";
import type { Browser, Page } from "playwright-core";
import { type FlagValues, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { quoted } from "../../../shared/quoted.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { programPath } from "../../support/programs.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { runTool } from "../../support/tool.ts";
import { encode, ENCODER } from "./animate.ts";
import { framesOf, type TimedFrame } from "./moments.ts";
import { startCast } from "./record.ts";
import { slowTime } from "./slow_time.ts";

const ROOT = new URL("../../../", import.meta.url);
/** What a list of three games may cost a phone, each. */
const PREVIEW_BYTES_MAX = 120_000;
const PREVIEW = { width: 480, height: 270 };
/** The size that previews of links have. */
const CARD = { width: 1200, height: 630 };
const CARD_QUALITY = 72;
/** Seconds of the match until it is worth a look. */
const WARM_UP_SECONDS = 3;
/** The picture alone, without the lobby above it. */
const BARE = "#lobby { display: none !important }";

const FLAGS = {
  games: {
    schema: z.string().min(1).optional(),
    about: "the games whose pictures are taken [all of the registry]",
    allowed: "names with commas between",
  },
  length: {
    schema: wholeNumber(10, 2).default(4),
    about: "seconds of the moving picture [4]",
    allowed: "a whole number 2 to 10",
  },
  fps: {
    schema: wholeNumber(20, 5).default(12),
    about: "its frames per second [12]",
    allowed: "a whole number 5 to 20",
  },
  slowdown: {
    schema: wholeNumber(20, 1).default(4),
    about: "how much slower than a clock all of it runs; a busy machine needs more [4]",
    allowed: "a whole number 1 to 20",
  },
} as const;

type Flags = FlagValues<typeof FLAGS>;

/** @returns 0 */
async function takePictures(flags: Flags): Promise<number> {
  if (chromiumPath === undefined) throw new UsageError("there is no Chromium here");
  if (programPath(ENCODER) === undefined) {
    throw new UsageError(`there is no ${ENCODER} here; Debian's package webp has it`);
  }
  const names = flags.games?.split(",") ?? Object.keys(GAMES);
  const unknown = names.find((name) => !Object.hasOwn(GAMES, name));
  if (unknown !== undefined) throw new UsageError(`--games ${quoted(unknown)}: there is none`);

  const browser = await launchChromium();
  try {
    for (const name of names) await takeBoth(browser, name, flags);
    return 0;
  } finally {
    await browser.close();
  }
}

async function takeBoth(
  browser: Browser,
  name: string,
  { length, fps, slowdown }: Flags,
): Promise<void> {
  const folder = new URL(`client/games/${name}/`, ROOT);
  await using server = await ServerProcess.start("--games", name, "--data", "off");
  const slowness = { slowdown, framesPerSecond: fps };

  // The one that moves
  const moving = await openScene(browser, server.url, { size: PREVIEW, ...slowness });
  const cast = await startCast(moving);
  const fromMs = Date.now();
  await moving.waitForTimeout(length * 1000 * slowdown);
  const frames = await cast();
  await moving.context().close();
  const span = { fromMs: Math.max(fromMs, frames[0]!.atMs), toMs: frames.at(-1)!.atMs };
  const shown = framesOf(frames, span, 1000 * slowdown / fps).map(bytesOf);
  const preview = new URL("preview.webp", folder);
  const periodMs = Math.round(1000 / fps);
  const { bytes } = await encode(shown, {
    path: preview.pathname,
    periodMs,
    bytesMax: PREVIEW_BYTES_MAX,
  });

  // The still one
  const still = await openScene(browser, server.url, { size: CARD, ...slowness });
  const card = await still.screenshot({ type: "jpeg", quality: CARD_QUALITY });
  await still.context().close();
  await Deno.writeFile(new URL("card.jpg", folder), new Uint8Array(card));
  console.log(`${name}: ${shown.length} frames, ${bytes} bytes; card ${card.length} bytes`);
}

function bytesOf({ png }: TimedFrame): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(png);
}

async function openScene(
  browser: Browser,
  url: string,
  { size, slowdown, framesPerSecond }: {
    size: { width: number; height: number };
    slowdown: number;
    framesPerSecond: number;
  },
): Promise<Page> {
  // The page's policy allows no style but its own.
  const context = await browser.newContext({ viewport: size, bypassCSP: true });
  const page = await context.newPage();
  await page.addInitScript(slowTime, { slowdown, framesPerSecond });
  await page.goto(url);
  await page.addStyleTag({ content: BARE });
  await page.waitForTimeout(WARM_UP_SECONDS * 1000 * slowdown);
  return page;
}

if (import.meta.main) Deno.exit(await runTool("chore scenes", { flags: FLAGS, run: takePictures }));
