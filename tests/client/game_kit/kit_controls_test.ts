/**
 * A kit game's controls in Chromium: real keys, a mouse, two thumbs, and a gamepad that the test
 * moves.
 */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Browser, CDPSession, Page } from "playwright-core";
import { browserTest } from "../../browser/chromium.ts";
import type {} from "../../browser/pages/page_globals.ts";
import { shoot } from "../../browser/shots.ts";
import { openMarkup } from "../ui/words.ts";
import { QUARTER } from "./controls_game.ts";
import type { ControlsPage } from "./controls_page.ts";

const SCRIPT = new URL("controls_page.ts", import.meta.url);
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
/** The command of a player who chose the second team and touches nothing. */
const IDLE = { dx: 0, dy: 0, aim: 0, gear: 2, boost: 0, turbo: 0, brake: 0, horn: 0, team: 1 };

type Name = ConstructorParameters<typeof ControlsPage>[0];
type Console = { kitControls: ControlsPage; readonly ControlsPage: typeof ControlsPage };

async function open(browser: Browser, options = {}, name: Name = "controls"): Promise<Page> {
  const page = await openMarkup(browser, SCRIPT, options);
  await begin(page, name);
  return page;
}

/** Begins after the page has loaded. */
async function begin(page: Page, name: Name): Promise<void> {
  await page.waitForFunction(() => "ControlsPage" in globalThis);
  await page.evaluate((name) => {
    const console = globalThis as unknown as Console;
    console.kitControls = new console.ControlsPage(
      name,
      name === "controls" ? { team: "orange" } : {},
    );
  }, name);
}

const tick = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Console).kitControls.tick());
const peek = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Console).kitControls.peek());
const placeOwn = (page: Page, x: number, y: number) =>
  page.evaluate(([x, y]) => (globalThis as unknown as Console).kitControls.placeOwn(x!, y!), [
    x,
    y,
  ]);

browserTest(
  "KitControls: keys move axes, turn the dial, press and hold; a tap between two ticks counts once (SPEC 13.31)",
  async (browser) => {
    const page = await open(browser);
    const { keyboard } = page;
    assertEquals(await tick(page), IDLE);
    await keyboard.down("KeyD");
    await keyboard.down("ArrowUp");
    assertEquals(await tick(page), { ...IDLE, dx: 1, dy: 8 });
    await keyboard.down("KeyA");
    await keyboard.press("KeyS");
    assertEquals(
      [(await peek(page)).dx, await tick(page)],
      [-1, { ...IDLE, dx: -1, dy: 8 }],
      "of two keys the newest",
    );
    await keyboard.up("KeyA");
    await keyboard.up("KeyD");
    await keyboard.up("ArrowUp");
    await keyboard.press("KeyS");
    assertEquals(
      [(await peek(page)).dy, (await tick(page)).dy, (await tick(page)).dy],
      [-8, -8, 0],
      "a tap is one tick",
    );
    await keyboard.press("Space");
    await keyboard.press("Space");
    await keyboard.down("KeyF");
    assertEquals(
      [await peek(page), await tick(page)],
      new Array(2).fill({ ...IDLE, boost: 1, brake: 1 }),
    );
    assertEquals(await tick(page), { ...IDLE, boost: 2, brake: 1 });
    await keyboard.up("KeyF");
    await keyboard.down("Space");
    assertEquals(await tick(page), { ...IDLE, boost: 3, turbo: 1 }, "a hold of the press");
    await keyboard.up("Space");
    for (const key of ["KeyE", "KeyE", "KeyE", "KeyE"]) await keyboard.press(key);
    assertEquals(await tick(page), { ...IDLE, boost: 3, gear: 4 }, "a dial has an end");
    await keyboard.press("KeyQ");
    assertEquals([(await tick(page)).gear, (await tick(page)).gear], [3, 3], "and stays");
  },
);

