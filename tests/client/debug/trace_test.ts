import { assert, assertEquals } from "@std/assert";
import { networkVerdictOf } from "../../../client/debug/figures.ts";
import { traceOf } from "../../../client/debug/trace.ts";
import { rowsOf } from "./rows.ts";

Deno.test("traceOf: rounded rows under the names of their columns, and the circumstances", () => {
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
