/**
 * A page on the body stream: with an engine that cannot agree, by the server's flag, and over a cut
 * connection.
 */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import type { Page } from "playwright-core";
import { Proxy } from "../support/proxy.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import type { DragonPlace, Drawn } from "./pages/page_globals.ts";
import { shoot } from "./shots.ts";

/**
 * The largest median distance from the predicted own dragon to its definitive place: quantization,
 * and a little more.
 */
const PREDICTED_METRES_MAX = 0.02;
/**
 * The same for the drawn dragon. It is part of a tick ahead, eased, and its keys may still change.
 * A tick of flight is 0.35 m.
 */
const DRAWN_METRES_MAX = 0.2;

async function play(page: Page, url: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(url);
  await page.click("#play");
  await untilPlaying(page);
}

const own = (page: Page) =>
  page.evaluate(() => {
    const { id, x, fields: { flapPresses } } = wyvern!.simulation!.world.player(wyvern!.seat)!;
    return { id, x, flapPresses };
  });

/**
 * Makes this page's engine round differently from the server's while `fault` is true. Every step of
 * every simulation then pushes every dragon by 1 cm/s. Runs inside the page.
 */
function plantFault(): void {
  globalThis.fault = true;
  const kind = Object.getPrototypeOf(wyvern!.simulation);
  const { step } = kind;
  kind.step = function (this: NonNullable<typeof wyvern>["simulation"] & object, commands: never) {
    for (const dragon of fault ? this.world.all("dragon") : []) {
      this.stage.setVelocity(dragon.entity, dragon.vx + 0.01, dragon.vy);
    }
    step.call(this, commands);
  };
}

/**
 * Records where the dragon of a seat is at each tick; a spectator's ticks are definitive. Runs
 * inside the page.
 */
function watchPlaces(seat: number): void {
  const places: Map<number, DragonPlace> = globalThis.places = new Map();
  setInterval(() => {
    const { head, simulation } = wyvern!;
    const dragon = simulation?.world.player(seat);
    if (dragon !== undefined) {
      places.set(head, { x: dragon.x, y: dragon.y, teleports: dragon.entity.teleports });
    }
  }, 5);
}

/**
 * Records for each frame where it draws the own dragon, between which two ticks, and where the
 * dragon is at the first one. Runs inside the page.
 */
function watchDrawn(): void {
  const drawn: Drawn[] = globalThis.drawn = [];
  const look = () => {
    const { x, y } = wyvernScene!.own!;
    const { head, seat, poses } = wyvern!;
    drawn.push({
      tick: head,
      fraction: wyvern!.fraction(),
      x,
      y,
      head: { ...poses.head.findBySeat(seat)! },
    });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Distances in metres from the predicted and the drawn own dragon to its definitive place, while
 * nothing teleports it.
 */
async function errorsOf(
  page: Page,
  watcher: Page,
): Promise<{ predicted: number; drawn: number }[]> {
  const drawn = await page.evaluate(() => globalThis.drawn!);
  const places = new Map(await watcher.evaluate(() => [...globalThis.places!]));
  return drawn.flatMap(({ tick, fraction, x, y, head }) => {
    const [from, to] = [places.get(tick), places.get(tick + 1)];
    if (
      from === undefined || to === undefined || from.teleports !== head.teleports ||
      to.teleports !== head.teleports
    ) return [];
    const dx = from.x + (to.x - from.x) * fraction - x;
    const dy = from.y + (to.y - from.y) * fraction - y;
    return [{ predicted: Math.hypot(from.x - head.x, from.y - head.y), drawn: Math.hypot(dx, dy) }];
  });
}

const medianOf = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Asserts that the own dragon flew, and was predicted and drawn near its definitive path. */
async function assertFlewTrue(page: Page, watcher: Page): Promise<void> {
  const errors = await errorsOf(page, watcher);
  const xs = await page.evaluate(() => globalThis.drawn!.map(({ x }) => x));
  const predicted = medianOf(errors.map(({ predicted }) => predicted));
  const drawn = medianOf(errors.map(({ drawn }) => drawn));
  console.log(
    JSON.stringify({ pictures: errors.length, predictedMetres: predicted, drawnMetres: drawn }),
  );
  assertGreater(errors.length, 60);
  assertGreater(Math.max(...xs) - Math.min(...xs), 2);
  assertLess(predicted, PREDICTED_METRES_MAX);
  assertLess(drawn, DRAWN_METRES_MAX);
}

/** Waits for so many more definitive ticks. */
async function untilTicks(page: Page, ticks: number): Promise<void> {
  const end = await page.evaluate((ticks) => wyvern!.definitiveTick + ticks, ticks);
  await page.waitForFunction((end) => wyvern!.definitiveTick >= end, end);
}

/** Flies away from the wall and back. @returns the number of flaps */
async function fly(page: Page): Promise<number> {
  const flaps = 8;
  await page.bringToFront();
  for (const key of ["ArrowRight", "ArrowLeft"]) {
    await page.keyboard.down(key);
    for (let i = 0; i < flaps / 2; i++) {
      await page.keyboard.press("Space", { delay: 40 });
      await untilTicks(page, 5);
    }
    await page.keyboard.up(key);
  }
  return flaps;
}

/** Waits until a spectator's page shows so many flaps of a dragon. */
const untilFlapped = (watcher: Page, seat: number, flaps: number) =>
  watcher.waitForFunction(
    ({ seat, flaps }) => wyvern!.simulation!.world.player(seat)?.fields.flapPresses === flaps,
    { seat, flaps },
  );

const untilStreaming = (page: Page, streams: boolean, timeout = 30_000) =>
  page.waitForFunction(
    (streams) => wyvern!.isOnBodyStream === streams && wyvern!.isInSync,
    streams,
    { timeout },
  );

const desyncsOf = (page: Page) => page.evaluate(() => wyvern!.stats.desyncs);

browserTest(
  "page: an engine that cannot agree plays on over the body stream, and leaves it once it agrees (SPEC 12.14, 12.17, 12.18)",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "9", "--npcs", "2");
    const faults: string[] = [];
    const [page, watcher] = [await browser.newPage(), await browser.newPage()];
    for (const each of [page, watcher]) each.on("pageerror", (error) => faults.push(error.message));
    await play(page, `${server.url}play#ODDS`);
    await watcher.goto(`${server.url}watch#ODDS`);
    const seat = await page.evaluate(() => wyvern!.seat);
    await watcher.waitForFunction(
      (seat) => wyvern?.simulation?.world.player(seat) !== undefined,
      seat,
    );
    await page.bringToFront();
    assertEquals([await desyncsOf(page), await page.evaluate(() => wyvern!.isOnBodyStream)], [
      0,
      false,
    ]);

    // Earlier, the state of the join would count as a failed resync.
    await untilTicks(page, 60);
    await page.evaluate(plantFault);
    await untilStreaming(page, true);

    // The first desync, and three failed resyncs.
    assertEquals(await desyncsOf(page), 4);
    await page.keyboard.press("F3");
    await page.waitForFunction(() =>
      document.querySelector("#debug-in-step")?.textContent === "on the state stream"
    );

    // The overlay also decodes body messages. These bytes are ticks, not the states that probes
    // request now and then.
    await page.waitForFunction(() =>
      parseFloat(document.querySelector("#debug-bytes")!.textContent!) > 100
    );

    await watcher.evaluate(watchPlaces, seat);
    await page.evaluate(watchDrawn);
    const before = await own(page);
    const flaps = await fly(page);
    await shoot(page, "stream.png");
    await untilFlapped(watcher, seat, before.flapPresses + flaps);
    await assertFlewTrue(page, watcher);
    assertEquals([await desyncsOf(page), await page.evaluate(() => wyvern!.isOnBodyStream)], [
      4,
      true,
    ]);

    await page.evaluate(() => globalThis.fault = false);

    // Ten seconds until the next probe, and ten seconds that must agree.
    await untilStreaming(page, false, 60_000);
    await page.waitForFunction(() =>
      document.querySelector("#debug-in-step")?.textContent?.startsWith("yes")
    );
    await untilFlapped(watcher, seat, before.flapPresses + flaps + await fly(page));
    await untilTicks(page, 60);
    assertEquals([await desyncsOf(page), await page.evaluate(() => wyvern!.isOnBodyStream)], [
      4,
      false,
    ]);
    const [ours, theirs] = await Promise.all([provenHashes(page), provenHashes(watcher)]);
    const common = [...ours.keys()].filter((tick) => theirs.has(tick));
    assertGreater(common.length, 30);
    for (const tick of common) assertEquals(ours.get(tick), theirs.get(tick), `tick ${tick}`);
    assertEquals(faults, []);
  },
);

