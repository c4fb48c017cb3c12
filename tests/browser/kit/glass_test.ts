/** What a view draws on the glass, on real pages in windows of each kind. */
import { assertEquals, assertLess } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildPage } from "../../../client/build/build.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";
import type { PageParts } from "../../../client/game_kit/picture/page_parts.ts";
import type { Taken } from "./glass_view.ts";
import { yardPage } from "./page_source.ts";

const SERVER = new URL("server.ts", import.meta.url);
const TOUCH = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 720 } },
  upright: { viewport: { width: 390, height: 844 }, ...TOUCH },
  lying: { viewport: { width: 844, height: 390 }, ...TOUCH },
  small: { viewport: { width: 740, height: 400 }, ...TOUCH },
  smallest: { viewport: { width: 667, height: 375 }, ...TOUCH },
};

interface Session {
  readonly phase: string;
  readonly seat: number;
  readonly isInSync: boolean;
  readonly stats: { readonly desyncs: number };
  readonly poses: { readonly head: { findBySeat(seat: number): unknown } };
}

interface PageGlobals {
  readonly wyvern?: Session;
  readonly glassTaken: readonly Taken[];
  readonly PageParts: typeof PageParts;
}

/** Serves the yard with the view on the glass, for as long as `play` lasts. */
async function withYard(play: (url: string) => Promise<void>): Promise<void> {
  const folder = pathToFileURL(`${await Deno.makeTempDir()}/`);
  try {
    const view = new URL("glass_view.ts", import.meta.url);
    await buildPage({ ...yardPage, view }, new URL("yard/", folder));
    await using server = await ServerProcess.startScript(SERVER, folder.href, "--npcs", "2");
    await play(server.url);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function join(
  browser: Browser,
  url: string,
  device: BrowserContextOptions,
  side = "auto",
): Promise<Page> {
  const page = await browser.newPage(device);
  await page.goto(url);
  await page.locator("label", { hasText: "Side" }).locator("select").selectOption(side);
  await page.click("#play");
  await page.waitForFunction(() => {
    const { wyvern: session } = globalThis as unknown as PageGlobals;
    return session?.phase === "playing" && session.isInSync &&
      session.poses.head.findBySeat(session.seat) !== undefined;
  });
  return page;
}

/** Names each part of the page that lies over what the view drew, or what it drew outside. */
function overlapsOnGlass(): string[] {
  const { left, top, width, height } = document.querySelector("#arena")!.getBoundingClientRect();
  const found: string[] = [];
  const { glassTaken } = globalThis as unknown as PageGlobals;
  const areas = glassTaken.map((taken) => ({
    name: taken.corner,
    left: taken.x + left,
    top: taken.y + top,
    right: taken.x + taken.width + left,
    bottom: taken.y + taken.height + top,
  }));
  const parts = [...document.querySelectorAll(
    "#where > *, #tools button, #timer, #board, #scores, #feed li, #touch span, #help",
  )].map((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return { name: part.id || part.parentElement!.id || part.className, left, top, right, bottom };
  }).filter(({ left, right }) => right - left > 1);
  areas.forEach((area, i) => {
    if (
      area.left < left || area.top < top || area.right > left + width || area.bottom > top + height
    ) found.push(`${area.name} is outside`);
    for (const other of [...parts, ...areas.slice(i + 1)]) {
      if (
        area.left < other.right && area.right > other.left &&
        area.top < other.bottom && area.bottom > other.top
      ) found.push(`${area.name} and ${other.name}`);
    }
  });
  return found;
}

browserTest(
  "glass: corners keep clear of the page's parts, of each other and of the edge, in any window (SPEC 13.60)",
  async (browser) => {
    await withYard(async (url) => {
      for (const [name, device] of Object.entries(WINDOWS)) {
        const page = await join(browser, `${url}#GLASS`, device);
        // Players who kick make lines of news, which the corners leave room for.
        await page.keyboard.press("Space");
        await page.locator("#feed li").last().waitFor();
        await page.waitForFunction(() =>
          (globalThis as unknown as PageGlobals).glassTaken.length >= 7
        );
        await page.evaluate(() =>
          new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        );
        assertEquals(await page.evaluate(overlapsOnGlass), [], name);
        const corners = await page.evaluate(() =>
          (globalThis as unknown as PageGlobals).glassTaken.map(({ corner }) => corner)
        );
        assertEquals(new Set(corners).size, 5, "text takes its place from the brush itself");
        await shoot(page, `kit_glass_${name}.png`);
        await page.close();
      }
    });
  },
);

/**
 * Places of marks, for things all around the picture, that a part of the page covers.
 * @param addedPx by which the part with the room's code is higher, as when its words wrap
 */
function coveredMarks(addedPx: number): string[] {
  document.querySelector<HTMLElement>("#where")!.style.paddingBottom = `${addedPx}px`;
  const { PageParts } = globalThis as unknown as PageGlobals;
  const canvas = document.querySelector<HTMLCanvasElement>("#arena")!;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const parts = new PageParts(canvas, { hasNews: false });
  parts.update();
  const rects = [...document.querySelectorAll("#where, #timer, #board, #scores, #touch span")]
    .map((part) => part.getBoundingClientRect());
  const reach = 11;
  const covered: string[] = [];
  for (let i = 0; i < 64; i++) {
    const angle = i / 64 * 2 * Math.PI;
    const seen = parts.seenFrom({
      x: width * (0.5 + Math.cos(angle)),
      y: height * (0.5 + Math.sin(angle)),
    }, reach);
    const x = seen.x + left, y = seen.y + top;
    const isInside = seen.x >= reach && seen.x <= width - reach && seen.y >= reach &&
      seen.y <= height - reach;
    const isCovered = rects.some((rect) =>
      rect.left < x + reach && rect.right > x - reach && rect.top < y + reach &&
      rect.bottom > y - reach
    );
    if (isCovered || !isInside) covered.push(`${Math.round(seen.x)}, ${Math.round(seen.y)}`);
  }
  document.querySelector<HTMLElement>("#where")!.style.paddingBottom = "";
  return covered;
}

/** The middle of all pixels with this colour on the canvas, CSS pixels; undefined for none. */
function middleOf([red, green, blue]: readonly number[]): { x: number; y: number } | undefined {
  const canvas = document.querySelector<HTMLCanvasElement>("#arena")!;
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
  let x = 0, y = 0, count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== red || data[i + 1] !== green || data[i + 2] !== blue) continue;
    x += i / 4 % width;
    y += Math.floor(i / 4 / width);
    count++;
  }
  const ratio = width / canvas.clientWidth;
  return count === 0 ? undefined : { x: x / count / ratio, y: y / count / ratio };
}

browserTest(
  "glass: a mark at the edge points to what is outside, clear of the page's parts (SPEC 13.62)",
  async (browser) => {
    await withYard(async (url) => {
      for (const [name, device] of Object.entries(WINDOWS)) {
        const page = await join(browser, `${url}#MARK`, device, "orange");
        await page.waitForFunction(() =>
          (globalThis as unknown as PageGlobals).glassTaken.length >= 7
        );
        for (const addedPx of [0, 25]) {
          assertEquals(await page.evaluate(coveredMarks, addedPx), [], `${name}, ${addedPx} px`);
        }

        // An upright window shows the half of the yard without the other team's gate. Its mark may come
        // some frames after the others.
        if (name === "upright") await page.waitForFunction(middleOf, [0, 255, 0]);
        const gate = await page.evaluate(middleOf, [0, 255, 0]);
        const crate = await page.evaluate(middleOf, [255, 0, 0]);
        if (name === "upright") {
          assertLess(gate!.x, 30);
          assertLess(Math.abs(gate!.y - 844 * 0.43), 60, "as high as the gate");
          await shoot(page, "kit_marks_upright.png");
        } else assertEquals([gate, crate], [undefined, undefined], name);
        await page.close();
      }
    });
  },
);
