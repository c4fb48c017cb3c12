import { assertEquals, assertMatch } from "@std/assert";
import { faultsOf, type PathReport } from "../../browser/paths.ts";
import { runTask } from "../../support/task.ts";

const GOOD: PathReport = {
  pictures: 600,
  judged: 500,
  ownStepMax: 0.05,
  ownStepWorst: [],
  fastOwnSteps: 0,
  ownSnaps: 0,
  reversals: { 1: 1 },
  flaps: 30,
  rollbacks: 40,
  late: 0,
  desyncs: 0,
  faults: [],
};

Deno.test("faultsOf: names each rule that a run breaks", () => {
  const faults = (wrong: Partial<PathReport>) => faultsOf({ ...GOOD, ...wrong }, 10).join();
  assertEquals(faults({}), "");
  assertEquals(faults({ rollbacks: 1 }), "only 1 rollbacks");
  assertEquals(faults({ flaps: 10 }), "only 10 flaps");
  assertEquals(faults({ judged: 99 }), "only 99 frames were in time");
  assertEquals(faults({ desyncs: 2 }), "2 desyncs");
  assertEquals(faults({ ownStepMax: 0.4 }), "the own dragon stepped by 0.400 m");
  assertEquals(faults({ fastOwnSteps: 4 }), "the own dragon stepped fast 4 times");
  assertEquals(
    faults({ reversals: { 1: 0, 7: 2 } }),
    "a dragon's path turned back 2 times for a single frame",
  );
  assertEquals(faults({ faults: ["x is not a function"] }), "x is not a function");
});

Deno.test("soak page: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak", "page", "--seconds", "4");
  assertEquals(code, 2);
  assertMatch(stderr, /--seconds cannot be "4"/);
});
