/** Each row of the lab shows both objectives of the laws, whoever plays. */
import {
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertStringIncludes,
} from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { type Row, textOf } from "../table.ts";

const KEYS = ["felt", "queueMs", "waitMs", "lateShare"];

async function rowsOf(...flags: string[]): Promise<Row[]> {
  const { code, stdout } = await runTask(
    "lab",
    "--minutes",
    "1",
    "--players",
    "2",
    "--npcs",
    "0",
    "--json",
    ...flags,
  );
  assertEquals(code, 0);
  return JSON.parse(stdout.trim().split("\n").at(-1)!).rows;
}

for (
  const [who, flags] of Object.entries({
    bots: [],
    "judging people": ["--people", "--judging"],
  })
) {
  Deno.test(`Lab: a row of ${who} has the objective and the one before, of the same match [seed 1]`, async () => {
    const [row] = await rowsOf(...flags);
    const { objectives } = row!;
    assertEquals(Object.keys(objectives!), KEYS);
    const { felt, queueMs, waitMs, lateShare } = objectives!;
    if (row!.felt !== undefined) assertEquals(felt, row!.felt.objective);
    assertEquals(row!.felt !== undefined, who !== "bots");
    assertGreater(felt, 0.3);
    assertGreater(waitMs, 5);
    assertLess(waitMs, 100);
    assertGreater(queueMs, waitMs - 1e-9);
    assertLess(queueMs - waitMs, lateShare * 6000 + 1e-3);
    // A match of its own, but over connections as in the queues' part of the row.
    assertAlmostEquals(waitMs, row!.waitMs!, row!.waitMs!);
    const text = `objective ${felt.toFixed(2)} pops/s; the one before ${
      queueMs.toFixed(1)
    } ms (wait`;
    assertStringIncludes(textOf(row!), text);
  });
}
