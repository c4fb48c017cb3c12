import { assert, assertEquals, assertGreater } from "@std/assert";
import { runTask } from "../../../../support/task.ts";

Deno.test("bench physics: both engines save and load the same scene, and go on with the same bits", async () => {
  const args = ["--only", "snapshots", "--passes", "1", "--json"];
  const { code, stdout, stderr } = await runTask("bench", "physics", ...args);
  assertEquals(code, 0, stderr);
  const { snapshots, ...others } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(others, {});
  assertEquals(Object.keys(snapshots), ["50", "200", "800"]);
  for (
    const [bodies, engines] of Object.entries<Record<string, Record<string, unknown>>>(snapshots)
  ) {
    assertEquals(Object.keys(engines), ["stage", "rapier"]);
    for (
      const { bytes, awake, saveMicros, loadMicros, loadFreshMicros, ...same } of Object.values(
        engines,
      )
    ) {
      assertEquals(awake, Number(bodies));
      for (const figure of [saveMicros, loadMicros, loadFreshMicros]) {
        assert(Number.isFinite(figure) && (figure as number) > 0, JSON.stringify(engines));
      }
      assertGreater(bytes as number, 50 * Number(bodies));
      assertEquals(same, {
        sameMotions: true,
        sameMotionsFresh: true,
        sameBytes: true,
        sameBytesFresh: true,
      });
    }
  }
});
