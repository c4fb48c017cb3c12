/**
 * Explosions across rollbacks, as Chromium's canvas shows them and its audio graph renders them.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { bundle } from "../../client/build/build.ts";
import { browserTest } from "./chromium.ts";
import type { Correction, Explosion } from "./pages/explosion_page.ts";

async function explode(browser: Browser, correction: Correction): Promise<Explosion> {
  const entry = fileURLToPath(new URL("pages/explosion_page.ts", import.meta.url));
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle(entry), type: "module" });
  // A module script runs asynchronously.
  await page.waitForFunction(() => "explode" in globalThis);
  type Console = { explode: (correction: Correction) => Promise<Explosion> };
  return await page.evaluate(
    (correction) => (globalThis as unknown as Console).explode(correction),
    correction,
  );
}

/** A share of full scale, far below anything audible. */
const SILENCE = 1e-6;
const SEEN_PIXELS = 1000;

browserTest("explosion: a rollback across it shows and plays it once", async (browser) => {
  const [plain, corrected] = [await explode(browser, "none"), await explode(browser, "other")];
  assertEquals([plain.resimulated, plain.emitted, plain.shown, plain.ended], [0, 1, 1, 0]);
  assertEquals([corrected.resimulated, corrected.emitted, corrected.shown, corrected.ended], [
    9,
    2,
    1,
    0,
  ]);
  // Doubled sparks would change the pixels, and a second bang would be louder.
  assertGreater(plain.pixelsAfter, SEEN_PIXELS);
  assertEquals([corrected.pixelsBefore, corrected.pixelsAfter], [
    plain.pixelsBefore,
    plain.pixelsAfter,
  ]);
  assertGreater(plain.loudAfter, 100 * SILENCE);
  assertLess(corrected.loudAfter, 1.3 * plain.loudAfter);
});

browserTest(
  "explosion: a retracted one is invisible and inaudible within 150 ms",
  async (browser) => {
    const [plain, taken] = [await explode(browser, "none"), await explode(browser, "fire")];
    assertGreater(taken.resimulated, 20);
    assertEquals([taken.emitted, taken.shown, taken.ended], [1, 1, 1]);
    assertEquals(taken.pixelsBefore, plain.pixelsBefore);
    assertGreater(plain.pixelsAfter, SEEN_PIXELS);
    assertGreater(plain.loudAfter, 100 * SILENCE);
    assertEquals(taken.pixelsAfter, 0);
    assertLess(taken.loudAfter, SILENCE);
  },
);
