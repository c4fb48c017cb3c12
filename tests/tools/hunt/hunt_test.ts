import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { runTask } from "../../support/task.ts";
import { counterParts } from "./clients/games.ts";
import { DRAWN_KINDS } from "./faults/fault_kinds.ts";
import { FOUND_SEEDS } from "./found_seeds.ts";
import { HuntedCopy } from "./planted/planted_copy.ts";
import { unplantable } from "../../support/project_copy.ts";
import { PLANTS } from "./planted/plants.ts";
import { runSchedule, scheduleOfSeed } from "./run_schedule.ts";
import type { Fault } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { HuntWorld } from "./world.ts";

Deno.test("hunt planted: each mistake's text is found exactly once", async () => {
  assertEquals(await unplantable(PLANTS), []);
});

for (const [game, seeds] of [["counter", [1, 2]], ["dragons", [9]]] as const) {
  Deno.test(`hunt: a minute of faults breaks no rule, ${game} (SPEC 1.7, 3.4, 15.1, 15.3, 15.4) [seeds ${seeds}]`, async () => {
    for (const seed of seeds) {
      const { breach, ticks } = await runSchedule(scheduleOfSeed(seed, { seconds: 60, game }));
      assertEquals(breach, undefined, `seed ${seed}`);
      assertGreater(ticks, 600);
    }
  });
}

for (const { found, schedule } of FOUND_SEEDS) {
  Deno.test(`hunt: once ${found} [seed ${schedule.seed}]`, async () => {
    assertEquals((await runSchedule(schedule)).breach, undefined);
  });
}

Deno.test("hunt: players with a used and an expired ticket are refused in words, and are back with new ones (SPEC 3.4, 14.18) [seed 3]", async () => {
  const used = { atMs: 12_000, kind: "return with a used ticket", who: 0, ms: 500, draw: 0 };
  const expired = { atMs: 14_000, kind: "return with an expired ticket", who: 1, ms: 500, draw: 0 };
  const world = new HuntWorld(counterParts, {
    seed: 3,
    game: "counter",
    seconds: 90,
    faults: [used, expired],
  });
  assertEquals(await world.run(), undefined);
  assertEquals(world.admission.refusals, ["the ticket was used before", "the ticket is too old"]);
  for (const { connection } of world.residents) {
    assertEquals([connection?.session.phase, connection?.session.isInSync], ["playing", true]);
  }
  assertEquals(world.residents.slice(0, 2).map(({ connection }) => connection?.session.isResumed), [
    true,
    true,
  ]);
});

Deno.test("hunt: a seed draws the same faults each time, and all seeds together draw every kind", () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const schedule = scheduleOfSeed(seed, { seconds: 240 });
    assertEquals(schedule, scheduleOfSeed(seed, { seconds: 240 }));
    for (const { kind } of schedule.faults) kinds.add(kind);
  }
  assertEquals(kinds.size, DRAWN_KINDS.length);
  assertGreater(kinds.size, 16);
});

Deno.test("shrink: of a schedule in which two faults together break a rule, these two are left [seed 7]", async () => {
  const { faults } = scheduleOfSeed(7, { seconds: 240 });
  const culprits = [faults[11]!, faults[40]!];
  let tries = 0;
  const breaks = (part: readonly Fault[]) => {
    tries++;
    return Promise.resolve(culprits.every((culprit) => part.includes(culprit)));
  };
  assertEquals(await shrink(faults, breaks), culprits);
  assert(tries < 100, `${tries} tries`);
  assertEquals(await shrink(faults, () => Promise.resolve(true)), []);
  assertEquals(await shrink(faults, breaks, { goesOn: () => false }), faults);
});

Deno.test("hunt planted: a tick that is sent before it is in the log is found, and shrunk to the crash that lost it", async () => {
  const copy = await HuntedCopy.create(120);
  try {
    const plant = PLANTS.find(({ name }) => name === "a tick is sent before it is in the log")!;
    const { found } = await copy.run(plant);
    assert(found !== null && found.faults <= 3, JSON.stringify(found));
  } finally {
    await copy.remove();
  }
});

Deno.test("hunt: the last line is a report, and a wrong flag is one line and exit code 2", async () => {
  const { code, stdout, stderr } = await runTask(
    "hunt",
    "--seeds",
    "1",
    "--game",
    "counter",
    "--jobs",
    "1",
    "--json",
  );
  assertEquals(code, 0, stderr);
  const report = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assertEquals(Object.keys(report), [
    "broken",
    "faultKinds",
    "matchHours",
    "counterHours",
    "seeds",
  ]);
  assertEquals([report.broken, report.matchHours, report.seeds], [[], 0, 1]);
  assertGreater(report.counterHours, 0.05);
  for (const args of [["--seeds", "0"], ["--game", "chess"]]) {
    const refused = await runTask("hunt", ...args);
    assertEquals([refused.code, refused.stdout, refused.stderr.split("\n").length], [2, "", 2]);
    assertStringIncludes(refused.stderr, "hunt: --");
  }
});
