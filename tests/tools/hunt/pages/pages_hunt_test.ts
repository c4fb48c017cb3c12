/** The hunt in rooms that their pages host (SPEC 23.3 to 23.5). */
import { assertEquals, assertGreater } from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { assertFound } from "../planted/assert_found.ts";
import { PAGE_KINDS } from "./page_faults.ts";
import { pagesScheduleOf, runPagesSchedule } from "./run_pages.ts";

for (const [game, seeds] of [["counter", [1, 2]], ["dragons", [9]]] as const) {
  Deno.test(`hunt --pages: two minutes of faults break no rule, ${game} (SPEC 23.3, 23.4, 23.5) [seeds ${seeds}]`, () => {
    const sum = { takeOvers: 0, comebacks: 0, rollbacks: 0 };
    for (const seed of seeds) {
      const { breach, ticks, pages } = runPagesSchedule(
        pagesScheduleOf(seed, { seconds: 120, game }),
      );
      assertEquals(breach, undefined, `seed ${seed}`);
      assertGreater(ticks, 1500);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += pages[key];
    }
    for (const [what, count] of Object.entries(sum)) assertGreater(count, 0, what);
  });
}

Deno.test("hunt --pages: a schedule gives the same matches each time, and seeds together draw every kind [seeds 1 to 9]", () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 9; seed++) {
    for (const { kind } of pagesScheduleOf(seed, { seconds: 240 }).faults) kinds.add(kind);
  }
  assertEquals(kinds.size, PAGE_KINDS.length);
  const schedule = pagesScheduleOf(4, { seconds: 60, game: "counter" });
  assertEquals(runPagesSchedule(schedule), runPagesSchedule(schedule));
});

Deno.test("hunt planted: a take-over from a prediction, two hosts, and forgotten seats are found", async () => {
  await assertFound(120, [
    "a page takes over from what it predicts",
    "a host does not follow a higher term",
    "a page that takes over forgets whose seats are taken",
  ]);
});

Deno.test("hunt --pages: the report has what happened between pages, and --cluster beside it is a mistake", async () => {
  const { code, stdout } = await runTask(
    ..."hunt --pages --seeds 1 --jobs 1 --json".split(" ") as [string, ...string[]],
  );
  const { broken, pages, seeds } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals([code, broken, seeds], [0, [], 1]);
  assertGreater(pages.takeOvers, 0);
  const both = await runTask("hunt", "--pages", "--cluster");
  assertEquals([both.code, both.stderr.trim()], [
    2,
    "hunt: --cluster and --pages exclude each other",
  ]);
});
