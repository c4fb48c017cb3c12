import { assert, assertEquals } from "@std/assert";
import { runTask } from "../../../support/task.ts";

Deno.test("bench physics: every engine and every part is measured, in one JSON object", async () => {
  const { code, stdout, stderr } = await runTask(
    "bench",
    "physics",
    "--only",
    "full",
    "--rounds",
    "3",
    "--json",
  );
  assertEquals(code, 0, stderr);
  const { ratioToStock, saveToStock, loadToStock, stateBytes, ticksIn8Ms, bytesPerStep } = JSON
    .parse(
      stdout.trim().split("\n").at(-1)!,
    );
  assertEquals(Object.keys(ratioToStock), ["stage", "box2dWasm", "rapier", "dragonMatch"]);
  assertEquals(Object.keys(ticksIn8Ms), ["full", "small"]);
  const figures = [
    ...Object.values(ratioToStock),
    ...Object.values(ticksIn8Ms),
    saveToStock,
    loadToStock,
    stateBytes,
  ];
  for (const figure of [...figures, bytesPerStep]) {
    assert(Number.isFinite(figure) && (figure as number) > 0, stdout);
  }
});
