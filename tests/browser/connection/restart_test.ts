/**
 * What a page says of a restart of the server: before it, meanwhile and after it. And the table of
 * the best.
 */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { ResultsFile } from "../../../server/results/results_file.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { noteNotices, untilNoted } from "../notices.ts";
import { shoot } from "../shots.ts";

browserTest(
  "page: reads when the server stops, that the match goes on and the seat waits, and after it what has happened (SPEC 15.20, 15.22)",
  async (browser) => {
    using data = await TemporaryData.make();
    const flags = ["--data", data.folder, "--npcs", "1", "--grace", "3"];
    const page = await browser.newPage();
    let port: number;
    let seat: number;
    let tick: number;
    {
      await using server = await ServerProcess.start(...flags);
      ({ port } = server);
      await page.goto(`${server.url}#CROW`);
      await page.click("#play");
      await untilPlaying(page);
      await page.waitForFunction((ticks) => wyvern!.definitiveTick > ticks, KEPT_SEAT_TICKS);
      seat = await page.evaluate(() => wyvern!.seat);
      await noteNotices(page);
      server.signal("SIGTERM");
      await untilNoted(
        page,
        "The server stops when this round is over, in 3 s at most. The match goes on when it is back.",
      );
      await shoot(page, "server_stops.png");
      await server.ended();
      tick = await page.evaluate(() => wyvern!.definitiveTick);
    }
    await untilNoted(
      page,
      "The server is restarting. The match goes on when it is back. Trying again in",
    );
    await untilNoted(page, "Your seat waits for you.");
    await shoot(page, "server_restarts.png");

    await using _server = await ServerProcess.start(...flags, "--port", String(port));
    await untilNoted(page, "The server was restarted, and the match goes on.");
    await untilPlaying(page);
    assertEquals(await page.evaluate(() => wyvern!.seat), seat);
    assertGreater(await page.evaluate(() => wyvern!.definitiveTick), tick, "the same match");
    assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    await shoot(page, "server_is_back.png");
  },
);

browserTest(
  "page: the lobby lists the best players, and hides the table while there are none (SPEC 15.24)",
  async (browser) => {
    using data = await TemporaryData.make();
    const page = await browser.newPage();
    const hostile = "<b>Rook</b>";
    {
      await using server = await ServerProcess.start("--data", data.folder);
      await page.goto(server.url);
      await page.waitForResponse(/api\/results\/best/);
      assertEquals(await page.isVisible("#best"), false);
    }
    const file = new ResultsFile(`${data.folder}/results.sqlite`);
    file.transact(() => {
      for (let round = 1; round <= 3; round++) {
        const typed = (seat: number, name: string, score: number) => ({
          seat,
          name,
          score,
          player: { account: `${seat}`, name },
        });
        const scores = [typed(0, hostile, 4 * round), typed(1, "Wren", 5)];
        file.addRound(
          { id: "m1", room: "CROW", game: "dragons" },
          { round, tick: round, scores },
          round,
        );
      }
    });
    file.close();
    await using server = await ServerProcess.start("--data", data.folder);
    await page.goto(server.url);
    await page.waitForSelector("#best:not([hidden])");
    const rows = await page.$$eval(
      "#best-rows tr",
      (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    assertEquals(rows, [[hostile, "2", "3", "12"], ["Wren", "1", "3", "5"]]);
    assertStringIncludes(await page.innerText("#best"), "Most rounds won");
    await page.locator("#best").scrollIntoViewIfNeeded();
    await shoot(page, "best.png");
  },
);