/** The proven hashes of the newest sixty ticks, by tick. */
async function provenHashes(page: Page): Promise<Map<number, number>> {
  const hashes = await page.evaluate(() =>
    Array.from({ length: 60 }, (_, i) => wyvern!.definitiveTick - i)
      .map((tick) => [tick, wyvern!.provenHash(tick)] as const)
      .filter((entry): entry is readonly [number, number] => entry[1] !== undefined)
  );
  return new Map(hashes);
}

browserTest(
  "page: with --stream state a page plays over the body stream, and regains its seat after a cut (SPEC 3.4, 6.3, 12.14)",
  async (browser) => {
    await using server = await ServerProcess.start(
      "--seed",
      "9",
      "--npcs",
      "2",
      "--stream",
      "state",
    );
    await using proxy = new Proxy(server.port);
    const [page, watcher] = [await browser.newPage(), await browser.newPage()];
    await play(page, `http://127.0.0.1:${proxy.port}/play#TOLD`);
    await watcher.goto(`${server.url}watch#TOLD`);
    await untilStreaming(page, true);
    await untilStreaming(watcher, true);
    const seat = await page.evaluate(() => wyvern!.seat);
    await watcher.waitForFunction(
      (seat) => wyvern!.simulation?.world.player(seat) !== undefined,
      seat,
    );
    await watcher.evaluate(watchPlaces, seat);
    await page.evaluate(watchDrawn);
    const before = await own(page);
    const flaps = await fly(page);
    await shoot(page, "told.png");
    await untilFlapped(watcher, seat, before.flapPresses + flaps);
    await assertFlewTrue(page, watcher);
    await watcher.bringToFront();
    await shoot(watcher, "told_watcher.png");

    await page.bringToFront();
    await proxy.cut();
    await page.waitForFunction(() =>
      document.querySelector("#notice")?.textContent?.includes("The server does not answer.")
    );
    proxy.mend();
    await untilPlaying(page);
    await untilStreaming(page, true);
    const back = await own(page);
    assertEquals([await page.evaluate(() => wyvern!.seat), back.id], [seat, before.id]);

    // The dragon follows its player again once the NPC's announced commands are used up.
    await page.waitForFunction(() => wyvern!.stats.commandsSent > 10);
    const presses = (await own(page)).flapPresses;
    await page.keyboard.press("Space", { delay: 60 });
    await untilFlapped(watcher, seat, presses + 1);
    assertEquals([await desyncsOf(page), await desyncsOf(watcher)], [0, 0]);
    assert(await page.evaluate(() => wyvern!.isOnBodyStream));
    assertLessOrEqual(await page.evaluate(() => wyvern!.head - wyvern!.definitiveTick), 32);
  },
);
