/** Accessibility of the page: keyboard alone, contrast by axe-core, play with one button. */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { ServerProcess } from "../support/servers/server_process.ts";
import { HonestBot } from "../support/honest_bot.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { shoot } from "./shots.ts";

/**
 * Presses Tab so many times. @returns the focused elements in order, each with its name and whether
 * its focus is visible
 */
async function tabThrough(page: Page, times: number): Promise<{ id: string; isSeen: boolean }[]> {
  const stops = [];
  for (let i = 0; i < times; i++) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const id = element.id || element.ariaLabel || element.getAttribute("value") ||
          element.tagName;
        return { id, isSeen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 };
      }),
    );
  }
  return stops;
}

/**
 * Opens and closes the menu beside a match, with Escape and with its button, and uses full screen.
 */
async function useMenu(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "resume");
  assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
  const stopsInMenu = await tabThrough(page, 6);
  assertEquals(stopsInMenu.map(({ id }) => id), [
    "match-controls",
    "match-how",
    "full-screen",
    "mute",
    "felt-lag",
    "leave",
  ]);
  assertEquals(stopsInMenu.filter(({ isSeen }) => !isSeen), []);
  await shoot(page, "menu.png");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#menu:not([open])", { state: "attached" });
  await page.click("#open-menu");
  await page.click("#full-screen");
  await page.waitForFunction(() => document.fullscreenElement !== null);
  assertEquals(await page.locator("#menu").isVisible(), false);
  await page.click("#open-menu");
  assertEquals(await page.innerText("#full-screen"), "Leave full screen");
  await page.click("#full-screen");
  await page.waitForFunction(() => document.fullscreenElement === null);
}

/** Presses a key until the own dragon has flapped. */
async function flapWith(page: Page, key: string): Promise<void> {
  const flaps = () =>
    page.evaluate(() => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses);
  const before = await flaps();
  const hasFlapped = () =>
    page.waitForFunction(
      (before) => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses > before,
      before,
      { timeout: 1_000 },
    ).then(() => true, () => false);
  for (let tries = 0; tries < 15; tries++) {
    // On a busy machine the browser swallowed a key while it was leaving full screen.
    await page.keyboard.press(key);
    if (await hasFlapped()) break;
  }
  assertGreater(await flaps(), before);
}

browserTest(
  "lobby: the keyboard reaches every control, with visible focus; axe-core finds nothing serious",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "2");
    const other = new HonestBot(server.url, { name: "Wren", seed: 1, room: "BUSY" });
    await other.until(() => other.session.phase === "playing");
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } }))
      .newPage();
    await page.goto(server.url);
    await page.waitForSelector("#room-list li");
    await shoot(page, "lobby.png");
    assertEquals(await seriousFindings(page), []);

    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.click("h1");
    const stops = await tabThrough(page, 18);
    assertEquals(stops.map(({ id }) => id), [
      "name",
      "sky",
      "play",
      "practise",
      "room",
      "go",
      "watch",
      "create",
      "create-private",
      "by-hand",
      "choice-arena",
      "choice-mode",
      "choice-rounds",
      "choice-loot",
      "Play in BUSY",
      "Watch BUSY",
      "lobby-how",
      "lobby-controls",
    ]);
    assertEquals(stops.filter(({ isSeen }) => !isSeen), []);

    await page.focus("#colours input");
    await page.keyboard.press("ArrowRight");
    assertEquals(await page.inputValue("#colours input:checked"), "mint");
    await page.focus("#lobby-controls");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#controls[open]");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "controls.png");
    await page.click('[aria-label="Flap, key 3: Space"]');
    await page.keyboard.press("KeyQ");
    assertEquals(await page.locator('[aria-label="Flap, key 3: Q"]').innerText(), "Q");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#controls:not([open])", { state: "attached" });
    assertEquals(await page.evaluate(() => document.activeElement?.id), "lobby-controls");

    // All settings survive a reload, and the new key flaps.
    await page.focus("#name");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    await untilPlaying(page);
    assertEquals(new URL(page.url()).hash, "#BUSY"); // the room that had a player
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await page.reload();
    await untilPlaying(page);

    // The seat was played for so short a time that a slow reload comes too late for it, and meets
    // its name.
    assertMatch(await page.innerText("#scores .own .name"), /^Ada( 2)? \(you\)$/);

    await useMenu(page);
    await flapWith(page, "KeyQ");
    other.stop();
  },
);

