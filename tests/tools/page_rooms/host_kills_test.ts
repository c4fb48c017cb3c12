import { assertEquals } from "@std/assert";
import { chromiumTest } from "../../browser/plain_chromium.ts";
import { faultsOf, killHosts, type KillSummary, summaryOf } from "./host_kills.ts";

const SUMMARY: KillSummary = {
  kills: 2,
  backMsP50: 2_200,
  backMsP95: 3_000,
  backMsMax: 3_000,
  seatsKept: 6,
  seats: 6,
  ticksLost: 3,
  ticksLostMax: 2,
  desyncs: 0,
  rollbacks: 9,
  roundTripMs: 80,
};

Deno.test("chaos pages: each bar that a run misses is named", () => {
  const faults = (wrong: Partial<KillSummary>, isTimed = true) =>
    faultsOf({ ...SUMMARY, ...wrong }, { kills: 2, isTimed });
  assertEquals(faults({}), []);
  assertEquals(faults({ kills: 1 }), ["1 kills were not survived"]);
  assertEquals(faults({ seatsKept: 5 }), ["1 of 6 seats were lost"]);
  assertEquals(faults({ desyncs: 4 }), ["4 desyncs"]);
  assertEquals(faults({ rollbacks: 0 }), ["no page was ever corrected, so nothing was proven"]);
  assertEquals(faults({ backMsP95: 3_001 }), ["back after 3001 ms at the p95"]);
  assertEquals(faults({ backMsP95: 3_001 }, false), []);
});

chromiumTest(
  "chaos pages: a host is killed, the next one, too, and the room goes on with all seats (SPEC 23.4)",
  async () => {
    const survived = await killHosts({ kills: 2, log: () => {} });
    assertEquals(faultsOf(summaryOf(survived), { kills: 2, isTimed: false }), []);
  },
);
