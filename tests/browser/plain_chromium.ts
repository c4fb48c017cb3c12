/**
 * A Chromium by its own protocol, as players have it. A driver such as playwright keeps every page
 * visible, and spares it the throttling of hidden ones.
 */
import { chromiumPath } from "./chromium.ts";
import { browsersAreRequired } from "./places.ts";

const ARGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
  // Timers of a hidden page fire once a minute after ten seconds; by default after five minutes.
  "--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/10",
  "--remote-debugging-port=0",
];
/** A hidden page fires its timers once a minute, and the slowest wait is for two of them. */
const UNTIL_MS_MAX = 240_000;
const POLL_MS = 100;

interface Message {
  readonly id?: number;
  readonly error?: { readonly message: string };
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
}

export class PlainChromium implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #socket: WebSocket;
  readonly #profile: string;
  readonly #answers = new Map<number, PromiseWithResolvers<Message["result"]>>();
  #lastId = 0;

  private constructor(child: Deno.ChildProcess, socket: WebSocket, profile: string) {
    this.#child = child;
    this.#socket = socket;
    this.#profile = profile;
    socket.onmessage = ({ data }) => {
      const { id, error, result }: Message = JSON.parse(data);
      const answer = this.#answers.get(id!);
      this.#answers.delete(id!);
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new Error(error.message));
    };
  }

  /** @param args more arguments @throws Error if it does not start */
  static async start(args: readonly string[] = []): Promise<PlainChromium> {
    const profile = await Deno.makeTempDir({ prefix: "wyvern_chromium_" });
    const child = new Deno.Command(chromiumPath!, {
      args: [...ARGS, ...args, `--user-data-dir=${profile}`, "about:blank"],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let words = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      words += text;
      const [, url] = /DevTools listening on (ws:\S+)/.exec(words) ?? [];
      if (url === undefined) continue;
      const socket = new WebSocket(url);
      await new Promise((resolve) => socket.onopen = resolve);
      return new PlainChromium(child, socket, profile);
    }
    throw new Error(`no Chromium: ${words}`);
  }

  send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    sessionId?: string,
    // deno-lint-ignore no-explicit-any
  ): Promise<any> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Message["result"]>();
    this.#answers.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return answer.promise;
  }

  /**
   * Opens a page in a tab of its own, which hides the tab before.
   * @param options.newWindow opens it in a window of its own, which hides nothing
   */
  async open(url: string, { newWindow = false } = {}): Promise<PlainPage> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", newWindow });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    await this.send("Page.navigate", { url }, sessionId);
    return new PlainPage(this, sessionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.send("Browser.close").catch(() => {});
    await this.#child.status;
    await Deno.remove(this.#profile, { recursive: true }).catch(() => {});
  }
}

export class PlainPage {
  readonly #browser: PlainChromium;
  readonly #sessionId: string;

  constructor(browser: PlainChromium, sessionId: string) {
    this.#browser = browser;
    this.#sessionId = sessionId;
  }

  /** @param expression JavaScript @throws Error if it throws */
  // deno-lint-ignore no-explicit-any
  async evaluate(expression: string): Promise<any> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#browser.send(
      "Runtime.evaluate",
      params,
      this.#sessionId,
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }

  async close(): Promise<void> {
    await this.#browser.send("Page.close", {}, this.#sessionId);
  }

  /** Brings the tab to the front, which hides the one that was there. */
  async show(): Promise<void> {
    await this.#browser.send("Page.bringToFront", {}, this.#sessionId);
  }

  /** Opens an empty tab in front of it. */
  async hide(): Promise<void> {
    const params = { expression: "void open('about:blank')", userGesture: true };
    await this.#browser.send("Runtime.evaluate", params, this.#sessionId);
    await this.until(`document.visibilityState === "hidden"`);
  }

  /** Polls from outside, because the timers of a hidden page are throttled. */
  async until(expression: string): Promise<void> {
    const endMs = performance.now() + UNTIL_MS_MAX;
    while (!await this.evaluate(expression).catch(() => false)) {
      if (performance.now() > endMs) {
        throw new Error(`not within ${UNTIL_MS_MAX} ms: ${expression}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/**
 * Registers a test that starts a `PlainChromium`. Without Chromium it is skipped, as `browserTest`
 * does.
 */
export function chromiumTest(name: string, run: () => Promise<void>): void {
  const ignore = chromiumPath === undefined && !browsersAreRequired();
  if (ignore) console.warn(`left out, for want of Chromium: ${name}`);
  Deno.test({ name, ignore, sanitizeOps: false, sanitizeResources: false, fn: run });
}
