/** When a page is in the game, in a room that a page hosts or on a server. */
import type { Page } from "playwright-core";
import "../pages/page_globals.ts";

/** Waits until the page's dragon is in the match, and its state is the host's. */
export async function untilPlaying(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined &&
    globalThis.wyvern.isInSync
  );
}
