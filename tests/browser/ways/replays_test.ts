/** The list of replays: who won, which matches are one's own, and which are worth no look. */
import { assertEquals, assertMatch } from "@std/assert";
import { ResultsFile } from "../../../server/results/results_file.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { logWithHeader } from "../../support/logs/log_with_header.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { playedLog } from "../../tools/lab/logs/played_log.ts";
import { seriousFindings } from "../axe.ts";
import { browserTest } from "../chromium.ts";
import { shoot } from "../shots.ts";

const LONG = "20251125T100000-CROW-0123abcd";
const STUMP = "20251125T110000-DUSK-0123abcd";
const UNKNOWN = "20251125T090000-ROOK-0123abcd";

browserTest(
  "replays: the list says who won, marks the matches that this browser played, and hides stumps until they are asked for (SPEC 8.137)",
  async (browser) => {
    using data = await TemporaryData.make();
    const long = playedLog({ seed: 93, seconds: 12 }).bytes;
    data.write(`${LONG}.log`, logWithHeader(long, { room: "CROW", startedAt: 1_764_064_800 }));
    data.write(`${UNKNOWN}.log`, logWithHeader(long, { room: "ROOK", startedAt: 1_764_061_200 }));
    data.write(
      `${STUMP}.log`,
      logWithHeader(playedLog({ seed: 93, seconds: 2 }).bytes, { room: "DUSK" }),
    );
    const results = new ResultsFile(`${data.folder}/results.sqlite`);
    results.transact(() => {
      for (let round = 1; round <= 3; round++) {
        const scores = [
          { seat: 0, name: "<b>Ash</b>", score: round === 2 ? 1 : 9 },
          { seat: 1, name: "Wren", score: 5 },
        ];
        results.addRound(
          { id: LONG, room: "CROW", game: "dragons" },
          { round, tick: round, scores },
          round,
        );
      }
    });
    results.close();

    await using server = await ServerProcess.start("--data", data.folder);
    const page = await browser.newPage();
    await page.addInitScript(() =>
      localStorage.setItem("wyvern.played.", JSON.stringify([{ room: "CROW", at: 1_764_064_805 }]))
    );
    await page.goto(`${server.url}replay`);
    await page.waitForSelector("#match-list li:not([hidden]) a");
    const rows = () => page.locator("#match-list li:visible").allTextContents();
    const [first, second, ...others] = await rows();
    assertEquals(others, []);
    assertMatch(first!, /^<b>Ash<\/b> won 2 of 3 roundsCROWyours0:1[12]\.\d · 2 players · /);
    assertMatch(second!, /^ROOK0:1[12]\.\d · 2 players · /);
    assertEquals(await seriousFindings(page), []);
    await shoot(page, "replays_by_winner.png");
    assertEquals(await page.innerText("#show-short"), "Show a short one");
    await page.click("#show-short");
    assertEquals((await rows()).length, 3);
    assertEquals(await page.isVisible("#show-short"), false);

    // Addresses that name no match say so.
    const noticeAt = async (hash: string) => {
      await page.goto(`${server.url}replay${hash}`);
      await page.waitForSelector("#open-notice:not(:empty)");
      return await page.innerText("#open-notice");
    };
    assertEquals(await noticeAt("#nope"), "There is no such match.");
    await page.goto("about:blank");
    assertMatch(await noticeAt("#no/pe"), /^This address names no replay\./);
  },
);