browserTest(
  "KitControls: the settings have every action, and a key of its own works at once and after a reload (SPEC 13.30, 13.35)",
  async (browser) => {
    const page = await open(browser);
    await page.evaluate(() => (globalThis as unknown as Console).kitControls.openSettings());
    const rows = await page.locator("#key-rows > div").evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((child) => child.textContent!).join("|"))
    );
    assertEquals(rows, [
      "Left|A|←|+",
      "Right|D|→|+",
      "Down|S|↓|+",
      "Up|W|↑|+",
      "Boost|Space|+|+",
      "Brake|F|+|+",
      "Sound the horn|H|+|+",
      "Gear down|Q|+|+",
      "Gear up|E|+|+",
    ]);
    const give = async (action: string, key: string) => {
      await page.click(`#key-rows [aria-label^="${action}, key 1"]`);
      await page.keyboard.press(key);
    };
    await give("Boost", "KeyP");
    await give("Up", "KeyI");
    await give("Gear up", "KeyO");
    await page.click("#close-controls");
    assertEquals(
      await page.innerText("#help"),
      "I A S D move · mouse aim · P or click boost · F or right click brake · H sound the horn · Q O or wheel gear",
    );
    await page.reload();
    await begin(page, "controls");
    await tick(page);
    await page.keyboard.press("KeyP");
    await page.keyboard.press("KeyO");
    await page.keyboard.press("Space");
    await page.keyboard.down("KeyI");
    assertEquals(await tick(page), { ...IDLE, dy: 8, gear: 3, boost: 1 });
    await page.reload();
    await begin(page, "truck");
    assertEquals(
      await page.innerText("#help"),
      "A D drive · Space jump · F brake",
      "another game has its own keys",
    );
    await page.reload();
    await begin(page, "controls");
    assertMatch(await page.innerText("#help"), /^I A S D move/);
  },
);

browserTest(
  "KitControls: a mouse aims from the own body, wherever it moves; its buttons press, its wheel turns (SPEC 13.32, 13.33)",
  async (browser) => {
    const page = await open(browser);
    const { mouse } = page;
    await placeOwn(page, 400, 300);
    assertEquals((await tick(page)).aim, 0);
    await mouse.move(500, 300);
    assertEquals((await tick(page)).aim, 0);
    await mouse.move(400, 200);
    assertEquals([(await peek(page)).aim, (await tick(page)).aim], [QUARTER, QUARTER], "up");
    await mouse.move(300, 300);
    assertEquals((await tick(page)).aim, 2 * QUARTER, "left");
    await placeOwn(page, 300, 200);
    assertEquals((await tick(page)).aim, 3 * QUARTER, "the body has moved above the pointer");
    await placeOwn(page, 301, 301);
    assertEquals(
      (await tick(page)).aim,
      3 * QUARTER,
      "at the body itself a pointer has no direction",
    );
    await mouse.down();
    await mouse.down({ button: "right" });
    const aim = 3 * QUARTER;
    assertEquals(await tick(page), { ...IDLE, aim, boost: 1, turbo: 1, brake: 1 });
    await mouse.up();
    await mouse.up({ button: "right" });
    await mouse.wheel(0, -120);
    await mouse.wheel(0, -40);
    assertEquals(await tick(page), { ...IDLE, aim, boost: 1, gear: 3 });
    await mouse.wheel(0, -40);
    await mouse.wheel(0, -40);
    assertEquals((await tick(page)).gear, 4, "small turns add up");
    await mouse.wheel(0, 900);
    assertEquals((await tick(page)).gear, 0);
  },
);

browserTest(
  "KitControls: after a click on the picture the keys are the game's again, and dragging selects no text",
  async (browser) => {
    const page = await open(browser);
    const help = (await page.locator("#help").boundingBox())!;
    await page.focus("#open-menu");
    await page.mouse.move(400, 300);
    await page.mouse.down();
    await page.mouse.move(help.x + help.width - 20, help.y + help.height / 2, { steps: 5 });
    await page.mouse.up();
    assertEquals(await page.evaluate(() => getSelection()!.toString()), "");
    await page.keyboard.down("KeyD");
    assertEquals(await tick(page).then(({ dx, boost, turbo }) => [dx, boost, turbo]), [1, 1, 0]);
  },
);

/** A finger that moves from place to place. */
async function touch(
  page: Page,
  glass: CDPSession,
  type: "touchStart" | "touchMove",
  ...fingers: [x: number, y: number][]
) {
  await glass.send("Input.dispatchTouchEvent", {
    type,
    touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
  });
  // Browsers report moves with a frame.
  await page.evaluate(() =>
    new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))
  );
}

const lift = (glass: CDPSession) =>
  glass.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });

