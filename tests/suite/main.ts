/**
 * Runs the tests: those that may run side by side, some files at a time, or those that must have the machine to
 * themselves, one after the other, and then those that wait most of their time, two at a time.
 *
 *     deno task test [PATH … and flags of `deno test`]
 *     deno task test:alone
 *
 * With paths it runs only these tests, one file after the other. It checks no types: `deno task check` does.
 */
import { build } from "../../client/build/build.ts";

/** A shell's exit code of a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;
/**
 * Tests that count frames, load a server to its limit or write beside the sources. Another test at the same time would
 * change what they see.
 */
const ALONE = [
  "tests/bench/causes",
  "tests/bench/feel",
  "tests/bench/stalls",
  "tests/browser/feel_test.ts",
  "tests/browser/hands_test.ts",
  "tests/browser/play_test.ts",
  "tests/browser/stream_test.ts",
  "tests/client/build",
  "tests/server/dev_test.ts",
  "tests/soak/server_test.ts",
];
/**
 * Tests with a real page or a proxy. They use half a core and would take many times as long beside tests that compute: the
 * crowd behind nginx comes in within 2 s, and within a minute beside others.
 */
const PAIRS = ["tests/browser", "tests/deploy"];
/** Files at the same time. Many tests wait for a match to go on, so there is one more than cores. */
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
  if (args.length > 0 && args[0] !== "--alone") return await runTests(args);
  // Two tests that build the page at the same time find nothing to write.
  await build();
  if (args.length === 0) return await runTests([`--ignore=${[...ALONE, ...PAIRS]}`, "tests/"], { jobs: JOBS });

  const code = await runTests(ALONE);
  if (code === EXIT_INTERRUPTED) return code;
  const codeOfPairs = await runTests([`--ignore=${ALONE}`, ...PAIRS], { jobs: 2 });
  return Math.max(code, codeOfPairs);
}

if (import.meta.main) Deno.exitCode = await runSuite(Deno.args);
