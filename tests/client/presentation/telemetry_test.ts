import { assertEquals } from "@std/assert";
import { ROWS_MAX, Telemetry } from "../../../client/presentation/telemetry.ts";
import { newSessionStats } from "../../../client/session/session_stats.ts";
import type { ServerMessage } from "../../../shared/netcode/wire/messages.ts";
import { tickMessage } from "./tick_messages.ts";

/** A session in sync, but for its stats. */
const OBSERVED = {
  head: 0,
  leadMs: 80,
  inputDelayTicks: 1,
  roundTripMs: 60,
  isInSync: true,
  isOnBodyStream: false,
};

function openTelemetry() {
  const clock = { nowMs: 1000, now: () => clock.nowMs };
  let next = tickMessage(0);
  const decode = (bytes: Uint8Array): ServerMessage<unknown> => {
    if (bytes.length === 0) throw new Error("no message");
    return bytes.length === 3 ? { type: "pong", id: 0, serverTicks: 0 } : next;
  };
  const telemetry = new Telemetry(clock, () => ({ decode }));
  const stats = newSessionStats();
  const observed = { ...OBSERVED, stats };
  const receive = (tick: number, length = 20) => {
    next = tickMessage(tick);
    telemetry.onReceived(new Uint8Array(length));
  };
  return { clock, telemetry, stats, observed, receive };
}

Deno.test("Telemetry: of a datagram that repeats ticks, only the new ticks make rows", () => {
  const clock = { now: () => 0 };
  let ticks: number[] = [];
  const decode = () => ({ type: "ticks", ticks: ticks.map((tick) => tickMessage(tick)) }) as const;
  const telemetry = new Telemetry(clock, () => ({ decode }));
  const observed = { ...OBSERVED, stats: newSessionStats() };
  const rows = [[4, 5], [3, 4], [4, 5, 6]].map((ticksOfDatagram) => {
    ticks = ticksOfDatagram;
    telemetry.onReceived(new Uint8Array(20));
    telemetry.onAdvanced(observed, 1);
    return telemetry.rows.map(({ tick, bytesTicks }) => [tick, bytesTicks]);
  });
  // The overtaken datagram makes no row. Its bytes count with the next one.
  assertEquals(rows, [[[5, 20]], [[5, 20]], [[5, 20], [6, 40]]]);
});

Deno.test("Telemetry: one row per tick, with the counts since the row before", () => {
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
  assertEquals({ atMs, tick, steppedTicks, stepMs }, {
    atMs: 1050,
    tick: 2,
    steppedTicks: 6,
    stepMs: 8,
  });
  assertEquals({ rollbacks, resimulatedTicks, rollbackMs, late }, {
    rollbacks: 1,
    resimulatedTicks: 4,
    rollbackMs: 6,
    late: 1,
  });
  assertEquals({ bytesUp, bytesPings, bytesTicks }, { bytesUp: 10, bytesPings: 3, bytesTicks: 20 });
});

Deno.test("Telemetry: keeps half a minute, also across connections", () => {
  const { telemetry, observed, receive } = openTelemetry();
  for (let tick = 1; tick <= ROWS_MAX + 5; tick++) {
    receive(tick);
    telemetry.onAdvanced(observed, 1);
  }
  telemetry.restart();
  assertEquals([telemetry.rows.length, telemetry.rows[0]!.tick], [ROWS_MAX, 6]);
});
