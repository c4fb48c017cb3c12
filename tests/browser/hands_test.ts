/** A phone and a gamepad: each joins, flaps, kills and scores by its own input alone. */
import { LEDGES } from "../../shared/games/dragons/arenas/ledges.ts";
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Browser, CDPSession, Page } from "playwright-core";
import { ServerProcess } from "../support/servers/server_process.ts";
import { browserTest } from "./chromium.ts";
import {
  decideInput,
  dragonFigures,
  type DuelInput,
  LOOKS_MAX,
  placePrey,
  untilPlaying,
} from "./duel.ts";
import { shoot } from "./shots.ts";

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

type Zones = Readonly<Record<"left" | "right" | "flap", { x: number; y: number }>>;

/** Two thumbs on a touch screen, as the browser receives them. */
class Thumbs {
  readonly #glass: CDPSession;
  readonly #zones: Zones;
  #isDown = false;

  private constructor(glass: CDPSession, zones: Zones) {
    this.#glass = glass;
    this.#zones = zones;
  }

  static async over(page: Page): Promise<Thumbs> {
    const middleOf = async (selector: string, share = 0.5) => {
      const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
      return { x: x + width * share, y: y + height / 2 };
    };
    const zones = {
      left: await middleOf("#steer", 0.25),
      right: await middleOf("#steer", 0.75),
      flap: await middleOf("#flaps-zone"),
    };
    return new Thumbs(await page.context().newCDPSession(page), zones);
  }

  /** Sets which thumbs are down from now on. */
  async press({ dir, flap }: DuelInput): Promise<void> {
    const { left, right } = this.#zones;
    const touchPoints = [
      ...(dir === 0 ? [] : [{ ...(dir < 0 ? left : right), id: 1 }]),
      ...(flap ? [{ ...this.#zones.flap, id: 2 }] : []),
    ];
    // Chromium's protocol cannot lift one finger. All are lifted, and those that stay come down
    // again.
    if (this.#isDown) {
      await this.#glass.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    }
    this.#isDown = touchPoints.length > 0;
    if (this.#isDown) {
      await this.#glass.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    }
  }
}

/**
 * Puts a gamepad at the browser's usual place; `pad` moves it and `shakes` counts what it feels.
 */
async function plugIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const buttons = Array.from(
      { length: 17 },
      () => ({ pressed: false, touched: false, value: 0 }),
    );
    const shakes: number[] = [];
    const vibrationActuator = {
      playEffect(_: string, { strongMagnitude }: { strongMagnitude: number }) {
        shakes.push(strongMagnitude);
        return Promise.resolve("complete");
      },
    };
    const pad = {
      mapping: "standard",
      connected: true,
      axes: [0, 0, 0, 0],
      buttons,
      vibrationActuator,
    };
    Object.assign(globalThis, { pad, shakes });
    navigator.getGamepads = () => [null, pad as unknown as Gamepad];
  });
}

/** Plays with two thumbs on a touch screen. */
async function playWithThumbs(browser: Browser, server: ServerProcess): Promise<void> {
  const { prey, seat } = await placePrey(server.port, "THUM");
  const page = await (await browser.newContext(PHONE)).newPage();
  await plugIn(page);
  await page.addInitScript(() => localStorage.setItem("wyvern.settings", '{"rumble":false}'));
  await page.goto(`${server.url}play#THUM`);
  assertEquals(await page.innerText("#play"), "Play in room THUM");
  await shoot(page, "lobby_phone.png");
  await page.tap("#play");
  await untilPlaying(page);
  const thumbs = await Thumbs.over(page);
  for (let looks = 0; (await dragonFigures(page)).score < 2; looks++) {
    assertLess(looks, LOOKS_MAX, "no kill");
    await thumbs.press(await page.evaluate(decideInput, { prey: seat, arena: LEDGES }));
  }
  await shoot(page, "play_phone.png");
  assertGreater((await dragonFigures(page)).flaps, 0);

  // A tap that begins and ends between two ticks is one flap.
  await thumbs.press({ dir: 0, flap: false });
  const { flaps } = await dragonFigures(page);
  await page.tap("#flaps-zone");
  await page.waitForFunction(
    (flaps) => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses === flaps + 1,
    flaps,
  );
  await page.setViewportSize({ width: 844, height: 390 });

  // The arena leaves 104 CSS pixels to each thumb.
  await page.waitForFunction(() => document.querySelector("#arena")!.clientWidth === 844 - 2 * 104);
  await shoot(page, "play_phone_landscape.png");
  assertEquals(await page.evaluate(() => shakes), [], "shakes are switched off");
  prey.cut();
}

/** Plays with a gamepad that the page finds at the browser's usual place. */
async function playWithPad(browser: Browser, server: ServerProcess): Promise<void> {
  const { prey, seat } = await placePrey(server.port, "PADS");
  const page = await browser.newPage();
  await plugIn(page);
  await page.goto(`${server.url}play#PADS`);
  const button = (pressed: boolean) =>
    page.evaluate((pressed) => {
      pad.buttons[0]!.pressed = pressed;
      return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
    }, pressed);
  await page.waitForFunction(() => document.activeElement?.id === "play");
  await button(true);
  await untilPlaying(page);
  await button(false);
  assertEquals((await dragonFigures(page)).flaps, 0); // the press that joined is no flap
  await page.evaluate(`globalThis.decideInput = ${decideInput}`);
  await page.evaluate((sight) => {
    const play = () => {
      const { dir, flap } = decideInput(sight);
      pad.axes[0] = dir;
      pad.buttons[0]!.pressed = flap && !pad.buttons[0]!.pressed;
      requestAnimationFrame(play);
    };
    play();
  }, { prey: seat, arena: LEDGES });
  await page.waitForFunction(() =>
    wyvern!.simulation!.world.player(wyvern!.seat)!.fields.score >= 2
  );
  assertGreater((await dragonFigures(page)).flaps, 0);

  // The caption is on the page when its tick is definitive, and the winner has felt it.
  await page.waitForFunction(() =>
    document.querySelector("#feed .own")?.textContent === "You unseated Prey"
  );
  assertEquals((await page.evaluate(() => shakes)).includes(1), true);
  prey.cut();
}

browserTest("page: a phone and a gamepad each join, flap, kill and score", async (browser) => {
  await using server = await ServerProcess.start("--seed", "5", "--npcs", "0", "--idle", "0");
  await Promise.all([playWithThumbs(browser, server), playWithPad(browser, server)]);
});
