/** "I felt a lag here": the file that a player saves, dropped on the page of replays. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { LagPlayer } from "../../../client/replay/lag/lag_player.ts";
import { decodeLagFile } from "../../../client/debug/lag/lag_file.ts";
import { LAG_VERSION } from "../../../client/debug/lag/lag_report.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { shoot } from "../shots.ts";

interface ShownLag {
  readonly tick: number;
  readonly hash: number;
  readonly player: Pick<
    LagPlayer<never, never>,
    "firstTick" | "lastTick" | "corrections" | "status" | "definitiveHash"
  >;
}
declare const wyvernReplay: ShownLag;

async function drop(page: Page, bytes: Uint8Array): Promise<void> {
  await page.evaluate(([...values]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(values)], "wyvern.lag"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, [...bytes]);
}

/** Plays for some ticks over a line of 200 ms with two others, and says that a lag was felt. */
async function feelLag(
  page: Page,
  url: string,
): Promise<{ bytes: Uint8Array; name: string; hashes: [number, number][] }> {
  await page.goto(`${url}play?rtt=200&jitter=40#LOOK`);
  await page.click("#play");
  await untilPlaying(page);
  const riders = ["Nemo", "Odo"].map((name, i) =>
    new HonestBot(url, { name, seed: i, room: "LOOK" })
  );

  try {
    await page.waitForFunction(() => wyvern!.names.size === 3);
    // The hashes of definitive ticks that this page and the server have agreed on.
    await page.evaluate(() => {
      const hashes = new Map<number, number>();
      Object.assign(globalThis, { hashes });
      const read = () => {
        requestAnimationFrame(read);
        const tick = wyvern!.definitiveTick;
        const hash = wyvern!.provenHash(tick);
        if (hash !== undefined) hashes.set(tick, hash);
      };
      read();
    });
    const { ticks } = await page.evaluate(() => wyvern!.stats);
    await page.keyboard.down("ArrowRight");
    await page.waitForFunction((ticks) => wyvern!.stats.ticks > ticks + 120, ticks);
    await page.keyboard.up("ArrowRight");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#menu[open]");
    await shoot(page, "lag_menu.png");
    // Before the file: it has only predictions of the ticks that are agreed on later.
    const hashes = await page.evaluate(
      () => [...(globalThis as unknown as { hashes: Map<number, number> }).hashes],
    );
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#felt-lag")]);
    const bytes = await Deno.readFile(await download.path());
    return { bytes, name: download.suggestedFilename(), hashes };
  } finally {
    for (const rider of riders) rider.stop();
  }
}

async function dropSpoiled(replay: Page, bytes: Uint8Array): Promise<void> {
  const middle = bytes.length >> 1;
  const spoiled = [
    [bytes.subarray(0, middle), "This is a lag file that is cut short."],
    [bytes.with(middle, bytes[middle]! ^ 1), "This is a lag file that was changed."],
    [
      bytes.with("wyvern lag ".length, "0".charCodeAt(0)),
      `This is a lag file of version 0; this page has ${LAG_VERSION}.`,
    ],
  ] as const;
  for (const [file, notice] of spoiled) {
    await drop(replay, file);
    await replay.waitForSelector(`#open-notice:text("${notice}")`);
    assert(!await replay.isVisible("#corrections"));
  }
}

/** The page's own states: those that it and its server have agreed on. */
async function compareHashes(
  replay: Page,
  hashes: readonly (readonly [number, number])[],
): Promise<void> {
  const { firstTick, lastTick } = await replay.evaluate(() => {
    const { firstTick, lastTick } = wyvernReplay.player;
    return { firstTick, lastTick };
  });
  const proven = hashes.filter(([tick]) => tick > firstTick && tick <= lastTick);
  assertGreater(proven.length, 40);
  const shown = await replay.evaluate(
    (ticks) => ticks.map((tick) => wyvernReplay.player.definitiveHash(tick)),
    proven.map(([tick]) => tick),
  );
  assertEquals(shown, proven.map(([, hash]) => hash));
}

browserTest(
  "replay: a lag that was felt is seen again, with its corrections and their causes, without a server (SPEC 15.30 to 15.32)",
  async (browser) => {
    const server = await ServerProcess.start("--seed", "7", "--npcs", "2");
    await using _ = server;
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const { bytes, name, hashes } = await feelLag(page, server.url);
    assertMatch(name, /^wyvern-lag-LOOK-\d+\.lag$/);
    assertLess(bytes.length, 1_000_000);
    const { entries } = decodeLagFile(bytes, dragonGame);
    assertGreater(entries.length, 100);

    const replay = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    replay.on("pageerror", (error) => errors.push(error.message));

    // The page has the script of its worker, too, before the server is gone.
    await replay.goto(`${server.url}replay`, { waitUntil: "networkidle" });
    await server.stop("SIGKILL");
    await drop(replay, bytes);
    await replay.waitForSelector("#check[data-state=equal]");
    const { equalTicks, corrections } = await replay.evaluate(() => {
      const { status, corrections } = wyvernReplay.player;
      return { equalTicks: status.equalTicks, corrections };
    });
    assertGreater(equalTicks, 100);
    assertGreater(corrections.length, 0);
    await compareHashes(replay, hashes);

    const rows = replay.locator("#correction-rows button");
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    assert(texts.every((text) => /^\d+:\d\d\.\d · .+ \d+ cm(, .+)?\n/.test(text)), texts[0]);
    assert(
      texts.some((text) => text.includes("had guessed") || text.includes("came late")),
      texts.join("\n"),
    );
    await rows.nth(texts.length >> 1).click();
    const tick = corrections[texts.length >> 1]!.tick;
    await replay.waitForFunction((tick) => wyvernReplay.tick === tick, tick);
    await replay.click("#show-lanes");
    await replay.waitForSelector(".lane-names li:not([hidden]):has-text('Nemo')");
    assert(!await replay.isVisible("#fork"), "a prediction cannot be played on");
    assertEquals(await seriousFindings(replay, { isMeasurable: false }), []);
    await shoot(replay, "lag_replay.png");
    await replay.setViewportSize({ width: 390, height: 780 });
    await shoot(replay, "lag_replay_phone.png");

    await dropSpoiled(replay, bytes);
    assertEquals(errors, []);
  },
);
