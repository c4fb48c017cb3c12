import { assert, assertEquals } from "@std/assert";
import { networkVerdictOf } from "../../../client/debug/figures.ts";
import type { FlightRow } from "../../../client/debug/flight_log.ts";
import type { Sight } from "../../../client/debug/sights.ts";
import { LANE, SeatLanes } from "../../../client/debug/replay/seat_lanes.ts";
import { traceOf } from "../../../client/debug/trace.ts";
import { NAMING, rowOf } from "./flights.ts";
import { rowsOf } from "./rows.ts";

const sightOf = (): Sight => ({ visibleMs: 180.26, seen: "slid" });

const CIRCUMSTANCES = {
  nowMs: 5000,
  game: { room: "DUEL", seat: 1, head: 100, definitiveTick: 99 },
  quality: { rttMs: 100, jitterMs: 0, lossPercent: 0, more: {} },
  verdict: networkVerdictOf(undefined, { silentMs: 0, framesPerSecond: 60 }),
  userAgent: "test",
};

Deno.test("traceOf: rounded rows under the names of their columns, and the circumstances", () => {
  const flight = { rows: [], lanes: new SeatLanes(), naming: NAMING, sightOf };
  const trace = traceOf({ ...CIRCUMSTANCES, rows: rowsOf(() => ({ leadMs: 80.04321 })), flight });
  assertEquals([trace.format, trace.rows.length, trace.game.room], ["wyvern trace 2", 100, "DUEL"]);
  assertEquals(trace.rows[7]![trace.columns.indexOf("leadMs")], 80);
  assertEquals(trace.rows[7]![trace.columns.indexOf("tick")], 7);
  assert(JSON.stringify(trace).length < 20_000);
});

Deno.test("traceOf: corrections with size, duration and cause, other rows in words, and a digit per tick for each seat", () => {
  const lanes = new SeatLanes();
  for (let tick = 0; tick <= 9; tick++) lanes.set(tick, 1, tick === 4 ? LANE.late : LANE.known);
  const rows: FlightRow[] = [rowOf({ atMs: 4000.04 }), { kind: "mark", atMs: 4500, tick: 90 }];
  const flight = { rows, lanes, naming: NAMING, sightOf };
  const trace = traceOf({ ...CIRCUMSTANCES, rows: [], flight });
  const [correction, mark] = trace.log.map((row) =>
    Object.fromEntries(trace.logColumns.map((column, i) => [column, row[i] ?? null]))
  );
  assertEquals(correction, {
    atMs: 4000,
    tick: 80,
    kind: "correction",
    seat: 1,
    cm: 40,
    visibleMs: 180.3,
    seen: "slid",
    by: 1,
    since: 75,
    delayAt: "their line",
    delayMs: 140,
    what: "Rook 40 cm, slid for 180 ms",
    why: "Rook did something else than this page had guessed: their connection was 140 ms late",
  });
  assertEquals([mark!.kind, mark!.tick, mark!.cm, mark!.why], ["mark", 90, null, "you pressed F4"]);
  assertEquals(trace.lanes, [{ seat: 1, name: "Rook", fromTick: 0, states: "1111411111" }]);
});
