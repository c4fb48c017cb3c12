/** A real Chromium, where the machine has one. Where it has none, browser tests are left out aloud, or fail if one is required. */
import { type Browser, chromium } from "playwright-core";
import { browsersAreRequired, firstFile } from "./places.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Headless, as root, without its talks to the world. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Two pages in one browser: the one behind must not sleep.
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
];

/** Where this machine's Chromium is; undefined where it has none. */
export const chromiumPath = firstFile(PLACES);

/**
 * A browser of its own, with nothing open.
 * @param options.handleSIGINT whether playwright ends it, and this process, at Ctrl-C; false for whoever does so himself
 * @throws Error where it does not start
 */
export function launchChromium(options: { handleSIGINT?: boolean } = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? PLACES[0]!, args: ARGS, ...options });
}

/** Registers a test that needs Chromium. */
export function browserTest(name: string, run: (browser: Browser) => Promise<void>): void {
  if (chromiumPath === undefined && !browsersAreRequired()) {
    console.warn(`left out, for want of Chromium (${PLACES.join(", ")}): ${name}`);
    Deno.test({ name, ignore: true, fn: () => {} });
    return;
  }
  Deno.test({
    name,
    // playwright keeps pipes and timers of its own until the process ends.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const browser = await launchChromium();
      try {
        await run(browser);
      } finally {
        await browser.close();
      }
    },
  });
}
