/**
 * The sync test of the stage, as long as a test run can afford. `deno task soak physics` runs it
 * for longer. The mutations then test the sync test: it must fail if any kind of state is missing
 * from the snapshots.
 */
import { assert, assertEquals, assertGreater, assertGreaterOrEqual } from "@std/assert";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { Soak } from "../../../tools/soak/physics.ts";
import { formatDifference, kindOfLabel } from "../scenes/difference.ts";
import { DETECTED, PARTS, UNDETECTED, withOtherLastBit, without } from "../scenes/mutations.ts";
import { startScene, stepScene } from "../scenes/scene.ts";
import { type Corruption, SyncRun } from "../scenes/sync_run.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

const COMPARED_TICKS = 1_200;

Deno.test(`stage: rolled back and stepped again, ${COMPARED_TICKS} ticks have the same bits as without rollbacks (SPEC 9.1, 9.2, 9.15, 9.37)`, async () => {
  const soak = new Soak({
    ticks: COMPARED_TICKS,
    seed: 1,
    jobs: navigator.hardwareConcurrency,
    blank: undefined,
    ticksPerSeed: 300,
  });
  const { firstDifference, comparedTicks, tally } = await soak.run(() => {});
  assertEquals(firstDifference, null);
  assertGreaterOrEqual(comparedTicks, COMPARED_TICKS);
  for (const [what, count] of Object.entries(tally)) assertGreater(count, 0, `no ${what}`);
});

/** More than any mutation needed until it was detected. */
const MUTANT_TICKS = 1500;
/** By then it has detected every other mutation. */
const UNDETECTED_TICKS = 300;

/** @returns the difference or the error by which the sync test detects a mutation, or undefined */
function detect(corrupt: Corruption, ticks = MUTANT_TICKS): string | undefined {
  try {
    const difference = new SyncRun(1, corrupt).run(ticks);
    return difference && formatDifference(difference);
  } catch (error) {
    if (error instanceof SnapshotError) return error.message;
    throw error;
  }
}

for (const kind of DETECTED) {
  Deno.test(`stage: without "${kind}" in its snapshots the sync test fails (SPEC 9.14)`, () => {
    assert(detect(without(kind)) !== undefined, "not detected");
  });

  Deno.test(`stage: with other last bits of "${kind}" in its snapshots the sync test fails (SPEC 9.14)`, () => {
    assert(detect(withOtherLastBit(kind)) !== undefined, "not detected");
  });
}

for (const [part, mutation] of Object.entries(PARTS)) {
  Deno.test(`stage: without ${part} in its snapshots the sync test fails (SPEC 9.14)`, () => {
    assert(detect(mutation) !== undefined, "not detected");
  });
}

Deno.test("stage: every kind of word in a snapshot is detected if missing, or has a reason (SPEC 9.14)", () => {
  const stage = startScene(1);
  const state = new Snapshot();
  const kinds = new Set<string>();
  for (let tick = 0; tick < MUTANT_TICKS; tick++) {
    stepScene(stage, 1);
    if (tick % 5 !== 0) continue; // labels are expensive, and every kind of state lasts longer than five ticks
    stage.save(state);
    for (const name of snapshotLabels(stage, state)) kinds.add(kindOfLabel(name));
  }
  const listed = [...DETECTED, ...Object.keys(UNDETECTED)];
  assertEquals(new Set(listed).size, listed.length, "a kind is listed twice");
  assertEquals([...kinds].sort(), listed.toSorted());
});

Deno.test("stage: the sync test does not detect the kinds that are listed as undetected", () => {
  const all = Object.keys(UNDETECTED).map(without);
  const together: Corruption = (snapshot, names) => {
    for (const corrupt of all) corrupt(snapshot, names);
  };
  assertEquals(detect(together, UNDETECTED_TICKS), undefined);
});
