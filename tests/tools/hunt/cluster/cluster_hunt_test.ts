/** The hunt with several nodes that share a match (SPEC 17.103). */
import { assertEquals, assertGreater } from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { assertFound } from "../planted/assert_found.ts";
import { CLUSTER_KINDS } from "./cluster_faults.ts";
import { newClusterCounts } from "./cluster_world.ts";
import { FOUND_CLUSTER_SEEDS } from "./found_cluster_seeds.ts";
import { clusterScheduleOf, runClusterSchedule } from "./run_cluster.ts";

for (const [game, seeds] of [["counter", [1, 2, 3]], ["dragons", [9]]] as const) {
  Deno.test(`hunt --cluster: two minutes of faults break no rule, ${game} (SPEC 17.103, 17.105, 17.107, 17.110, 17.114, 17.195, 17.200, 17.201) [seeds ${seeds}]`, async () => {
    const sum = newClusterCounts();
    for (const seed of seeds) {
      const { breach, ticks, counts } = await runClusterSchedule(
        clusterScheduleOf(seed, { seconds: 120, game }),
      );
      assertEquals(breach, undefined, `seed ${seed}`);
      assertGreater(ticks, 800);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key];
    }
    for (const [what, count] of Object.entries(sum)) assertGreater(count, 0, what);
  });
}

for (const { found, schedule } of FOUND_CLUSTER_SEEDS) {
  Deno.test(`hunt --cluster: once ${found} [seed ${schedule.seed}]`, async () => {
    assertEquals((await runClusterSchedule(schedule)).breach, undefined);
  });
}

Deno.test("hunt --cluster: a schedule gives the same match each time, and seeds together draw every kind [seeds 1 to 9]", async () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 9; seed++) {
    for (const { kind } of clusterScheduleOf(seed, { seconds: 240 }).faults) kinds.add(kind);
  }
  assertEquals(kinds.size, CLUSTER_KINDS.length);
  const schedule = clusterScheduleOf(4, { seconds: 60, game: "counter" });
  assertEquals(await runClusterSchedule(schedule), await runClusterSchedule(schedule));
});

Deno.test("hunt planted: a tick sent before its record, a missing expectation and a take-over that reads before it fences are found", async () => {
  await assertFound(60, [
    "a tick is sent before the log's servers have it",
    "an append names no record that it expects",
    "a take-over reads the log before it fences the match",
  ]);
});

Deno.test("hunt --cluster: the report has what happened between nodes", async () => {
  const { code, stdout, stderr } = await runTask(
    "hunt",
    "--cluster",
    "--seeds",
    "1",
    "--jobs",
    "1",
    "--json",
  );
  assertEquals(code, 0, stderr);
  const { broken, cluster, seeds, counterHours } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals([broken, Object.keys(cluster), seeds], [[], Object.keys(newClusterCounts()), 1]);
  assertGreater(cluster.takeOvers, 0);
  assertGreater(counterHours, 0.02);
});
