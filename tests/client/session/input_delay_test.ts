import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLessOrEqual,
} from "@std/assert";
import {
  automaticDelay,
  InputDelay,
  type InputDelayChoice,
} from "../../../client/session/input_delay.ts";
import { TimeDilation } from "../../../client/session/time_dilation.ts";

const TICK_MS = 50;
const START_MS = 1000;

/**
 * A clock with a delay. `run` advances both, and returns the least and the greatest rate of the
 * head.
 */
class DelayedClock {
  readonly dilation = new TimeDilation(1000 / TICK_MS);
  readonly delay = new InputDelay(1000 / TICK_MS);
  choice: InputDelayChoice;
  nowMs = START_MS;

  constructor(choice: InputDelayChoice, leadMs: number) {
    this.choice = choice;
    this.dilation.begin(START_MS, { serverTicks: 100, leadMs });
    this.delay.begin(START_MS, { clockTicks: this.dilation.headTicks, choice, leadMs });
  }

  get headTicks(): number {
    return this.dilation.headTicks - this.delay.ticks;
  }

  run(ms: number, frameMs = 7): { least: number; greatest: number } {
    const rates = { least: Infinity, greatest: -Infinity };
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      const before = this.headTicks;
      this.nowMs += frameMs;
      this.dilation.advance(this.nowMs);
      const { headTicks: clockTicks, advisedMs: leadMs } = this.dilation;
      this.delay.advance(this.nowMs, { clockTicks, choice: this.choice, leadMs });
      const rate = (this.headTicks - before) * TICK_MS / frameMs;
      rates.least = Math.min(rates.least, rate);
      rates.greatest = Math.max(rates.greatest, rate);
    }
    return rates;
  }
}

Deno.test("automaticDelay: none on near lines, up to three ticks on far ones, and small changes keep it (SPEC 5.42)", () => {
  const delays = (from: number) =>
    [0, 100, 124, 125, 224, 225, 324, 325, 900].map((lead) => automaticDelay(lead, from));
  assertEquals(delays(0), [0, 0, 0, 1, 1, 2, 2, 3, 3]);
  assertEquals(delays(3), [0, 1, 1, 1, 2, 2, 3, 3, 3]);
  for (const [n, fromMs] of [[1, 125], [2, 225], [3, 325]] as const) {
    assertEquals([
      automaticDelay(fromMs, n - 1),
      automaticDelay(fromMs - 24, n),
      automaticDelay(fromMs - 26, n),
    ], [
      n,
      n,
      n - 1,
    ]);
  }
});

Deno.test("InputDelay: begins with the chosen delay, or with the one that fits the first lead (SPEC 5.41, 5.42)", () => {
  for (const choice of [0, 1, 2, 3] as const) {
    assertEquals(new DelayedClock(choice, 500).delay.ticks, choice);
  }
  assertEquals([60, 140, 240].map((lead) => new DelayedClock("automatic", lead).delay.ticks), [
    0,
    1,
    2,
  ]);
});

Deno.test("InputDelay: the head's rate stays within 5 % of real time while delay and lead change together (SPEC 5.2, 5.43)", () => {
  for (const frameMs of [1, 7, 16.7, 49, 200]) {
    for (const [from, to] of [[0, 3], [3, 0], [1, 2]] as const) {
      for (const advisedMs of [100, 300, 20]) {
        const clock = new DelayedClock(from, 100);
        clock.choice = to;
        clock.dilation.advise(START_MS, advisedMs);
        const { least, greatest } = clock.run(12_000, frameMs);
        assertGreater(least, 0.95);
        assertLessOrEqual(greatest, 1.05);
        assertAlmostEquals(clock.delay.ticks, to, 1e-9, `frames every ${frameMs} ms`);
        assertAlmostEquals(clock.dilation.leadMs, advisedMs, 1);
      }
    }
  }
});

Deno.test("InputDelay: a tick of change takes about a second, and then the head runs in step with the clock (SPEC 5.43)", () => {
  const clock = new DelayedClock(0, 100);
  clock.choice = 1;
  clock.run(900);
  assert(clock.delay.ticks > 0.8 && clock.delay.ticks < 1);
  clock.run(300);
  assertEquals(clock.delay.ticks, 1);
  const { least, greatest } = clock.run(1000);
  assertAlmostEquals(least, 1, 1e-6);
  assertAlmostEquals(greatest, 1, 1e-6);
});

Deno.test("InputDelay: automatic raises after 3 s and lowers after 20 s, a tick at a time; spikes change nothing (SPEC 5.42)", () => {
  const clock = new DelayedClock("automatic", 100);
  const { dilation, delay } = clock;

  // Each spike is over too soon.
  for (let i = 0; i < 10; i++) {
    dilation.advise(clock.nowMs, 400);
    clock.run(2500);
    dilation.advise(clock.nowMs, 100);
    clock.run(500);
    assertEquals(delay.ticks, 0);
  }

  dilation.advise(clock.nowMs, 400);
  clock.run(2900);
  assertEquals(delay.ticks, 0);

  // Leads that change at full speed leave no room for the delay: 300 ms take 6 s.
  clock.run(12_000);
  assertEquals(delay.ticks, 3);

  // A little less keeps it, and so does a short break.
  dilation.advise(clock.nowMs, 310);
  clock.run(30_000);
  dilation.advise(clock.nowMs, 90);
  clock.run(19_000);
  assertEquals(delay.ticks, 3);
  dilation.advise(clock.nowMs, 310);
  clock.run(100);
  dilation.advise(clock.nowMs, 150);
  clock.run(32_000);
  assertAlmostEquals(delay.ticks, 2, 1e-6);
  clock.run(22_000);
  assertEquals(delay.ticks, 1);
  clock.run(60_000);
  assertEquals(delay.ticks, 1);

  // Another choice applies at once.
  clock.choice = 0;
  clock.run(1500);
  assertEquals(delay.ticks, 0);
});

Deno.test("InputDelay: a clock that jumps takes the head along, and the delay stays in its range (SPEC 5.3, 5.43)", () => {
  for (const leadMs of [900, 100]) {
    const clock = new DelayedClock(2, leadMs === 100 ? 900 : 100);
    const before = clock.headTicks;
    clock.dilation.advise(clock.nowMs, leadMs);
    clock.run(7);
    assertAlmostEquals(clock.headTicks - before, leadMs === 100 ? -16 : 16, 0.5);
    assertEquals(clock.delay.ticks, 2);
    // The page slept.
    clock.choice = 0;
    clock.run(60_000, 60_000);
    assertEquals(clock.delay.ticks, 0);
  }
});
