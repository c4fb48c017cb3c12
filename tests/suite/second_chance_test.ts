/** Real files of tests: one whose tests fail once, one that always fails, and others that pass. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runGroup } from "./second_chance.ts";

/** As `.ci/run` counts tests. */
const COUNTED = /^(?:ok|FAILED) \| [0-9]+ passed.* \| [0-9]+ failed/gm;

const PASSES = `
Deno.test("passes, with <&> and a step", async (t) => {
  await t.step("step", () => {});
  console.log("ok | 7 passed | 0 failed (of another run)");
});
Deno.test({ name: "ignored", ignore: true, fn() {} });`;
/** Its first run leaves a mark. */
const FAILS_ONCE = `
const mark = new URL(import.meta.url + ".mark");
const isFirst = !(await Deno.stat(mark).then(() => true, () => false));
Deno.test("fails ... once", async (t) => {
  await Deno.writeTextFile(mark, "");
  await t.step("step", () => { if (isFirst) throw new Error("busy"); });
});
Deno.test("passes beside it", () => {});`;
const BREAKS_OFF_ONCE = `
const mark = new URL(import.meta.url + ".mark");
try { await Deno.stat(mark); } catch { await Deno.writeTextFile(mark, ""); throw new Error("busy"); }
Deno.test("is there at the second time", () => {});`;
const FAILS = `
Deno.test("always fails", () => { throw new Error("broken"); });
Deno.test("passes beside the failure", () => {});`;

/** Runs a group of such files. @param sources by name */
async function run(sources: Readonly<Record<string, string>>, jobs = 2) {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  let output = "";
  try {
    const files = Object.keys(sources).map((name) => `${folder}/${name}_test.ts`);
    for (const [i, source] of Object.values(sources).entries()) {
      await Deno.writeTextFile(files[i]!, source);
    }
    const print = (text: string) => output += text;
    const code = await runGroup(files, { jobs, print, env: { NO_COLOR: "1" } });
    const counted = [...output.matchAll(COUNTED)].map(([line]) => line);
    const second = output.match(/^second chance, alone: .*$/gm) ?? [];
    const forgiven = output.match(/^failed .*, passed alone: .*$/gm) ?? [];
    return { code, counted, forgiven, output, second: second.length };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const jobs of [1, 2]) {
  Deno.test(`runGroup: a test that fails once passes alone, is named, and counts once [${jobs} at a time]`, async () => {
    const { code, counted, forgiven, output } = await run({
      fails_once: FAILS_ONCE,
      passes: PASSES,
    }, jobs);
    assertEquals([code, counted], [0, ["ok | 3 passed (1 step) | 0 failed"]]);
    assertEquals(forgiven.length, 1);
    const words = jobs > 1 ? "beside others" : "after others";
    assertMatch(
      forgiven[0]!,
      new RegExp(
        `^failed ${words}, passed alone: fails \\.\\.\\. once \\(\\S+fails_once_test.ts\\)$`,
      ),
    );
    assertStringIncludes(output, "Error: busy", "the first failure's cause can be read");
    assertStringIncludes(output, " | 0 failed | 1 ignored (");
  });
}

Deno.test("runGroup: a test that always fails does so twice, and its group fails; what failed once is still named", async () => {
  const { code, counted, forgiven, second } = await run({
    fails: FAILS,
    fails_once: FAILS_ONCE,
    passes: PASSES,
  });
  assertEquals([code, counted], [1, ["FAILED | 4 passed (1 step) | 1 failed"]]);
  assertEquals([second, forgiven.length], [2, 1]);
  assertStringIncludes(forgiven[0]!, "fails ... once");
});

Deno.test("runGroup: a file that breaks off has its tests counted when it runs again", async () => {
  const { code, counted, forgiven } = await run({
    breaks_off_once: BREAKS_OFF_ONCE,
    passes: PASSES,
  });
  assertEquals([code, counted], [0, ["ok | 2 passed (1 step) | 0 failed"]]);
  assertEquals(forgiven.length, 1);
  assertStringIncludes(forgiven[0]!, "an uncaught error");
});

Deno.test("runGroup: with more than five failed files there is no second chance, and all count as failed", async () => {
  const sources = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`fails_once_${i}`, FAILS_ONCE]),
  );
  const { code, counted, forgiven, second, output } = await run(sources);
  assertEquals([code, counted], [1, ["FAILED | 6 passed | 6 failed"]]);
  assertEquals([second, forgiven], [0, []]);
  assertStringIncludes(output, "no second chance: 6 files have failed tests");
});

Deno.test("runGroup: where all pass, there is one run, with deno's own summary", async () => {
  const { code, counted, second } = await run({ passes: PASSES });
  assertEquals([code, counted, second], [0, ["ok | 1 passed (1 step) | 0 failed"], 0]);
});
