/**
 * A real Chromium, if the machine has one. Without it, browser tests are skipped with a warning, or
 * fail if a browser is required.
 */
import { type Browser, chromium } from "playwright-core";
import { firefoxPath } from "./firefox.ts";
import { browsersAreRequired, firstFile } from "./places.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/**
 * The same engine without windows, tabs and extensions of its own: tests with it take 0.6 of the
 * CPU time. It throttles no hidden page, and on a busy machine a page with two sessions of
 * WebTransport was lost in it.
 */
const SHELL = "/usr/bin/chromium-headless-shell";

/** Headless, as root, without connections to the outside. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Two pages share one browser, and the hidden one must not sleep. Playwright sets these, too. */
const SPARES_HIDDEN_PAGES = [
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
];

/** Pages that connect to each other on this machine name their addresses, also that of loopback. */
export const CONNECTS_PAGES: readonly string[] = [
  "--disable-features=WebRtcHideLocalIpsWithMdns",
  "--allow-loopback-in-peer-connection",
];

/** Sessions of WebTransport by a hash work all the same; those that need an authority do not. */
const NO_QUIC = ["--disable-quic"];

/** The path of this machine's Chromium; undefined if it has none. */
export const chromiumPath = firstFile(PLACES);
const quickPath = firstFile([SHELL, ...PLACES]);

/**
 * A machine that is busy with other tests is several times slower. Playwright waits for 30 s, ms.
 */
const PATIENCE_MS = 120_000;

interface LaunchOptions {
  readonly handleSIGINT?: boolean;
  readonly throttles?: boolean;
  readonly isWhole?: boolean;
  readonly connectsPages?: boolean;
  readonly trustedKey?: string;
}

/**
 * Launches a browser of its own, with no page open.
 * @param options.handleSIGINT whether playwright ends the browser, and this process, at Ctrl-C;
 * false for a caller that does so itself
 * @param options.throttles whether hidden pages are throttled, as on a player's machine
 * @param options.isWhole whether it is the browser that players have, and not its shell
 * @param options.connectsPages whether its pages connect to each other by WebRTC
 * @param options.trustedKey the hash of a public key that stands for a known authority, also for
 *   WebTransport; in base64
 * @throws Error if it does not start
 */
export async function launchChromium(
  {
    trustedKey,
    throttles = false,
    connectsPages = false,
    isWhole = throttles || trustedKey !== undefined,
    ...options
  }: LaunchOptions = {},
): Promise<Browser> {
  const executablePath = (isWhole ? chromiumPath : quickPath) ?? PLACES[0]!;
  const args = trustedKey === undefined ? NO_QUIC : [
    `--ignore-certificate-errors-spki-list=${trustedKey}`,
    "--webtransport-developer-mode", // Otherwise sessions need an authority of the browser's own list.
  ];
  const spares = throttles ? { ignoreDefaultArgs: SPARES_HIDDEN_PAGES } : {};
  const all = [
    ...ARGS,
    ...throttles ? [] : SPARES_HIDDEN_PAGES,
    ...connectsPages ? CONNECTS_PAGES : [],
    ...args,
  ];
  const browser = await chromium.launch({ executablePath, args: all, ...spares, ...options });
  const newContext = browser.newContext.bind(browser);
  // `newPage` calls it, too. A kept page would answer where a test says that nothing does.
  browser.newContext = async (options) => {
    const context = await newContext({ serviceWorkers: "block", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/**
 * Registers a test that needs Chromium, with a browser of its own.
 * @param options as for `launchChromium`, and whether it needs a Firefox, too
 */
export function browserTest(
  name: string,
  run: (browser: Browser) => Promise<void>,
  { needsFirefox = false, ...options }:
    & Pick<LaunchOptions, "throttles" | "isWhole" | "connectsPages">
    & { readonly needsFirefox?: boolean } = {},
): void {
  const isMissing = chromiumPath === undefined || needsFirefox && firefoxPath === undefined;
  if (isMissing && !browsersAreRequired()) {
    console.warn(`left out, for want of a browser (${PLACES.join(", ")}): ${name}`);
    Deno.test({ name, ignore: true, fn: () => {} });
    return;
  }

  Deno.test({
    name,
    // playwright keeps its pipes and timers open until the process ends.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const browser = await launchChromium(options);
      try {
        await run(browser);
      } finally {
        await browser.close();
      }
    },
  });
}
