import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Page } from "playwright-core";
import { Random } from "../../shared/random.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";
import "./pages/page_globals.ts";
import { shoot } from "./shots.ts";

const SIZE = { width: 1280, height: 720 };

/** Opens the page over a network of 200 ms and joins with one click. */
async function join(page: Page, url: string, name: string): Promise<void> {
  await page.setViewportSize(SIZE);
  await page.goto(`${url}?rtt=200#DUEL`);
  await page.fill("#name", name);
  await page.click("#play");
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined &&
    globalThis.wyvern.isInSync
  );
}

const ownX = (page: Page) => page.evaluate(() => wyvern!.simulation!.world.player(wyvern!.seat)!.x);
const seatOf = (page: Page) => page.evaluate(() => wyvern!.seat);
const xOfSeat = (page: Page, seat: number) =>
  page.evaluate((seat) => wyvern!.simulation!.world.player(seat)?.x, seat);

/** The hashes that the page has proven among the newest hundred definitive ticks, by tick. */
const hashes = (page: Page) =>
  page.evaluate(() =>
    Array.from({ length: 100 }, (_, i) => wyvern!.definitiveTick - i)
      .map((tick) => [tick, wyvern!.provenHash(tick)] as const)
      .filter(([, hash]) => hash !== undefined)
  );

/** A stall of the machine between a key and the next frame spoils one attempt, not all of them. */
const ATTEMPTS = 5;

/**
 * Waits until the own dragon stands still, presses a key, and checks every frame from inside the
 * page.
 * @returns the definitive ticks that arrived between the key and the first frame in which the
 *   dragon had moved
 */
async function ticksUntilMoved(page: Page): Promise<number> {
  await page.bringToFront();
  await page.waitForFunction(() => {
    const { vx, fields } = wyvern!.simulation!.world.player(wyvern!.seat)!;
    return Math.abs(vx) < 0.01 && fields.airborne === 0 && fields.dead === 0 && fields.stun === 0;
  });
  await page.evaluate(() => {
    const dragon = () => wyvern!.simulation!.world.player(wyvern!.seat)!;
    globalThis.ticksUntilMoved = undefined;
    addEventListener("keydown", () => {
      const x = dragon().x;
      const definitiveTick = wyvern!.definitiveTick;
      const look = () => {
        if (Math.abs(dragon().x - x) > 0.05) {
          globalThis.ticksUntilMoved = wyvern!.definitiveTick - definitiveTick;
        } else requestAnimationFrame(look);
      };
      look();
    }, { once: true });
  });
  const key = await ownX(page) < 16 ? "ArrowRight" : "ArrowLeft";
  await page.keyboard.down(key);
  await page.waitForFunction(() => globalThis.ticksUntilMoved !== undefined);
  await page.keyboard.up(key);
  return await page.evaluate(() => globalThis.ticksUntilMoved!);
}

const MASHES_MAX = 8;

/** Plays with the real keyboard for a while, as a person would. */
async function mash(page: Page, seconds: number, random: Random): Promise<void> {
  const endTick = await page.evaluate((ticks) => wyvern!.head + ticks, seconds * 20);
  while (await page.evaluate((tick) => wyvern!.head < tick, endTick)) {
    const side = random.chance(0.5) ? "ArrowLeft" : "ArrowRight";
    await page.keyboard.down(side);
    for (let i = random.below(4); i >= 0; i--) {
      await page.keyboard.press("Space", { delay: 60 + random.below(120) });
    }
    if (random.chance(0.4)) await page.keyboard.press("KeyF", { delay: 40 });
    await page.keyboard.up(side);
  }
}

browserTest(
  "page: two browsers at 200 ms play one match; the own dragon moves at once (SPEC 2.2, 5.4)",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "3");
    const context = await browser.newContext();
    const [first, second] = [await context.newPage(), await context.newPage()];
    const faults: string[] = [];
    for (const page of [first, second]) page.on("pageerror", (error) => faults.push(error.message));
    await join(first, server.url, "Wren");
    await join(second, server.url, "Talon");
    const seat = await seatOf(first);
    await second.waitForFunction(
      (seat) => wyvern!.simulation!.world.player(seat) !== undefined,
      seat,
    );

    // The command takes 100 ms to the server, and the answer takes 100 ms back. The server sends at
    // most three ticks, after those received before the key press, without that command.
    const answers: number[] = [];
    for (let i = 0; i < ATTEMPTS && !answers.some((ticks) => ticks <= 3); i++) {
      answers.push(await ticksUntilMoved(first));
    }
    assert(
      answers.some((ticks) => ticks <= 3),
      `the own dragon moved only ${answers} definitive ticks after the key`,
    );

    const away = await ownX(first) < 16 ? "ArrowRight" : "ArrowLeft";
    const before = (await xOfSeat(second, seat))!;
    await first.keyboard.down(away);
    await second.waitForFunction(
      ({ seat, before }) =>
        Math.abs((wyvern!.simulation!.world.player(seat)?.x ?? before) - before) > 1,
      { seat, before },
    );
    await first.keyboard.up(away);

    const random = new Random(3);
    await mash(first, 3, random);
    await shoot(first, "play.png");
    await mash(second, 2, random);
    await second.bringToFront();
    await shoot(second, "play2.png");

    // On a busy machine a page's ticks may stand still while the other player mashes. So both play
    // until each has seen it.
    const rollbacks = (page: Page) => page.evaluate(() => wyvern!.stats.rollbacks);

    for (
      let i = 0;
      i < MASHES_MAX && Math.min(await rollbacks(first), await rollbacks(second)) === 0;
      i++
    ) {
      await mash(first, 2, random);
      await mash(second, 2, random);
    }

    // At the same time: on a slow machine one page's newest ticks would pass while the test reads
    // the other's.
    const [ours, theirs] = (await Promise.all([hashes(first), hashes(second)])).map((list) =>
      new Map(list)
    );
    const common = [...ours!.keys()].filter((tick) => theirs!.has(tick));
    assertGreater(common.length, 50);
    for (const tick of common) assertEquals(ours!.get(tick), theirs!.get(tick), `tick ${tick}`);
    for (const page of [first, second]) {
      const { rollbacks, resimulatedTicks, desyncs } = await page.evaluate(() => wyvern!.stats);
      assertGreater(rollbacks, 0);
      assertGreater(resimulatedTicks, rollbacks);
      assertEquals(desyncs, 0);
    }

    assertEquals(faults, []);
  },
);
