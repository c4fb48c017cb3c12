/**
 * A page whose view imports files, on a real server: loaded before play, drawn, heard, cached; and
 * without those that fail.
 */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import type { Session } from "../../../client/session/session.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import type { game } from "./game.ts";
import { cavePage } from "./page_source.ts";

const SERVER = new URL("server.ts", import.meta.url);

type CaveSession = Session<typeof game.command.neutral, ReturnType<typeof game.start>>;

interface CaveGlobals {
  readonly wyvern?: CaveSession;
  /** Lengths of the recordings that began to sound, seconds. */
  readonly heard: number[];
  /** How many loops began, which are the music. */
  readonly loops: number;
  readonly violations: string[];
}

/** Runs with the cave's page on a server of its own. */
async function withCave(run: (server: ServerProcess, names: string[]) => Promise<void>) {
  const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
  try {
    const files = await buildPage(cavePage, new URL("cave/", folder));
    await using server = await ServerProcess.startScript(SERVER, folder.href, "--npcs", "0");
    await run(server, files.map(({ name }) => name));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A page that notes what it hears, and what its policy forbids. */
async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.addInitScript(() => {
    // The card of the first flight would lie over coins.
    localStorage.setItem("wyvern.flown.cave", "yes");
    const heard: number[] = [];
    const violations: string[] = [];
    const globals = Object.assign(globalThis, { heard, violations, loops: 0 });
    addEventListener("securitypolicyviolation", ({ blockedURI }) => violations.push(blockedURI));
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...args) {
      if (this.loop) globals.loops++;
      else heard.push(this.buffer!.duration);
      return start.apply(this, args);
    };
  });
  return page;
}

async function play(page: Page): Promise<void> {
  await page.locator("#play", { hasText: /^Play/ }).click();
  await page.waitForFunction(() => {
    const { wyvern } = globalThis as unknown as CaveGlobals;
    return wyvern?.phase === "playing" && wyvern.isInSync &&
      wyvern.simulation!.world.player(wyvern.seat) !== undefined;
  });
}

/** How many pixels of the picture have this colour. */
function pixelsOf(page: Page, colour: readonly [number, number, number]): Promise<number> {
  return page.evaluate(async ([red, green, blue]) => {
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector<HTMLCanvasElement>("#arena")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) count++;
    }
    return count;
  }, colour);
}

/** Colours that only the files have. */
const BODY = [60, 140, 255] as const;
/** The runner's fixture, in the colour that players have by default. */
const SHAPE = [77, 181, 245] as const;
const COIN = [255, 210, 60] as const;
const GRASS = [80, 170, 70] as const;
const PLANK = [190, 140, 70] as const;

const SIZES: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 720 } },
  phone_upright: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
  phone_landscape: {
    viewport: { width: 844, height: 390 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
};

browserTest(
  "files: images, a sheet, sounds, a font and a map's tiles are seen and heard on desktop and phone (SPEC 13.71, 13.73)",
  (browser) =>
    withCave(async ({ url }) => {
      for (const [name, options] of Object.entries(SIZES)) {
        const page = await newPage(browser, options);
        const errors: string[] = [];
        page.on("pageerror", ({ message }) => errors.push(message));
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        // A room of their own, in which all coins are left
        await page.goto(`${url}#${name.slice(-4).toUpperCase()}`);
        await play(page);

        // Up through the planks, onto a coin
        await page.keyboard.down("KeyD");
        await page.waitForFunction(() => {
          const { simulation, seat } = (globalThis as unknown as CaveGlobals).wyvern!;
          return simulation!.world.player(seat)!.vx > 5;
        });
        await page.keyboard.press("Space", { delay: 60 });
        await page.waitForFunction(() => (globalThis as unknown as CaveGlobals).heard.length > 0);
        await shoot(page, `files_${name}.png`);
        await page.keyboard.up("KeyD");

        // The upright window shows half the width.
        const far = name === "phone_upright" ? [] : [COIN, PLANK];
        for (const colour of [BODY, GRASS, ...far]) {
          assertGreater(await pixelsOf(page, colour), 20, `${name}: ${colour}`);
        }
        const { heard, loops, violations, fonts, desyncs } = await page.evaluate(() => {
          const { heard, loops, violations, wyvern } = globalThis as unknown as CaveGlobals;
          const fonts = [...document.fonts].map(({ status }) => status);
          return { heard, loops, violations, fonts, desyncs: wyvern!.stats.desyncs };
        });
        assertEquals(loops, 1, "the music, once");
        assert(heard.every((seconds) => seconds > 0.15 && seconds < 0.4), heard.join());
        assertEquals({ violations, fonts, desyncs, errors }, {
          violations: [],
          fonts: ["loaded"],
          desyncs: 0,
          errors: [],
        });
        await page.close();
      }
    }),
);

browserTest(
  "files: Play waits and shows how far loading is; a file that fails is named once, and shapes replace it (SPEC 13.71, 13.72)",
  (browser) =>
    withCave(async ({ url }) => {
      const page = await newPage(browser, SIZES.desktop);
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.text().startsWith("Wyvern: ")) errors.push(message.text());
      });
      const held = Promise.withResolvers<void>();
      await page.route(/\/runner-\w+\.png$/, (route) => route.fulfill({ status: 404 }));
      await page.route(/\/thud-\w+\.wav$/, (route) => route.fulfill({ body: "no sound" }));
      await page.route(/\/hills-\w+\.webp$/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`${url}#CAVE`, { waitUntil: "domcontentloaded" });
      await page.locator("#play", { hasText: /^Loading… 9\d %$/ }).waitFor();
      for (const button of ["#play", "#go", "#watch", "#create"]) {
        assert(await page.locator(button).isDisabled(), button);
      }
      held.resolve();
      await play(page);
      assertGreater(await pixelsOf(page, COIN), 20, "the other files are there");
      assertEquals(await pixelsOf(page, BODY), 0);
      assertGreater(await pixelsOf(page, SHAPE), 1000, "a disc for the runner");
      await shoot(page, "files_failed.png");
      assertEquals(errors.length, 2, errors.join("\n"));
      const [image, sound] = errors.sort();
      assertMatch(image!, /tests\/browser\/files\/runner\.png did not load, and the game goes on/);
      assertMatch(sound!, /tests\/browser\/files\/thud\.wav did not load, and the game goes on/);
      await page.close();
    }),
);

