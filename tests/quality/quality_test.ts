import { assert, assertEquals } from "@std/assert";
import { runTask } from "../support/task.ts";

Deno.test("quality: every engine's figures are measured, in one JSON object", async () => {
  const { code, stdout, stderr } = await runTask("quality", "--heights", "2", "--seconds", "2", "--json");
  assertEquals(code, 0, stderr);
  const { others, ...stage } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(Object.keys(others), ["planck", "box2dWasm", "rapier"]);
  for (const engine of [stage, ...Object.values(others)]) assertEquals(Object.keys(engine), Object.keys(others.planck));
  assertEquals(stage.bounces.tried, 2 * 3 * 2);
  assert(stage.stands.includes("stack8"), stdout);
});
