/** Pages of two nodes of a cluster whose players press "Play now". */
import { assert, assertEquals } from "@std/assert";
import { PATIENT, startNodes, until } from "../../support/cluster/play_now.ts";
import { newestServer } from "../../support/nats/server_program.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { browserTest } from "../chromium.ts";
import { untilPlaying } from "../duel.ts";
import { browsersAreRequired } from "../places.ts";

browserTest(
  'page: over two nodes "Play now" leads into the room that the server has found, after a few requests to each region (SPEC 17.160, 17.161, 17.164)',
  async (browser) => {
    if (await newestServer() === undefined && !browsersAreRequired()) {
      return console.warn("no nats-server here");
    }
    await using nodes = await startNodes(["--region", "a", ...PATIENT], [
      "--region",
      "b",
      ...PATIENT,
    ]);
    const asked: string[] = [];
    const posted: string[] = [];
    const codes: string[] = [];
    const found: { room?: string }[] = [];

    for (const { url } of nodes.all) {
      const page = await browser.newPage();
      page.on("request", (request) => {
        if (request.url().endsWith("/healthz")) {
          asked.push(`${url} ${new URL(request.url()).origin}`);
        }
        if (request.method() === "POST" && request.url().includes("/api/play")) {
          posted.push(request.postData()!);
        }
      });
      await page.goto(url);
      const isMeasured = () => asked.filter((each) => each.startsWith(`${url} `)).length === 8;
      await until(isMeasured, "the page has asked both regions");
      const answered = page.waitForResponse(async (response) => (
        response.request().method() === "POST" && response.url().includes("/api/play") &&
        (await response.text()).includes("room")
      ));
      await page.click("#play");
      found.push(await (await answered).json());
      await untilPlaying(page);
      codes.push(new URL(page.url()).hash);
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
    }

    // Where it is depends on how busy this machine is.
    assertEquals(codes, found.map(({ room }) => `#${room}`));
    for (const { url } of nodes.all) {
      for (const other of nodes.all) {
        assertEquals(asked.filter((each) => each === `${url} ${other.url}`).length, 4);
      }
    }

    for (const body of posted) {
      assertEquals(Object.keys(JSON.parse(body).roundTripsMs).sort(), ["a", "b"]);
    }
  },
);

browserTest(
  "page: of a server alone it has no matchmaker, and measures nothing (SPEC 17.164)",
  async (browser) => {
    await using server = await ServerProcess.start("--data", "off");
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(server.url);
    await page.click("#play");
    await untilPlaying(page);
    assertEquals(asked.filter((path) => /play$|healthz|matchmaking/.test(path)), []);
    assert(asked.some((path) => path.endsWith("/join")));
    const answer = await fetch(new URL("api/play", server.url), { method: "POST", body: "{}" });
    assertEquals(answer.status, 405);
    await answer.body?.cancel();
  },
);
