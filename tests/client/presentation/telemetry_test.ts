/** What the overlay is told, from messages and counts to figures, a verdict and a trace. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { AssumedCount } from "../../../client/presentation/assumed_count.ts";
import { figuresOf, networkVerdictOf } from "../../../client/debug/figures.ts";
import { traceOf } from "../../../client/debug/trace.ts";
import { newSessionStats } from "../../../client/session/session_stats.ts";
import { ROWS_MAX, Telemetry, type TelemetryRow } from "../../../client/presentation/telemetry.ts";
import type { ServerMessage, TickMessage } from "../../../shared/netcode/wire/messages.ts";

function tickMessage(tick: number, more: Partial<TickMessage<unknown>> = {}): TickMessage<unknown> {
  const nothing = { presence: [], announcements: [], state: undefined };
  return { type: "tick", tick, hash: 0, slackMs: 30, advisedLeadMs: 90, ...nothing, ...more };
}

Deno.test("AssumedCount: a seat in the game whose command was not announced, from when it enters until it leaves", () => {
  const count = new AssumedCount();
  const announce = (tick: number, ...seats: number[]) => seats.map((seat) => ({ tick, seat, command: 0 }));
  const enter = { seat: 3, tick: 12, present: true, name: "" },
    leave = { seat: 31, tick: 13, present: false, name: "" };
  const state = { seats: [{ seat: 31, name: "", last: 0, ticksMissing: 0 }], snapshot: new Uint8Array() };
  assertEquals(count.addTick(tickMessage(10, { state, announcements: announce(11, 31) })), 0);
  assertEquals(count.addTick(tickMessage(11, { presence: [enter, leave] })), 0);
  assertEquals(count.addTick(tickMessage(12, { announcements: announce(12, 3) })), 1); // 31 said nothing
  assertEquals(count.addTick(tickMessage(13)), 1); // 31 has left, 3 says nothing
  assertEquals(count.addTick(tickMessage(13)), 0); // told twice
});

function openTelemetry() {
  const clock = { nowMs: 1000, now: () => clock.nowMs };
  let next = tickMessage(0);
  const decode = (bytes: Uint8Array): ServerMessage<unknown> => {
    if (bytes.length === 0) throw new Error("no message");
    return bytes.length === 3 ? { type: "pong", id: 0, serverTicks: 0 } : next;
  };
  const telemetry = new Telemetry(clock, () => ({ decode }));
  const stats = newSessionStats();
  const observed = { stats, head: 0, leadMs: 80, roundTripMs: 60, isInSync: true, isOnBodyStream: false };
  const receive = (tick: number, length = 20) => {
    next = tickMessage(tick);
    telemetry.onReceived(new Uint8Array(length));
  };
  return { clock, telemetry, stats, observed, receive };
}

Deno.test("Telemetry: of a datagram that tells again what was heard only what is new counts", () => {
  const clock = { now: () => 0 };
  let ticks: number[] = [];
  const decode = () => ({ type: "ticks", ticks: ticks.map((tick) => tickMessage(tick)) }) as const;
  const telemetry = new Telemetry(clock, () => ({ decode }));
  const observed = {
    stats: newSessionStats(),
    head: 0,
    leadMs: 80,
    roundTripMs: 60,
    isInSync: true,
    isOnBodyStream: false,
  };
  const rows = [[4, 5], [3, 4], [4, 5, 6]].map((ticksOfDatagram) => {
    ticks = ticksOfDatagram;
    telemetry.onReceived(new Uint8Array(20));
    telemetry.onAdvanced(observed, 1);
    return telemetry.rows.map(({ tick, bytesTicks }) => [tick, bytesTicks]);
  });
  // The overtaken one makes no row; its bytes count with the next.
  assertEquals(rows, [[[5, 20]], [[5, 20]], [[5, 20], [6, 40]]]);
});

Deno.test("Telemetry: a row for each tick, with what was counted since the row before", () => {
  const { clock, telemetry, stats, observed, receive } = openTelemetry();
  receive(1);
  telemetry.onAdvanced(observed, 1);
  telemetry.onSent(new Uint8Array(10));
  telemetry.onReceived(new Uint8Array(3));
  telemetry.onReceived(new Uint8Array(0));
  observed.head = 1;
  telemetry.onAdvanced(observed, 2); // a step, and no message
  clock.nowMs += 50;
  receive(2);
  observed.head = 2;
  Object.assign(stats, { rollbacks: 1, resimulatedTicks: 4, commandsLate: 1 });
  telemetry.onAdvanced(observed, 6);
  assertEquals(telemetry.rows.length, 2);
  const {
    atMs,
    tick,
    steppedTicks,
    stepMs,
    rollbacks,
    resimulatedTicks,
    rollbackMs,
    late,
    bytesUp,
    bytesPings,
    bytesTicks,
  } = telemetry.rows[1]!;
  assertEquals({ atMs, tick, steppedTicks, stepMs }, { atMs: 1050, tick: 2, steppedTicks: 6, stepMs: 8 });
  assertEquals({ rollbacks, resimulatedTicks, rollbackMs, late }, {
    rollbacks: 1,
    resimulatedTicks: 4,
    rollbackMs: 6,
    late: 1,
  });
  assertEquals({ bytesUp, bytesPings, bytesTicks }, { bytesUp: 10, bytesPings: 3, bytesTicks: 20 });
});

Deno.test("Telemetry: keeps half a minute, over a new line, too", () => {
  const { telemetry, observed, receive } = openTelemetry();
  for (let tick = 1; tick <= ROWS_MAX + 5; tick++) {
    receive(tick);
    telemetry.onAdvanced(observed, 1);
  }
  telemetry.restart();
  assertEquals([telemetry.rows.length, telemetry.rows[0]!.tick], [ROWS_MAX, 6]);
});

/** Five seconds of an even line, to be spoilt. */
function rowsOf(more: (tick: number) => Partial<TelemetryRow> = () => ({})): TelemetryRow[] {
  return Array.from({ length: 100 }, (_, tick) => ({
    ...{ atMs: tick * 50, tick, slackMs: 30, leadMs: 80, advisedLeadMs: 90, roundTripMs: 60, rollbacks: 0 },
    ...{ resimulatedTicks: 0, rollbackMs: 0, steppedTicks: 1, stepMs: 0.5, late: 0, assumed: 0, npcCommands: 4 },
    ...{
      npcForeknown: 4,
      bytesTicks: 30,
      bytesStates: 0,
      bytesPings: 1,
      bytesUp: 10,
      inStep: 1,
      streams: 0,
      desyncs: 0,
    },
    ...more(tick),
  }));
}

