import { assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { runTask, spawnTask } from "../../support/task.ts";
import { Soak, type SoakReport } from "./physics.ts";

Deno.test("soak physics: compares the requested ticks, with the same result for any number of workers", async () => {
  const run = (jobs: number) =>
    new Soak({ ticks: 100, seed: 7, jobs, blank: undefined, ticksPerSeed: 40 }).run(() => {});
  const [one, two] = [await run(1), await run(2)];
  assertGreaterOrEqual(one.comparedTicks, 100);
  assertGreaterOrEqual(one.seeds, 2);
  assertEquals({ ...one, seconds: 0 }, { ...two, seconds: 0 });

  const args = ["--ticks", "500", "--seed", "7", "--jobs", "1", "--json"];
  const { code, stdout } = await runTask("soak", "physics", ...args);
  assertEquals(code, 0);
  const report: SoakReport = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertGreaterOrEqual(report.comparedTicks, 500);
  const { differences, firstDifference } = report;
  assertEquals({ differences, firstDifference }, { differences: 0, firstDifference: null });
});

Deno.test("soak physics: a difference is reported with its seed, tick, entity and field", async () => {
  const soak = new Soak({ ticks: 100_000, seed: 3, jobs: 1, blank: "entity sleepTime" });
  const { differences, firstDifference, seeds } = await soak.run(() => {});
  assertEquals({ differences, seeds, seed: firstDifference!.seed }, {
    differences: 1,
    seeds: 1,
    seed: 3,
  });
  assertEquals(firstDifference!.field, "sleepTime");
  assertMatch(firstDifference!.entity, /^entity \d+ \w+$/);
});

Deno.test("soak physics: Ctrl-C prints the seed to continue from", async () => {
  const child = await spawnTask("soak", "physics", "--seed", "5");
  let output = "";
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (output === "") child.kill("SIGINT"); // the run has begun
    output += chunk;
  }
  const [{ code }] = await Promise.all([child.status, child.stdout.cancel()]);
  assertEquals(code, 130);
  assertMatch(output, /deno task soak physics --seed \d+ --ticks \d+\n$/);
});

Deno.test("soak physics: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak", "physics", "--ticks", "many");
  assertEquals(code, 2);
  assertMatch(stderr, /--ticks cannot be "many"/);
});
