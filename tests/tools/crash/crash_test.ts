import { assertEquals } from "@std/assert";
import { delaysOf, type KillReport, lossesOf, runKills } from "./kills.ts";

const REPORT: KillReport = {
  kills: 2,
  lostTicks: 0,
  changedTicks: 0,
  comparedTicks: 900,
  seatsKept: 1,
  verified: 2,
  desyncs: 0,
  roomsOpenMsP95: 400,
  playingAgainMsP95: 1_500,
  logBytes: 9_000,
  disturbed: 0,
};

Deno.test("crash: each bar that a run misses is named", () => {
  assertEquals([lossesOf(REPORT), delaysOf(REPORT)], [[], []]);
  const losses = (wrong: Partial<KillReport>) => lossesOf({ ...REPORT, ...wrong });
  assertEquals(losses({ lostTicks: 3 }), ["3 ticks were lost"]);
  assertEquals(losses({ changedTicks: 1 }), ["1 ticks were changed"]);
  assertEquals(losses({ comparedTicks: 19 }), ["only 19 ticks were compared"]);
  assertEquals(losses({ seatsKept: 0.5 }), ["only 0.5 of the seats were kept"]);
  assertEquals(losses({ verified: 1 }), ["only 1 of 2 starts have resumed the match"]);
  assertEquals(losses({ desyncs: 4 }), ["4 desyncs"]);
  assertEquals(losses({ disturbed: 1 }), ["neighbours were disturbed 1 times"]);
  assertEquals(delaysOf({ ...REPORT, roomsOpenMsP95: 1_001 }), ["rooms were open after 1001 ms"]);
  assertEquals(delaysOf({ ...REPORT, playingAgainMsP95: 2_501 }), [
    "players were back after 2501 ms",
  ]);
});

Deno.test("crash: a server is killed under eight bots, and nothing is lost (SPEC 15.3, 15.4)", async () => {
  const report = await runKills({ kills: 1, workers: 1, seed: 3, log: () => {} });
  assertEquals(lossesOf(report), []);
});

Deno.test("crash: a match process is killed under eight bots, and nothing is lost (SPEC 17.5, 17.6)", async () => {
  const report = await runKills({ kills: 1, workers: 2, seed: 4, log: () => {} });
  assertEquals(lossesOf(report), []);
});

Deno.test("crash: a server that only orders commands is killed twice under eight bots, and nothing is lost (SPEC 24.9, 24.10)", async () => {
  const report = await runKills({
    kills: 2,
    workers: 1,
    authority: "order",
    seed: 5,
    log: () => {},
  });
  assertEquals(lossesOf(report), []);
});
