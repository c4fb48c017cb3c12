import { assertAlmostEquals, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { TimeDilation } from "../../../client/session/time_dilation.ts";

const TICK_MS = 50;

function begun(leadMs: number): TimeDilation {
  const timeDilation = new TimeDilation(1000 / TICK_MS);
  timeDilation.begin(1000, { serverTicks: 100, leadMs });
  return timeDilation;
}

Deno.test("TimeDilation: begins ahead of the server by the first lead and keeps time with it (SPEC 5.2)", () => {
  const lead = begun(75);
  assertAlmostEquals(lead.headTicks, 101.5);
  lead.advance(1000 + 20 * TICK_MS);
  assertAlmostEquals(lead.headTicks, 121.5);
  assertAlmostEquals(lead.dueMs(122), 1000 + 20.5 * TICK_MS);
});

Deno.test("TimeDilation: moves toward the advice by at most 5 % of real time, whatever the pictures' rate (SPEC 5.2)", () => {
  for (const frameMs of [1, 7, 16.7, 49, 200]) {
    for (const advisedMs of [300, 20]) {
      const lead = begun(100);
      lead.advise(1000, advisedMs);
      let before = lead.headTicks;
      for (let nowMs = 1000 + frameMs; nowMs < 12_000; nowMs += frameMs) {
        lead.advance(nowMs);
        const rate = (lead.headTicks - before) * TICK_MS / frameMs;
        assertLessOrEqual(Math.abs(rate - 1), 0.05 + 1e-9);
        before = lead.headTicks;
      }
      assertAlmostEquals(lead.leadMs, advisedMs, 1, `pictures every ${frameMs} ms`);
    }
  }
});

Deno.test("TimeDilation: a small difference is gone without overshoot", () => {
  const lead = begun(100);
  lead.advise(1000, 110);
  for (let nowMs = 1010; nowMs < 8000; nowMs += 10) {
    lead.advance(nowMs);
    assertLessOrEqual(lead.leadMs, 110 + 1e-6);
  }
  assertGreater(lead.leadMs, 109.9);
});

Deno.test("TimeDilation: jumps only when off by more than half a second (SPEC 5.3)", () => {
  const lead = begun(100);
  lead.advise(1000, 590);
  lead.advance(1010);
  assertLess(lead.leadMs, 102);
  lead.advise(1010, 700);
  lead.advance(1020);
  assertAlmostEquals(lead.leadMs, 700, 1e-6);
});

Deno.test("TimeDilation: advice counts from its arrival on, not for the time before it (SPEC 5.2)", () => {
  const lead = begun(100);
  lead.advise(1000, 300);
  lead.advance(1040);
  lead.advise(1080, 20);
  // 80 ms fast, not 40 ms fast and 40 ms slow.
  assertAlmostEquals(lead.leadMs, 100 + 80 * 0.0495, 1e-6);
});

Deno.test("TimeDilation: a corrected server clock changes the lead little by little, the head not at all", () => {
  const lead = begun(100);
  const head = lead.headTicks;
  lead.anchor(1000, 99);
  assertEquals(lead.headTicks, head);
  assertGreater(lead.leadMs, 100.1);
  assertLess(lead.leadMs, 101);
  // Clocks that differ by 200 ppm are followed, with a pong a second.
  for (let second = 1; second <= 60; second++) lead.anchor(1000 + second * 1000, 100 + second * 20 * 1.0002);
  assertAlmostEquals(lead.headTicks - lead.leadMs / TICK_MS, 100 + 60 * 20 * 1.0002, 0.02);
});

Deno.test("TimeDilation: a server clock that is far off is believed at once: the machine slept (SPEC 5.3)", () => {
  const lead = begun(100);
  lead.anchor(1000, 300);
  lead.advance(1001);
  assertAlmostEquals(lead.headTicks, 302.02, 1e-6);
});
