/** A small run of the log benchmark. It does not judge times. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { measureLog } from "./main.ts";

Deno.test("measureLog: matches with a log have the same ticks as without, and their records have bytes (SPEC 15.7)", async () => {
  const figures = await measureLog({ matches: 1, seconds: 2 });
  const { costUsPerMatchTick, ratio, bytesPerMatchMinute, latenessP99Ms, matchTicks } = figures;
  assertEquals(Object.keys(costUsPerMatchTick), ["tick", "200ms", "off"]);
  for (const figure of [...Object.values(costUsPerMatchTick), ...Object.values(ratio)]) {
    assert(Number.isFinite(figure));
  }
  assertEquals(Object.keys(latenessP99Ms), ["tick", "200ms", "off", "dataOff"]);
  assertEquals([matchTicks, figures.stoodStill.off], [40, 0]);
  // Eight players and 16 NPCs may take 1 MB in ten minutes. There is a state every ten seconds, so
  // one falls into these two.
  assertGreater(bytesPerMatchMinute, 5_000);
  assertLess(bytesPerMatchMinute, 300_000);
});

Deno.test("bench log: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("bench", "log", "--matches", "0");
  assertEquals([code, stderr], [
    2,
    'bench: --matches cannot be "0"; allowed: a whole number 1 to 60\n',
  ]);
});
