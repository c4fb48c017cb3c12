/** Finds mistakes in the sources, in esbuild's output and by checking the types with Deno. */
import type { SourceProblem } from "../../shared/source_problem.ts";

/** Later problems usually follow from the first ones. */
const PROBLEMS_MAX = 20;

const BUILD_ERROR = /^(\S+):(\d+):(\d+): ERROR: (.*)$/gm;
const TYPE_ERROR = /^TS\d+ \[ERROR\]: (.*)$/m;
const PLACE = /^ {4}at (\S+):(\d+):(\d+)$/m;

/** Reads the errors in esbuild's output. */
export function buildProblems(output: string): readonly SourceProblem[] {
  const errors = [...output.matchAll(BUILD_ERROR)].slice(0, PROBLEMS_MAX);
  return errors.map(([, file, line, column, message]) => ({
    file: file!,
    line: Number(line),
    column: Number(column) + 1,
    message: message!,
  }));
}

/**
 * Reads the errors in `deno check`'s output.
 * @param root the project's folder, as Deno writes it before paths
 */
export function typeProblems(output: string, root: URL): readonly SourceProblem[] {
  const problems: SourceProblem[] = [];
  for (const part of output.split(/^(?=TS\d+ \[ERROR\])/m)) {
    const [, message] = part.match(TYPE_ERROR) ?? [];
    const [, file, line, column] = part.match(PLACE) ?? [];
    if (message === undefined || file === undefined) continue;

    problems.push({
      file: file.replace(root.href, ""),
      line: Number(line),
      column: Number(column),
      message,
    });
  }
  return problems.slice(0, PROBLEMS_MAX);
}

/**
 * Checks the types in a process of its own: first of all sources, later of those that change and
 * those with problems, because the whole project takes ten seconds of a core. A new check ends an
 * older one, whose result counts no more.
 */
export class TypeCheck {
  readonly #root: URL;
  readonly #onResult: (problems: readonly SourceProblem[]) => void;
  #process: Deno.ChildProcess | undefined;
  /** What the next check has to look at: folders, or files that are left from checks that ended. */
  #unchecked: Set<string>;

  constructor(
    { root, folders }: { readonly root: URL; readonly folders: readonly string[] },
    onResult: (problems: readonly SourceProblem[]) => void,
  ) {
    this.#root = root;
    this.#unchecked = new Set(folders);
    this.#onResult = onResult;
  }

  /** Begins a check. @param changed paths of sources that have changed since the last one */
  async start(changed: readonly string[]): Promise<void> {
    this.stop();
    for (const path of changed) if (path.endsWith(".ts")) this.#unchecked.add(path);
    const paths = await presentOf(this.#unchecked);
    if (paths.length === 0) return;

    const process = this.#process = new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", ...paths],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    void process.output().then(({ stderr }) => {
      if (this.#process !== process) return;
      this.#process = undefined;
      const problems = typeProblems(new TextDecoder().decode(stderr), this.#root);
      this.#unchecked = new Set(problems.map(({ file }) => file));
      this.#onResult(problems);
    });
  }

  stop(): void {
    try {
      this.#process?.kill("SIGTERM");
    } catch {
      // It has already ended.
    }
    this.#process = undefined;
  }
}

/** The paths that are still there: a file may have been removed since it changed. */
async function presentOf(paths: Iterable<string>): Promise<string[]> {
  const present: string[] = [];
  for (const path of paths) {
    try {
      await Deno.stat(path);
      present.push(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return present;
}
