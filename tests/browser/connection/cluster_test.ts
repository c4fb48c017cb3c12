/** A page on one machine of three: its machine dies, and the page plays on at another one. */
import { assertEquals, assertGreater, assertGreaterOrEqual } from "@std/assert";
import { ClusterNode } from "../../support/cluster/cluster_node.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { IS_WITHOUT_NATS } from "../../support/nats/with_nats.ts";
import { metricsOf, sampleOf } from "../../tools/bench/match/server_readings.ts";
import { browserTest } from "../chromium.ts";
import { dragonFigures, killWithKeys, placePrey, untilPlaying } from "../duel.ts";
import { noteNotices, untilNoted } from "../notices.ts";
import { shoot } from "../shots.ts";

const NODES = 3;
const ON_TICKS = 40;
const POLL_MS = 50;

/** Waits until a metric of a node has a value. The test's own time bounds the wait. */
async function untilMetric(node: ClusterNode, name: string, value: number): Promise<void> {
  while (sampleOf(await metricsOf(`${node.url}/`), name) !== value) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

if (IS_WITHOUT_NATS) {
  console.warn("left out, for want of nats-server: a page on one machine of three");
} else {
  browserTest(
    "page: its machine is killed, and it plays on at another one in the same seat (SPEC 17.107, 17.109, 17.111)",
    async (browser) => {
      await using servers = await NatsServers.start();
      await using nodes = new AsyncDisposableStack();
      const ports = servers.all.map(({ port }) => port);
      const all: ClusterNode[] = [];
      for (let i = 0; i < NODES; i++) {
        all.push(nodes.use(await ClusterNode.start(ports, { npcs: 0, flags: ["--idle", "0"] })));
      }
      for (const node of all) await untilMetric(node, "wyvern_cluster_nodes", NODES);
      const [home, ...others] = all;
      const page = await browser.newPage();
      await page.goto(`${home!.url}/#CROW`);
      await page.click("#play");
      await untilPlaying(page);
      const { prey, seat: preySeat } = await placePrey(home!.port, "CROW");
      await killWithKeys(page, preySeat);
      await prey.leave();
      await page.waitForFunction((ticks) => wyvern!.definitiveTick > ticks, KEPT_SEAT_TICKS);
      const before = await dragonFigures(page);
      const { seat, tick } = await page.evaluate(() => ({
        seat: wyvern!.seat,
        tick: wyvern!.definitiveTick,
      }));

      await noteNotices(page);
      await home!.stop("SIGKILL");
      // A quick page has another machine before it says the first of them.
      await untilNoted(page, "Connection lost.", "Connecting again…");
      await shoot(page, "node_killed.png");
      await untilNoted(page, "The server was restarted, and the match goes on.");
      await untilPlaying(page);
      await page.waitForFunction((tick) => wyvern!.definitiveTick > tick, tick + ON_TICKS);
      await shoot(page, "node_replaced.png");
      assertEquals(await page.evaluate(() => wyvern!.seat), seat);
      assertEquals(await page.evaluate(() => wyvern!.stats.desyncs), 0);
      const after = await dragonFigures(page);
      assertGreaterOrEqual(after.flaps, before.flaps, "the same dragon");
      assertGreater(before.flaps, 0);
      assertGreater(before.score, 0);

      // A busy machine may come into the next round, which begins with a score of 0; the prey's egg may
      // come to the dragon, too.
      if (after.round === before.round) assertGreaterOrEqual(after.score, before.score);
      const clients = await Promise.all(
        others.map(async ({ url }) => sampleOf(await metricsOf(`${url}/`), "wyvern_clients")),
      );
      assertEquals(clients.toSorted(), [0, 1]);
      assertEquals(all.flatMap(({ brokenLines }) => brokenLines), []);
    },
  );
}
