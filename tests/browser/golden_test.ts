import { assertEquals } from "@std/assert";
import { bundle } from "../../client/build/build.ts";
import { fileURLToPath } from "node:url";
import { GOLDEN_TICKS, goldenRun } from "../shared/games/dragons/golden.ts";
import { browserTest } from "./chromium.ts";

browserTest(
  `goldenRun: Chromium computes the same ${GOLDEN_TICKS} ticks as Deno (SPEC 9.4)`,
  async (browser) => {
    const entry = fileURLToPath(new URL("pages/golden_page.ts", import.meta.url));
    const script = await bundle(entry);
    const page = await browser.newPage();
    await page.addScriptTag({ content: script, type: "module" });
    // A module script runs asynchronously.
    await page.waitForFunction(() => "golden" in globalThis);
    const inChromium = await page.evaluate(() =>
      (globalThis as unknown as { golden: () => unknown }).golden()
    );
    assertEquals(inChromium, goldenRun());
  },
);