browserTest(
  "KitControls: two thumbs move, aim and press at once; a thumb that lifts lets go, and the aim stays (SPEC 13.34)",
  async (browser) => {
    const page = await open(browser, PHONE);
    const glass = await page.context().newCDPSession(page);
    const middleOf = async (selector: string): Promise<[number, number]> => {
      const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
      return [x + width / 2, y + height / 2];
    };
    const [steerX, steerY] = await middleOf("#steer");
    const [aimX, aimY] = await middleOf("#right-stick");
    await touch(page, glass, "touchStart", [steerX, steerY], [aimX, aimY]);
    assertEquals(await tick(page), IDLE, "a stick's centre is where the thumb comes down");
    await touch(page, glass, "touchMove", [steerX + 60, steerY - 30], [aimX, aimY + 40]);
    const { dx, dy, aim } = await tick(page) as typeof IDLE;
    assertEquals([dx, aim], [1, 3 * QUARTER]);
    assertEquals(dy > 0 && dy < 8, true, "an analog axis");
    await touch(page, glass, "touchMove", [steerX, steerY - 30], [aimX, aimY + 40]);
    assertEquals((await tick(page)).dx, -1, "beyond the edge a thumb pulls the stick along");
    await shoot(page, "kit_thumbs.png");
    await lift(glass);
    assertEquals(await tick(page), { ...IDLE, aim: 3 * QUARTER });
    await touch(
      page,
      glass,
      "touchStart",
      await middleOf("#boost-zone"),
      await middleOf("#brake-zone"),
    );
    assertEquals(await tick(page), { ...IDLE, aim, boost: 1, turbo: 1, brake: 1 });
    await lift(glass);
    await page.tap("#boost-zone");
    await page.tap("#gear-more-zone");
    assertEquals(await tick(page), { ...IDLE, aim, boost: 2, gear: 3 });
    assertEquals(
      await page.innerText("#help"),
      "Left thumb: move · right thumb: aim, boost, brake, horn, gear",
    );
  },
);

browserTest(
  "KitControls: one thumb aims and, when it lifts, fires; back in the middle it calls that off (SPEC 13.36)",
  async (browser) => {
    const page = await open(browser, PHONE, "turret");
    const glass = await page.context().newCDPSession(page);
    const { x, y, width, height } = (await page.locator("#right-stick").boundingBox())!;
    const middle = [x + width / 2, y + height / 2] as [number, number];
    const below = [middle[0], middle[1] + 40] as [number, number];
    const at = (aim: number, charge: number, shoot: number) => ({ aim, charge, shoot, jump: 0 });
    const seen = async () => await tick(page) as ReturnType<typeof at>;

    await touch(page, glass, "touchStart", middle);
    assertEquals(await seen(), at(0, 0, 0));
    await touch(page, glass, "touchMove", below);
    assertEquals(await seen(), at(3 * QUARTER, 1, 0), "it charges while it aims");
    await lift(glass);
    assertEquals(await seen(), at(3 * QUARTER, 0, 1), "it fires where it aimed");
    assertEquals(await seen(), at(3 * QUARTER, 0, 1), "once");

    await touch(page, glass, "touchStart", middle);
    await touch(page, glass, "touchMove", below);
    await touch(page, glass, "touchMove", middle);
    await lift(glass);
    assertEquals(await seen(), at(3 * QUARTER, 0, 1), "called off");
    await touch(page, glass, "touchStart", middle);
    await lift(glass);
    assertEquals(await seen(), at(3 * QUARTER, 0, 2), "a tap fires where the aim is");

    assertEquals(await page.locator("#shoot-zone").count(), 0, "no button takes the room");
    await page.tap("#jump-zone");
    assertEquals((await seen()).jump, 1);
    assertEquals(await page.innerText("#help"), "Right thumb: aim, lift to shoot, jump");
    await page.keyboard.press("Space");
    assertEquals((await seen()).shoot, 3, "keys and mouse press it as ever");
    await shoot(page, "kit_fires.png");
  },
);

