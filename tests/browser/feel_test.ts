/**
 * Input latency and smoothness, measured in what each frame draws: keys show at once, and no dragon
 * jumps or shivers.
 */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import type { Page } from "playwright-core";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { faultsOf, measurePaths } from "./paths.ts";

const SIZE = { width: 1280, height: 720 };

async function play(page: Page, url: string): Promise<void> {
  await page.setViewportSize(SIZE);
  // At a round trip of 200 ms a player gets an input delay, unless they choose none.
  await page.addInitScript(() => localStorage.setItem("wyvern.settings", '{"inputDelay":0}'));
  await page.goto(url);
  await page.click("#play");
  await untilPlaying(page);
}

/** The most frames from a key press to a frame that shows it. */
const FRAMES_MAX = 2;
const KEYS = ["Space", "ArrowRight", "Space", "KeyF", "ArrowLeft", "Space"] as const;

/**
 * Watches the canvas around the own dragon from inside the page. It counts the frames from each key
 * press to the first frame with other pixels. A dragon at rest looks the same in every frame, and
 * the test presses no key before that.
 */
function watchCanvas(): void {
  const canvas = document.querySelector<HTMLCanvasElement>("#arena")!;
  const context = canvas.getContext("2d")!;
  const sharp = canvas.width / 32;
  const around = 2.5 * sharp;
  let place = { x: 0, y: 0 };
  let before: Uint8ClampedArray = new Uint8ClampedArray();
  const look = () =>
    context.getImageData(place.x - around, place.y - around, 2 * around, 2 * around).data;
  const isAsBefore = (now: Uint8ClampedArray) => now.every((value, i) => value === before[i]);
  globalThis.canvasWatch = { stillPictures: 0, picturesToChange: [] };
  const { picturesToChange } = globalThis.canvasWatch;
  const rest = () => {
    const own = wyvernScene!.own!;
    place = { x: own.x * sharp, y: canvas.height - own.y * sharp };
    const now = look();
    const watch = globalThis.canvasWatch!;
    watch.stillPictures = isAsBefore(now) ? watch.stillPictures + 1 : 0;
    before = now;
    requestAnimationFrame(rest);
  };
  requestAnimationFrame(rest);
  addEventListener("keydown", () => {
    let pictures = 0;
    const was = { before, place };
    const count = () => {
      pictures++;
      before = was.before;
      place = was.place;
      if (isAsBefore(look()) && pictures < 60) requestAnimationFrame(count);
      else picturesToChange.push(pictures);
    };
    requestAnimationFrame(count);
  });
}

browserTest(
  "page: a key changes the canvas within two frames at a round trip of 200 ms",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "0");
    const page = await browser.newPage();
    await play(page, `${server.url}play?rtt=200#KEYS`);
    await page.evaluate(watchCanvas);
    for (const [i, key] of KEYS.entries()) {
      await page.waitForFunction(() => globalThis.canvasWatch!.stillPictures > 20);
      await page.keyboard.press(key, { delay: 30 });
      await page.waitForFunction(
        (count) => globalThis.canvasWatch!.picturesToChange.length > count,
        i,
      );
    }
    const pictures = await page.evaluate(() => globalThis.canvasWatch!.picturesToChange);
    console.log(`pictures from key to pixel: ${pictures}`);
    assert(await page.evaluate(() => wyvern!.roundTripMs) >= 200);
    assertEquals(pictures.length, KEYS.length);
    assertLessOrEqual(Math.max(...pictures), FRAMES_MAX, `pictures from key to pixel: ${pictures}`);
  },
);

/** Flaps in the air, each at another part of a tick. */
const FLAPS = 12;

/**
 * Counts the frames from each press of the flap key to the first frame that shows it. In that frame
 * the own dragon has begun a wing beat and has left its former path. Runs inside the page.
 */
function watchFlaps(): void {
  globalThis.framesToFlap = [];
  addEventListener("keydown", ({ code, repeat }) => {
    if (code !== "Space" || repeat) return;
    const own = () => wyvernScene!.own!;

    // The last drawn position, and the present age of the wing beat. On a busy machine the last
    // frame may show an older beat.
    const { y, vy } = own();
    const { atMs } = wyvernScene!;
    const { vy: simulatedVy, fields: { flapAge } } = wyvern!.simulation!.world.player(
      wyvern!.seat,
    )!;

    // A landing is drawn before it is simulated. A wing beat in between cancels the landing and
    // only ends the fall.
    const slowest = Math.min(vy, simulatedVy);
    let pictures = 0;
    const look = () => {
      pictures++;
      const now = own();
      const expected = y + vy * (wyvernScene!.atMs - atMs) / 1000;
      // Under a ceiling a wing beat does not lift the dragon, but its velocity changes.
      if (
        (now.fields.flapAge as number) < flapAge &&
        (now.y > expected + 0.01 || now.vy > slowest + 1)
      ) {
        globalThis.framesToFlap!.push(pictures);
      } else if (pictures < 60) requestAnimationFrame(look);
      else globalThis.framesToFlap!.push(pictures);
    };
    requestAnimationFrame(look);
  });
}

