import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { Random } from "../../../../shared/random.ts";
import { type CommandArrival, meanFigures, queueFigures } from "./oracle.ts";

/** One command every 50 ms, with these delays. */
function arrivalsOf(delaysMs: readonly number[], leadMs: number, fromMs = 0): CommandArrival[] {
  return delaysMs.map((delayMs, i) => ({ dueMs: fromMs + i * 50, leadMs, delayMs }));
}

/** A hundred delays, five seconds. */
function window(delayMs: number, outliers: readonly number[] = []): number[] {
  return [...outliers, ...new Array<number>(100 - outliers.length).fill(delayMs)];
}

Deno.test("queueFigures: without jitter the wait is the lead minus the delay", () => {
  const figures = queueFigures(arrivalsOf(window(40), 55));
  assertEquals(figures, { commands: 100, lateShare: 0, waitMs: 15, oracleMs: 0, staticMs: 0 });
});

Deno.test("queueFigures: oracle and static have as many late commands as the queue, no more", () => {
  // With a lead of 100 one command is late. With one late command 60 suffices, and the median is
  // 40.
  const figures = queueFigures(arrivalsOf(window(40, [200, 60]), 100));
  assertEquals(figures, { commands: 100, lateShare: 0.01, waitMs: 60, oracleMs: 20, staticMs: 20 });
  // Without late commands the largest delay is needed.
  const none = queueFigures(arrivalsOf(window(40, [200, 60]), 250));
  assertEquals([none.lateShare, none.oracleMs, none.staticMs], [0, 160, 160]);
});

Deno.test("queueFigures: the oracle has a new constant every 5 s and its late commands where they save most", () => {
  // Five quiet seconds, five slow ones, five with one outlier; one command is late in all.
  const delays = [...window(40), ...window(90), ...window(40, [340])];
  const { lateShare, oracleMs, staticMs } = queueFigures(arrivalsOf(delays, 100));
  assertAlmostEquals(lateShare, 1 / 300);
  // Each window's lead is its own median, and the outlier is late.
  assertEquals(oracleMs, 0);
  // A single constant must be 90.
  assertAlmostEquals(staticMs, 90 - (40 + 90 + 40) / 3);
});

Deno.test("queueFigures: two late commands are one tradeoff, taken in part if only one is allowed", () => {
  // A lead of 40 instead of 140 makes two commands late. Only one may be late, so the oracle takes
  // half of it.
  const delays = window(40, [140, 140]);
  const leads = delays.map((delayMs, i) => ({
    dueMs: i * 50,
    leadMs: i === 0 ? 100 : 150,
    delayMs,
  }));
  const { lateShare, oracleMs, staticMs } = queueFigures(leads);
  assertEquals([lateShare, oracleMs, staticMs], [0.01, 50, 100]);
});

Deno.test("queueFigures: a command that never arrived is late with any lead", () => {
  const { lateShare, oracleMs, staticMs } = queueFigures(
    arrivalsOf(window(40, [Infinity, 70]), 80),
  );
  assertEquals([lateShare, oracleMs, staticMs], [0.01, 30, 30]);
});

Deno.test("queueFigures: no constant of a grid beats static, and no three constants beat the oracle [seeds 1-20]", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const delays = Array.from({ length: 300 }, () => 30 + Math.round(80 * random.fraction() ** 4));
    const figures = queueFigures(arrivalsOf(delays, 70));
    const late = Math.round(figures.lateShare * 300);
    const windows = [delays.slice(0, 100), delays.slice(100, 200), delays.slice(200)];
    const medians = windows.map((each) => [...each].sort((a, b) => a - b)).map((each) =>
      (each[49]! + each[50]!) / 2
    );
    const medianMs = medians.reduce((sum, each) => sum + each) / 3;
    const lateAt = (leadMs: number, of: number[]) =>
      of.filter((delayMs) => delayMs > leadMs).length;
    let best = Infinity;
    let bestStatic = Infinity;
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
    // The oracle is better only by one partly taken tradeoff, and the grid's step is 2 ms.
    assertGreater(figures.oracleMs, best - 16);
    assertLess(figures.staticMs, bestStatic + 1e-9);
    assertGreater(figures.staticMs, bestStatic - 2 - 1e-9);
  }
});

Deno.test("meanFigures: weights each player by their commands", () => {
  const one = queueFigures(arrivalsOf(window(40), 50));
  const two = queueFigures(arrivalsOf([...window(40), ...window(40)], 80));
  assertAlmostEquals(meanFigures([one, two]).waitMs, (10 + 2 * 40) / 3);
});
