/**
 * A development server, of this project or of one's own (`DevProject`). After a change it rebuilds
 * the pages, and open pages reload themselves (`client/build/live_reload.ts`). The server restarts
 * only if the change concerns it:
 *
 *     a page alone     change → build → the server reads the pages again; its matches live on
 *     anything else    change → build → stop → start
 *
 * Meanwhile Deno checks the types. Open pages show type errors and build errors until they are
 * mended. A burst of saves needs no timer, because a build takes longer than the pause between two
 * saves.
 */
import type { SourceProblem } from "../../shared/source_problem.ts";
import { Changes } from "./changes.ts";
import { buildProblems, TypeCheck } from "./problems.ts";

/** What is developed. */
export interface DevProject {
  /** Its folder, a URL that ends with a slash. Problems name files from there. */
  readonly root: URL;
  /** The folders whose sources are watched, and checked for their types. */
  readonly folders: readonly string[];
  /** Deno's arguments to build the pages. */
  buildArgs(): Promise<readonly string[]>;
  /** Deno's arguments to serve the built pages, before the server's flags. */
  serveArgs(): Promise<readonly string[]>;
  /**
   * Whether the running server is not that of the present sources. Called after each build.
   * @param change what has changed since it started, and what the build printed
   */
  isStale(change: { readonly paths: readonly string[]; readonly built: string }): boolean;
}

/**
 * Exit codes after which a restart would end the same way: after `--help`, and after wrong flags or
 * a port in use.
 */
const FINAL_EXIT_CODES: ReadonlySet<number> = new Set([0, 2]);

/**
 * Serves until SIGTERM or SIGINT.
 * @param flags for `serve`
 * @returns the process's exit code
 */
export async function runDevServer(project: DevProject, flags: readonly string[]): Promise<number> {
  const stop = stopSignal();
  const changes = new Changes(project.folders);
  const server = new DevServer(project, flags);
  const typeCheck = new TypeCheck(project, (problems) => server.showTypeProblems(problems));
  /** Sources that have changed since the server started. */
  let paths: string[] = [];

  for (;;) {
    // New pages, and a new server if it is another one
    const built = await build(changes, { project, server });
    const changed = changes.take();
    paths = [...new Set([...paths, ...changed])];
    await typeCheck.start(changed);
    const isStale = built !== undefined && project.isStale({ paths, built });
    if (built !== undefined && (isStale || !server.isRunning)) {
      paths = [];
      await server.restart();
    } else if (built !== undefined) console.log("dev: the pages are new; the server plays on");

    // Until a change, a signal, or the server's end
    let event = await Promise.race([stop, changes.next, server.exited ?? stop]);
    if (typeof event === "number") {
      if (FINAL_EXIT_CODES.has(event)) return event;
      console.error(`dev: the server ended with code ${event}; a change starts it again`);
      event = await Promise.race([stop, changes.next]);
    }
    if (event === STOP) {
      typeCheck.stop();
      await server.terminate();
      return 0;
    }
    console.log(`dev: ${event} has changed`);
  }
}

/**
 * The server's process. It receives the sources' problems as a line on its standard input
 * (`dev_input.ts`).
 */
class DevServer {
  readonly #project: DevProject;
  readonly #flags: readonly string[];
  #process: Deno.ChildProcess | undefined;
  #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;
  #buildProblems: readonly SourceProblem[] = [];
  #typeProblems: readonly SourceProblem[] = [];
  /** Resolves with the process's exit code; undefined if none was started. */
  exited: Promise<number> | undefined;
  isRunning = false;

  constructor(project: DevProject, flags: readonly string[]) {
    this.#project = project;
    this.#flags = flags;
  }

  async restart(): Promise<void> {
    await this.terminate();
    const flags = [...this.#flags, "--dev", "--check-twin", "--data", "off", "--grace", "0"];
    const process = new Deno.Command(Deno.execPath(), {
      args: [...await this.#project.serveArgs(), ...flags],
      stdin: "piped",
    }).spawn();
    this.#process = process;
    this.#input = process.stdin.getWriter();
    this.isRunning = true;
    this.exited = process.status.then(({ code }) => {
      if (this.#process === process) this.isRunning = false;
      return code;
    });
    this.#send();
  }

  /** @returns when the process has ended */
  async terminate(): Promise<void> {
    try {
      this.#process?.kill("SIGTERM");
    } catch {
      // It has already ended.
    }
    await this.#process?.status;
  }

  /** Makes the server read the pages again, and open pages show these build problems. */
  showBuild(problems: readonly SourceProblem[]): void {
    this.#buildProblems = problems;
    this.#send();
  }

  showTypeProblems(problems: readonly SourceProblem[]): void {
    this.#typeProblems = problems;
    for (const { file, line, column, message } of problems) {
      console.error(`dev: ${file}:${line}:${column} ${message}`);
    }
    this.#send();
  }

  #send(): void {
    if (!this.isRunning) return;
    const problems = this.#buildProblems.length > 0 ? this.#buildProblems : this.#typeProblems;
    const line = new TextEncoder().encode(`${JSON.stringify({ problems })}\n`);
    // A process that has just ended reads no more.
    this.#input?.write(line).catch(() => {});
  }
}

/**
 * Builds until nothing changes during a build, and reports only the last build: half a burst of
 * saves may not build.
 * @returns what the build printed; undefined if it failed
 */
async function build(
  changes: Changes,
  { project, server }: { project: DevProject; server: DevServer },
): Promise<string | undefined> {
  for (;;) {
    changes.reset();
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...await project.buildArgs()],
      stdin: "null",
    }).output();
    if (changes.pending) continue;
    const output = new TextDecoder().decode(success ? stdout : stderr).trimEnd();
    if (success) console.log(output);
    else console.error(`dev: the page does not build; the old one stays\n${output}`);
    server.showBuild(success ? [] : buildProblems(output));
    return success ? output : undefined;
  }
}

/** Cannot be a path, because no path is empty. */
const STOP = "";

/**
 * Resolves with the first stop signal. Later signals are ignored, so that no server process is left
 * behind.
 */
function stopSignal(): Promise<typeof STOP> {
  const { promise, resolve } = Promise.withResolvers<typeof STOP>();
  // Windows has no SIGTERM.
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGTERM", "SIGINT"];
  for (const signal of signals) Deno.addSignalListener(signal, () => resolve(STOP));
  return promise;
}
