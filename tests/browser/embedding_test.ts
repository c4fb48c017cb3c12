/**
 * Pages outside of their server: in the frame of another site, with and without storage, and as the
 * files of a zip on another site. `localhost` and `127.0.0.1` are two sites to a browser.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { unzipSync } from "fflate";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Frame,
  type Page,
} from "playwright-core";
import { runTask } from "../support/task.ts";
import { freePort } from "../support/servers/public_server.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest, chromiumPath } from "./chromium.ts";
import { shoot } from "./shots.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};
/** Chromium's setting "block all cookies", which takes the storages, too. */
const NO_STORAGE = { profile: { default_content_setting_values: { cookies: 2 } } };
const PATIENCE_MS = 120_000;

/** Another site: a server of files, at http://localhost:PORT/. */
class Site implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param files by path, without the first slash */
  constructor(files: ReadonlyMap<string, Uint8Array<ArrayBuffer> | string>) {
    const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
    this.#server = Deno.serve(options, ({ url }) => {
      const path = new URL(url).pathname.slice(1);
      const file = files.get(path === "" || path.endsWith("/") ? `${path}index.html` : path);
      if (file === undefined) return new Response("none", { status: 404 });
      const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? TYPES.html!;
      return new Response(file, { headers: { "Content-Type": type } });
    });
  }

  get origin(): string {
    return `http://localhost:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** @returns a site whose only page shows an address in a frame */
function framing(url: string): Site {
  const frame = `<iframe src="${url}" width="1000" height="600" allow="fullscreen"></iframe>`;
  return new Site(new Map([["index.html", `<!DOCTYPE html><title>Portal</title>${frame}`]]));
}

/** Opens the site, and waits for what it frames. */
async function openFrame(page: Page, { origin }: Site): Promise<Frame> {
  await page.goto(`${origin}/`);
  return await (await page.waitForSelector("iframe")).contentFrame() as Frame;
}

/** Presses Play, and waits until the session plays and its own body has moved. */
async function play(place: Page | Frame): Promise<void> {
  await place.waitForSelector("#play:enabled", { timeout: PATIENCE_MS });
  await place.click("#play");
  await place.waitForFunction(
    () => {
      const { wyvern } = globalThis as unknown as {
        wyvern?: { phase: string; definitiveTick: number };
      };
      return wyvern?.phase === "playing" && wyvern.definitiveTick > 40;
    },
    undefined,
    { timeout: PATIENCE_MS },
  );
}

function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  return errors;
}

async function withoutStorage(run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const profile = await Deno.makeTempDir({ prefix: "wyvern_profile_" });
  try {
    await Deno.mkdir(`${profile}/Default`);
    await Deno.writeTextFile(`${profile}/Default/Preferences`, JSON.stringify(NO_STORAGE));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath!,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    });
    await run(context).finally(() => context.close());
  } finally {
    await Deno.remove(profile, { recursive: true });
  }
}

browserTest(
  "a page in another site's frame plays only where --embed-in allows it, with and without storage (SPEC 14.70, 14.71)",
  async (browser) => {
    await using closed = await ServerProcess.start("--npcs", "1");
    await using stranger = framing(closed.url);
    const refused = await openFrame(await browser.newPage(), stranger);
    await refused.waitForURL(/^chrome-error:/, { timeout: PATIENCE_MS });

    const port = freePort();
    await using portal = framing(`http://127.0.0.1:${port}/`);
    const args = ["--npcs", "1", "--port", String(port)];
    await using server = await ServerProcess.start(...args, "--embed-in", portal.origin);
    const page = await browser.newPage();
    const errors = errorsOf(page);
    await play(await openFrame(page, portal));
    await shoot(page, "embedded.png");

    await withoutStorage(async (context) => {
      const page = await context.newPage();
      errorsOf(page);
      const frame = await openFrame(page, portal);
      await frame.waitForSelector("#play:enabled", { timeout: PATIENCE_MS });
      const denied = await frame.evaluate(() => {
        try {
          return localStorage.length < 0;
        } catch (error) {
          return (error as DOMException).name;
        }
      });
      assertEquals(denied, "SecurityError");
      await play(frame);
    });
    assertEquals(errors, []);
    assertEquals(server.url, `http://127.0.0.1:${port}/`);
  },
);

