/** A gamepad reaches whatever a keyboard reaches: each menu, dialog and page. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { dragonFigures, untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";
import { Random } from "../../../shared/random.ts";
import { focused, plugIn, press } from "./plugged_pad.ts";

/** More controls than any page of ours has. */
const CONTROLS_MAX = 120;

const WAYS = ["left", "right", "up", "down"] as const;
const SEED = 7;

/** All that the keyboard could focus in the sheet or dialog in front, as `focused` names it. */
function controlsOf(page: Page, root: string): Promise<string[]> {
  return page.evaluate((root) => {
    const controls = document.querySelector(root)!.querySelectorAll<HTMLElement>(
      "button, input, select, a[href], summary",
    );
    return [...controls].filter((control) =>
      control.checkVisibility({ visibilityProperty: true }) && !control.matches(":disabled")
    ).map((element) =>
      element.id || element.getAttribute("aria-label") ||
      (element as HTMLInputElement).value || element.textContent!.trim()
    );
  }, root);
}

/**
 * Walks over all controls, to the right, and down from those where left and right turn a value.
 * @returns the controls that the walk did not meet
 */
async function missedIn(page: Page, root: string): Promise<string[]> {
  const left = new Set(await controlsOf(page, root));
  for (let step = 0; step < CONTROLS_MAX && left.size > 0; step++) {
    left.delete(await focused(page));
    const turns = await page.evaluate(() =>
      document.activeElement!.matches("select, input[type=range]")
    );
    await press(page, turns ? "down" : "right");
  }
  // What lies beside a control whose value turns is reached on another way, whichever it is.
  const random = new Random(SEED);
  for (let step = 0; step < 4 * CONTROLS_MAX && left.size > 0; step++) {
    left.delete(await focused(page));
    await press(page, WAYS[random.bits() >>> 30]!);
  }
  return [...left];
}

browserTest(
  "page: a gamepad reaches each control of lobby, settings, menu and questions, types a name and a code, and its presses there are none of the game's (SPEC 8.135, 8.198)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0", "--idle", "0", "--data", "off");
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await plugIn(page);
    await page.goto(server.url);
    await page.waitForFunction(() => document.activeElement?.id === "play");
    await press(page, "down"); // the script comes with the first gamepad
    await page.waitForFunction(() => document.documentElement.classList.contains("by-pad"));
    assertEquals(await missedIn(page, "#lobby"), []);
    await shoot(page, "pad_lobby.png");

    // Settings: values turn, a key slot takes B for itself, and B closes the dialog.
    await page.focus("#lobby-controls");
    await press(page, "a");
    await page.waitForSelector("#controls[open]");
    assertEquals(await missedIn(page, "#controls"), []);
    await page.focus("#volume");
    await press(page, "left");
    assertEquals(await page.inputValue("#volume"), "0.45");
    await page.focus("#quality");
    await press(page, "right");
    assertEquals(await page.inputValue("#quality"), "full");
    await page.focus("#rumble");
    await press(page, "a");
    assertEquals(await page.isChecked("#rumble"), false);
    await page.focus('[aria-label="Flap, key 3: Space"]');
    await press(page, "a");
    assertEquals(await page.innerText('[aria-label="Flap, key 3: press a key"]'), "Press a key");
    await press(page, "b");
    assertEquals(await page.isVisible("#controls"), true);
    await press(page, "b");
    await page.waitForSelector("#controls:not([open])", { state: "attached" });
    assertEquals(await focused(page), "lobby-controls");

    // A name and a room's code, letter by letter.
    await page.focus("#name");
    await press(page, "a");
    await page.waitForSelector("#letters[open]");
    assertEquals(await focused(page), "A");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "pad_letters.png");
    for (const button of ["a", "right", "a", "down", "a"] as const) await press(page, button);
    assertEquals(await page.inputValue("#name"), "Abk");
    assertEquals(await missedIn(page, "#letters"), []);
    await page.locator("#letters button", { hasText: "Delete" }).focus();
    await press(page, "a");
    assertEquals(await page.inputValue("#name"), "Ab");
    await press(page, "b");
    await page.waitForSelector("#letters", { state: "detached" });
    assertEquals(await focused(page), "name");

    await page.focus("#room");
    await press(page, "a");
    await page.waitForSelector("#letters[open]");
    for (const button of ["a", "a", "right", "a", "a", "a"] as const) await press(page, button);
    assertEquals(await page.inputValue("#room"), "AABB", "a code has four letters");
    await page.locator("#letters button", { hasText: "Done" }).focus();
    await press(page, "a");
    await page.waitForSelector("#letters", { state: "detached" });
    assertEquals(await focused(page), "room");
    await page.fill("#room", "");

    // Into a match, and through its menu.
    await page.focus("#play");
    await press(page, "a");
    await untilPlaying(page);
    await page.waitForSelector("#skip-flight");
    await press(page, "view");
    assertEquals(await page.locator("#skip-flight").count(), 0);
    const { flaps } = await dragonFigures(page);
    await press(page, "start");
    await page.waitForSelector("#menu[open]");
    assertEquals(await missedIn(page, "#menu"), []);
    await shoot(page, "pad_menu.png");
    await page.focus("#match-how");
    await press(page, "a");
    await page.waitForSelector("#how[open]");
    assertEquals(await missedIn(page, "#how"), []);
    await press(page, "b");
    await page.waitForSelector("#how:not([open])", { state: "attached" });
    await press(page, "view");
    await page.waitForSelector("#invitation[open]");
    assertEquals(await missedIn(page, "#invitation"), []);
    await press(page, "b");
    await page.evaluate(() => history.back());
    await page.waitForSelector("#question[open]");
    assertEquals(await missedIn(page, "#question"), []);
    await press(page, "b");
    await page.waitForFunction(() => history.state === "wyvern match");
    assertEquals((await dragonFigures(page)).flaps, flaps, "no press of a menu is a flap");

    // Outside of menus it is the game's again.
    await press(page, "a");
    await page.waitForFunction(
      (flaps) => wyvern!.simulation!.world.player(wyvern!.seat)!.fields.flapPresses > flaps,
      flaps,
    );
    await press(page, "start");
    await page.focus("#leave");
    await press(page, "a");
    await page.waitForSelector("#lobby:not([hidden])");
  },
);

browserTest(
  "list of games, replays: a gamepad moves the focus and opens what it is on (SPEC 8.135)",
  async (browser) => {
    using data = await TemporaryData.make();
    await using server = await ServerProcess.start(
      "--games",
      "dragons,puck",
      "--data",
      data.folder,
    );
    const page = await browser.newPage();
    await plugIn(page);
    await page.goto(server.url);
    await page.waitForSelector("#games a");
    await press(page, "down");
    assertEquals(await missedIn(page, "main"), []);
    await page.focus("#games a");
    // The page may go before the press has ended.
    await Promise.all([page.waitForURL(/dragons\/$/), press(page, "a").catch(() => {})]);
    await page.goto(`${server.url}dragons/replay`);
    await page.waitForSelector("#matches-notice:not(:empty)");
    await press(page, "down");
    assertEquals(await missedIn(page, "#open"), []);
  },
);
