/**
 * Reads what `deno test --quiet` prints while it runs: which tests of which file passed. Its report
 * in JUnit's format does not say so, because `time_limit.ts` defines all tests, so that they all
 * seem to be of that file.
 *
 *     one file at a time:  running 2 tests from ./FILE
 *                          Log: a name ... ok (5ms)
 *     side by side:        ./FILE => Log: a name ... FAILED (5ms)
 */

/** The names of a file's tests, without their steps and without those that are ignored. */
export interface FileResults {
  readonly passed: readonly string[];
  /** Those that failed, and those that did not run because the file broke off. */
  readonly failed: readonly string[];
}

const FILE_BEGINS = /^running \d+ tests? from (?:\.\/)?(\S+)$/;
const SIDE_BY_SIDE = /^(?:\.\/)?(\S+_test\.ts) => (.*)$/;
const RESULT =
  /^(.*?)(?: \.\.\.)? (ok|FAILED|cancelled|ignored)(?: \(due to [^)]*\))?(?: \([^)]*\))?$/;
/** After a minute this stands behind the test's name, and the result is on a line of its own. */
const RUNS_LONG = /'(.*)' has been running for over \([^)]*\)$/;
/** A file that failed outside its tests. */
const UNCAUGHT = /^Uncaught error from (?:\.\/)?(\S+) FAILED$/;
/** The description of all failures, in which nothing new is said. */
const RESULTS_END = /^ ERRORS $/;

/** A line with a result, of a test or of a step. */
interface Result {
  readonly name: string;
  readonly word: string;
}

export class TestOutput {
  readonly #results = new Map<string, Result[]>();
  #file = "";
  #longRunning = "";
  #isOver = false;

  /** Takes the next line. */
  read(line: string): void {
    this.#isOver ||= RESULTS_END.test(line);
    // A step of the tests that run one file at a time is indented.
    if (this.#isOver || line.startsWith("  ")) return;

    const beginning = FILE_BEGINS.exec(line);
    if (beginning !== null) {
      this.#file = beginning[1]!;
      return;
    }
    const uncaught = UNCAUGHT.exec(line);
    if (uncaught !== null) {
      return this.#add(uncaught[1]!, { name: "an uncaught error", word: "FAILED" });
    }
    const long = RUNS_LONG.exec(line);
    if (long !== null) {
      this.#longRunning = long[1]!;
      return;
    }

    const [, file = this.#file, text = line] = SIDE_BY_SIDE.exec(line) ?? [];
    const [, name, word] = RESULT.exec(text) ?? [];
    if (word !== undefined) this.#add(file, { name: name || this.#longRunning, word });
  }

  #add(file: string, result: Result): void {
    const results = this.#results.get(file);
    if (results === undefined) this.#results.set(file, [result]);
    else results.push(result);
  }

  /** @returns by file, relative to the folder in which deno ran */
  get files(): Map<string, FileResults> {
    return new Map(
      [...this.#results].map(([file, results]) => {
        const tests = results.filter((result, i) => !isStep(result, results.slice(i + 1)));
        const named = (isWanted: (word: string) => boolean) =>
          tests.filter(({ word }) => isWanted(word)).map(({ name }) => name);
        return [file, {
          passed: named((word) => word === "ok"),
          failed: named((word) => word === "FAILED" || word === "cancelled"),
        }];
      }),
    );
  }
}

/** Side by side, a step is named "test ... step", and comes before its test. */
function isStep({ name }: Result, later: readonly Result[]): boolean {
  return later.some((test) => name.startsWith(`${test.name} ... `));
}
