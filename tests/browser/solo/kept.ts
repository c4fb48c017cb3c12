/** What the browser keeps of a page (`client/solo/offline_worker.ts`). */
import { assert } from "@std/assert";
import type { Page } from "playwright-core";

/** Two minutes of pictures. */
const FRAMES_MAX = 7200;

/**
 * Waits until the browser keeps a build of the page whole, and the service worker answers for it.
 * @param build how the cache's name ends; by default any
 */
export async function untilKept(page: Page, build = ""): Promise<void> {
  // `waitForFunction` takes a promise for true
  for (let frame = 0; !(await isKept(page, build)); frame++) {
    assert(frame < FRAMES_MAX, `the browser does not keep the page ${build}`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.evaluate(() => navigator.serviceWorker.ready);
}

function isKept(page: Page, build: string): Promise<boolean> {
  return page.evaluate(async (build) => {
    const names = (await caches.keys()).filter((name) => name.endsWith(build));
    const kept = names.map(async (name) => (await caches.open(name)).match(location.pathname));
    return (await Promise.all(kept)).some((answer) => answer !== undefined);
  }, build);
}
