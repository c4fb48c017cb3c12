/**
 * Runs the tests: those that may run side by side, some files at a time; those of pages
 * and packages, two at a time; or those that must have the machine to themselves, one after the
 * other.
 *
 *     deno task test [PATH … and flags of `deno test`]
 *     deno task test:quick     the tests that say most in 40 CPU seconds (`quick_tests.ts`)
 *     deno task test:pages
 *     deno task test:alone
 *
 * With paths it runs only these tests, one file after the other. It checks no types: `deno task
 * check` does.
 */
import * as esbuild from "esbuild";
import { build } from "../../client/build/build.ts";
import { buildPrograms } from "../../client/build/programs.ts";
import { RUN_FOLDER } from "../support/run_folder.ts";
import { QUICK_TESTS } from "./quick_tests.ts";

/** A shell's exit code of a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;
/**
 * Tests that count frames, play against the clock, load a server to its limit or write beside the
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
  "tests/examples/engines_test.ts",
  "tests/server/dev_test.ts",
  "tests/tools/edge",
  "tests/tools/soak/server_test.ts",
];
/**
 * Tests with real pages and processes that look at no frame. For much of their time they wait for a
 * match, a key or a timeout.
 */
const PAGES = [
  "tests/browser/connection",
  "tests/browser/counter",
  "tests/browser/embedding_test.ts",
  "tests/browser/files",
  "tests/browser/hosted_pages_test.ts",
  "tests/browser/operators",
  "tests/browser/order",
  "tests/browser/own_page",
  "tests/browser/solo/upgrade_test.ts",
  "tests/browser/tickets",
  "tests/browser/ways",
  "tests/client/build/package",
  "tests/examples/engines_test.ts",
];

/** Gives each test of a file its time limit. */
const TIME_LIMIT = new URL("time_limit.ts", import.meta.url).pathname;

const CORES = navigator.hardwareConcurrency;

/** The groups by the flag that asks for them, with the files at the same time. */
const GROUPS = {
  // Many wait for a match to go on, so there is one more than cores
  "": { paths: ["tests"], jobs: CORES + 1 },
  // A page without a graphics card takes most of a core
  "--pages": { paths: PAGES, jobs: CORES },
  "--alone": { paths: ALONE, jobs: 1 },
} as const;
type Flag = keyof typeof GROUPS;

/** Lists all files of tests below a folder. `deno test --ignore` heeds the first path alone. */
async function testFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files.push(...await testFiles(path));
    else if (name.endsWith("_test.ts")) files.push(path);
  }
  return files.sort();
}

/** @returns the group of the longest path that contains the file */
function groupOf(file: string): Flag {
  let group: Flag = "";
  let longest = 0;
  for (const [flag, { paths }] of Object.entries(GROUPS) as [Flag, typeof GROUPS[Flag]][]) {
    for (const path of paths) {
      const contains = file === path || file.startsWith(`${path}/`);
      if (!contains || path.length <= longest) continue;
      group = flag;
      longest = path.length;
    }
  }
  return group;
}

/**
 * One call of `deno test`.
 * @param options.jobs files at the same time
 * @returns its exit code
 */
async function runTests(
  args: readonly string[],
  { jobs = 1, env = {} }: { jobs?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "-A", "--quiet", "--no-check", `--preload=${TIME_LIMIT}`],
      ...jobs > 1 ? ["--parallel"] : [],
      ...args,
    ],
    env: { DENO_JOBS: `${jobs}`, ...env },
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
  const [flag = ""] = args;
  if (flag === "--quick") {
    await buildPrograms();
    await esbuild.stop();
    return await runTests(QUICK_TESTS.flatMap(({ paths }) => paths), { jobs: CORES + 1 });
  }
  if (!Object.hasOwn(GROUPS, flag)) return await runTests(args);

  // Built here and not by each file that starts a server
  await buildPrograms();
  await build();
  const folder = await Deno.makeTempDir({ prefix: "wyvern_run_" });
  const { jobs } = GROUPS[flag as Flag];
  try {
    const files = (await testFiles("tests")).filter((file) => groupOf(file) === flag);
    return await runTests(files, { jobs, env: { [RUN_FOLDER]: folder } });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exitCode = await runSuite(Deno.args);
