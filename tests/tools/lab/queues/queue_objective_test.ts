import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { CommandArrival } from "./oracle.ts";
import { queueObjectiveOf } from "./queue_objective.ts";

/** One command every 50 ms, with these delays and a lead of 100 ms. */
function arrivalsOf(delaysMs: readonly number[]): CommandArrival[] {
  return delaysMs.map((delayMs, i) => ({ dueMs: i * 50, leadMs: 100, delayMs }));
}

/** Five seconds of delays, half of them longer than the other half by `byMs`. */
function window(fromMs: number, byMs: number): number[] {
  return Array.from({ length: 100 }, (_, i) => fromMs + (i < 50 ? byMs : 0));
}

Deno.test("queueObjectiveOf: wait and late commands at the price of 330 times the jitter's width", () => {
  // The median is 45, every delay is 5 ms from it, and one more command is late.
  const { lateShare, waitMs, objectiveMs } = queueObjectiveOf(
    arrivalsOf([...window(40, 10), ...window(40, 10), 200]),
  );
  assertAlmostEquals(lateShare, 1 / 201);
  // The last command's window is its own.
  assertAlmostEquals(waitMs, 100 - (200 * 45 + 200) / 201);
  assertAlmostEquals(objectiveMs, waitMs + 330 * (200 * 5 / 201) / 201);
});

Deno.test("queueObjectiveOf: the price of a late command is 20 to 6,000 ms", () => {
  const quiet = queueObjectiveOf(arrivalsOf([200, ...window(40, 0).slice(1)]));
  assertAlmostEquals(quiet.objectiveMs, quiet.waitMs + 0.01 * 330 * 1.6);
  const lost = queueObjectiveOf(arrivalsOf([Infinity, ...window(40, 0).slice(1)]));
  assertAlmostEquals(lost.objectiveMs, lost.waitMs + 0.01 * 20);
  const wide = queueObjectiveOf(arrivalsOf(window(40, 80)));
  assertEquals([wide.lateShare, wide.waitMs, wide.objectiveMs], [0.5, 20, 20 + 0.5 * 6000]);
});
