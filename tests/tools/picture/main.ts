/**
 * Makes the moving picture of README: two pages in Chromium play one match of the dragon game, each
 * over a round trip of 200 ms, side by side.
 *
 *     deno task chore picture [--out] [--length] [--play] [--fps] [--slowdown] [--seed] [--frames] [--json]
 *
 * It records some play and shows the part in which the two kill each other most often. Chromium and
 * the network are not exact to a frame, so the same seed gives another match each time.
 */
import * as z from "zod";
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { programPath } from "../../support/programs.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";
import { encode, ENCODER, sideBySide } from "./animate.ts";
import { bestSpan, framesOf } from "./moments.ts";
import { PLAYERS, recordDuel, RTT_MS } from "./record.ts";

/** More would make README slow to open. */
const BYTES_MAX = 1_000_000;
/** Seconds for which a kill's cause and its effect are shown, at the least. */
const MARGIN_SECONDS = 2.5;

const FLAGS = {
  out: {
    schema: z.string().min(1).default("docs/duel.webp"),
    about: "the picture [docs/duel.webp]",
    allowed: "a file",
  },
  length: {
    schema: wholeNumber(12, 6).default(9),
    about: "seconds of the picture [9]",
    allowed: "a whole number 6 to 12",
  },
  play: {
    schema: wholeNumber(600, 12).default(40),
    about: "seconds of play of which the best part is taken [40]",
    allowed: "a whole number 12 to 600",
  },
  fps: {
    schema: wholeNumber(30, 10).default(20),
    about: "frames per second [20]",
    allowed: "a whole number 10 to 30",
  },
  slowdown: {
    schema: wholeNumber(20, 1).default(4),
    about: "how much slower than a clock all of it runs; a busy machine needs more [4]",
    allowed: "a whole number 1 to 20",
  },
  seed: {
    schema: wholeNumber(1_000_000).default(7),
    about: "seed of the arena and the players [7]",
    allowed: "a whole number 0 to 1000000",
  },
  frames: {
    schema: z.string().min(1).optional(),
    about: "save every frame there as a PNG",
    allowed: "a folder",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns 0 if there is a picture; 1 if neither player has killed the other */
async function makePicture(
  { out, length, play, fps, slowdown, seed, frames, json }: FlagValues<typeof FLAGS>,
): Promise<number> {
  if (chromiumPath === undefined) throw new UsageError("there is no Chromium here");
  if (programPath(ENCODER) === undefined) {
    throw new UsageError(`there is no ${ENCODER} here; Debian's package webp has it`);
  }
  const browser = await launchChromium();

  try {
    const progress = new Progress(play, "s of play");
    const recording = await recordDuel(browser, {
      seconds: play,
      framesPerSecond: fps,
      slowdown,
      seed,
      onSecond: (second) => progress.show(second),
    });
    progress.end();

    const second = 1000 * slowdown;
    const span = bestSpan(recording.kills, {
      recorded: recording,
      lengthMs: length * second,
      marginMs: MARGIN_SECONDS * second,
    });
    if (span === undefined) {
      console.error("Neither player has killed the other; --play records more, --seed others.");
      return 1;
    }

    const shown = recording.pages.map((page) => framesOf(page, span, second / fps));
    const pictures = await sideBySide(
      browser,
      shown,
      PLAYERS.map(({ name }) =>
        // Each page has its own player's dragon in blue.
        `${name}'s browser, ${name} in blue: ${RTT_MS} ms to the server and back`
      ),
    );
    if (frames !== undefined) await saveAll(pictures, frames);
    const { bytes, quality } = await encode(pictures, {
      path: out,
      periodMs: Math.round(1000 / fps),
      bytesMax: BYTES_MAX,
    });
    const kills = recording.kills.filter((atMs) => atMs >= span.fromMs && atMs < span.toMs);
    // Each of a page's own frames; a machine that is too slow for the slowdown has fewer.
    const framesNew = shown.map((page) => new Set(page).size);
    const report = { out, bytes, quality, frames: pictures.length, framesNew, kills: kills.length };
    console.log(json ? JSON.stringify(report) : `${out}: ${bytes} bytes, quality ${quality}`);
    if (!json) console.log(`${pictures.length} frames, new in each page: ${framesNew.join(", ")}`);
    return 0;
  } finally {
    await browser.close();
  }
}

async function saveAll(pictures: readonly Uint8Array[], folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [index, picture] of pictures.entries()) {
    await Deno.writeFile(`${folder}/${`${index}`.padStart(4, "0")}.png`, picture);
  }
}

if (import.meta.main) Deno.exit(await runTool("chore picture", { flags: FLAGS, run: makePicture }));