browserTest(
  "a zip of files on another site plays on its server: lobby, match, link, watching, reload (SPEC 14.72, 14.73)",
  async (browser) => {
    const folder = await Deno.makeTempDir({ prefix: "wyvern_elsewhere_" });
    const port = freePort();
    const address = `http://127.0.0.1:${port}/`;
    const flags = ["--game", "puck", "--server", address, "--out", `${folder}/puck`, "--zip"];
    const built = await runTask("build:elsewhere", ...flags);
    assertEquals(built.code, 0, built.stderr);
    assertMatch(built.stdout, /Packed them into .*puck\.zip, [\d.]+ kB/);

    // A later build replaces its own files, and leaves those of the host.
    await Deno.writeTextFile(`${folder}/puck/CNAME`, "play.example.org");
    await Deno.writeTextFile(`${folder}/puck/main-AAAAAAAA.js`, "an earlier build's");
    assertEquals((await runTask("build:elsewhere", ...flags)).code, 0);
    const names = Array.from(Deno.readDirSync(`${folder}/puck`), ({ name }) => name);
    assertEquals(names.filter((name) => /^(CNAME|main-.*)$/.test(name)).length, 2, names.join());

    const members = unzipSync(await Deno.readFile(`${folder}/puck.zip`));
    const files = Object.entries(members).map(([name, bytes]) =>
      [`games/puck/${name}`, new Uint8Array(bytes)] as const
    );
    await using site = new Site(new Map(files));
    const origins = `${site.origin},http://127.0.0.1:${port}`;
    const args = ["--games", "puck", "--port", String(port), "--origin", origins];
    await using server = await ServerProcess.start(...args);
    await playElsewhere(browser, { site, server });
    await Deno.remove(folder, { recursive: true });
  },
);

async function playElsewhere(
  browser: Browser,
  { site, server }: { site: Site; server: ServerProcess },
): Promise<void> {
  const page = await browser.newPage();
  const errors = errorsOf(page);
  await page.goto(`${site.origin}/games/puck/`);
  await play(page);
  const seated = new URL(page.url());
  assertEquals(`${seated.origin}${seated.pathname}`, `${site.origin}/games/puck/`);
  assertMatch(seated.hash, /^#[A-Z]{4}$/);

  // The invitation leads to the game's own server.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: (text: string) => void (document.title = text) },
    });
  });
  await page.click("#invite");
  const link = await page.title();
  assertEquals(link, `${server.url}play${seated.hash}`);

  // A reload resumes the seat.
  const seat = await page.evaluate(() => (globalThis as unknown as Playing).wyvern.seat);
  await page.reload();
  await page.waitForFunction(() => (globalThis as unknown as Playing).wyvern?.phase === "playing");
  assertEquals(
    await page.evaluate(() => (globalThis as unknown as Playing).wyvern.seat),
    seat,
  );

  // Another page lists the room with its ping, and watches it by its own address.
  const watcher = await browser.newPage();
  await watcher.goto(`${site.origin}/games/puck/`);
  await watcher.waitForSelector("#room-list li", { timeout: PATIENCE_MS });
  await watcher.waitForFunction(() =>
    /\d+ ms/.test(document.querySelector("#server-ping")!.textContent!)
  );
  const replays = await watcher.getAttribute('a[href$="replay"]', "href");
  assertEquals(replays, `${server.url}replay`);
  await watcher.goto(`${site.origin}/games/puck/?watch${seated.hash}`);
  await watcher.waitForSelector("#watching:not([hidden])", { timeout: PATIENCE_MS });
  assert(new URL(watcher.url()).searchParams.has("watch"));
  assertEquals(errors, []);
}

interface Playing {
  readonly wyvern: { readonly phase: string; readonly seat: number };
}

Deno.test("build:elsewhere: wrong flags and a stranger's folder end with one line and exit code 2 (SPEC 14.72)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_elsewhere_" });
  await Deno.writeTextFile(`${folder}/thesis.txt`, "all my work");
  const right = ["--game", "puck", "--server", "https://play.example.org", "--out", folder];
  const wrong = [
    [right, "holds files that no such build wrote"],
    [[...right, "--game", "chess"], '--game cannot be "chess"'],
    [[...right, "--server", "play.example.org"], "https://HOST/"],
    [[...right, "--server", 'https://a.example/"onload="'], "https://HOST/"],
    [["--game", "puck"], "--server"],
  ] as const;
  for (const [args, text] of wrong) {
    const { code, stderr } = await runTask("build:elsewhere", ...args);
    assertEquals(code, 2, stderr);
    assert(stderr.includes(text), stderr);
    assertEquals(stderr.trim().split("\n").length, 1, stderr);
  }
  assertEquals(await Deno.readTextFile(`${folder}/thesis.txt`), "all my work");
  await Deno.remove(folder, { recursive: true });
});
