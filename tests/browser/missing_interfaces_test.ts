/**
 * A real page in browsers without some interfaces, or with ones that throw: a phone's lockdown
 * mode, an embedding page's policy, switched-off storage, and a sound that is taken away during
 * play.
 */
import { assert, assertEquals, assertLessOrEqual, assertNotEquals } from "@std/assert";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";

/** What is missing does not depend on the size, and a small page is drawn in a third of the time. */
const SMALL = { width: 640, height: 480 };
/** Errors that a page reports at most. */
const REPORTS_MAX = 20;

const denied = (what: string) =>
  `() => { throw new DOMException(${JSON.stringify(what)}, "SecurityError"); }`;

/** By the interface: a script that runs before the page's own. */
const GONE: Readonly<Record<string, string>> = {
  "no gamepads": "delete Navigator.prototype.getGamepads;",
  "gamepads that throw": `Navigator.prototype.getGamepads = ${denied("gamepad")};`,
  "gamepads that are null": "Navigator.prototype.getGamepads = () => null;",
  "no AudioContext": "delete globalThis.AudioContext;",
  "an AudioContext that throws":
    `globalThis.AudioContext = class { constructor() { throw new Error("no device"); } };`,
  "sound that is closed": `
    const create = AudioContext.prototype.createGain;
    AudioContext.prototype.createGain = function () { queueMicrotask(() => this.close().catch(() => {})); return create.call(this); };
    AudioContext.prototype.resume = () => Promise.reject(new DOMException("closed", "InvalidStateError"));`,
  "sound whose nodes throw":
    `for (const name of ["createOscillator", "createBufferSource", "createStereoPanner"]) {
    BaseAudioContext.prototype[name] = ${denied("audio")};
  }`,
  "storages that throw": `for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, { get: ${denied("storage")} });
  }`,
  "a storage that is full": `Storage.prototype.setItem = ${denied("quota")};`,
  "no wake lock": "delete Navigator.prototype.wakeLock;",
  "a wake lock that throws": `WakeLock.prototype.request = ${denied("wake lock")};`,
  "no clipboard": `Object.defineProperty(navigator, "clipboard", { value: undefined });`,
  "no matchMedia": "delete globalThis.matchMedia;",
  "no Worker": "delete globalThis.Worker;",
};

browserTest(
  "page: a missing or refused part of the browser costs that part alone (SPEC 8.59)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    for (const [what, script] of Object.entries(GONE)) {
      const context = await browser.newContext({ viewport: SMALL });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.addInitScript(script);
      await page.goto(`${server.url}play#GONE`);
      await page.click("#play");
      await untilPlaying(page);
      const flaps = () =>
        page.evaluate(() => wyvern!.simulation!.world.player(wyvern!.seat)?.fields.flapPresses);
      const before = await flaps();
      await page.waitForFunction(
        (before) => {
          dispatchEvent(new KeyboardEvent("keydown", { code: "ArrowUp" }));
          dispatchEvent(new KeyboardEvent("keyup", { code: "ArrowUp" }));
          return wyvern!.simulation!.world.player(wyvern!.seat)?.fields.flapPresses !== before;
        },
        before,
        { polling: 100 },
      );
      await page.click("#invite");
      await page.waitForFunction(() =>
        document.querySelector("#invite")!.textContent === "Link copied" ||
        document.querySelector("#invite-link")?.textContent?.includes("#GONE")
      );
      assertEquals(errors, [], what);
      await context.close();
    }
  },
);

browserTest(
  "page: an error in a frame, even in each, ends neither the page nor the match (SPEC 8.60)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1");
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.url}play#LOOP`);
    await page.click("#play");
    await untilPlaying(page);
    const ticks = () => page.evaluate(() => wyvern!.definitiveTick);
    const before = await ticks();
    await page.evaluate(() => {
      CanvasRenderingContext2D.prototype.drawImage = () => {
        throw new Error("no picture");
      };
    });
    await page.waitForFunction((before) => wyvern!.definitiveTick > before + 40, before, {
      polling: 100,
    });
    assertNotEquals(errors.length, 0);
    assertLessOrEqual(errors.length, REPORTS_MAX);
    assert(errors.every((error) => error.endsWith("no picture")), errors.join());
  },
);