browserTest(
  "files: a page that is led straight into a match waits for its files: a spectator's, and a reloaded one (SPEC 13.71)",
  (browser) =>
    withCave(async ({ url }) => {
      const player = await newPage(browser, SIZES.desktop);
      await player.goto(`${url}#LEDS`);
      await play(player);
      const watcher = await newPage(browser, SIZES.desktop);
      const held = Promise.withResolvers<void>();
      for (const page of [player, watcher]) {
        await page.route(/\/hills-\w+\.webp$/, async (route) => {
          await held.promise;
          await route.continue();
        });
      }

      await watcher.goto(`${url}watch#LEDS`, { waitUntil: "domcontentloaded" });
      await player.reload({ waitUntil: "domcontentloaded" });
      for (const page of [player, watcher]) {
        await page.locator("#play", { hasText: /^Loading… 9\d %$/ }).waitFor();
        assertEquals(
          await page.evaluate(() => (globalThis as unknown as CaveGlobals).wyvern),
          undefined,
        );
      }

      // Without a press both are in the match, with their files: the player on the same seat.
      held.resolve();
      for (const page of [player, watcher]) {
        await page.waitForFunction(() => {
          const { wyvern } = globalThis as unknown as CaveGlobals;
          return wyvern?.phase === "playing" && wyvern.simulation?.world.player(0) !== undefined;
        });
        await page.locator("#lobby").waitFor({ state: "hidden" });
        assertGreater(await pixelsOf(page, COIN), 20);
      }
      await player.close();
      await watcher.close();
    }),
);

Deno.test("files: the server sends them with their types, for ever, and does not compress what is (SPEC 13.70)", () =>
  withCave(async ({ url }, names) => {
    const types: Readonly<Record<string, readonly [type: string, encoding: string | null]>> = {
      "runner.png": ["image/png", null],
      "hills.webp": ["image/webp", null],
      "coin.svg": ["image/svg+xml", "br"],
      "coin.ogg": ["audio/ogg", null],
      "jump.mp3": ["audio/mpeg", null],
      "thud.wav": ["audio/wav", "br"],
      "blocks.woff2": ["font/woff2", null],
    };
    for (const [name, expected] of Object.entries(types)) {
      const built = names.filter((each) => each.replace(/-[0-9A-Z]{8}\./, ".") === name);
      assertEquals(built.length, 1, `${name} is in the page and in that of replays once`);
      const answer = await fetch(url + built[0], { headers: { "Accept-Encoding": "gzip, br" } });
      await answer.body?.cancel();
      const { headers, status } = answer;
      assertEquals([status, headers.get("Content-Type"), headers.get("Content-Encoding")], [
        200,
        ...expected,
      ], name);
      assertMatch(headers.get("Cache-Control")!, /max-age=31536000, immutable/);
      assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    }
  }));
