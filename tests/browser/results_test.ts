/**
 * Results and podiums on real pages. Rounds of 90 s would take this test half an hour, so it plays
 * in a copy of the project whose rounds last 7 s.
 */
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { copyProject, withMistake } from "../support/project_copy.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { seriousFindings } from "./axe.ts";
import { browserTest } from "./chromium.ts";
import "./pages/page_globals.ts";
import { shoot } from "./shots.ts";

const ROUNDS = 10;
/** 6 s. */
const SHOWN_TICKS_MIN = 120;
/** Ten rounds take about three minutes, on a busy machine longer. */
const PLAYED_MS_MAX = 600_000;

/** What one page has shown at the end of one round. */
interface ShownResult {
  /** The round's number in the match. */
  readonly round: number;
  readonly verdict: string;
  /** The verdict of the round below that of a set; otherwise empty. */
  readonly lastRound: string;
  readonly names: readonly string[];
  readonly firstTick: number;
  lastTick: number;
  hasPodium: boolean;
  hasSlowMotion: boolean;
}

/** What the page of replays lets the console see. */
interface ReplayGlobals {
  readonly wyvernReplay?: { readonly tick: number };
}

declare global {
  var shownResults: ShownResult[];
}

/** Joins, flaps ten times a second for good, and writes down each result. */
async function play(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}#SETS`);
  await page.fill("#name", name);
  // In a Capture teams win, in words of their own.
  await page.selectOption("#choice-mode", "melee");
  await page.click("#play");
  await page.waitForFunction(() =>
    globalThis.wyvern?.simulation?.world.player(globalThis.wyvern.seat) !== undefined
  );
  await page.evaluate(() => {
    const key = (type: string) => dispatchEvent(new KeyboardEvent(type, { code: "Space" }));
    setInterval(() => {
      key("keydown");
      key("keyup");
    }, 100);

    globalThis.shownResults = [];
    const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? "";
    const isShown = (selector: string) => document.querySelector(selector)!.checkVisibility();
    let hasResult = false;
    const look = () => {
      requestAnimationFrame(look);
      const { simulation, definitiveTick } = wyvern!;
      const hadResult = hasResult;
      hasResult = isShown("#result");
      if (!hasResult) return;

      // The prediction is ahead of what the panel shows, except in a result's first frames.
      let shown = shownResults.at(-1)!;
      if (!hadResult) {
        shown = {
          round: simulation!.world.match.round,
          verdict: textOf("#verdict"),
          lastRound: textOf("#last-round"),
          names: [...document.querySelectorAll("#standings li:not([hidden]) .name")].map((row) =>
            row.textContent!
          ),
          firstTick: definitiveTick,
          lastTick: definitiveTick,
          hasPodium: false,
          hasSlowMotion: false,
        };
        shownResults.push(shown);
      }
      shown.lastTick = definitiveTick;
      shown.hasPodium ||= isShown("#podium");
      shown.hasSlowMotion ||= isShown("#slow-motion");
    };
    look();
  });
}

/** Whom a sentence about a round names as its winner, as others call them. */
function winnerIn(verdict: string, own: string): string | undefined {
  const [, named] = /^(.+?) wins? round \d/.exec(verdict) ?? [];
  return named === "You" ? own : named;
}

browserTest(
  "page: with everybody flapping, 10 of 10 results stay for 6 s, and the server stores what they say (SPEC 25.4, 25.5, 25.12, 25.20, 25.21)",
  async (browser) => {
    const copy = await copyProject();
    try {
      const short = {
        file: "shared/games/dragons/tuning.ts",
        text: "export const ROUND_TICKS = 1800",
        replacement: "export const ROUND_TICKS = 140",
      };
      await withMistake(copy, short, async () => {
        using data = await TemporaryData.make();
        const main = new URL("server/main.ts", pathToFileURL(`${copy}/`));
        const flags = ["--build", "--games", "dragons", "--npcs", "4", "--data", data.folder];
        await using server = await ServerProcess.startScript(main, ...flags);
        const [ash, wren] = [await browser.newPage(), await browser.newPage()];
        for (const page of [ash, wren]) await page.setViewportSize({ width: 1280, height: 720 });
        await play(ash, server.url, "Ash");
        await play(wren, server.url, "Wren");

        // Pictures for people
        await ash.waitForSelector("#slow-motion:not([hidden])");
        await ash.waitForTimeout(1500);
        await shoot(ash, "slow_motion.png");
        assertEquals(await seriousFindings(ash, { isMeasurable: false }), []);
        await ash.waitForSelector("#result:not(.aside) #standings");
        await shoot(ash, "round_result.png");
        assertEquals(await seriousFindings(ash, { isMeasurable: false }), []);

        // The link leads to a replay of the match, which goes on.
        await ash.waitForSelector("#round-replay:not([hidden])", { state: "attached" });
        const link = await ash.getAttribute("#round-replay", "href");
        const replay = await browser.newPage();
        await replay.goto(link!);
        const from = Number(/@(\d+)$/.exec(link!)![1]);
        await replay.waitForFunction(
          (from) => (globalThis as unknown as ReplayGlobals).wyvernReplay?.tick! >= from,
          from,
        );
        await shoot(replay, "round_replay.png");
        await replay.close();

        await wren.waitForSelector("#podium:not([hidden])");
        await wren.waitForSelector("#result:not(.aside)");
        await shoot(wren, "podium.png");
        assertEquals(await seriousFindings(wren, { isMeasurable: false }), []);

        await ash.waitForFunction((rounds) => shownResults.length > rounds, ROUNDS, {
          timeout: PLAYED_MS_MAX,
        });
        const resultsOf = async (page: Page) => {
          const results = await page.evaluate(() => shownResults);
          // The first may have been joined late, and the last is still shown.
          return results.slice(0, -1);
        };
        const { results: rows } = await (await fetch(`${server.url}api/results?limit=100`)).json();
        const stored = new Map<number, { winners: string[]; drew: string[] }>(
          rows.map((row: { round: number }) => [row.round, row]),
        );

        for (const [page, own] of [[ash, "Ash"], [wren, "Wren"]] as const) {
          const results = await resultsOf(page);
          assertGreaterOrEqual(results.length, own === "Ash" ? ROUNDS : 1);
          for (const shown of results) {
            const { round, verdict, lastRound, firstTick, lastTick, hasPodium } = shown;
            assertGreaterOrEqual(lastTick - firstTick, SHOWN_TICKS_MIN, JSON.stringify(shown));
            const ofRound = hasPodium ? lastRound : verdict;
            const winner = winnerIn(ofRound, own);
            const row = stored.get(round)!;
            assertEquals(row.winners, winner === undefined ? [] : [winner], ofRound);
            for (const name of row.drew.slice(0, 3)) {
              assert(ofRound.includes(name === own ? "you" : name), `${ofRound}: ${row.drew}`);
            }
            assertEquals(row.drew.length > 0, / is a draw/.test(ofRound), ofRound);
          }
          assert(results.some(({ hasPodium }) => hasPodium), "no podium");
          assert(results.some(({ hasSlowMotion }) => hasSlowMotion), "no slow motion");
          assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
        }
      });
    } finally {
      await Deno.remove(copy, { recursive: true });
    }
  },
);
