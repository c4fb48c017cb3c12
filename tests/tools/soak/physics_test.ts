import { assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { runTask, spawnTask } from "../../support/task.ts";
import { Soak, type SoakReport } from "./physics.ts";

Deno.test("soak physics: compares the requested ticks, with the same result for any number of workers", async () => {
  const reports = await Promise.all(["1", "2"].map(async (jobs) => {
    const { code, stdout } = await runTask(
      "soak",
      "physics",
      "--ticks",
      "2500",
      "--seed",
      "7",
      "--jobs",
      jobs,
      "--json",
    );
    assertEquals(code, 0);
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as SoakReport;
  }));
  const [one, two] = reports as [SoakReport, SoakReport];
  assertGreaterOrEqual(one.comparedTicks, 2500);
  assertGreaterOrEqual(one.seeds, 2);
  assertEquals({ differences: one.differences, firstDifference: one.firstDifference }, {
    differences: 0,
    firstDifference: null,
  });
  assertEquals({ ...one, seconds: 0 }, { ...two, seconds: 0 });
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