browserTest(
  "KitControls: a gamepad has sticks, cross, face buttons and triggers; the newest device aims (SPEC 13.32)",
  async (browser) => {
    const page = await open(browser);
    await page.evaluate(() => {
      const buttons = Array.from({ length: 17 }, () => ({ pressed: false }));
      const pad = { mapping: "standard", axes: [0, 0, 0, 0], buttons };
      Object.assign(globalThis, { pad });
      navigator.getGamepads = () => [null, pad as unknown as Gamepad];
    });
    const move = (axes: number[], ...pressed: number[]) =>
      page.evaluate(([axes, pressed]) => {
        pad.axes = axes!;
        for (const [i, button] of pad.buttons.entries()) button.pressed = pressed!.includes(i);
      }, [axes, pressed]);
    await move([0.5, -0.55, 0, 0]);
    assertEquals(
      await tick(page),
      { ...IDLE, dx: 1, dy: 4 },
      "a direction, and half of an analog one",
    );
    await move([0.1, 0.1, 0, 1]);
    assertEquals(await tick(page), { ...IDLE, aim: 3 * QUARTER }, "a worn stick at rest");
    await move([0, 0, 0, 0], 12, 14);
    assertEquals(await tick(page), { ...IDLE, dx: -1, dy: 8, aim: 3 * QUARTER }, "the cross");
    await move([0, 0, 0.1, 0], 7, 2);
    assertEquals(await tick(page), { ...IDLE, aim: 3 * QUARTER, boost: 1, turbo: 1, brake: 1 });
    await move([0, 0, 0, 0], 5);
    assertEquals(await tick(page), { ...IDLE, aim: 3 * QUARTER, boost: 1, gear: 3 });
    await placeOwn(page, 400, 300);
    await page.mouse.move(300, 300);
    assertEquals((await tick(page)).aim, 2 * QUARTER);
    await move([0, 0, 0, -1]);
    assertEquals((await tick(page)).aim, QUARTER);
  },
);

browserTest(
  "KitControls: one axis has two halves, a second pair of axes has the right thumb (SPEC 13.34)",
  async (browser) => {
    const truck = await open(browser, PHONE, "truck");
    const glass = await truck.context().newCDPSession(truck);
    const { x, y, width, height } = (await truck.locator("#steer").boundingBox())!;
    const left: [number, number] = [x + width / 4, y + height / 2];
    const right: [number, number] = [x + 3 * width / 4, left[1]];
    await touch(truck, glass, "touchStart", left);
    await shoot(truck, "kit_halves.png");
    assertEquals((await tick(truck)).drive, -1);
    await touch(truck, glass, "touchMove", right);
    assertEquals((await tick(truck)).drive, 1);
    await lift(glass);
    assertEquals((await tick(truck)).drive, 0);
    await truck.touchscreen.tap(...left);
    assertEquals(
      [(await peek(truck)).drive, (await tick(truck)).drive, (await tick(truck)).drive],
      [-1, -1, 0],
    );
    assertEquals(await truck.innerText("#help"), "Left thumb: drive · right thumb: jump, brake");
    const twin = await open(browser, PHONE, "twin");
    const otherGlass = await twin.context().newCDPSession(twin);
    const stick = (await twin.locator("#right-stick").boundingBox())!;
    const middle: [number, number] = [stick.x + stick.width / 2, stick.y + stick.height / 2];
    await touch(twin, otherGlass, "touchStart", middle);
    await touch(twin, otherGlass, "touchMove", [middle[0] - 44, middle[1]]);
    assertEquals(await tick(twin), { dx: 0, dy: 0, turnX: -8, turnY: 0 });
    await touch(twin, otherGlass, "touchMove", [middle[0], middle[1] + 44]);
    assertEquals((await tick(twin)).turnY! < 0, true, "down is less");
  },
);

browserTest(
  "KitControls: the zones of thumbs overlap in no window, and each is large enough",
  async (browser) => {
    for (
      const [width, height] of [[320, 568], [390, 844], [844, 390], [667, 375], [768, 1024], [
        1024,
        768,
      ]] as const
    ) {
      const page = await open(browser, { ...PHONE, viewport: { width, height } });
      const zones = await page.locator("#steer, #right-thumb > *").evaluateAll((zones) =>
        zones.map((zone) => zone.getBoundingClientRect().toJSON() as DOMRect)
      );
      for (const [i, a] of zones.entries()) {
        const place = `zone ${i} at ${width} × ${height}: ${JSON.stringify(a)}`;
        assertEquals(a.width >= 44 && a.height >= 44, true, place);
        assertEquals(a.left >= 0 && a.right <= width + 1 && a.bottom <= height + 1, true, place);
        for (const b of zones.slice(i + 1)) {
          const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 ||
            b.bottom <= a.top + 1;
          assertEquals(
            apart,
            true,
            `zones overlap at ${width} × ${height}: ${JSON.stringify([a, b])}`,
          );
        }
      }
      assertNotEquals(zones.length, 0);
      await shoot(page, `kit_zones_${width}x${height}.png`);
      await page.context().close();
    }
  },
);
