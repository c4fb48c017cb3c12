/** The page says what it is: how it works, the proof beside the ping, and an invitation to scan. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import type { Page } from "playwright-core";
import decodeQR from "qr/decode.js";
import { ServerProcess } from "../support/servers/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import "./pages/page_globals.ts";
import { shoot } from "./shots.ts";

const SIZE = { width: 1280, height: 720 };
const PHONES = { upright: { width: 390, height: 844 }, side: { width: 844, height: 390 } };

/** Takes a picture at the present size, and on a phone in both directions. */
async function shootAll(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()!;
  await shoot(page, `${name}.png`);
  for (const [direction, phone] of Object.entries(PHONES)) {
    await page.setViewportSize(phone);
    await shoot(page, `${name}_${direction}.png`);
  }
  await page.setViewportSize(size);
}

/** Reads the code on the screen as a phone's camera does: from its pixels. */
async function scan(page: Page): Promise<string> {
  const png = await page.locator(".qr").screenshot();
  const { width, height, data } = await page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const { width, height } = bitmap;
    const brush = new OffscreenCanvas(width, height).getContext("2d")!;
    brush.drawImage(bitmap, 0, 0);
    return { width, height, data: [...brush.getImageData(0, 0, width, height).data] };
  }, [...png]);
  return decodeQR({ width, height, data: new Uint8Array(data) });
}

browserTest(
  "page: how it works names the overlay and links what the server has; the seal counts the ticks that were compared (SPEC 4.17, 8.70, 8.71)",
  async (browser) => {
    await using server = await ServerProcess.start("--seed", "7", "--npcs", "4");
    const page = await browser.newPage({ viewport: SIZE });
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`${server.url}#LOOK`);
    await page.waitForSelector("#play:enabled");
    await shootAll(page, "says_lobby");
    const isAsked = (path: string) => /how_it_works|invite_dialog|asked/.test(path);
    assertEquals(paths.filter(isAsked), [], "players who ask for nothing load nothing of it");

    // The lobby explains it, and names no page that this server does not have
    await page.click("#lobby-how");
    await page.waitForSelector("#how[open]");
    assert((await page.innerText("#how")).includes("F3"));
    assert(!await page.isVisible("#how-proof"), "nothing is proven before a match");
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await page.waitForLoadState("networkidle");
    const links = await page.locator("#how-pages a").evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href)
    );
    for (const path of ["lab", "same-bits", "docs/"]) {
      const { ok, body } = await fetch(`${server.url}${path}`);
      await body?.cancel();
      assertEquals(links.includes(`${server.url}${path}`), ok, path);
    }
    await shootAll(page, "says_how");
    await page.click("#close-how");

    // The seal has the session's own number
    await page.click("#play");
    await untilPlaying(page);
    await page.waitForSelector("#proof:not([hidden])");
    await page.waitForFunction(() => wyvern!.stats.ticksProven > 60);
    const { shown, proven, received } = await page.evaluate(() => ({
      shown: Number(document.querySelector("#proof-count")!.textContent!.replaceAll(",", "")),
      proven: wyvern!.stats.ticksProven,
      received: wyvern!.stats.ticks,
    }));
    assertGreater(shown, 0);
    assertLessOrEqual(shown, proven);
    assertLessOrEqual(proven, received);
    await shootAll(page, "says_seal");

    // So has the menu's explanation, which opens the overlay for those without the key
    await page.keyboard.press("Escape");
    await page.click("#match-how");
    await page.waitForSelector("#how-proof:not([hidden])");
    assert(/0 bits differ: \d+ ticks proven/.test(await page.innerText("#how-proof")));
    await page.click("#how-overlay");
    await page.waitForSelector("#debug");
    assertEquals(faults, []);
  },
);

browserTest(
  "page: an invitation is copied, and its QR code leads to the same room (SPEC 8.72)",
  async (browser) => {
    await using server = await ServerProcess.start("--npcs", "0");
    const context = await browser.newContext({ viewport: SIZE });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // A phone's own way to share, which this Chromium does not have
    await context.addInitScript(() =>
      Object.defineProperty(navigator, "share", {
        value: ({ url }: { url: string }) => {
          document.title = url;
          return Promise.reject(new DOMException("", "AbortError"));
        },
      })
    );
    const page = await context.newPage();
    await page.goto(`${server.url}#LOOK`);
    await page.click("#play");
    await untilPlaying(page);
    const link = `${server.url}play#LOOK`;
    await page.click("#invite");
    await page.waitForSelector("#invitation[open]");
    assertEquals(await page.evaluate(() => navigator.clipboard.readText()), link);
    assertEquals(await page.innerText("#invite-link"), link);
    assertEquals(await scan(page), link);
    const copied = "The link is copied. A friend can also scan the code.";
    assertEquals(await page.innerText("#invite-status"), copied);
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shootAll(page, "says_invitation");

    // A player who changes their mind about sharing reads no error
    await page.click("#share-link");
    assertEquals(await page.title(), link);
    assertEquals(await page.innerText("#invite-status"), copied);
    await page.click("#close-invitation");
    assert(!await page.isVisible("#invitation"));
    await context.close();
  },
);

browserTest(
  "list of games: each moves, and stands still for visitors who want no motion; previews of links have the whole address (SPEC 7.28)",
  async (browser) => {
    await using server = await ServerProcess.start(
      "--games",
      "all",
      "--origin",
      "https://play.example.org",
    );
    const sourcesFor = async (reducedMotion: "reduce" | "no-preference") => {
      const context = await browser.newContext({ reducedMotion, viewport: SIZE });
      const page = await context.newPage();
      await page.goto(server.url, { waitUntil: "networkidle" });
      const pictures = page.locator("#games picture img");
      const count = await pictures.count();
      for (let i = 0; i < count; i++) await pictures.nth(i).scrollIntoViewIfNeeded();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>("#games img")]
          .every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
      );
      await page.evaluate(() => scrollTo(0, 0));
      assertEquals(await seriousFindings(page), []);
      await shootAll(page, `says_games_${reducedMotion}`);
      const sources = await pictures.evaluateAll((all) =>
        all.map((image) => new URL((image as HTMLImageElement).currentSrc).pathname)
      );
      await context.close();
      return sources;
    };
    const names = ["dragons", "puck", "haul"];
    assertEquals(
      await sourcesFor("no-preference"),
      names.map((name) => `/${name}/preview.webp`),
    );
    assertEquals(await sourcesFor("reduce"), names.map((name) => `/${name}/card.jpg`));

    for (const name of names) {
      const page = await (await fetch(`${server.url}${name}/`)).text();
      const [, card] = /property="og:image" content="([^"]+)"/.exec(page) ?? [];
      assertEquals(card, `https://play.example.org/${name}/card.jpg`);
      const picture = await fetch(`${server.url}${name}/card.jpg`);
      assertEquals(picture.headers.get("Content-Type"), "image/jpeg");
      await picture.body?.cancel();
    }
  },
);
