/** Each arena, mode and game, and the lobby, in windows of many kinds: what lies where, and what axe finds. */
import { assertEquals, assertLessOrEqual, assertNotEquals } from "@std/assert";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { ARENA_WORDS } from "../../shared/games/dragons/arenas/arenas.ts";
import { MODE_WORDS } from "../../shared/games/dragons/modes/mode.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import { shoot } from "./shots.ts";

const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 720 } },
  upright: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  lying: { viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true },
};
/** Each arena with another mode, so that every one is there once. */
const ROOMS = ARENA_WORDS.map((arena, i) => ({ arena, mode: MODE_WORDS[i % MODE_WORDS.length]! }));

/** Opens a new room with these options, as its first player. */
async function open(
  browser: Browser,
  url: string,
  { device, choices }: {
    readonly device: BrowserContextOptions;
    readonly choices: { readonly arena: string; readonly mode: string };
  },
): Promise<Page> {
  const page = await browser.newPage(device);
  // A first flight lies over the arena, and is looked at elsewhere.
  await page.addInitScript(() => localStorage.setItem("wyvern.flown.dragons", "1"));
  await page.goto(url);
  await page.selectOption("#choice-arena", choices.arena);
  await page.selectOption("#choice-mode", choices.mode);
  await page.click("#create");
  await untilPlaying(page);
  return page;
}

/**
 * Parts of the HUD that lie over one another, or reach beyond the window. Those that are pressed and
 * those that are read, but no zones for thumbs. Runs in the page.
 */
function crowded(): string[] {
  const parts = [...document.querySelectorAll<HTMLElement>(
    "#where, #timer, #scores, #feed li, #notice:not(:empty), #teams, #touch span",
  )].filter((part) =>
    part.checkVisibility({ visibilityProperty: true }) && part.getClientRects().length > 0
  )
    .map((part) => ({ name: part.id || part.textContent!, rect: part.getBoundingClientRect() }))
    .filter(({ rect }) => rect.width > 1 && rect.height > 1);
  const found: string[] = [];
  for (const [i, { name, rect }] of parts.entries()) {
    const { left, right, top, bottom } = rect;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      found.push(`${name} is beyond the window`);
    }
    for (const other of parts.slice(i + 1)) {
      const isApart = right <= other.rect.left + 1 || other.rect.right <= left + 1 ||
        bottom <= other.rect.top + 1 || other.rect.bottom <= top + 1;
      if (!isApart) found.push(`${name} lies over ${other.name}`);
    }
  }
  return found;
}

browserTest(
  "page: each arena and mode on a desktop and on both sides of a phone has its parts apart, and axe finds nothing serious (SPEC 8.196)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "4", "--games", "dragons");
    for (const choices of ROOMS) {
      for (const [name, device] of Object.entries(WINDOWS)) {
        const page = await open(browser, server.url, { device, choices });
        const now = await page.evaluate(() => {
          const { arena, mode } = wyvern!.simulation!.world.match;
          return { arena, mode };
        });
        assertEquals(now, choices);
        const stored = await page.evaluate(() => localStorage.getItem("wyvern.choices.dragons"));
        assertEquals(JSON.parse(stored!), { ...JSON.parse(stored!), ...choices });
        await shoot(page, `arena_${choices.arena}_${choices.mode}_${name}.png`);
        assertEquals(await page.evaluate(crowded), [], `${choices.arena} ${name}`);
        assertEquals(await seriousFindings(page, { isMeasurable: false }), [], name);
        await page.close();
      }
    }
  },
);

browserTest(
  "page: Puck and Haul on both sides of a phone and in a window of 667 pixels have their parts apart, and axe finds nothing serious (SPEC 8.196)",
  async (browser) => {
    await using server = await ServerProcess.start("--games", "puck,haul", "--npcs", "2");
    for (const game of ["puck", "haul"]) {
      for (const [name, device] of Object.entries(WINDOWS)) {
        const page = await browser.newPage(device);
        await page.addInitScript(
          (game) => localStorage.setItem(`wyvern.flown.${game}`, "yes"),
          game,
        );
        await page.goto(`${server.url}${game}/`);
        await page.click("#play");
        await page.waitForFunction(() => globalThis.wyvernScene?.own !== undefined);
        await shoot(page, `phone_${game}_${name}.png`);
        assertEquals(await page.evaluate(crowded), [], `${game} ${name}`);
        assertEquals(await seriousFindings(page, { isMeasurable: false }), [], `${game} ${name}`);
        await page.close();
      }
    }
  },
);

