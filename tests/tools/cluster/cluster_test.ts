import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { UsageError } from "../../../shared/flags.ts";
import { canaryServer } from "../../support/nats/server_program.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ClusterWorld } from "./cluster_world.ts";
import { type ClusterReport, delaysOf, faultsOf } from "./run_cluster.ts";
import { ownerKills, rolling } from "./faults.ts";
import { Random } from "../../../shared/random.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { races } from "./races.ts";

const KILLED = {
  count: 2,
  confirmedLost: 0,
  unconfirmedLost: 0,
  confirmedChanged: 0,
  playingAgainMsP50: 1,
  playingAgainMsP95: 1,
};
const REPORT: ClusterReport = {
  ownerKills: KILLED,
  pauses: { count: 10, fenced: 10 },
  races: { tries: 200, rivals: 8, doubleWinners: 0, withoutWinner: 0 },
  logCost: { matches: 60, appends: 12_000, appendMsP50: 3, appendMsP99: 10, cpuMicrosPerTick: 20 },
  leaderKills: { count: 1, playersGapMsMax: 150 },
  outage: { lost: 0, sameOwner: true, ticksMeanwhile: 3 },
  partition: { discardedTicks: 16, heldStill: true },
  rolling: { roundsEnded: 0, gapMsP95: 300 },
  seatsKept: 1,
  comparedTicks: 900,
  confirmedLost: 0,
  confirmedChanged: 0,
  lostMessages: 0,
  confirmedLostBy: {},
  confirmedChangedBy: {},
  unconfirmedLostBy: {},
  brokenMatches: 0,
  fileLog: { kills: 5, lostTicks: 0, changedTicks: 0 },
  canary: { version: "2.9.10", refused: true, doubleWinners: 90 },
};

Deno.test("cluster: each bar that a run misses is named", () => {
  assertEquals([faultsOf(REPORT), delaysOf(REPORT)], [[], []]);
  const wrong: Partial<ClusterReport>[] = [
    { ownerKills: { ...KILLED, confirmedLost: 1 } },
    { confirmedLost: 1 },
    { confirmedChanged: 1 },
    { lostMessages: 1 },
    { comparedTicks: 9 },
    { brokenMatches: 1 },
    { pauses: { count: 10, fenced: 9 } },
    { races: { tries: 200, rivals: 8, doubleWinners: 1, withoutWinner: 0 } },
    { outage: { lost: 1, sameOwner: true, ticksMeanwhile: 3 } },
    { partition: { discardedTicks: 17, heldStill: true } },
    { partition: { discardedTicks: 1, heldStill: false } },
    { rolling: { roundsEnded: 1, gapMsP95: 300 } },
    { seatsKept: 0.9 },
    { fileLog: { kills: 5, lostTicks: 1, changedTicks: 0 } },
    { canary: { version: "2.9.10", refused: false, doubleWinners: 90 } },
    { canary: { version: "2.9.10", refused: true, doubleWinners: 0 } },
  ];
  for (const each of wrong) {
    assertEquals(faultsOf({ ...REPORT, ...each }).length, 1, JSON.stringify(each));
  }
  assertEquals(
    delaysOf({ ...REPORT, ownerKills: { ...KILLED, playingAgainMsP95: 1_501 } }).length,
    1,
  );
  for (const slow of [{ appendMsP99: 10.1 }, { cpuMicrosPerTick: 21 }]) {
    assertEquals(delaysOf({ ...REPORT, logCost: { ...REPORT.logCost!, ...slow } }).length, 1);
  }
  assertEquals(delaysOf({ ...REPORT, leaderKills: { count: 1, playersGapMsMax: 251 } }).length, 1);
  assertEquals(
    delaysOf({ ...REPORT, outage: { lost: 0, sameOwner: false, ticksMeanwhile: 3 } }).length,
    1,
  );
  assertEquals(delaysOf({ ...REPORT, rolling: { roundsEnded: 0, gapMsP95: 501 } }).length, 1);
});

natsTest(
  "cluster: any node names the owner, a killed one loses nothing, and a stopped one hands over (SPEC 17.104, 17.107, 17.109, 17.110, 17.112)",
  async () => {
    await using world = await ClusterWorld.start({ bots: 4, seed: 5 });
    const run = { world, random: new Random(5), log: () => {} };
    const owner = await world.owner();
    const hashes = new Set<string>();

    for (const { url } of world.nodes) {
      const answer = await fetch(`${url}/api/rooms/BOTS/join`, {
        method: "POST",
        body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, role: "watcher" }),
      });
      const { server, others, datagrams } = await answer.json();
      const { port } = new URL(owner.url);
      assertEquals([server, others.length, String(datagrams.port)], [owner.url, 2, port], url);
      hashes.add(datagrams.certificateHash);
      const page = await fetch(url);
      await page.body?.cancel();
      assertStringIncludes(page.headers.get("Content-Security-Policy")!, `${owner.url} `);
      assertStringIncludes(
        page.headers.get("Content-Security-Policy")!,
        `https://127.0.0.1:${port}`,
      );
    }

    // Every node names the owner's certificate hash.
    assertEquals(hashes.size, 1);
    world.beginPart("ownerKills");
    await ownerKills(run, 1);
    world.beginPart("rolling");
    const rolled = await rolling(run);
    assertEquals([rolled.roundsEnded, world.seatsKept, world.brokenLines], [0, 1, []]);
    const { parts, lines } = await world.judge();
    assertEquals(lines, []);
    for (const part of ["ownerKills", "rolling"]) {
      assertGreater(parts.get(part)!.compared, 50, part);
    }
  },
);

natsTest("cluster: of eight nodes that want one match, one gets it (SPEC 17.103)", async () => {
  await using servers = await NatsServers.start();
  const { doubleWinners, withoutWinner } = await races(servers, 15);
  assertEquals([doubleWinners, withoutWinner], [0, 0]);
});

natsTest(
  "cluster: a server before 2.11 is refused, and it would let several win (SPEC 17.101)",
  async () => {
    const program = await canaryServer();
    if (program === undefined) return console.warn("this machine has no old nats-server");
    await using servers = await NatsServers.start({ program });
    let refusal = "";
    try {
      await NatsClient.open(servers.all.map(({ url }) => url));
    } catch (error) {
      assert(error instanceof UsageError);
      refusal = error.message;
    }
    assertStringIncludes(refusal, "2.11 or later is needed");
    assert((await races(servers, 10)).doubleWinners > 0);
  },
);
