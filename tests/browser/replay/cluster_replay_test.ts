/** The page of replays at a node that did not run the match. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import type { Browser } from "playwright-core";
import { Servers } from "../../../client/net/servers.ts";
import { ClusterNode } from "../../support/cluster/cluster_node.ts";
import { until } from "../../support/cluster/results_node.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { IS_WITHOUT_NATS } from "../../support/nats/with_nats.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { browserTest } from "../chromium.ts";

/** Both nodes have heard each other after this time, ms. */
const HEARD_MS = 1_500;

interface ReplayPage {
  readonly player: { readonly lastTick: number; readonly status: { readonly equalTicks: number } };
}
declare const wyvernReplay: ReplayPage;

async function replayElsewhere(browser: Browser): Promise<void> {
  await using servers = await NatsServers.start({ count: 1 });
  using archive = await TemporaryData.make();
  const ports = servers.all.map(({ port }) => port);
  const options = { archive: archive.folder };
  const owner = await ClusterNode.start(ports, options);
  await using _ = owner;
  await using other = await ClusterNode.start(ports, options);
  await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
  const own = (seed: number) => ({
    name: `bot ${seed}`,
    seed,
    room: "CROW",
    servers: new Servers(owner.url),
  });
  const bots = [1, 2].map((seed) => new ReturningBot(owner.url, own(seed)));
  await Promise.all(bots.map((bot) => bot.until(() => bot.newestTick >= 60)));
  for (const bot of bots) bot.stop();
  const matches = async () =>
    (await (await fetch(`${other.url}/api/matches`)).json()).matches as { id: string }[];
  await until(matches, (all) => all.length === 1, "the match is over");

  // Its node is gone; the other one has the log from the archive.
  await owner.stop("SIGKILL");
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(other.url);
  await page.click("a[href=replay]");
  await page.waitForSelector("#match-list a");
  assertMatch(await page.textContent("#match-list a") ?? "", /^CROW0:0\d\.\d · 2 players · /);
  await page.click("#match-list a");
  await page.waitForSelector("#check[data-state=equal]");
  await page.waitForURL(/\/replay#\d{8}T\d{6}-CROW-[0-9a-f]{8}@\d+$/);
  const { lastTick, equalTicks } = await page.evaluate(() => {
    const { lastTick, status } = wyvernReplay.player;
    return { lastTick, equalTicks: status.equalTicks };
  });
  assertGreater(lastTick, 59);
  assertEquals([equalTicks, errors], [lastTick, []]);
}

if (!IS_WITHOUT_NATS) {
  browserTest(
    "replay: any node of a cluster shows a match that another one ran (SPEC 17.182)",
    replayElsewhere,
  );
}
