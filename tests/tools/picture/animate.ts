/** Puts frames of two pages side by side, with a label above each, and encodes an animation. */
import type { Browser } from "playwright-core";
import { runProgram } from "../../support/programs.ts";
import type { TimedFrame } from "./moments.ts";

/** The Debian package `webp` has it. */
export const ENCODER = "img2webp";
/** The animation in px: two windows with a gap between them, below a line of text. */
const LAYOUT = { width: 960, pane: { width: 478, height: 269 }, gap: 4, label: 24 };
/** Qualities of the encoder, each smaller than the next; below the first one texts blur. */
const QUALITIES = [20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80];

/**
 * Draws the frames of both pages side by side.
 * @param labels of the two pages
 * @returns the PNG of each pair
 */
export async function sideBySide(
  browser: Browser,
  [left, right]: readonly (readonly TimedFrame[])[],
  labels: readonly string[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const page = await browser.newPage();
  const pictures: Uint8Array<ArrayBuffer>[] = [];
  for (const [index, { png }] of left!.entries()) {
    const pngs = [png, right![index]!.png];
    const url = await page.evaluate(drawPair, { pngs, labels, layout: LAYOUT });
    pictures.push(new Uint8Array(await (await fetch(url)).arrayBuffer()));
  }
  await page.close();
  return pictures;
}

/** Runs inside a page. @returns a data URL of the PNG */
async function drawPair({ pngs, labels, layout: { width, pane, gap, label } }: {
  readonly pngs: readonly string[];
  readonly labels: readonly string[];
  readonly layout: typeof LAYOUT;
}): Promise<string> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = label + pane.height;
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = "#0b0d1a";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.imageSmoothingQuality = "high";
  brush.font = "600 14px sans-serif";
  brush.textAlign = "center";
  brush.textBaseline = "middle";

  for (const [index, png] of pngs.entries()) {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const x = index * (pane.width + gap);
    brush.drawImage(image, x, label, pane.width, pane.height);
    brush.fillStyle = "#dfe6ff";
    brush.fillText(labels[index]!, x + pane.width / 2, label / 2);
  }
  return canvas.toDataURL("image/png");
}

/**
 * Encodes an animation that repeats for ever, at the best quality that is small enough.
 * @param options.bytesMax its size at the most
 * @returns its size in bytes and its quality
 * @throws Error if the encoder fails, or if the lowest quality is too large
 */
export async function encode(
  pictures: readonly Uint8Array[],
  { path, periodMs, bytesMax }: { path: string; periodMs: number; bytesMax: number },
): Promise<{ bytes: number; quality: number }> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_picture_" });

  try {
    const files = pictures.map((_, index) => `${folder}/${index}.png`);
    await Promise.all(files.map((file, index) => Deno.writeFile(file, pictures[index]!)));
    const common = ["-loop", "0", "-min_size", "-lossy", "-m", "4", "-d", `${periodMs}`];
    const made = (quality: number) => `${folder}/${quality}.webp`;
    const sizes = new Map<number, number>();
    const index = await lastFit(QUALITIES.length, async (index) => {
      const quality = QUALITIES[index]!;
      await runProgram(ENCODER, ...common, "-q", `${quality}`, ...files, "-o", made(quality));
      const { size } = await Deno.stat(made(quality));
      sizes.set(quality, size);
      return size <= bytesMax;
    });

    const quality = QUALITIES[index];
    if (quality === undefined) throw new Error(`at no quality is it below ${bytesMax} bytes`);
    await Deno.copyFile(made(quality), path);
    return { bytes: sizes.get(quality)!, quality };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * The last index that fits, with few looks.
 * @param fits whether an index below `count` fits: once one does not, none after it does
 * @returns -1 if none fits
 */
export async function lastFit(
  count: number,
  fits: (index: number) => Promise<boolean>,
): Promise<number> {
  let low = -1;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
