/**
 * A second chance for the tests of a group. A test may fail because the machine is busy with the
 * tests beside it, which says nothing against the commit. So files with a failed test run once more
 * after the group, each alone, and the second run decides. Each test that failed beside others and
 * passed alone is named in the output, because it still has to be mended.
 *
 *     the group's result = the first run's − these files' first results + their second results
 */
import { interruptible } from "./interruptible.ts";
import { type FileResults, TestOutput } from "./test_output.ts";

/** With more files than this, the commit is at fault, and a second run would only take time. */
const SECOND_CHANCES_MAX = 5;
/** deno's exit code for failed tests. */
const EXIT_FAILED = 1;

/** deno's last line of a run: "ok | 12 passed (3 steps) | 0 failed (4s)". */
const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed( \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(.*)$/;
/** How such a line begins. */
const SUMMARY_STARTS = ["ok | ", "FAILED | "];

/** Gives each test of a file its time limit. */
const TIME_LIMIT = new URL("time_limit.ts", import.meta.url).pathname;

/** One call of `deno test`. */
interface TestRun {
  /** Arguments of `deno`, without files. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface GroupOptions {
  /** Files at the same time. */
  readonly jobs: number;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes the output; by default standard output does. */
  readonly print?: (text: string) => void;
}

/** What each call of `deno test` has. @param jobs files at the same time */
export function testRun(jobs: number, env: Readonly<Record<string, string>> = {}): TestRun {
  return {
    args: [
      ...["test", "-A", "--quiet", "--no-check", `--preload=${TIME_LIMIT}`],
      ...jobs > 1 ? ["--parallel"] : [],
    ],
    env: { DENO_JOBS: `${jobs}`, ...env },
  };
}

/** What a run has shown. */
interface Outcome {
  readonly code: number;
  readonly isInterrupted: boolean;
  /** deno's last line; undefined if it ended without one. */
  readonly summary: string | undefined;
  /** By file. */
  readonly files: ReadonlyMap<string, FileResults>;
}

/**
 * Runs files of tests, and those with a failed test again, alone. It prints deno's output with a
 * single summary in deno's words at the end, which counts each test once.
 * @returns an exit code: 0 if each file has passed, at first or alone
 */
export async function runGroup(
  files: readonly string[],
  { jobs, env, print = printToOutput }: GroupOptions,
): Promise<number> {
  const first = await runOnce(files, { run: testRun(jobs, env), print });
  const counts = first.summary === undefined ? undefined : SUMMARY.exec(first.summary);
  const failedFiles = [...first.files.keys()].filter((file) =>
    first.files.get(file)!.failed.length > 0
  );

  const hasSecondChance = first.code === EXIT_FAILED && !first.isInterrupted && counts &&
    failedFiles.length > 0 && failedFiles.length <= SECOND_CHANCES_MAX &&
    // Otherwise something failed that no file accounts for.
    countOf(first, "failed") === Number(counts[3]) &&
    countOf(first, "passed") === Number(counts[1]);
  if (!hasSecondChance) {
    if (failedFiles.length > SECOND_CHANCES_MAX) {
      print(`\nno second chance: ${failedFiles.length} files have failed tests\n`);
    }
    if (first.summary !== undefined) print(`${first.summary}\n`);
    return first.code;
  }

  // The second run of each failed file, and what it changes
  let passed = Number(counts[1]);
  let failed = Number(counts[3]);
  const forgiven: string[] = [];
  for (const file of failedFiles) {
    print(`\nsecond chance, alone: ${file}\n`);
    const second = await runOnce([file], { run: testRun(1, env), print });
    if (second.isInterrupted) {
      print(`${first.summary}\n`);
      return second.code;
    }
    const before = first.files.get(file)!;
    const after = afterwards(second, file);
    passed += after.passed.length - before.passed.length;
    failed += after.failed.length - before.failed.length;
    const stillFailed = new Set(after.failed);
    const nowPassed = before.failed.filter((name) => !stillFailed.has(name));
    forgiven.push(...nowPassed.map((name) => `${name} (${file})`));
  }

  const [, , steps = "", , rest = ""] = counts;
  const circumstance = jobs > 1 ? "failed beside others" : "failed after others";
  print("\n");
  for (const test of forgiven) print(`${circumstance}, passed alone: ${test}\n`);
  print(`${failed === 0 ? "ok" : "FAILED"} | ${passed} passed${steps} | ${failed} failed${rest}\n`);
  return failed === 0 ? 0 : EXIT_FAILED;
}

function countOf({ files }: Outcome, which: keyof FileResults): number {
  return [...files.values()].reduce((sum, results) => sum + results[which].length, 0);
}

/** What the second run says of its file. A run that breaks off is a failure of its own. */
function afterwards({ code, files }: Outcome, file: string): FileResults {
  const results = files.get(file) ?? { passed: [], failed: [] };
  return code === 0 || results.failed.length > 0
    ? results
    : { ...results, failed: ["the run ended early"] };
}

/** Runs files, and prints all that deno says but the summary. */
async function runOnce(
  files: readonly string[],
  { run: { args, env }, print }: { run: TestRun; print: (text: string) => void },
): Promise<Outcome> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, ...files],
    env,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const tests = new TestOutput();
  const output = new HeldSummary(print, (line) => tests.read(line));
  const reading = (async () => {
    const text = child.stdout.pipeThrough(new TextDecoderStream());
    for await (const chunk of text) output.write(chunk);
    output.end();
  })();
  const { code, isInterrupted } = await interruptible(child);
  await reading;
  return { code, isInterrupted, summary: output.summary, files: tests.files };
}

/** Passes text on as it comes, except summaries. The last one is kept. */
class HeldSummary {
  readonly #print: (text: string) => void;
  readonly #onLine: (line: string) => void;
  /** The line that has not ended yet, and how much of it is printed. */
  #line = "";
  #printed = 0;
  summary: string | undefined;

  constructor(print: (text: string) => void, onLine: (line: string) => void) {
    this.#print = print;
    this.#onLine = onLine;
  }

  write(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop()!;
    for (const line of lines) this.#endLine(line);
    // deno prints a test's name before it runs, and its result behind it.
    if (!mayBeSummary(this.#line)) this.#printFrom(this.#line);
  }

  end(): void {
    if (this.#line !== "") this.#endLine(this.#line);
    this.#line = "";
  }

  #endLine(line: string): void {
    if (SUMMARY.test(line)) this.summary = line;
    else this.#printFrom(`${line}\n`);
    this.#printed = 0;
    this.#onLine(line);
  }

  #printFrom(text: string): void {
    this.#print(text.slice(this.#printed));
    this.#printed = text.length;
  }
}

function mayBeSummary(part: string): boolean {
  return SUMMARY_STARTS.some((start) => start.startsWith(part) || part.startsWith(start));
}

function printToOutput(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) {
    written += Deno.stdout.writeSync(bytes.subarray(written));
  }
}
