import {
  assert,
  assertEquals,
  assertGreater,
  assertLess,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { SILENCE_MS } from "../../../server/bus/missed_heartbeats.ts";
import { quantileOf } from "../bench/median.ts";
import { grouped } from "../../support/progress.ts";
import { runTask } from "../../support/task.ts";
import { assumptionRows, ASSUMPTIONS } from "./assumptions.ts";
import { Chance } from "./chance.ts";
import { EventQueue, EVENTS_MAX } from "./event_queue.ts";
import { loseLogServer } from "./failures.ts";
import {
  figureRows,
  FIGURES,
  MATCHES_PER_CORE,
  MATCHES_PER_CORE_DATAGRAMS,
  powerRows,
  pricesPerPlayer,
  sentBytes,
} from "./paper.ts";
import { WORLD_REGIONS } from "./regions.ts";
import { ScaledWorld } from "./scaled_world.ts";
import type { Setting } from "./setting.ts";
import { simulate } from "./simulate.ts";
import { TakeOvers } from "./take_over.ts";
import { killThreeNodes } from "./three_nodes.ts";

const SMALL: Setting = {
  regions: WORLD_REGIONS,
  nodes: 40,
  clusterNodes: 8,
  playersPerNode: 100,
  minutes: 2,
  crashesPerHour: 0,
  logCrashesPerHour: 0,
  deploys: false,
};

Deno.test("EventQueue: events run in the order of their times, then of their adding, and none after the end", () => {
  const queue = new EventQueue(100);
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(`${name} ${queue.nowMs}`);
  queue.at(50, note("b"));
  queue.at(20, () => {
    queue.after(30, note("c"));
    queue.at(10, note("late"));
  });
  queue.at(99, note("last"));
  queue.at(100, note("never"));
  queue.at(Infinity, note("never"));
  queue.run();
  assertEquals([ran, queue.nowMs], [["late 20", "b 50", "c 50", "last 99"], 100]);
});

Deno.test("EventQueue: more events than its bound are an error", () => {
  const queue = new EventQueue(1);
  const run = () => {};
  for (let i = 0; i < EVENTS_MAX; i++) queue.at(0, run);
  assertThrows(() => queue.at(0, run), RangeError);
});

Deno.test("Chance: values of a spread have its quantiles, and waits their mean [seed 1]", () => {
  const chance = new Chance(1);
  const spread = ASSUMPTIONS.appendMs.value;
  const values = Array.from({ length: 50_000 }, () => chance.from(spread));
  for (const [share, value] of spread) assertLess(Math.abs(quantileOf(values, share) - value), 0.1);
  const waits = Array.from({ length: 50_000 }, () => chance.wait(7));
  assertLess(Math.abs(waits.reduce((sum, wait) => sum + wait) / waits.length - 7), 0.2);
  assertEquals(chance.wait(Infinity), Infinity);
});

Deno.test("simulate: a seed has one report; without failures nothing moves, and players sit near at once [seed 1]", () => {
  const report = simulate(SMALL, { seed: 1 });
  assertEquals(simulate(SMALL, { seed: 1 }), report);
  const { crashes, takeOvers, elections, handOvers, gaveUp, refusedShare, waitShare } = report;
  assertEquals({ crashes, takeOvers, elections, handOvers, gaveUp }, {
    crashes: 0,
    takeOvers: 0,
    elections: 0,
    handOvers: 0,
    gaveUp: 0,
  });
  assertLess(refusedShare + waitShare, 0.01);
  assertLess(Math.abs(report.playersAtEnd / 4000 - 1), 0.1);
  assert(report.roundTripMs.got.p50 >= report.roundTripMs.best.p50);
  assertLess(report.roundTripMs.got.p95, report.roundTripMs.best.p95 + 20);
  assertGreater(report.rooms.playersMean, 12);
});

Deno.test("simulate: where all nodes are full players wait, and then play farther away; no node is overloaded [seed 2]", () => {
  const regions = [{ ...WORLD_REGIONS[0]!, share: 0.9 }, { ...WORLD_REGIONS[1]!, share: 0.1 }];
  const full = simulate({ ...SMALL, regions, nodes: 10, playersPerNode: 580 }, { seed: 2 });
  assertGreater(full.waitShare, 0.1);
  assertGreater(full.timeToSeatMs.p95, 2000);
  assertGreater(full.roundTripMs.got.p95, full.roundTripMs.best.p95 + 20);
  assertLess(full.load.max, ASSUMPTIONS.loadMax.value);
});

Deno.test("simulate: a deploy of all nodes moves each match about once, and overloads none [seed 3]", () => {
  const report = simulate({ ...SMALL, minutes: 4, playersPerNode: 400, deploys: true }, {
    seed: 3,
  });
  assertGreater(report.movesPerMatch, 0.9);
  assertLess(report.movesPerMatch, 1.4);
  assertLess(report.load.max, 0.8);
});

Deno.test("TakeOvers: while a stream elects its leader no match of it is taken, and others are [seed 4]", () => {
  const world = new ScaledWorld({
    ...SMALL,
    regions: [{ ...WORLD_REGIONS[0]!, share: 1 }],
    nodes: 8,
    minutes: 1,
  }, 4);
  const { figures, nodes, queue, clusters: [cluster] } = world;
  const takeOvers = new TakeOvers(world);
  for (let i = 0; i < 100; i++) world.enter(world.newPlayer(0), world.openRoom(nodes[0]!));
  queue.at(1000, () => loseLogServer(world, cluster!));
  queue.at(1500, () => takeOvers.crash(nodes[0]!));
  queue.run();
  assertEquals([figures.takeOversMs.length, nodes[0]!.rooms.size], [100, 0]);
  assertEquals(figures.matchesTaken.reduce((sum, count) => sum + count), 100);
  const late = figures.takeOversMs.filter((ms) => ms > 4000);
  assertEquals(late.length, figures.takeOversInElection);
  assertGreater(late.length, 10);
  assertLess(late.length, 90);

  // The last heartbeat may have come 200 ms before the crash.
  for (const ms of figures.takeOversMs) assertGreater(ms, SILENCE_MS - 200);
});

Deno.test("TakeOvers: if the first taker crashes, too, another one follows, and every match goes on [seed 5]", () => {
  const world = new ScaledWorld({
    ...SMALL,
    regions: [{ ...WORLD_REGIONS[0]!, share: 1 }],
    nodes: 3,
    minutes: 1,
  }, 5);
  const { figures, nodes, queue } = world;
  const takeOvers = new TakeOvers(world);
  for (let i = 0; i < 60; i++) world.enter(world.newPlayer(0), world.openRoom(nodes[i % 3]!));
  queue.at(1000, () => takeOvers.crash(nodes[0]!));
  queue.at(1300, () => takeOvers.crash(nodes[1]!));
  // The crashed ones are back after 5 s.
  queue.at(5500, () => assertEquals(nodes.map(({ rooms }) => rooms.size), [0, 0, 60]));
  queue.run();
  assert([...world.rooms.values()].every(({ isAway }) => !isAway));
  assertEquals(figures.takeOversMs.length, 40);
});

Deno.test("TakeOvers: the only node of a cluster goes on with its own matches when it is back [seed 7]", () => {
  const regions = [{ ...WORLD_REGIONS[0]!, share: 1 }];
  const world = new ScaledWorld({ ...SMALL, regions, nodes: 1, minutes: 1 }, 7);
  const { figures, nodes, queue } = world;
  for (let i = 0; i < 10; i++) world.enter(world.newPlayer(0), world.openRoom(nodes[0]!));
  queue.at(1000, () => new TakeOvers(world).crash(nodes[0]!));
  queue.run();
  assertEquals([nodes[0]!.rooms.size, figures.takeOversMs.length], [10, 10]);
  for (const ms of figures.takeOversMs) assertGreater(ms, 4999);
  assert([...world.rooms.values()].every(({ isAway }) => !isAway));
});

Deno.test("killThreeNodes: both survivors take half of the matches, within the bounds of the real test [seed 6]", () => {
  const report = killThreeNodes({ kills: 5, seed: 6 });
  assertEquals(report.matchesAfterKillMean, 30);
  assertLess(report.takeOverMsP95, SILENCE_MS + 300);
  assertLess(report.playingAgainMsP95, 1500);
  assertGreater(report.playingAgainMsP50, report.takeOverMsP50);
});

/** The table's rows below a heading, with single blanks. */
async function rowsOfDocument(heading: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("../../../docs/scale.md", import.meta.url));
  const section = text.split(`\n${heading}\n`)[1]!.split("\n#")[0]!;
  return section.split("\n").filter((line) => line.startsWith("|")).slice(2).map((row) =>
    row.replaceAll(/ +/g, " ")
  );
}