Deno.test("figuresOf: rates a second, means of a rollback, shares, and only the last five seconds", () => {
  const rows = rowsOf((
    tick,
  ) => (tick % 10 === 0 ? { rollbacks: 1, resimulatedTicks: 3, rollbackMs: 2, npcForeknown: 2 } : {}));
  const figures = figuresOf(rows, 4999)!;
  assertAlmostEquals(figures.rollbacksPerSecond, 2, 0.1);
  assertEquals([figures.rollbackTicks, figures.rollbackMs, figures.stepMs], [3, 2, 0.5]);
  assertAlmostEquals(figures.foreknownShare, 0.95, 0.001);
  assertAlmostEquals(figures.bytes.ticks, 600, 10);
  assertEquals(figures.jitterMs, 0);
  assertEquals(figuresOf(rows, 20_000), undefined);
});

Deno.test("figuresOf: one arrival in five late is jitter; slack beyond the histogram is in its ends", () => {
  const rows = rowsOf((tick) => ({ atMs: tick * 50 + (tick % 5 === 0 ? 40 : 0), slackMs: tick === 0 ? -900 : 900 }));
  const { jitterMs, slackBins } = figuresOf(rows, 4999)!;
  assertEquals(jitterMs, 40);
  assertEquals([slackBins[0], slackBins.at(-1), slackBins.reduce((a, b) => a + b)], [1, 99, 100]);
});

Deno.test("networkVerdictOf: one word, the gravest first", () => {
  const word = (more: Partial<TelemetryRow>, silentMs = 0, framesPerSecond = 60) =>
    networkVerdictOf(figuresOf(rowsOf(() => more), 5000), { silentMs, framesPerSecond }).word;
  assertEquals(word({}), "good");
  assertEquals(word({ streams: 1 }), "told");
  assertEquals(word({ streams: 1, roundTripMs: 300 }), "far");
  assertEquals(word({ roundTripMs: 300 }), "far");
  assertEquals(word({ roundTripMs: 300, late: 1 }), "late");
  assertEquals(word({ late: 1, stepMs: 20 }), "slow");
  assertEquals(word({ stepMs: 20, inStep: 0 }), "desynced");
  assertEquals(word({ inStep: 0 }, 1500), "silent");
  assertEquals(word({ roundTripMs: 300 }, 0, 20), "slow");
  assertEquals(networkVerdictOf(undefined, { silentMs: 0, framesPerSecond: 60 }).word, "silent");
});

Deno.test("traceOf: rows under the names of their columns, with what was going on", () => {
  const trace = traceOf({
    rows: rowsOf(() => ({ leadMs: 80.04321 })),
    nowMs: 5000,
    game: { room: "DUEL", seat: 1, head: 100, definitiveTick: 99 },
    quality: { rttMs: 100, jitterMs: 0, lossPercent: 0, more: {} },
    verdict: networkVerdictOf(undefined, { silentMs: 0, framesPerSecond: 60 }),
    userAgent: "test",
  });
  assertEquals([trace.format, trace.rows.length, trace.game.room], ["wyvern trace 1", 100, "DUEL"]);
  assertEquals(trace.rows[7]![trace.columns.indexOf("leadMs")], 80);
  assertEquals(trace.rows[7]![trace.columns.indexOf("tick")], 7);
  assert(JSON.stringify(trace).length < 20_000);
});
