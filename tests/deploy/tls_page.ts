/** A page that plays over TLS, with a certificate that no browser trusts. */
import { assert } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { untilPlaying } from "../browser/duel.ts";
import "../browser/pages/page_globals.ts";

/** Plays in a page for some ticks. @returns the page */
export async function playIn(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${url}#SAFE`);
  await page.fill("#name", "Wren");
  await page.click("#play");
  await untilPlaying(page);
  const tick = await page.evaluate(() => wyvern!.definitiveTick);
  await page.waitForFunction(
    (tick) => wyvern!.isInSync && wyvern!.definitiveTick > tick + 20,
    tick,
  );
  assert((await page.evaluate(() => location.protocol)) === "https:");
  return page;
}
