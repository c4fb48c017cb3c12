/** A small soak of the server; `deno task soak server` takes 20 minutes. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertMatch,
} from "@std/assert";
import { runTask } from "../../support/task.ts";
import { admissionFaults, type AdmissionFigures, soakAdmission } from "./server/admission.ts";
import { churnFaults, type ChurnFigures, soakChurn } from "./server/churn.ts";
import { slopeOf, ticksBetween } from "./server/figures.ts";
import { restartFaults, soakRestart } from "./server/restart.ts";
import { soakStalls, stallFaults } from "./server/stall.ts";

Deno.test("slopeOf: the least squares' line through the samples, in units per minute", () => {
  assertEquals([slopeOf([]), slopeOf([{ minutes: 1, value: 5 }])], [0, 0]);
  const line = [3, 4, 5, 6].map((minutes) => ({ minutes, value: 80 + 0.5 * minutes }));
  assertAlmostEquals(slopeOf(line), 0.5, 1e-9);
  // Σ(t − t̄)(v − v̄) = 2·1 + 0 + 2·3 = 8, and Σ(t − t̄)² = 8.
  const bent = [[0, 1], [2, 1], [4, 5]].map(([minutes, value]) => ({
    minutes: minutes!,
    value: value!,
  }));
  assertAlmostEquals(slopeOf(bent), 1, 1e-9);
});

Deno.test("ticksBetween: mean and p95 of the window alone", () => {
  const reading = (counts: readonly number[], seconds: number) => ({
    seconds,
    count: counts.at(-1)!,
    dropped: seconds,
    commands: 10 * counts.at(-1)!,
    buckets: [0.01, 0.02, 0.04, Infinity].map((bound, i) => [bound, counts[i]!] as const),
  });
  const { meanMs, p95Ms, dropped, commands } = ticksBetween(
    reading([50, 50, 50, 50], 1),
    reading([130, 140, 150, 150], 3),
  );
  assertAlmostEquals(meanMs, 20, 1e-9);
  assertAlmostEquals(p95Ms, 30, 1e-9, "95 of 100 ticks: half of the third bucket");
  assertEquals([dropped, commands], [2, 10]);
});

const ADMISSION: AdmissionFigures = {
  rooms: 80,
  players: 640,
  commandShare: 1,
  meanTickMs: 28,
  p95TickMs: 31,
  crowdCpu: 0.3,
  healthy: true,
  ready: false,
  reason: "full",
  asked: 30,
  untrue: 1,
  readmitted: 8,
  closes: 0,
  desyncs: 0,
  gaps: 0,
  droppedTicks: 0,
};
const CHURN: ChurnFigures = {
  minutes: 15,
  joins: 9000,
  cuts: 3000,
  idle: 900,
  heldSecondsMax: 15.1,
  reservedSeats: 0,
  busy: 9,
  displaced: 1,
  rooms: 900,
  pages: 10_000,
  pagesFailed: 0,
  rssMb: 140,
  rssSlopeMbPerMin: 0.4,

  descriptorsBefore: 27,
  descriptorsAfter: 27,
  logBytesPerMin: 1,
  logLinesPerMin: 1,
  linkLines: 90,
  linkLinesMax: 100,
  unplanned: {},
  closes: 0,
  desyncs: 0,
  gaps: 0,
};

Deno.test("soak server: each missed bar is named", () => {
  const admission = (wrong: Partial<AdmissionFigures>) =>
    admissionFaults({ ...ADMISSION, ...wrong }).length;
  assertEquals(admission({}), 0);
  const wrongAdmissions: Partial<AdmissionFigures>[] = [
    { meanTickMs: 35.1 },
    { commandShare: 0.8 },
    { healthy: false },
    { ready: true },
    {
      reason: "",
    },
    {
      untrue: 7,
    },
    { closes: 1 },
    { desyncs: 1 },
    { gaps: 1 },
    { droppedTicks: 1 },
    { readmitted: 0 },
  ];
  for (const wrong of wrongAdmissions) assertEquals(admission(wrong), 1, JSON.stringify(wrong));
  const churn = (wrong: Partial<ChurnFigures>) => churnFaults({ ...CHURN, ...wrong }).length;
  assertEquals(churn({}), 0);
  const wrongChurns: Partial<ChurnFigures>[] = [
    { rssSlopeMbPerMin: 1 },
    { descriptorsAfter: 28 },
    { linkLines: 101 },
    { pagesFailed: 1 },
    {
      unplanned: { 4006: 1 },
    },
    { closes: 1 },
    { desyncs: 1 },
    { gaps: 1 },
    { heldSecondsMax: 18.1 },
    { reservedSeats: 1 },
  ];
  for (const wrong of wrongChurns) assertEquals(churn(wrong), 1, JSON.stringify(wrong));
  const stall = (closes: number, inSyncAfterMs: number) =>
    stallFaults([{ seconds: 13, closes, desyncs: 0, inSyncAfterMs }]).join();
  assertEquals([stall(0, 2000), stall(2, 50), stall(0, 2001)], [
    "",
    "13 s: 2 closes",
    "13 s: in sync after 2001 ms",
  ]);
  const restart = {
    players: 200,
    back: 200,
    backMsP95: 4000,
    backMsMax: 10_000,
    downMs: 200,
    refusals: {},
  };
  assertEquals(restartFaults(restart), []);
  assertEquals(restartFaults({ ...restart, back: 199 }), ["1 players did not come back"]);
  assertEquals(restartFaults({ ...restart, backMsMax: 10_001 }), [
    "the last player was back after 10001 ms",
  ]);
});

Deno.test({
  name: "soak server: a few seconds of each part (SPEC 8.28, 14.12, 14.13, 14.16)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const options = { seed: 1, log: () => {} };

    // With so little time for ticks, a few rooms fill a server.
    const flags = ["--tick-load", "10"];
    const [admission, [stall], restart, churn] = await Promise.all([
      soakAdmission({ ...options, flags, limitSeconds: 2, readyWithinMs: 1_000 }),
      soakStalls({ ...options, stallsSeconds: [1], playMs: 2_000 }),
      soakRestart({ ...options, players: 20 }),
      soakChurn({ ...options, minutes: 0.05, transport: "websocket", arrivalsPerSecond: 10 }),
    ]);
    const { ready, healthy, reason, closes, desyncs, players, asked } = admission;
    assertEquals({ ready, healthy, closes, desyncs }, {
      ready: false,
      healthy: true,
      closes: 0,
      desyncs: 0,
    });
    assertMatch(reason, /ticks/);

    // On a busy machine not even the first room is admitted.
    assert(players >= 4 && asked > 0);

    assertEquals([stall!.closes, stall!.desyncs], [0, 0]);

    // A bot cannot be caught up before the first tick.
    assertGreater(stall!.inSyncAfterMs, 0);

    assertEquals([restart.back, restart.refusals[429]], [20, undefined]);
    assertGreater(restart.backMsMax, 0);

    assertEquals([churn.closes, churn.desyncs, churn.unplanned], [0, 0, {}]);
    assertGreater(churn.joins, 10);
    assertGreater(churn.linkLines, 10);
    assertGreater(churn.pages, 6);
    assertGreater(churn.rssMb, 30);
    assertLess(churn.descriptorsAfter, churn.descriptorsBefore + 5);
  },
});

Deno.test({
  name: "soak server: clients come and go by datagrams, and leave nothing behind (SPEC 16.41)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const options = {
      seed: 1,
      minutes: 0.05,
      transport: "webtransport",
      arrivalsPerSecond: 4,
      log: () => {},
    } as const;
    const { joins, closes, desyncs, unplanned, descriptorsBefore, descriptorsAfter } =
      await soakChurn(options);
    assertEquals({ closes, desyncs, unplanned }, { closes: 0, desyncs: 0, unplanned: {} });
    assertGreater(joins, 3);
    assertLess(descriptorsAfter, descriptorsBefore + 5);
  },
  // The sockets and timers of QUIC stay open for a moment after their owners have closed them.
  sanitizeOps: false,
  sanitizeResources: false,
});

Deno.test("soak server: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak", "server", "--only", "admission,rest");
  assertEquals(code, 2);
  assertMatch(
    stderr,
    /--only cannot be "admission,rest"; allowed: all, or some of admission, stall, restart, churn/,
  );
});