Deno.test("docs/scale.md: its tables are the simulation's assumptions, and the arithmetic's figures and results", async () => {
  assertEquals(await rowsOfDocument("## Assumptions of the simulation"), assumptionRows());
  assertEquals(await rowsOfDocument("## Figures"), figureRows());
  assertEquals(await rowsOfDocument("## From one player to a million"), powerRows());
});

Deno.test("docs/scale.md: datagrams and WebSocket have the prices of the arithmetic", async () => {
  const { quicBytes, tcpBytes } = FIGURES;
  const columns = [[MATCHES_PER_CORE, tcpBytes.value], [
    MATCHES_PER_CORE_DATAGRAMS,
    quicBytes.value,
  ]].map((
    [perCore, headerBytes],
  ) => {
    const { cores, traffic } = pricesPerPlayer({ perCore: perCore!, headerBytes: headerBytes! });
    const prices = [cores, traffic, cores + traffic].map((price) => `$${price.toFixed(3)}`);
    return [`${perCore}`, grouped(sentBytes(headerBytes!)), ...prices];
  });
  const rows = await rowsOfDocument("### Datagrams or WebSocket");
  const cells = rows.map((row) => row.split("|").slice(2, 4).map((cell) => cell.trim()));
  assertEquals(cells, columns[0]!.map((cell, i) => [cell, columns[1]![i]!]));
});

Deno.test("scale: the last line is a report, and a wrong flag is one line and exit code 2", async () => {
  const flags = ["--nodes", "16", "--minutes", "1", "--players", "50"];
  const { code, stdout, stderr } = await runTask("bench", "scale", ...flags, "--json");
  assertEquals(code, 0, stderr);
  assertStringIncludes(stderr, "simulated seconds");
  const report = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals([report.nodes, report.simulatedMinutes, report.threeNodes.kills], [16, 1, 20]);
  for (const args of [["--nodes", "1001"], ["--cluster-nodes", "65"], ["--minutes", "x"]]) {
    const refused = await runTask("bench", "scale", ...args);
    assertEquals([refused.code, refused.stdout, refused.stderr.split("\n").length], [2, "", 2]);
    assertStringIncludes(refused.stderr, `bench scale: ${args[0]}`);
  }
});
