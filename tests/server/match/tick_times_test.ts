import { assertEquals } from "@std/assert";
import { TickTimes } from "../../../server/match/tick_times.ts";

const TICK_MS = 50;

/** Tick 10 was due at 1000 ms. */
function newTickTimes(): TickTimes {
  return new TickTimes(10, { tickHz: 1000 / TICK_MS, dueMs: 1000 });
}

Deno.test("TickTimes: a message that came while a tick was overdue, or just after that, waited for a stall (SPEC 5.29)", () => {
  const times = newTickTimes();
  // Tick 11 is due at 1050 ms. It runs as late as no timer is.
  times.beginTick(11, { dueMs: 1050, nowMs: 1300 });
  const inStall = [1049, 1050, 1200, 1300, 1349, 1351].map((atMs) => times.isInStall(atMs));
  assertEquals(inStall, [false, true, true, true, true, false]);
});

Deno.test("TickTimes: a tick that is a little late shows no stall (SPEC 5.29)", () => {
  const times = newTickTimes();
  for (let tick = 11; tick < 100; tick++) {
    times.beginTick(tick, { dueMs: tick * 50 + 500, nowMs: tick * 50 + 520 });
  }
  assertEquals([5000, 5449, 5451, 5470].map((atMs) => times.isInStall(atMs)), [
    false,
    false,
    false,
    false,
  ]);
});

Deno.test("TickTimes: the due times of other ticks follow from the newest one's", () => {
  const times = newTickTimes();
  assertEquals([times.dueMsOf(10), times.dueMsOf(12), times.dueMsOf(9)], [1000, 1100, 950]);
  times.pause(1500);
  assertEquals([times.dueMs, times.dueMsOf(11)], [1500, 1550]);
});

Deno.test("TickTimes: a late command is the server's fault if its tick ran late and it was read within a tick after that (SPEC 2.17)", () => {
  const times = newTickTimes();
  times.beginTick(11, { dueMs: 1050, nowMs: 1054 });
  assertEquals(
    [times.isLateByServer(11, 1054), times.isLateByServer(10, 1054)],
    [false, false],
    "4 ms are not late",
  );
  times.beginTick(12, { dueMs: 1100, nowMs: 1160 });
  times.beginTick(13, { dueMs: 1150, nowMs: 1163 });
  times.beginTick(14, { dueMs: 1200, nowMs: 1201 });
  const blamed = (tick: number) =>
    [1164, 1213, 1214].map((atMs) => times.isLateByServer(tick, atMs));
  assertEquals(blamed(11), [false, false, false], "it ran in time");
  assertEquals(blamed(12), [true, true, false], "both late ticks ran before anything was read");
  assertEquals(blamed(13), [true, true, false]);
  assertEquals(blamed(14), [false, false, false], "it ran in time");

  // It waits for the server's other matches, and nothing is read between these.
  times.beginTick(15, { dueMs: 1250, nowMs: 1270, beganMs: 1252 });
  assertEquals(times.isLateByServer(15, 1271), false);
  times.beginTick(16, { dueMs: 1300, nowMs: 1310 });
  assertEquals([times.isLateByServer(13, 1310), times.isLateByServer(16, 1310)], [false, true]);
});
