/**
 * The real server as a child process, with the very permissions that `deno task serve` gives it, on a free port of this machine.
 * Everything it said is collected; nothing of it is left when `stop` returns.
 */
import { build } from "../../client/build/build.ts";
import { type ProcessResult, spawnTask, textOf } from "./task.ts";

/** Runs the server until it ends by itself, as it does when its flags are wrong. */
export async function runServer(...args: string[]): Promise<ProcessResult> {
  const child = await spawn(args);
  const [{ code }, stdout, stderr] = await Promise.all([child.status, textOf(child.stdout), textOf(child.stderr)]);
  return { code, stdout, stderr };
}

/** A server that listens. With `await using` it is stopped at the end of the block, also when a test fails. */
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
   * @param args flags; `--port 0` stands before them
   * @throws Error with all output where the server ends instead of listening
   */
  static async start(...args: string[]): Promise<ServerProcess> {
    return await ServerProcess.#listening(await spawn(["--port", "0", ...args]));
  }

  /**
   * The same for a script that runs the server of another game.
   * @param args as the script takes them; `--port 0` follows
   */
  static async startScript(script: URL, ...args: string[]): Promise<ServerProcess> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-net", "--allow-read", "--allow-env", script.href, ...args, "--port", "0"],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return await ServerProcess.#listening(child);
  }

  static async #listening(child: Deno.ChildProcess): Promise<ServerProcess> {
    const output = new Output(child);
    const line = await output.match(/^Wyvern listens on (\S+)/m);
    if (line !== undefined) return new ServerProcess(child, output, line[1]!);
    const { code } = await child.status;
    throw new Error(`the server ended with code ${code}:\n${await output.stderr}${output.stdout}`);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Everything it has said so far. */
  get stdout(): string {
    return this.#output.stdout;
  }

  /** Resolves with the first match in what it says, undefined where it ends without saying it. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray | undefined> {
    return this.#output.match(pattern);
  }

  /** Ends it and waits for its end. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<ProcessResult> {
    try {
      this.#child.kill(signal);
    } catch {
      // it has ended by itself: its code tells
    }
    const { code } = await this.#child.status;
    await this.#output.match(/$^/); // to the end of what it said
    return { code, stdout: this.stdout, stderr: await this.#output.stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }
}

/** What a process says, as it comes. */
class Output {
  readonly stderr: Promise<string>;
  readonly #lines: AsyncIterator<string>;
  stdout = "";

  constructor(child: Deno.ChildProcess) {
    this.stderr = textOf(child.stderr);
    this.#lines = child.stdout.pipeThrough(new TextDecoderStream()).values();
  }

  /** One caller at a time. */
  async match(pattern: RegExp): Promise<RegExpMatchArray | undefined> {
    for (;;) {
      const match = this.stdout.match(pattern);
      if (match !== null) return match;
      const { value, done } = await this.#lines.next();
      if (done) return undefined;
      this.stdout += value;
    }
  }
}

/** The page is built once, so that what is served is what stands in client/. */
let built: Promise<unknown> | undefined;

async function spawn(args: string[]): Promise<Deno.ChildProcess> {
  await (built ??= build());
  return await spawnTask("serve", ...args);
}
