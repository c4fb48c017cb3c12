import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { Random } from "../../../shared/random.ts";
import { type CommandArrival, meanFigures, queueFigures } from "./oracle.ts";

/** One command each 50 ms with these delays. */
function arrivalsOf(delaysMs: readonly number[], leadMs: number, fromMs = 0): CommandArrival[] {
  return delaysMs.map((delayMs, i) => ({ dueMs: fromMs + i * 50, leadMs, delayMs }));
}

/** A hundred delays: five seconds. */
function window(delayMs: number, outliers: readonly number[] = []): number[] {
  return [...outliers, ...new Array<number>(100 - outliers.length).fill(delayMs)];
}

Deno.test("queueFigures: without jitter the wait is what the lead exceeds the delay by", () => {
  const figures = queueFigures(arrivalsOf(window(40), 55));
  assertEquals(figures, { commands: 100, lateShare: 0, waitMs: 15, oracleMs: 0, staticMs: 0 });
});

Deno.test("queueFigures: oracle and static have as many late commands as there were, no more", () => {
  // The lead of 100 leaves one late; one late is also what they may leave: then 60 suffices, and the median is 40.
  const figures = queueFigures(arrivalsOf(window(40, [200, 60]), 100));
  assertEquals(figures, { commands: 100, lateShare: 0.01, waitMs: 60, oracleMs: 20, staticMs: 20 });
  // With none late they need what the worst took.
  const none = queueFigures(arrivalsOf(window(40, [200, 60]), 250));
  assertEquals([none.lateShare, none.oracleMs, none.staticMs], [0, 160, 160]);
});

Deno.test("queueFigures: the oracle changes its constant every 5 s and spends its late commands where they save most", () => {
  // Five quiet seconds, five slow ones, five with one outlier; one is late in all.
  const delays = [...window(40), ...window(90), ...window(40, [340])];
  const { lateShare, oracleMs, staticMs } = queueFigures(arrivalsOf(delays, 100));
  assertAlmostEquals(lateShare, 1 / 300);
  // Each window at its own median, with the outlier given up.
  assertEquals(oracleMs, 0);
  // One constant must be 90 for all.
  assertAlmostEquals(staticMs, 90 - (40 + 90 + 40) / 3);
});

Deno.test("queueFigures: two late together are taken as one bargain, in part where only one is allowed", () => {
  // From 140 down to 40 needs two late; one of them is half of that way. One is late in all: the lead is 40 in the last case.
  const delays = window(40, [140, 140]);
  const leads = delays.map((delayMs, i) => ({ dueMs: i * 50, leadMs: i === 0 ? 100 : 150, delayMs }));
  const { lateShare, oracleMs, staticMs } = queueFigures(leads);
  assertEquals([lateShare, oracleMs, staticMs], [0.01, 50, 100]);
});

Deno.test("queueFigures: what never arrived is late for everyone", () => {
  const { lateShare, oracleMs, staticMs } = queueFigures(arrivalsOf(window(40, [Infinity, 70]), 80));
  assertEquals([lateShare, oracleMs, staticMs], [0.01, 30, 30]);
});

Deno.test("queueFigures: no constant of a grid beats the static, no constants of a grid beat the oracle [seeds 1-20]", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const delays = Array.from({ length: 300 }, () => 30 + Math.round(80 * random.fraction() ** 4));
    const figures = queueFigures(arrivalsOf(delays, 70));
    const late = Math.round(figures.lateShare * 300);
    const windows = [delays.slice(0, 100), delays.slice(100, 200), delays.slice(200)];
    const medians = windows.map((each) => [...each].sort((a, b) => a - b)).map((each) => (each[49]! + each[50]!) / 2);
    const medianMs = medians.reduce((sum, each) => sum + each) / 3;
    const lateAt = (leadMs: number, of: number[]) => of.filter((delayMs) => delayMs > leadMs).length;
    let best = Infinity, bestStatic = Infinity;
    for (let a = 30; a <= 110; a += 2) {
      if (lateAt(a, delays) <= late) bestStatic = Math.min(bestStatic, a - medianMs);
      for (let b = 30; b <= 110; b += 2) {
        for (let c = 30; c <= 110; c += 2) {
          const lateThen = lateAt(a, windows[0]!) + lateAt(b, windows[1]!) + lateAt(c, windows[2]!);
          if (lateThen <= late) best = Math.min(best, (a + b + c) / 3 - medianMs);
        }
      }
    }
    assertLess(figures.oracleMs, best + 1e-9);
    // One command taken in part is all that it is better by, and the grid is 2 ms wide.
    assertGreater(figures.oracleMs, best - 16);
    assertLess(figures.staticMs, bestStatic + 1e-9);
    assertGreater(figures.staticMs, bestStatic - 2 - 1e-9);
  }
});

Deno.test("meanFigures: a line counts as much as it has commands", () => {
  const one = queueFigures(arrivalsOf(window(40), 50)),
    two = queueFigures(arrivalsOf([...window(40), ...window(40)], 80));
  assertAlmostEquals(meanFigures([one, two]).waitMs, (10 + 2 * 40) / 3);
});
