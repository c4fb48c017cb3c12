/**
 * Notices of a page's connection. One replaces another, on a busy machine before a test looks again,
 * so a test that waits for one notes all of them from before its cause.
 */
import type { Page } from "playwright-core";
import "./pages/page_globals.ts";

/** Notes every notice from now on. Call it while the page is in a match. */
export async function noteNotices(page: Page): Promise<void> {
  await page.evaluate(() => {
    const element = document.querySelector("#notice")!;
    const noted = globalThis.notedNotices = [element.textContent!];
    new MutationObserver(() => noted.push(element.textContent!)).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
}

/** Waits until the page has shown one of these sentences, or parts of them, since `noteNotices`. */
export async function untilNoted(page: Page, ...sentences: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (sentences) =>
      globalThis.notedNotices!.some((notice) =>
        sentences.some((sentence) => notice.includes(sentence))
      ),
    sentences,
  );
}
