/**
 * Builds the programs, and then the pages of the hosted games, while a server starts, as `deno task
 * build --games` does. It is a process of its own, because the server needs neither the bundler nor
 * the permission to write pages.
 */
import { fileURLToPath } from "node:url";
import { UsageError } from "../../shared/flags.ts";
import { taskArgs } from "../task_command.ts";
import { linesOf } from "../ground/lines.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/**
 * How long the build may take, ms: a hundred times as long as on two quiet cores. Brotli, which
 * follows while the server already serves, is part of it.
 */
const BUILD_MS_MAX = 900_000;
/** Limits a line of the build, which prints the games' names. */
const LINE_BYTES_MAX = 1 << 16;

/** Pages that are being built. */
export interface ComingPages {
  /** Resolves when all of them can be served with gzip; with false if they do not build. */
  readonly servable: Promise<boolean>;
  /** Resolves when they can also be served with Brotli; with false if that failed. */
  readonly finished: Promise<boolean>;
}

export class PageBuild implements ComingPages {
  readonly #process: Deno.ChildProcess;
  /** Ends the process. */
  readonly #deadline: AbortSignal;
  readonly #programs = Promise.withResolvers<boolean>();
  readonly #servable = Promise.withResolvers<boolean>();
  readonly finished: Promise<boolean>;

  private constructor(process: Deno.ChildProcess, deadline: AbortSignal) {
    this.#process = process;
    this.#deadline = deadline;
    this.finished = this.#run();
  }

  /**
   * If the pages do not build, the build says why on standard error.
   * @param options.checksPlanck whether the overlays show planck (`--check-planck`)
   * @throws UsageError if this process may start no other
   */
  static async start(
    games: readonly string[],
    { checksPlanck }: { readonly checksPlanck: boolean },
  ): Promise<PageBuild> {
    const run = await Deno.permissions.query({ name: "run", command: Deno.execPath() });
    if (run.state !== "granted") {
      throw new UsageError("--build starts a process, so Deno has to run with --allow-run");
    }

    const [, ...args] = await taskArgs("build");
    const deadline = AbortSignal.timeout(BUILD_MS_MAX);
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        // `deno task` has just installed all packages.
        "--cached-only",
        "--node-modules-dir=manual",
        ...args,
        "--games",
        games.join(","),
        "--for-server",
        ...checksPlanck ? ["--check-planck"] : [],
      ],
      cwd: ROOT,
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      signal: deadline,
    });
    return new PageBuild(command.spawn(), deadline);
  }

  /** Resolves when the programs are built, with false if they do not build. */
  get programs(): Promise<boolean> {
    return this.#programs.promise;
  }

  get servable(): Promise<boolean> {
    return this.#servable.promise;
  }

  /** Stops a build that is still running. */
  stop(): void {
    try {
      this.#process.kill("SIGTERM");
    } catch {
      // It has already ended.
    }
  }

  /** The build's first line says that the programs are there, and the next that the pages are. */
  async #run(): Promise<boolean> {
    let lines = 0;
    for await (const line of linesOf(this.#process.stdout, LINE_BYTES_MAX)) {
      if (lines++ === 0) {
        this.#programs.resolve(true);
        continue;
      }
      console.log(line);
      this.#servable.resolve(true);
    }
    const { success } = await this.#process.status;
    if (this.#deadline.aborted) {
      console.error(`wyvern: the pages were not built within ${BUILD_MS_MAX / 60_000} minutes`);
    }
    this.#programs.resolve(success);
    this.#servable.resolve(success);
    return success;
  }
}
