/** Explosions over rollbacks, as Chromium's canvas shows them and its audio graph renders them. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { bundle } from "../../client/build/build.ts";
import { browserTest } from "./chromium.ts";
import type { Correction, Explosion } from "./pages/explosion_page.ts";

async function explode(browser: Browser, correction: Correction): Promise<Explosion> {
  const entry = fileURLToPath(new URL("pages/explosion_page.ts", import.meta.url));
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle(entry, { forDragons: true }), type: "module" });
  // a module's script runs when it likes
  await page.waitForFunction(() => "explode" in globalThis);
  type Console = { explode: (correction: Correction) => Promise<Explosion> };
  return await page.evaluate((correction) => (globalThis as unknown as Console).explode(correction), correction);
}

/** Of full scale: far below what ears and converters tell from nothing. */
const SILENCE = 1e-6;
const SEEN_PIXELS = 1000;

browserTest("explosion: a rollback over it shows and plays it once", async (browser) => {
  const [plain, corrected] = [await explode(browser, "none"), await explode(browser, "other")];
  assertEquals([plain.resimulated, plain.emitted, plain.shown, plain.ended], [0, 1, 1, 0]);
  assertEquals([corrected.resimulated, corrected.emitted, corrected.shown, corrected.ended], [9, 2, 1, 0]);
  // Twice as many sparks would be other pixels; a second bang would be louder.
  assertGreater(plain.pixelsAfter, SEEN_PIXELS);
  assertEquals([corrected.pixelsBefore, corrected.pixelsAfter], [plain.pixelsBefore, plain.pixelsAfter]);
  assertGreater(plain.loudAfter, 100 * SILENCE);
  assertLess(corrected.loudAfter, 1.3 * plain.loudAfter);
});

browserTest("explosion: one that never was is out of sight and hearing within 150 ms", async (browser) => {
  const [plain, taken] = [await explode(browser, "none"), await explode(browser, "fire")];
  assertGreater(taken.resimulated, 20);
  assertEquals([taken.emitted, taken.shown, taken.ended], [1, 1, 1]);
  assertEquals(taken.pixelsBefore, plain.pixelsBefore);
  assertGreater(plain.pixelsAfter, SEEN_PIXELS);
  assertGreater(plain.loudAfter, 100 * SILENCE);
  assertEquals(taken.pixelsAfter, 0);
  assertLess(taken.loudAfter, SILENCE);
});