/** How the lobby may look, beside its usual way. */
const LOOKS: Readonly<
  Record<string, BrowserContextOptions & { readonly letterPx?: number }>
> = {
  usual: { viewport: { width: 1280, height: 720 } },
  forced: { viewport: { width: 1280, height: 720 }, forcedColors: "active" },
  light: { viewport: { width: 1280, height: 720 }, colorScheme: "light", contrast: "more" },
  doubled: { viewport: { width: 1280, height: 720 }, letterPx: 32 },
  phone_doubled: { ...WINDOWS.upright, letterPx: 32 },
  lying: WINDOWS.lying!,
  "4k": { viewport: { width: 3840, height: 2160 } },
};

browserTest(
  "lobby: in forced colours, in letters of twice the size, on phones and in 4K its lists are in line, nothing is cut off, and axe finds nothing serious (SPEC 8.197)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "1", "--games", "dragons");
    for (const [name, { letterPx, ...device }] of Object.entries(LOOKS)) {
      const page = await browser.newPage(device);
      if (letterPx !== undefined) {
        const session = await page.context().newCDPSession(page);
        await session.send("Page.setFontSizes", {
          fontSizes: { standard: letterPx, fixed: letterPx },
        });
      }
      await page.goto(server.url);
      await page.waitForFunction(() =>
        !document.querySelector<HTMLButtonElement>("#play")!.disabled
      );
      await shoot(page, `lobby_${name}.png`);
      const found = await page.evaluate(() => {
        const lists = [...document.querySelectorAll("#friends .choices select")].map((list) =>
          list.getBoundingClientRect()
        );
        const columns = new Map<number, Set<number>>();
        for (const { left, width } of lists) {
          const widths = columns.get(Math.round(left)) ?? new Set<number>();
          columns.set(Math.round(left), widths.add(Math.round(width)));
        }
        const tops = new Set(lists.map(({ top }) => Math.round(top)));
        return {
          // With n lists in r rows there are no more than ⌈n / r⌉ columns if they are in line.
          lists: lists.length,
          rows: tops.size,
          columns: columns.size,
          cutOff: [...document.querySelectorAll<HTMLElement>("#lobby :is(button, label, h1, a)")]
            .filter((part) => part.getClientRects().length > 0)
            .filter(({ scrollWidth, clientWidth, offsetWidth }) =>
              offsetWidth > 0 && scrollWidth > Math.max(clientWidth, offsetWidth) + 1
            ).map(({ id, textContent }) => id || textContent),
          isWide: document.documentElement.scrollWidth > innerWidth + 1,
        };
      });
      const { lists, rows, columns, cutOff, isWide } = found;
      assertEquals(lists, 4, name);
      assertLessOrEqual(columns, Math.ceil(lists / rows), `${name}: lists are not in line`);
      assertEquals([cutOff, isWide], [[], false], name);
      // The system chooses forced colours, so there is nothing to measure.
      const isMeasurable = device.forcedColors === undefined;
      const findings = await seriousFindings(page, { isMeasurable });
      assertEquals(
        findings.filter((finding) => isMeasurable || !finding.startsWith("color-contrast")),
        [],
        name,
      );
      const [ring, behind] = await page.evaluate(() => [
        getComputedStyle(document.querySelector("#colours input:checked")!).outlineColor,
        getComputedStyle(document.querySelector(".sheet")!).backgroundColor,
      ]);
      assertNotEquals(ring, behind, `${name}: the chosen colour cannot be seen`);
      if (!isMeasurable) {
        const text = await page.evaluate(() =>
          getComputedStyle(document.querySelector("h1")!).color
        );
        assertEquals(ring, text, "the ring has the colour of text");
      }
      await page.close();
    }
  },
);
