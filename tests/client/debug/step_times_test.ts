/** The times of the parts of a tick, as the overlay shows them. */
import { assertEquals } from "@std/assert";
import { type StepSample, stepTimesOf } from "../../../client/debug/step_times.ts";
import { STEP_PART_NAMES, type StepPartName, StepProfile } from "../../../shared/step_profile.ts";

/** A sample in which only some parts took time, ms. */
function sample(ticks: number, elapsed: Partial<Record<StepPartName, number>>): StepSample {
  return { ticks, elapsed: { ...new StepProfile(() => 0).elapsed, ...elapsed } };
}

Deno.test("stepTimesOf: the mean for one tick, where loads count for all ticks", () => {
  const times = stepTimesOf([
    sample(5, { solver: 1, save: 0.5 }),
    sample(15, { solver: 5, load: 2 }),
  ])!;
  assertEquals(Object.keys(times), [...STEP_PART_NAMES]);
  assertEquals([times.solver, times.save, times.load, times.events], [0.3, 0.025, 0.1, 0]);
});

Deno.test("stepTimesOf: nothing on a page that simulates nothing", () => {
  assertEquals(stepTimesOf([sample(0, {}), sample(0, {})]), undefined);
  assertEquals(stepTimesOf([]), undefined);
});
