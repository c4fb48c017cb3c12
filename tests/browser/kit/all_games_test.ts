/**
 * Every game of the registry on one server, as players meet it: by keys, by thumbs, by gamepad,
 * watched, interrupted.
 */
import { assertEquals } from "@std/assert";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { GAMES } from "../../../shared/games/registry.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
/** Metres that a body goes at least while its player steers to one side. */
const WAY = 0.6;

interface AnySession {
  readonly phase: string;
  readonly seat: number;
  readonly isInSync: boolean;
  readonly definitiveTick: number;
  readonly stats: { readonly desyncs: number; readonly commandsSent: number };
  readonly poses: {
    readonly head: { findBySeat(seat: number): { readonly x: number } | undefined };
  };
}

/** The globals of a page under test. */
interface PageGlobals {
  readonly wyvern?: AnySession;
  readonly sockets: WebSocket[];
  readonly pad: { readonly axes: number[] };
}

/** Counts the page's connections, and plugs in a gamepad that `pad` moves. */
function prepare(): void {
  const sockets: WebSocket[] = [];
  const Native = WebSocket;
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  const pad = { mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons };
  Object.assign(globalThis, {
    sockets,
    pad,
    WebSocket: class extends Native {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        sockets.push(this);
      }
    },
  });
  navigator.getGamepads = () => [pad as unknown as Gamepad];
}

/** "same" if the game's canvas and the overlay's have the same pixels. Runs inside the page. */
function sizesOfCanvases(): string[] {
  const sizes = [...document.querySelectorAll("canvas:is(#arena, #ghosts)")] as HTMLCanvasElement[];
  const texts = sizes.map(({ width, height }) => `${width} x ${height}`);
  return texts.length === 2 && texts[0] === texts[1] ? ["same"] : texts;
}

interface PlayOptions {
  readonly device?: BrowserContextOptions;
  /** The quality of the picture; "simple" has fewer pixels than the window. */
  readonly quality?: "full" | "simple";
}

/** A page that has joined a room of a game, with a body of its own. */
async function play(
  browser: Browser,
  url: string,
  { device = {}, quality = "full" }: PlayOptions = {},
): Promise<Page> {
  const page = await browser.newPage(device);
  await page.addInitScript(prepare);
  await page.addInitScript(
    (quality) => localStorage.setItem("wyvern.settings", JSON.stringify({ quality })),
    quality,
  );
  await page.goto(url);
  await page.click("#play");
  await untilSeated(page);
  return page;
}

/** @returns the seat */
async function untilSeated(page: Page): Promise<number> {
  await page.waitForFunction(() => {
    const { wyvern: session } = globalThis as unknown as PageGlobals;
    return session?.phase === "playing" && session.isInSync &&
      session.poses.head.findBySeat(session.seat) !== undefined;
  });
  return await page.evaluate(() => (globalThis as unknown as PageGlobals).wyvern!.seat);
}

/** Closes a page that has done its part, because its frames would take a core from the others. */
async function closeInSync(page: Page): Promise<void> {
  assertEquals(
    await page.evaluate(() => (globalThis as unknown as PageGlobals).wyvern!.stats.desyncs),
    0,
  );
  await page.close();
}

/** Steers to both sides, and waits each time until the own body has gone that way. */
async function steerBothWays(
  page: Page,
  steer: (side: -1 | 0 | 1) => Promise<unknown>,
): Promise<void> {
  for (const side of [1, -1] as const) {
    await page.bringToFront();
    await steer(side);
    // The least or greatest place so far: a body may be pushed the other way first.
    await page.waitForFunction(([side, way]) => {
      const { wyvern: session } = globalThis as unknown as PageGlobals;
      const store = globalThis as { farthest?: number };
      const pose = session!.poses.head.findBySeat(session!.seat);
      if (pose === undefined) return false;
      const x = pose.x * side!;
      store.farthest = Math.min(store.farthest ?? x, x);
      if (x < store.farthest + way!) return false;
      delete store.farthest;
      return true;
    }, [side, WAY]);
    await steer(0);
  }
}

function byKeys(page: Page) {
  const keys = { [-1]: "ArrowLeft", 1: "ArrowRight" } as const;
  let down: string | undefined;
  return async (side: -1 | 0 | 1) => {
    if (down !== undefined) await page.keyboard.up(down);
    down = side === 0 ? undefined : keys[side];
    if (down !== undefined) await page.keyboard.down(down);
  };
}

/** The left thumb, which slides out of the middle of its zone. */
async function byThumb(page: Page) {
  const glass: CDPSession = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await page.locator("#steer").boundingBox())!;
  const send = (type: "touchStart" | "touchMove" | "touchEnd", side?: number) =>
    glass.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: side === undefined
        ? []
        : [{ x: x + width * (0.5 + 0.4 * side), y: y + height / 2, id: 1 }],
    });
  return async (side: -1 | 0 | 1) => {
    if (side !== 0) {
      await send("touchStart", side / 10);
      await send("touchMove", side);
    } else await send("touchEnd");
  };
}

const byGamepad = (page: Page) => (side: -1 | 0 | 1) =>
  page.evaluate((side) => (globalThis as unknown as PageGlobals).pad.axes[0] = side, side);

for (const name of Object.keys(GAMES)) {
  browserTest(
    `${name}: played by keys, thumbs and gamepad, watched, and joined again (SPEC 3.4, 7.17, 8.11)`,
    async (browser) => {
      await using server = await ServerProcess.start(
        "--games",
        "all",
        "--npcs",
        "2",
        "--seed",
        "24",
      );
      const url = `${server.url}${name}/#PLAY`;
      const faults: string[] = [];
      const page = await play(browser, url);
      page.on("pageerror", (error) => faults.push(error.message));
      await steerBothWays(page, byKeys(page));
      await shoot(page, `${name}.png`);
      const phone = await play(browser, url, { device: PHONE });
      await steerBothWays(phone, await byThumb(phone));
      await shoot(phone, `${name}_phone.png`);
      await closeInSync(phone);
      const padded = await play(browser, url, { quality: "simple" });
      await steerBothWays(padded, byGamepad(padded));

      const watcher = await browser.newPage();
      await watcher.goto(`${server.url}${name}/watch#PLAY`);
      await watcher.waitForFunction(() =>
        (globalThis as unknown as PageGlobals).wyvern?.isInSync === true
      );
      assertEquals(
        await watcher.evaluate(() => (globalThis as unknown as PageGlobals).wyvern!.seat),
        -1,
      );
      await watcher.close();

      await page.bringToFront();
      const seat = await untilSeated(page);
      await page.evaluate(() => (globalThis as unknown as PageGlobals).sockets[0]!.close(4999));
      await page.waitForFunction(() => (globalThis as unknown as PageGlobals).sockets.length === 2);
      assertEquals(await untilSeated(page), seat, "the same seat");
      await padded.bringToFront();
      await padded.keyboard.press("F3");
      await padded.waitForFunction(() =>
        Number(document.querySelector<HTMLElement>("#debug")?.dataset.ghosts) > 0
      );
      assertEquals(
        await padded.evaluate(sizesOfCanvases),
        ["same"],
        "the overlay's circles stand on the bodies",
      );
      await shoot(padded, `${name}_overlay.png`);

      for (const each of [page, padded]) await closeInSync(each);
      assertEquals(faults, []);
    },
  );
}
