/** Practice matches within a page, with and without a server, in a real browser. */
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { game } from "../../../shared/games/dragons/game.ts";
import { playersOf } from "../../../shared/netcode/game.ts";
import { replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import "../pages/page_globals.ts";
import { shoot } from "../shots.ts";
import { untilKept } from "./kept.ts";

const SIZE = { width: 1280, height: 720 };
/** With 5 % of loss and this jitter one in thirty commands is late. */
const PRESSES_MAX = 600;

/** Begins a practice match and waits until the own dragon is in it. */
async function practise(page: Page): Promise<void> {
  await page.click("#practise");
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined &&
    globalThis.wyvern.isInSync
  );
}

/** Moves the own dragon by more than a metre, with a key. */
async function fly(page: Page): Promise<void> {
  const x = await page.evaluate(() => wyvern!.simulation!.world.player(wyvern!.seat)!.x);
  const key = x < 16 ? "ArrowRight" : "ArrowLeft";
  await page.keyboard.down(key);
  await page.waitForFunction((x) => {
    const dragon = wyvern!.simulation!.world.player(wyvern!.seat);
    return dragon !== undefined && Math.abs(dragon.x - x) > 1;
  }, x);
  await page.keyboard.up(key);
}

browserTest(
  "page: one practises alone without a network after the first visit (SPEC 22.1, 22.2, 22.3, 22.5)",
  async (browser) => {
    const server = await ServerProcess.start("--data", "off");
    await using _ = server;
    const context = await browser.newContext({ viewport: SIZE, serviceWorkers: "allow" });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));

    // The first visit; then there is neither a server nor a network
    await page.goto(server.url);
    await untilKept(page);
    await server.stop("SIGKILL");
    await context.setOffline(true);
    await page.goto(`${server.url}?rtt=200&jitter=60&loss=5`);
    await page.fill("#name", "Ash");
    await shoot(page, "practise_lobby.png");
    await practise(page);
    await fly(page);
    assertEquals(await page.textContent("#room-code"), "Practice");
    assertEquals(await page.isVisible("#invite"), false);
    assertMatch(await page.innerText("#scores .own"), /Ash \(you\)/);

    // It is the same netcode: predictions are corrected where a key's command comes too late, and
    // every tick is proven
    const isCorrected = () => wyvern!.stats.rollbacks > 0 && wyvern!.definitiveTick > 100;
    for (let presses = 0; presses < PRESSES_MAX && !await page.evaluate(isCorrected); presses++) {
      await page.keyboard.press("ArrowUp", { delay: 30 });
    }
    await page.waitForFunction(isCorrected);
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    assertEquals(
      await page.evaluate(() => wyvern!.simulation!.npcSeats.length),
      playersOf(game).npcs,
    );
    assertMatch(await page.innerText("#proof"), /✓ \d+/);
    await shoot(page, "practise.png");

    // Time stands still while the menu is open
    await page.keyboard.press("Escape");
    await shoot(page, "practise_menu.png");
    const paused = await page.evaluate(() => wyvern!.head);
    await frames(page, 60);
    assertLess(await page.evaluate(() => wyvern!.head), paused + 3);

    // It goes slowly: the frames of a second and more are those of a few ticks
    await page.selectOption("#pace", "0.1");
    await page.click("#resume");
    const slow = await page.evaluate(() => wyvern!.head);
    const ticks = await page.evaluate(async (slow) => {
      const beganMs = performance.now();
      while (performance.now() < beganMs + 1500) await new Promise(requestAnimationFrame);
      return (wyvern!.head - slow) / (performance.now() - beganMs) * 1000;
    }, slow);
    assert(ticks > 0 && ticks < 6, `${ticks} ticks a second`);
    await fly(page);

    // It is saved as a log, which replays to the same states
    await page.keyboard.press("Escape");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("#save-match"),
    ]);
    assertEquals(download.suggestedFilename(), "wyvern-practice.log");
    const bytes = await Deno.readFile(await download.path());
    const { error, fault, names, firstTick, replay } = replayedLog(bytes, { gameOf: () => game });
    assertEquals([error, fault, firstTick], [undefined, undefined, 0]);
    assert(names.includes("Ash"), names.join());
    assertGreater(replay.tick, slow - 5);

    // And again at its usual pace after a new beginning
    await page.keyboard.press("Escape");
    await page.click("#leave");
    assertEquals(await page.isVisible("#practise"), true);
    await practise(page);
    await fly(page);
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    assertEquals(errors, []);
    await context.close();
  },
);

async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }, count);
}
