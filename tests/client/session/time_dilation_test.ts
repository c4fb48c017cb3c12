import {
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertLessOrEqual,
} from "@std/assert";
import { TimeDilation } from "../../../client/session/time_dilation.ts";

const TICK_MS = 50;

function startDilation(leadMs: number): TimeDilation {
  const timeDilation = new TimeDilation(1000 / TICK_MS);
  timeDilation.begin(1000, { serverTicks: 100, leadMs });
  return timeDilation;
}

Deno.test("TimeDilation: starts ahead of the server by the first lead and keeps that distance (SPEC 5.2)", () => {
  const dilation = startDilation(75);
  assertAlmostEquals(dilation.headTicks, 101.5);
  dilation.advance(1000 + 20 * TICK_MS);
  assertAlmostEquals(dilation.headTicks, 121.5);
  assertAlmostEquals(dilation.dueMs(122), 1000 + 20.5 * TICK_MS);
});

Deno.test("TimeDilation: moves toward the advice by at most 5 % of real time, at any frame rate (SPEC 5.2)", () => {
  for (const frameMs of [1, 7, 16.7, 49, 200]) {
    for (const advisedMs of [300, 20]) {
      const dilation = startDilation(100);
      dilation.advise(1000, advisedMs);
      let before = dilation.headTicks;
      for (let nowMs = 1000 + frameMs; nowMs < 12_000; nowMs += frameMs) {
        dilation.advance(nowMs);
        const rate = (dilation.headTicks - before) * TICK_MS / frameMs;
        assertLessOrEqual(Math.abs(rate - 1), 0.05 + 1e-9);
        before = dilation.headTicks;
      }
      assertAlmostEquals(dilation.leadMs, advisedMs, 1, `frames every ${frameMs} ms`);
    }
  }
});

Deno.test("TimeDilation: a small difference vanishes without overshoot", () => {
  const dilation = startDilation(100);
  dilation.advise(1000, 110);
  for (let nowMs = 1010; nowMs < 8000; nowMs += 10) {
    dilation.advance(nowMs);
    assertLessOrEqual(dilation.leadMs, 110 + 1e-6);
  }
  assertGreater(dilation.leadMs, 109.9);
});

Deno.test("TimeDilation: jumps only when off by more than half a second (SPEC 5.3)", () => {
  const dilation = startDilation(100);
  dilation.advise(1000, 590);
  dilation.advance(1010);
  assertLess(dilation.leadMs, 102);
  dilation.advise(1010, 700);
  dilation.advance(1020);
  assertAlmostEquals(dilation.leadMs, 700, 1e-6);
});

Deno.test("TimeDilation: advice applies from its arrival on, not to the time before it (SPEC 5.2)", () => {
  const dilation = startDilation(100);
  dilation.advise(1000, 300);
  dilation.advance(1040);
  dilation.advise(1080, 20);
  // 80 ms fast, not 40 ms fast and 40 ms slow.
  assertAlmostEquals(dilation.leadMs, 100 + 80 * 0.0495, 1e-6);
});

Deno.test("TimeDilation: a corrected server clock changes the lead gradually, and not the head (SPEC 5.14)", () => {
  const dilation = startDilation(100);
  const head = dilation.headTicks;
  dilation.anchor(1000, 99);
  assertEquals(dilation.headTicks, head);
  assertGreater(dilation.leadMs, 100.1);
  assertLess(dilation.leadMs, 101);
  // With one pong a second, it follows a clock that differs by 200 ppm.
  for (let second = 1; second <= 60; second++) {
    dilation.anchor(1000 + second * 1000, 100 + second * 20 * 1.0002);
  }
  assertAlmostEquals(dilation.headTicks - dilation.leadMs / TICK_MS, 100 + 60 * 20 * 1.0002, 0.02);
});

Deno.test("TimeDilation: a server clock that is far off is corrected at once: the machine slept (SPEC 5.3, 5.14)", () => {
  const dilation = startDilation(100);
  dilation.anchor(1000, 300);
  dilation.advance(1001);
  assertAlmostEquals(dilation.headTicks, 302.02, 1e-6);
});

Deno.test("TimeDilation: a head behind the server moves ahead of it at once, but not a spectator's (SPEC 5.14)", () => {
  const dilation = startDilation(100);
  dilation.anchor(1000, 101.9);
  assertAlmostEquals(dilation.headTicks, 102, 1e-6);
  dilation.anchor(1000, 102.1);
  assertAlmostEquals(dilation.headTicks, 104.1, 0.01);
  const spectator = startDilation(-100);
  spectator.anchor(1000, 102);
  assertAlmostEquals(spectator.headTicks, 98, 1e-6);
});

Deno.test("TimeDilation: after a jump of the server's clock the lead is as before, whatever the jump's size (SPEC 5.28)", () => {
  for (const serverTicks of [98, 94, 80, 160]) {
    const dilation = startDilation(100);
    dilation.anchor(1000, serverTicks, true);
    assertAlmostEquals(dilation.leadMs, 100, 1e-6);
    assertAlmostEquals(dilation.headTicks, serverTicks + 2, 1e-6);
  }
});

Deno.test("TimeDilation: a command that is sent late reports a shorter lead, but not for the first 25 ms (SPEC 5.30)", () => {
  const dilation = startDilation(100);
  // The head reached tick 102 at 1000 ms. The lead is 100 ms.
  assertAlmostEquals(dilation.leadMsOf(102, 1000), 100);
  assertAlmostEquals(dilation.leadMsOf(102, 1024), 100);
  assertAlmostEquals(dilation.leadMsOf(102, 1045), 80);
  assertAlmostEquals(dilation.leadMsOf(101, 1045), 30);
  assertAlmostEquals(
    dilation.leadMsOf(103, 1000),
    100,
    1e-6,
    "an early one reports no longer lead",
  );
});
