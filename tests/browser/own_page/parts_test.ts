/** Lobby and overlay as parts of another author's page, on another site, in a real browser. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import type { PartsPage } from "./parts/main.ts";
import { OtherSite } from "./site.ts";
import { yardServerFor } from "./yard_server.ts";

const PARTS = new URL("parts/", import.meta.url);

/** What the script of the overlay's curves listens to once it is there, with or without curves. */
const OF_UPLOT = ["window dppxchange", "window resize", "window scroll"];

/** Reads the page's parts in the page. */
function read<Result>(page: Page, select: (parts: PartsPage) => Result): Promise<Result> {
  return page.evaluate(`(${select})(globalThis.parts)`) as Promise<Result>;
}

async function reach(page: Page, isReached: (parts: PartsPage) => boolean): Promise<void> {
  await page.waitForFunction(`(${isReached})(globalThis.parts)`);
}

/**
 * Enters a match by a lobby. @param lobby 0 or 1
 * @throws Error with the lobby's sentence if it does not lead into a match
 */
async function enter(page: Page, lobby: 0 | 1, press: () => Promise<void>): Promise<void> {
  const place = page.locator(["#first", "#second"][lobby]!);
  await press();
  await page.waitForFunction((lobby) => {
    const { matches } = (globalThis as unknown as { parts: PartsPage }).parts;
    const { shadowRoot } = document.querySelectorAll("main > div")[lobby]!.firstElementChild!;
    const isBack = !shadowRoot!.querySelector<HTMLButtonElement>("#play")!.disabled;
    return isBack || (matches[lobby]?.stats.ticks ?? 0) > 20;
  }, lobby);
  if (await place.locator("#play").isVisible()) {
    throw new Error(await place.locator("#lobby-notice").innerText());
  }
  await page.waitForFunction(`(globalThis.parts.matches[${lobby}]?.stats.ticks ?? 0) > 20`);
}

/** The kinds of listeners on window and document, in order. */
async function listenersOf(page: Page): Promise<string[]> {
  const inspector = await page.context().newCDPSession(page);
  const kinds: string[] = [];
  for (const expression of ["window", "document"]) {
    const { result } = await inspector.send("Runtime.evaluate", { expression });
    const { listeners } = await inspector.send("DOMDebugger.getEventListeners", {
      objectId: result.objectId!,
    });
    kinds.push(...listeners.map(({ type }) => `${expression} ${type}`));
  }
  await inspector.detach();
  return kinds.sort();
}

