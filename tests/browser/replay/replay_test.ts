import { assert, assertEquals, assertGreater, assertMatch, assertNotEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { playedLog } from "../../tools/lab/logs/played_log.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { logWithHeader } from "../../support/logs/log_with_header.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

/** The part of `wyvernReplay` that the test reads. */
interface ReplayPage {
  readonly tick: number;
  readonly hash: number;
  readonly player: {
    readonly lastTick: number;
    readonly status: { readonly equalTicks: number; readonly isComplete: boolean };
  };
  readonly fork: {
    readonly fromTick: number;
    readonly match: {
      readonly tick: number;
      readonly recordedState: { readonly state: { readonly snapshot: Uint8Array } };
    };
    readonly presenter: {
      readonly session: {
        readonly phase: string;
        readonly seat: number;
        readonly stats: { readonly desyncs: number };
      };
    };
  } | undefined;
}
declare const wyvernReplay: ReplayPage;

const EQUAL = "#check[data-state=equal]";

/**
 * Two bots play for some ticks on a real server.
 * @returns the hashes on which they and the server agreed
 */
async function play(url: string, ticks: number): Promise<Map<number, number>> {
  const bots = [1, 2].map((seed) =>
    new ReturningBot(url, { name: `bot ${seed}`, seed, room: "CROW" })
  );
  await Promise.all(bots.map((bot) => bot.until(() => bot.newestTick >= ticks)));
  for (const bot of bots) bot.stop();
  return bots[0]!.hashes;
}

/** Seeks on the timeline. @returns what is shown then */
async function seek(
  page: Page,
  tick: number,
): Promise<{ tick: number; hash: number; picture: string }> {
  return await page.evaluate(async (tick) => {
    const timeline = document.querySelector<HTMLInputElement>("#timeline")!;
    timeline.value = String(tick);
    timeline.dispatchEvent(new Event("input"));
    await new Promise<void>((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
    );
    const picture = document.querySelector<HTMLCanvasElement>("#arena")!.toDataURL();
    return { tick: wyvernReplay.tick, hash: wyvernReplay.hash, picture };
  }, tick);
}

/** Drops a file on the page, as from a desktop. */
async function drop(page: Page, bytes: Uint8Array): Promise<void> {
  await page.evaluate(([...values]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(values)], "match.log"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, [...bytes]);
}

/** The log of a match that ended before the others. */
const OLDER_LOG = "20251125T100000-CROW-0123abcd.log";

browserTest(
  "replay: a match of a real server, tick by tick, and the same from a file without it (SPEC 15.12)",
  async (browser) => {
    using data = await TemporaryData.make();
    const { bytes } = playedLog({ seed: 93, seconds: 6 });
    data.write(OLDER_LOG, logWithHeader(bytes, { gameId: "dragons-1" }));
    const server = await ServerProcess.start("--data", data.folder, "--npcs", "2");
    await using _ = server;
    const hashes = await play(server.url, 90);
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(server.url);
    await page.click("a[href=replay]");
    await page.waitForURL(/\/replay$/);
    await page.waitForSelector("#match-list a");
    assertMatch(await page.textContent("#match-list a") ?? "", /^CROW0:0\d\.\d · 2 players · /);
    assertMatch(
      await page.textContent("#match-list li:last-child p") ?? "",
      /^LABS0:05\.9 · 2 players · .* · older rules \(dragons-1\), which this page cannot replay$/,
    );
    await shoot(page, "replay_list.png");
    await page.click("#match-list a");
    await page.waitForSelector(EQUAL);
    const { lastTick, equalTicks } = await page.evaluate(() => {
      const { lastTick, status } = wyvernReplay.player;
      return { lastTick, equalTicks: status.equalTicks };
    });
    assertGreater(lastTick, 89);
    assertEquals(equalTicks, lastTick);
    assertEquals(await page.textContent("#check"), `${equalTicks} ticks equal`);

    // Until its code is loaded, the director leaves the picture whole.
    await page.locator("#watched span", { hasText: /^Director: ./ }).waitFor();
    const shown = new Map<number, string>();
    for (const tick of [80, 41, 40, 85, 60]) {
      const moment = await seek(page, tick);
      assertEquals([moment.tick, moment.hash], [tick, hashes.get(tick)]);
      shown.set(tick, moment.picture);
    }

    assertEquals((await seek(page, 80)).picture, shown.get(80), "a picture follows from its tick");
    assertNotEquals(shown.get(80), shown.get(60));
    await page.waitForURL(/\/replay#\d{8}T\d{6}-CROW-[0-9a-f]{8}@80$/);

    await server.stop("SIGKILL");
    const [name] = data.names().filter((each) => each.endsWith(".log") && each !== OLDER_LOG);
    await page.click("#close-replay");
    await page.waitForSelector("#matches-notice:text('The server does not answer')");
    await drop(page, data.read(name!));
    // The words of the match before are there until the first frame.
    await page.waitForFunction(() => wyvernReplay.player?.status.isComplete);
    await page.waitForSelector(EQUAL);
    for (const tick of [80, 60, 41]) {
      assertEquals((await seek(page, tick)).picture, shown.get(tick), `tick ${tick}`);
    }
    await page.waitForURL(/\/replay#@41$/);
    await drop(page, new TextEncoder().encode("no log at all"));
    await page.waitForSelector("#open-notice:text('This is a log without a header.')");
    assertEquals(errors, []);
  },
);

browserTest(
  "replay: keys, speeds, lanes, a seat to follow, the director, and a fork that plays on (SPEC 13.203, 15.12 to 15.14) [seed 95]",
  async (browser) => {
    const { bytes, hashes, lastTick } = playedLog({ seed: 95, seconds: 24 });
    await using server = await ServerProcess.start();
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.url}replay`);
    assertEquals(
      await page.textContent("#matches-notice:not(:empty)"),
      "This server keeps no matches.",
    );
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await page.setInputFiles("#file", {
      name: "match.log",
      mimeType: "",
      buffer: Buffer.from(bytes),
    });
    await page.waitForSelector(EQUAL);

    // It plays from the begin by itself.
    await page.waitForFunction(() => wyvernReplay.tick > 3);
    await page.keyboard.press("Space");
    await page.waitForSelector("#toggle:text('Play')");
    await seek(page, 300);

    for (
      const [key, tick] of [[".", 301], [".", 302], [",", 301], ["ArrowRight", 302], [
        "ArrowLeft",
        301,
      ]] as const
    ) {
      await page.keyboard.press(key);
      await page.waitForFunction((tick) => wyvernReplay.tick === tick, tick);
      assertEquals(await page.evaluate(() => wyvernReplay.hash), hashes.get(tick));
    }

    await page.selectOption("#speed", "8");
    await page.click("#toggle");
    await page.waitForSelector("#toggle:text('Play')");
    await page.waitForFunction((lastTick) => wyvernReplay.tick === lastTick, lastTick);

    // The same camera as for those who watch a match; arrow keys step, whom it follows.
    await seek(page, 301);
    const followed = page.locator("#watched span");
    const everybody = page.locator("#watched span", { hasText: /^Everybody$/ });
    assertMatch(await followed.innerText(), /^Director: /);
    await page.getByRole("button", { name: "Follow the next player" }).click();
    await everybody.waitFor();
    await page.keyboard.press(".");
    await page.waitForFunction(() => wyvernReplay.tick === 302);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => wyvernReplay.tick === 301);
    await everybody.waitFor();
    assertEquals(
      await page.locator("#follow option").allTextContents().then((names) =>
        names.slice(0, 3).sort()
      ),
      [
        "Ash",
        "Wren",
        "nobody",
      ],
    );
    await page.selectOption("#follow", { label: "Wren" });
    await page.waitForSelector("#scores .own:has-text('Wren')");
    await page.click("#show-lanes");
    const names = page.locator(".lane-names li:not([hidden])");
    await names.nth(2).waitFor();
    assertEquals((await names.allTextContents()).slice(0, 3), ["events", "Wren", "Ash"]);
    assertEquals(await seriousFindings(page, { isMeasurable: false }), []);
    await shoot(page, "replay.png");

    const hash = await page.evaluate(() => wyvernReplay.hash);
    await page.click("#fork");
    await page.waitForFunction(() => wyvernReplay.fork?.presenter.session.phase === "playing");
    await page.keyboard.down("ArrowRight");
    await page.waitForFunction(() => wyvernReplay.fork!.match.tick > 340);
    const forked = await page.evaluate(() => {
      const { fromTick, presenter: { session } } = wyvernReplay.fork!;
      return { fromTick, seat: session.seat, desyncs: session.stats.desyncs };
    });
    assertEquals([forked.fromTick, forked.desyncs], [301, 0]);
    assert(forked.seat === 0 || forked.seat === 1);
    await shoot(page, "replay_fork.png");
    await page.keyboard.up("ArrowRight");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#player:not([hidden])");
    await page.waitForFunction(() => wyvernReplay.tick === 301);
    assertEquals(await page.evaluate(() => wyvernReplay.hash), hash);

    await page.setViewportSize({ width: 390, height: 780 });
    await shoot(page, "replay_phone.png");
    assertEquals(errors, []);
  },
);