browserTest(
  "page: one button is enough to fly, turn round and breathe fire; the invitation is copied",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0");
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    await page.goto(`${server.url}#SOLO`);
    await page.click("#lobby-controls");
    await page.check("#one-button");
    await page.click("#close-controls");
    assert((await page.innerText("#lobby-help")).includes("hold: turn round"));
    await page.click("#play");
    await untilPlaying(page);
    await page.click("#invite");
    await page.waitForFunction(() =>
      document.querySelector("#invite")?.textContent === "Link copied"
    );
    assertEquals(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${server.url}play#SOLO`,
    );
    await page.click("#close-invitation");

    const own = () =>
      page.evaluate(() => {
        const { vx, fields: { facing, charges, flapPresses } } = wyvern!.simulation!.world.player(
          wyvern!.seat,
        )!;
        return { vx, facing, charges, flapPresses };
      });
    await page.keyboard.press("Space");
    await page.waitForFunction(() =>
      wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses === 1
    );
    const before = await own();
    await page.keyboard.down("Space");
    await page.waitForFunction(
      ({ facing, charges }) => {
        const { fields } = wyvern!.simulation!.world.player(wyvern!.seat)!;
        return fields.facing !== facing && fields.charges < charges;
      },
      before,
    );
    await page.keyboard.up("Space");
    assertGreater((await own()).flapPresses, before.flapPresses);

    // With reduced motion nothing but the canvas moves.
    const moving = await page.evaluate(() =>
      document.getAnimations().filter(({ effect }) =>
        Number(effect!.getComputedTiming().duration) > 1
      ).length
    );
    assertEquals(moving, 0);
  },
);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Finds out how loud the page is, and how often it holds the screen's lock. It runs on the page,
 * first of all scripts.
 */
function watchDevices(): void {
  // All sound of the page passes through the first gain node that it creates.
  const { createGain } = AudioContext.prototype;
  AudioContext.prototype.createGain = function () {
    const gain = createGain.call(this);
    globalThis.loudness ??= gain.gain;
    return gain;
  };
  globalThis.wakeLocks = 0;
  navigator.wakeLock.request = () => {
    globalThis.wakeLocks++;
    const release = () => Promise.resolve(void globalThis.wakeLocks--);
    return Promise.resolve({ release } as unknown as WakeLockSentinel);
  };
}

browserTest(
  "page: a player's settings survive a reload, and the volume applies to the sound",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0");
    const page = await (await browser.newContext(PHONE)).newPage();
    await page.addInitScript(watchDevices);
    const percent = () =>
      page.evaluate(() => Math.round(100 * (globalThis.loudness?.value ?? NaN)));
    await page.goto(`${server.url}play#KEPT`);
    assertEquals(await seriousFindings(page), []);
    await page.fill("#name", "Bo");
    await page.check('#colours input[value="snow"]');
    await page.tap("#lobby-controls");
    await page.waitForSelector("#volume"); // the dialog's script is loaded first
    await page.uncheck("#rumble");
    await page.selectOption("#quality", "simple");
    await page.focus("#volume");
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.check("#one-button");
    await page.selectOption("#input-delay", "0");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await page.tap("#close-controls");
    await page.tap("#play");
    await untilPlaying(page);
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    assertEquals(await percent(), 10);
    assertEquals(await page.evaluate(() => wakeLocks), 1);
    await page.tap("#open-menu");
    await page.tap("#mute");
    assertEquals([await percent(), await page.innerText("#mute")], [0, "Unmute"]);

    await page.reload();
    await untilPlaying(page);
    assertEquals(await page.innerText("#scores .own .name"), "Bo (you)");
    await page.tap("#open-menu"); // browsers allow sound only after a touch
    assertEquals(await page.innerText("#mute"), "Unmute");
    await page.tap("#match-controls");
    await page.waitForSelector("#volume");
    assertEquals(await percent(), 0);
    const values = await Promise.all(["#volume", "#input-delay"].map((id) => page.inputValue(id)));
    assertEquals([...values, await page.isChecked("#one-button")], ["0.1", "0", true]);
    assertEquals([await page.isChecked("#rumble"), await page.isChecked("#keep-awake")], [
      false,
      true,
    ]);
    assertEquals(await page.inputValue("#quality"), "simple");

    // Fewer pixels than the page has.
    assert(
      await page.evaluate(() =>
        document.querySelector<HTMLCanvasElement>("#arena")!.width < innerWidth
      ),
    );
    await page.uncheck("#keep-awake");
    await page.waitForFunction(() => wakeLocks === 0);
    await page.check("#keep-awake");
    await page.waitForFunction(() => wakeLocks === 1);
    await page.tap("#close-controls");
    for (const button of ["#open-menu", "#mute"]) await page.tap(button);
    assertEquals([await percent(), await page.innerText("#mute")], [10, "Mute"]);
    await page.tap("#leave");
    assertEquals(await page.inputValue("#colours input:checked"), "snow");
    await page.waitForFunction(() => wakeLocks === 0);
  },
);