/**
 * Presses the flap key `FLAPS` times, each at another part of a tick.
 * @returns the frames until each flap showed
 */
async function flap(page: Page): Promise<number[]> {
  const before = await page.evaluate(() => globalThis.framesToFlap!.length);
  for (let i = before; i < before + FLAPS; i++) {
    await page.waitForFunction(() =>
      wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapAge > 8
    );
    await page.waitForTimeout((i - before) * 7);
    await page.keyboard.press("Space", { delay: 30 });
    await page.waitForFunction((count) => globalThis.framesToFlap!.length > count, i);
    // The flap is drawn before it is simulated. Until then the wings look rested, and a press would
    // fall into their cooldown. The test waits for the press counter, because a loaded machine may
    // miss the nine ticks of the beat's young age.
    await page.waitForFunction(
      (i) => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses > i,
      i,
    );
  }

  const pictures = (await page.evaluate(() => globalThis.framesToFlap!)).slice(before);
  console.log(`pictures from key to flap: ${pictures}`);
  assertEquals(pictures.length, FLAPS);
  return pictures;
}

browserTest(
  "page: a flap is drawn within two frames at a round trip of 200 ms, at any part of a tick",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "0");
    const page = await browser.newPage();
    await play(page, `${server.url}play?rtt=200#KEYS`);
    await page.evaluate(watchFlaps);
    let pictures = await flap(page);
    // Another process may have taken the processor, so a slow result is measured once more. A slow
    // page is slow again.
    if (Math.max(...pictures) > FRAMES_MAX) pictures = await flap(page);
    assertLessOrEqual(Math.max(...pictures), FRAMES_MAX, `pictures from key to flap: ${pictures}`);
  },
);

/**
 * Counts the ticks from each press of the flap key to the step that acts on it. The step lies
 * between the heads of two frames, so each press gives two bounds. Runs inside the page.
 */
function watchSteps(): void {
  globalThis.ticksToStep = [];
  const presses = () => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses;
  addEventListener("keydown", ({ code, repeat }) => {
    if (code !== "Space" || repeat) return;
    const pressedAt = wyvern!.head + wyvern!.fraction();
    const before = presses();
    let head = wyvern!.head;
    const look = () => {
      if (presses() !== before) {
        globalThis.ticksToStep!.push({ beyond: head - pressedAt, upTo: wyvern!.head - pressedAt });
        return;
      }
      head = wyvern!.head;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

browserTest(
  "page: with an input delay of n ticks, as the player has set it, a key acts n ticks later (SPEC 5.40, 5.41)",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "0");
    const page = await browser.newPage();
    await page.setViewportSize(SIZE);
    await page.goto(`${server.url}play?rtt=200#KEYS`);
    await page.click("#play");
    await untilPlaying(page);

    // Nobody has chosen yet, and this line needs a tick. On a busy machine it may seem to need
    // more.
    assertGreater(await page.evaluate(() => wyvern!.inputDelayTicks), 0);
    await page.evaluate(watchSteps);

    for (const ticks of [3, 1, 0]) {
      await page.keyboard.press("Escape");
      await page.click("#match-controls");
      await page.selectOption("#input-delay", String(ticks));
      await page.click("#close-controls");
      await page.waitForFunction((ticks) => wyvern!.inputDelayTicks === ticks, ticks);
      for (let i = 0; i < 4; i++) {
        const before = await page.evaluate(() => globalThis.ticksToStep!.length);
        await page.keyboard.press("Space", { delay: 30 });
        await page.waitForFunction((before) => globalThis.ticksToStep!.length > before, before);
        // The fourth press in a round trip would wait for the first (SPEC 1.10).
        const head = await page.evaluate(() => wyvern!.head);
        await page.waitForFunction((head) => wyvern!.definitiveTick >= head, head);
      }
      for (const { beyond, upTo } of await page.evaluate(() => globalThis.ticksToStep!.splice(0))) {
        assertGreater(upTo, ticks);
        assertLessOrEqual(beyond, ticks + 1);
      }
    }
  },
);

/** `deno task soak page` watches the same for longer, also in CI. */
const PATH_SECONDS = 8;

browserTest(
  `page: ${PATH_SECONDS} s at 100 ms and jitter 20: own path without steps, others' without shivers`,
  async (browser) => {
    const report = await measurePaths(browser, { seconds: PATH_SECONDS });
    console.log(JSON.stringify(report));
    assertEquals(faultsOf(report, PATH_SECONDS), []);
  },
);
