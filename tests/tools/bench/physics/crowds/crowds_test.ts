import { assert, assertEquals } from "@std/assert";
import { runTask } from "../../../../support/task.ts";
import { ENGINE_NAMES } from "../../../engines/scene.ts";

/** How many bodies a crowd contains: one that is awake, and the one that sleeps. */
const BODIES = {
  pyramid190: 190,
  asleep1000: 1000,
};

interface Count {
  readonly bodies: number;
  readonly awake: number;
  readonly contacts: number;
}

Deno.test("bench physics: every engine runs the same crowd, awake and asleep, and all figures are measured", async () => {
  const only = [...Object.keys(BODIES), "sleepers"].join(",");
  const args = ["--only", only, "--passes", "1", "--json"];
  const { code, stdout, stderr } = await runTask("bench", "physics", ...args);
  assertEquals(code, 0, stderr);
  const { crowds, sleepers, ...others } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(others, { passes: 1 });
  assertEquals(Object.keys(crowds), Object.keys(BODIES));

  for (
    const [name, { counts, micros, ...figures }] of Object.entries<Record<string, never>>(crowds)
  ) {
    const keys = [
      "toStock",
      "toBox2dWasm",
      "toRapier",
      "saveMicros",
      "loadMicros",
      "loadFreshMicros",
      "snapshotKib",
    ];
    assertEquals(Object.keys(figures), keys);
    assertEquals([Object.keys(micros!), Object.keys(counts!)], [[...ENGINE_NAMES], [
      ...ENGINE_NAMES,
    ]]);
    assertAllPositive([...Object.values(figures), ...Object.values(micros!)], name);
    assertSameScene(Object.values(counts!), name as keyof typeof BODIES);
  }

  assertEquals(Object.keys(sleepers), ["rollback20Ms", "rollback20OneMovesMs", "freshLoadToLoad"]);
  assertAllPositive(Object.values(sleepers), "sleepers");
});

function assertAllPositive(figures: readonly unknown[], name: string): void {
  for (const figure of figures) {
    assert(Number.isFinite(figure) && (figure as number) > 0, `${name}: ${figures}`);
  }
}

/** In a crowd the engines diverge, but not far: some count up to half as many contacts again. */
function assertSameScene(counts: readonly Count[], name: keyof typeof BODIES): void {
  const awake = name === "asleep1000" ? 0 : BODIES[name];
  for (const { bodies, awake: counted, contacts } of counts) {
    const text = `${name}: ${JSON.stringify(counts)}`;
    assertEquals([bodies, counted], [BODIES[name], awake], text);
    assert(
      contacts > BODIES[name] / 2 &&
        Math.abs(Math.log(contacts / counts[0]!.contacts)) < Math.log(1.5),
      text,
    );
  }
}

Deno.test("bench physics: --only refuses an unknown part in one line", async () => {
  const { code, stderr } = await runTask("bench", "physics", "--only", "pit500,pit501");
  assertEquals(code, 2);
  assertEquals(stderr.trim().split("\n").length, 1, stderr);
  assert(stderr.includes("pit501") && stderr.includes("pit500,pyramid190"), stderr);
});
