/**
 * The real server as a child process on a free port of this machine, with the permissions that
 * `deno task serve` gives it. It collects all output. When `stop` returns, the process has ended.
 */
import { builtPage } from "../built_page.ts";
import { serverPidOf, signalServer } from "./supervised.ts";
import {
  type ProcessResult,
  spawnTaskLimited,
  spawnTaskWith,
  TASK_ENVIRONMENT,
  textOf,
} from "../task.ts";

/** Runs the server until it ends by itself, for example because a flag is wrong. */
export async function runServer(...args: string[]): Promise<ProcessResult> {
  const child = await spawn(args);
  const [{ code }, stdout, stderr] = await Promise.all([
    child.status,
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  return { code, stdout, stderr: stderr.replace(DENO_WAITS, "") };
}

/** What deno itself says when another deno of this project starts at the same time. */
const DENO_WAITS = /^Blocking waiting for file lock on node_modules directory\n/;

/** Those of `deno task serve`, and all variables. */
const SCRIPT_PERMISSIONS = [
  "--allow-net",
  "--allow-read",
  "--allow-write=data",
  "--allow-run",
  "--allow-env",
];

/**
 * A server that listens. With `await using` it is stopped at the end of the block, also when a test
 * fails.
 */
export class ServerProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: Output;
  readonly url: string;

  private constructor(child: Deno.ChildProcess, output: Output, url: string) {
    this.#child = child;
    this.#output = output;
    this.url = url;
  }

  /**
   * @param args flags, appended to `--port 0`
   * @throws Error with all output if the server ends instead of listening
   */
  static async start(...args: string[]): Promise<ServerProcess> {
    return await ServerProcess.#listening(await spawn(["--port", "0", ...args]));
  }

  /** The same with variables of its environment. */
  static async startWith(
    env: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<ServerProcess> {
    return await ServerProcess.#listening(await spawn(["--port", "0", ...args], env));
  }

  /** The same without permission to start programs, so that it has no supervisor. */
  static async startUnsupervised(...args: string[]): Promise<ServerProcess> {
    await builtPage();
    const permissions = SCRIPT_PERMISSIONS.filter((permission) => permission !== "--allow-run");
    return await ServerProcess.#listening(spawnMain({ permissions, args }));
  }

  /**
   * The same as a service, with the variables that systemd sets.
   * @param folder where it may make a socket
   */
  static async startManaged(
    folder: string,
    env: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<ServerProcess> {
    await builtPage();
    const permissions = SCRIPT_PERMISSIONS.map((permission) => (
      permission.startsWith("--allow-write") ? `${permission},${folder}` : permission
    ));
    return await ServerProcess.#listening(spawnMain({ permissions, env, args }));
  }

  /**
   * The same for a script that runs the server of another game.
   * @param args as the script takes them; `--port 0` follows unless they name a port
   */
  static startScript(script: URL, ...args: string[]): Promise<ServerProcess> {
    return ServerProcess.startScriptWith({}, script, ...args);
  }

  /** The same with variables of its environment. */
  static async startScriptWith(
    env: Readonly<Record<string, string>>,
    script: URL,
    ...args: string[]
  ): Promise<ServerProcess> {
    const port = args.includes("--port") ? [] : ["--port", "0"];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", ...SCRIPT_PERMISSIONS, script.href, ...args, ...port],
      env: { ...TASK_ENVIRONMENT, ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return await ServerProcess.#listening(child);
  }

  /**
   * The same on a disk that is full soon: none of its files may be longer. A write beyond fails, as
   * on a full disk.
   * @param blocks of 512 bytes
   */
  static async startWithFileLimit(blocks: number, ...args: string[]): Promise<ServerProcess> {
    await builtPage();
    return await ServerProcess.#listening(
      await spawnTaskLimited(blocks, "serve", "--port", "0", ...args),
    );
  }

  static async #listening(child: Deno.ChildProcess): Promise<ServerProcess> {
    const output = new Output(child);
    const line = await output.match(/^Wyvern listens on (\S+)/m);
    if (line !== undefined) return new ServerProcess(child, output, line[1]!);
    const { code } = await child.status;
    throw new Error(`the server ended with code ${code}:\n${await output.stderr}${output.stdout}`);
  }

  /** The process that runs matches; its supervisor is above it. */
  get pid(): number {
    return serverPidOf(this.#child.pid);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** All standard output so far. */
  get stdout(): string {
    return this.#output.stdout;
  }

  /** @returns the first match in the output, or undefined if the process ends without one */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray | undefined> {
    return this.#output.match(pattern);
  }

  /**
   * @returns the match in the output that is the n-th, or undefined if the process ends without it
   * @param pattern with g
   */
  async waitForNth(pattern: RegExp, n: number): Promise<RegExpMatchArray | undefined> {
    return await this.#output.until((text) => [...text.matchAll(pattern)][n - 1]);
  }

  /** Sends a signal and does not wait: SIGSTOP and SIGCONT pause the server. */
  signal(signal: Deno.Signal): void {
    signalServer(this.#child.pid, signal);
  }

  /** Kills the supervisor alone. */
  killSupervisor(): void {
    this.#child.kill("SIGKILL");
  }

  /** Stops the process and waits for its end. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<ProcessResult> {
    try {
      signalServer(this.#child.pid, signal);
    } catch {
      // It has already ended, as its exit code shows.
    }
    return await this.ended();
  }

  /** Waits for the end of a process that ends by itself. */
  async ended(): Promise<ProcessResult> {
    const { code } = await this.#child.status;
    await this.#output.match(/$^/); // reads to the end of the output
    return { code, stdout: this.stdout, stderr: await this.#output.stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }
}

/** A process' output as it arrives. */
class Output {
  readonly stderr: Promise<string>;
  readonly #lines: AsyncIterator<string>;
  stdout = "";

  constructor(child: Deno.ChildProcess) {
    this.stderr = textOf(child.stderr);
    this.#lines = child.stdout.pipeThrough(new TextDecoderStream()).values();
  }

  /** Only one call may wait at a time. */
  match(pattern: RegExp): Promise<RegExpMatchArray | undefined> {
    return this.until((text) => text.match(pattern) ?? undefined);
  }

  /** The same for whatever is looked for. */
  async until<Found>(find: (text: string) => Found | undefined): Promise<Found | undefined> {
    for (;;) {
      const found = find(this.stdout);
      if (found !== undefined) return found;
      const { value, done } = await this.#lines.next();
      if (done) return undefined;
      this.stdout += value;
    }
  }
}

/** Starts the program itself. */
function spawnMain(
  { permissions, env = {}, args }: {
    permissions: readonly string[];
    env?: Readonly<Record<string, string>>;
    args: readonly string[];
  },
): Deno.ChildProcess {
  const main = new URL("../../../server/main.ts", import.meta.url);
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, main.href, "--port", "0", ...args],
    env: { ...TASK_ENVIRONMENT, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function spawn(
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Deno.ChildProcess> {
  await builtPage();
  return await spawnTaskWith(env, "serve", ...args);
}
