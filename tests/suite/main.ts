/**
 * Runs the tests: those that may run side by side, some files at a time, or those that must have
 * the machine to themselves, one after the other.
 *
 *     deno task test [PATH … and flags of `deno test`]
 *     deno task test:quick     the tests that say most in 40 CPU seconds (`quick_tests.ts`)
 *     deno task test:alone
 *
 * With paths it runs only these tests, one file after the other. It checks no types: `deno task
 * check` does.
 */
import * as esbuild from "esbuild";
import { build } from "../../client/build/build.ts";
import { buildPrograms } from "../../client/build/programs.ts";
import { QUICK_TESTS } from "./quick_tests.ts";

/** A shell's exit code of a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;
/**
 * Tests that play in a real page, count frames, load a server to its limit or write beside the
 * sources. Another test at the same time would change what they see. Some would take many times as
 * long: the crowd behind nginx comes in within 2 s alone, and within a minute beside others.
 */
const ALONE = [
  "tests/tools/bench/causes",
  "tests/tools/bench/feel",
  "tests/tools/bench/stalls",
  "tests/browser",
  "tests/client/build",
  "tests/deploy",
  "tests/tools/edge",
  "tests/server/dev_test.ts",
  "tests/tools/soak/server_test.ts",
];
/**
 * Files at the same time. Many tests wait for a match to go on, so there is one more than cores.
 */
const JOBS = navigator.hardwareConcurrency + 1;

/** One call of `deno test`. @param options.jobs files at the same time @returns its exit code */
async function runTests(args: readonly string[], { jobs = 1 } = {}): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--quiet", "--no-check", ...jobs > 1 ? ["--parallel"] : [], ...args],
    env: { DENO_JOBS: `${jobs}` },
    stdin: "null",
  }).spawn();
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    child.kill("SIGINT");
  };
  Deno.addSignalListener("SIGINT", interrupt);
  const { code } = await child.status;
  Deno.removeSignalListener("SIGINT", interrupt);
  return isInterrupted ? EXIT_INTERRUPTED : code;
}

async function runSuite(args: readonly string[]): Promise<number> {
  if (args[0] === "--quick") {
    await buildPrograms();
    await esbuild.stop();
    return await runTests(QUICK_TESTS.flatMap(({ paths }) => paths), { jobs: JOBS });
  }
  if (args.length > 0 && args[0] !== "--alone") return await runTests(args);
  // Two tests that build at the same time find nothing to write.
  await buildPrograms();
  await build();
  if (args.length > 0) return await runTests(ALONE);
  return await runTests([`--ignore=${ALONE}`, "tests/"], { jobs: JOBS });
}

if (import.meta.main) Deno.exitCode = await runSuite(Deno.args);
