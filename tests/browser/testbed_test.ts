/**
 * The testbed's page in Chromium: every scene is played, grabbed with the mouse, paused, stepped
 * and rolled back.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import type { Scene } from "../tools/testbed/scene.ts";
import { SCENES } from "../tools/testbed/scenes.ts";
import { serveSite } from "../tools/testbed/site.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { shoot } from "./shots.ts";
// It declares the page's global variable.
import "../tools/testbed/page/player.ts";

const DESKTOP = { viewport: { width: 1280, height: 720 } };
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** @returns the page, and the errors that it will have: a list that grows */
async function openPage(
  browser: Browser,
  url: string,
  options: object,
): Promise<{ page: Page; errors: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  await page.waitForFunction(() => testbed !== undefined && testbed.frames > 1);
  return { page, errors };
}

const ticksOf = (page: Page) => page.evaluate(() => testbed!.player.run.ticks);
const hashOf = (page: Page) => page.evaluate(() => testbed!.player.run.hash);

/** Chooses a scene in the list, and waits until it runs. */
async function choose(page: Page, { name, title }: Scene): Promise<void> {
  await page.click(`#scenes a[href="#${name}"]`);
  await page.waitForFunction(
    (name) => testbed!.player.scene.name === name && testbed!.player.run.ticks > 4,
    name,
  );
  assertEquals(await page.innerText("#title"), title);
}

/** A body in sight that may be grabbed, in pixels of the window; undefined if there is none now. */
function placeToGrab(): { x: number; y: number } | undefined {
  const { player, toWindow } = testbed!;
  const { stage } = player.run;
  const { mayGrab } = player.scene;
  const field = document.getElementById("stage")!.getBoundingClientRect();
  const places = stage.entities()
    .filter((entity) => entity.mass > 0 && (mayGrab?.(entity) ?? true))
    .map(({ centerX, centerY }) => toWindow(centerX, centerY));
  return places.find(({ x, y }) =>
    x > field.left + 9 && x < field.right - 9 && y > field.top + 70 && y < field.bottom - 9
  );
}

/** Presses the mouse on a body that may be grabbed, pulls, and lets go. */
async function grabSomething(page: Page): Promise<void> {
  let place: ReturnType<typeof placeToGrab>;

  // On a busy machine the last body may leave before the pause.
  for (let looks = 0; place === undefined && looks < 10; looks++) {
    if (looks > 0) await page.click("#pause");
    await page.waitForFunction(placeToGrab);
    await page.click("#pause");
    place = await page.evaluate(placeToGrab);
  }

  assert(place !== undefined, "no body to grab is in sight");
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await page.keyboard.press("n");
  const held = () => page.evaluate(() => testbed!.player.held !== undefined);
  assert(await held(), "the mouse holds a body");
  await page.mouse.move(place.x + 60, place.y - 40, { steps: 4 });
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await page.mouse.up();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  assert(!await held(), "the mouse has let go");
}

/** Runs on for a while with keys that change, and rolls back. */
async function rollBack(page: Page): Promise<void> {
  const ticks = await ticksOf(page);
  await page.keyboard.press("p");
  for (const key of ["ArrowRight", "ArrowUp"]) await page.keyboard.down(key);
  await page.waitForFunction((ticks) => testbed!.player.run.ticks >= ticks, ticks + 12);
  for (const key of ["ArrowRight", "ArrowUp"]) await page.keyboard.up(key);
  await page.keyboard.press("Space");
  await page.waitForFunction((ticks) => testbed!.player.run.ticks >= ticks, ticks + 22);
  await page.keyboard.press("p");
  const before = await hashOf(page);
  const at = await ticksOf(page);
  await page.click("#roll-back");
  const rollback = (await page.evaluate(() => testbed!.rollback))!;
  assertEquals(rollback.ticks, 20);
  assertEquals([rollback.before, rollback.after], [before, before]);
  assertEquals([await hashOf(page), await ticksOf(page)], [before, at]);
  assertEquals(await page.getAttribute("#notice", "class"), "equal");
}

browserTest(
  "the testbed plays every scene, and its mouse, pause, step and rollback work",
  async (browser) => {
    await using site = await serveSite(0);
    const { page, errors } = await openPage(browser, site.url, DESKTOP);
    for (const scene of SCENES) {
      await choose(page, scene);
      await grabSomething(page);
      const ticks = await ticksOf(page);
      await page.click("#step");
      assertEquals(await ticksOf(page), ticks + 1, `${scene.name}: one step`);
      await rollBack(page);
      assertEquals(errors, [], scene.name);
      await shoot(page, `testbed-${scene.name}.png`);
    }
  },
);

browserTest(
  "the testbed rewinds while Z is held, and goes on from the old tick",
  async (browser) => {
    await using site = await serveSite(0);
    const { page, errors } = await openPage(browser, `${site.url}#car`, DESKTOP);
    await page.waitForFunction(() => testbed!.player.run.ticks > 25);
    await page.keyboard.down("z");
    await page.waitForFunction(() => testbed!.player.run.ticks < 18);
    await page.keyboard.up("z");
    await page.waitForFunction(() => testbed!.player.run.ticks > 20);
    await page.keyboard.press("r");
    await page.waitForFunction(() => testbed!.player.run.ticks < 10);
    assertEquals(errors, []);
  },
);

browserTest(
  "the testbed is legible and accessible, on a phone too, where buttons stand for keys",
  async (browser) => {
    await using site = await serveSite(0);
    const desktop = await openPage(browser, site.url, DESKTOP);
    assertEquals(await seriousFindings(desktop.page), []);
    const { page, errors } = await openPage(browser, `${site.url}#car`, PHONE);
    assertEquals(await seriousFindings(page), []);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const right = (await page.locator('#pad button[aria-label="Right"]').boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const touchPoints = [{ x: right.x + right.width / 2, y: right.y + right.height / 2 }];
    const carX = () => page.evaluate(() => testbed!.player.run.followed!.x);
    const before = await carX();
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await page.waitForFunction((x) => testbed!.player.run.followed!.x > x + 2, before);
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    assertGreater(await carX(), before);
    await shoot(page, "testbed-phone.png");
    assertEquals(errors, []);
  },
);
