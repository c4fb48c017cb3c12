/**
 * `deno task dev`: a development server. After a change it rebuilds the pages, and open pages
 * reload themselves (`client/build/live_reload.ts`). Only a change outside client/ restarts the
 * server, because the server uses nothing from client/ but the built pages:
 *
 *     client/              change → build → the server reads the pages again; its matches live on
 *     server/, shared/     change → build → stop → start
 *
 * Meanwhile Deno checks the types. Open pages show type errors and build errors until they are
 * mended.
 *
 * Build and server run the commands of deno.json's tasks, so that they have the same permissions as
 * in `serve`. A burst of saves needs no timer, because a build takes longer than the pause between
 * two saves.
 */
import type { SourceProblem } from "../../shared/source_problem.ts";
import { taskArgs } from "../task_command.ts";
import { Changes } from "./changes.ts";
import { buildProblems, TypeCheck } from "./problems.ts";

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
async function main(flags: string[]): Promise<number> {
  const stop = stopSignal();
  // Without `--check-planck` the overlays do not show planck (SPEC 9.91).
  const buildFlags = [...gamesArgs(flags), ...flags.filter((flag) => flag === "--check-planck")];
  const changes = new Changes();
  const server = new DevServer(flags);
  const typeCheck = new TypeCheck((problems) => server.showTypeProblems(problems));

  for (;;) {
    // New pages, and a new server if it is another one
    const isBuilt = await build(changes, { server, buildFlags });
    await typeCheck.start(changes.take());
    if (isBuilt && (changes.concernServer || !server.isRunning)) {
      changes.concernServer = false;
      await server.restart();
    } else if (isBuilt) console.log("dev: the pages are new; the server plays on");

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
  readonly #flags: string[];
  #process: Deno.ChildProcess | undefined;
  #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;
  #buildProblems: readonly SourceProblem[] = [];
  #typeProblems: readonly SourceProblem[] = [];
  /** Resolves with the process's exit code; undefined if none was started. */
  exited: Promise<number> | undefined;
  isRunning = false;

  constructor(flags: string[]) {
    this.#flags = flags;
  }

  async restart(): Promise<void> {
    await this.terminate();
    const flags = [...this.#flags, "--dev", "--check-twin", "--data", "off", "--grace", "0"];
    const command = await commandOf("serve", flags, { stdin: "piped" });
    const process = command.spawn();
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

/** A task's command without `--build`, because `dev` builds before it serves. */
async function commandOf(
  task: string,
  args: string[],
  options: Deno.CommandOptions = {},
): Promise<Deno.Command> {
  const words = (await taskArgs(task)).filter((word) => word !== "--build");
  return new Deno.Command(Deno.execPath(), {
    args: [...words, ...args],
    stdin: "null",
    ...options,
  });
}

/**
 * The games whose pages are built: those that the server will host, as far as the command line or
 * the environment says so. A config file may name any, so then all are built.
 */
function gamesArgs(flags: readonly string[]): string[] {
  const valueOf = (name: string) => {
    const at = flags.findLastIndex((flag) => flag === `--${name}` || flag.startsWith(`--${name}=`));
    if (at < 0) return Deno.env.get(`WYVERN_${name.toUpperCase()}`);
    return flags[at]!.split("=")[1] ?? flags[at + 1];
  };
  const games = valueOf("games");
  if (games !== undefined) return ["--games", games];
  return valueOf("config") === undefined ? ["--first-game"] : [];
}

/**
 * Builds until nothing changes during a build, and reports only the last build: half a burst of
 * saves may not build.
 * @returns whether the build succeeded
 */
async function build(
  changes: Changes,
  { server, buildFlags }: { server: DevServer; buildFlags: readonly string[] },
): Promise<boolean> {
  for (;;) {
    changes.reset();
    const command = await commandOf("build", ["--dev", ...buildFlags], {
      stdout: "piped",
      stderr: "piped",
    });
    const { success, stdout, stderr } = await command.output();
    if (changes.pending) continue;
    const output = new TextDecoder().decode(success ? stdout : stderr).trimEnd();
    if (success) console.log(output);
    else console.error(`dev: the page does not build; the old one stays\n${output}`);
    server.showBuild(success ? [] : buildProblems(output));
    return success;
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

if (import.meta.main) Deno.exit(await main(Deno.args));