/** What the focus is on, through shadow roots. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.id ?? "";
  });
}

browserTest(
  "mountLobby, mountOverlay: two lobbies and an overlay on a page of another site, by keys, and nothing stays behind (SPEC 19.60, 19.61, 19.62)",
  async (browser) => {
    await using site = await OtherSite.of(PARTS);
    await using server = await yardServerFor(site);
    const errors: string[] = [];
    const open = async (hash = "") => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(`${site.origin}/?server=${server.url}${hash}`);
      return page;
    };

    // The host's styles stay outside, and ours inside
    const ash = await open();
    await ash.locator("#first #play:enabled").waitFor();
    const looks = (selector: string) =>
      ash.locator(selector).evaluate((element) => {
        const { color, fontSize, fontStyle, padding, display } = getComputedStyle(element);
        return { color, fontSize, fontStyle, padding, display };
      });
    assertEquals(await looks("main > .sheet"), {
      color: "rgb(128, 0, 0)",
      fontSize: "60px",
      fontStyle: "italic",
      padding: "0px",
      display: "block",
    });
    assertEquals(await looks("#first #rooms-title"), {
      color: "rgb(241, 238, 230)",
      fontSize: "16px",
      fontStyle: "normal",
      padding: "0px",
      display: "inline",
    });
    await shoot(ash, "mounted_lobby.png");
    await ash.evaluate(() => document.querySelector<HTMLElement>("main")!.style.all = "initial");
    assertEquals(await seriousFindings(ash), []);

    // By keys alone: a name, and a new room
    await ash.locator("main > .sheet").click();
    const atFirst = await listenersOf(ash);
    const order = [];
    for (let i = 0; i < 7; i++) {
      await ash.keyboard.press("Tab");
      order.push(await focused(ash));
      if (order.at(-1) === "name") await ash.keyboard.type("Ash");
      if (order.at(-1) === "create") break;
    }
    assertEquals(order, ["name", "play", "room", "go", "watch", "create"]);
    await enter(ash, 0, () => ash.locator("#first #create").press("Enter"));
    assertEquals(await ash.locator("#first #play").isVisible(), false);
    assertEquals(await ash.locator("#second #play").isVisible(), true);
    const room = await read(ash, ({ matches }) => matches[0]!.room);

    // Another page finds the room in its list
    const wren = await open();
    await wren.locator("#first #name").fill("Wren");
    await enter(wren, 0, () => wren.locator(`#first [aria-label="Play in ${room}"]`).click());
    await reach(
      ash,
      ({ matches }) =>
        matches[0]!.players.filter(({ npc }) => !npc).map(({ name }) => name).join() === "Ash,Wren",
    );

    // A private room refuses whoever lacks its key, in words, and an invitation has the key
    await enter(wren, 1, () => wren.locator("#second #create-private").click());
    const invitation = await read(wren, ({ invitation }) => invitation);
    assertMatch(invitation, /^[A-Z]{4}\.[\w-]{22}$/);
    await ash.locator("#second #room").fill(invitation.slice(0, 4));
    await ash.locator("#second #room").press("Enter");
    await ash.locator("#second #lobby-notice", { hasText: /\w.*\.$/ }).waitFor();
    assertEquals(await ash.locator("#second #go").isEnabled(), true);
    const bob = await open(`#${invitation}`);
    const play = bob.locator("#first #play", { hasText: invitation.slice(0, 4) });
    await enter(bob, 0, () => play.click());

    // A reload comes back to the seat, which waits as long as it was played in
    await reach(bob, ({ matches }) => matches[0]!.stats.ticks > 160);
    const seat = await read(bob, ({ matches }) => matches[0]!.seat);
    await bob.reload();
    await reach(bob, ({ matches }) => (matches[0]?.stats.ticks ?? 0) > 20);
    assertEquals(await read(bob, ({ matches }) => matches[0]!.seat), seat);
    await bob.close();

    // The overlay finds corrections and their causes, and freezes by keys
    const during = await listenersOf(ash);
    const correction = ash.locator("#overlay #flight-rows .correction").first();
    await read(ash, ({ openOverlay }) => void openOverlay({ hasWorker: false }));
    await correction.waitFor();
    await ash.locator("#overlay #debug-rtt", { hasText: / ms$/ }).waitFor();
    await ash.locator("#overlay #debug-in-step", { hasText: "yes" }).waitFor();
    await shoot(ash, "mounted_overlay.png");
    await ash.locator("#overlay #freeze").press("Enter");
    await ash.locator(`#overlay #freeze[aria-pressed="true"]`).waitFor();
    assertMatch(await ash.locator("#overlay #moment").innerText(), /, tick \d+/);
    assertEquals(await read(ash, ({ matches }) => matches[0]!.stats.desyncs), 0);

    // Unmounted, and left: nothing of them is in the page
    await ash.locator("#overlay #debug-close").click();
    assertEquals(await ash.locator("#overlay").evaluate(({ childNodes }) => childNodes.length), 0);
    assertEquals(await listenersOf(ash), [...during, ...OF_UPLOT].sort());

    // The same by a worker
    await read(ash, ({ openOverlay }) => void openOverlay({ hasWorker: true }));
    await correction.waitFor();
    assertEquals(ash.workers().length, 1);
    await ash.locator("#overlay #debug-close").click();
    await correction.waitFor({ state: "detached" });
    assertEquals(ash.workers().length, 0);
    assertEquals(await listenersOf(ash), [...during, ...OF_UPLOT].sort());
    await read(ash, ({ matches }) => matches[0]!.leave());
    await ash.locator("#first #play:enabled").waitFor();
    await read(ash, ({ lobbies }) => lobbies.forEach((lobby) => lobby.unmount()));
    for (const place of ["#first", "#second"]) {
      assertEquals(await ash.locator(place).evaluate(({ childNodes }) => childNodes.length), 0);
    }
    assertEquals(await listenersOf(ash), [...atFirst, ...OF_UPLOT].sort());
    assertEquals(
      await ash.evaluate(() => [document.adoptedStyleSheets.length, document.styleSheets.length]),
      [0, 1],
    );
    assertEquals(errors, []);
    assert(await read(wren, ({ matches }) => matches[0]!.status.phase === "playing"));

    // On a phone
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const small = await phone.newPage();
    await small.goto(`${site.origin}/?server=${server.url}`);
    await small.locator(`#first [aria-label="Play in ${room}"]`).waitFor();
    await shoot(small, "mounted_lobby_phone.png");
    assertEquals(
      await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      true,
    );
    await phone.close();
  },
);
