/** The soak of spoilt snapshots in small; `deno task soak:snapshots` spoils 40,000. */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { runTask } from "../support/task.ts";
import { type SnapshotsReport } from "./snapshots.ts";

Deno.test("soak:snapshots: a spoilt snapshot is refused, or loaded as it is, and a good one is right afterwards (SPEC 9.1)", async () => {
  const [first, second] = await Promise.all(["1", "1"].map(async (seed) => {
    const { code, stdout, stderr } = await runTask("soak:snapshots", "--count", "1400", "--seed", seed, "--json");
    assertEquals(code, 0, stderr);
    assertMatch(stderr, /100 %, 1,400 snapshots/);
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as SnapshotsReport;
  }));
  const { tried, refused, loaded, stepped, bySpoiling, firstFailure } = first!;
  assertEquals([tried, refused + loaded, firstFailure], [1400, 1400, null]);
  assertGreater(stepped, 50);
  for (const [spoiling, outcomes] of Object.entries(bySpoiling)) {
    assertGreater(outcomes.refused, 0, spoiling);
    const changesLength = /truncated|extended|removed|noise/.test(spoiling);
    assert(changesLength || outcomes.loaded > 0, spoiling);
  }
  const withoutTimes = { seconds: 0, slowestLoadMs: 0, slowest: null, crowdLoadMs: 0 };
  assertEquals({ ...second!, ...withoutTimes }, { ...first!, ...withoutTimes }, "the seed decides");
});

Deno.test("soak:snapshots: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak:snapshots", "--count", "0");
  assertEquals(code, 2);
  assertMatch(stderr, /--count cannot be "0"/);
});
