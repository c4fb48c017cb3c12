/** The command of the installed package at work in a project: its server, and its bots. */
import { assertEquals } from "@std/assert";
import { serverPidOf } from "../../../support/servers/supervised.ts";
import { within } from "../../../support/within.ts";
import { type OwnProject, withProject } from "./installed_package.ts";

/** The command `wyvern`, from a project's folder. */
export const COMMAND = "node_modules/wyvern/dist/command.js";
/** What builds pages. A project installs it beside the package. */
const BUNDLER = "esbuild@0.28.2";

/** Makes a project that can build pages, and removes it after `use`. */
export function withBuildingProject(use: (project: OwnProject) => Promise<void>): Promise<void> {
  return withProject(use, { beside: [BUNDLER] });
}

/**
 * Makes a game as an author does, under Node.
 * @param options.hasView whether the game gets a page
 * @returns what the command says
 */
export async function addGame(
  { folder, run }: OwnProject,
  name: string,
  { template = "side", hasView = true } = {},
): Promise<string> {
  const said = await run("node", COMMAND, "new", name, "--template", template);
  if (!hasView) await Deno.remove(`${folder}/games/${name}/view.ts`);
  return said;
}

/** The command `wyvern` under Deno, in the project's folder. */
export function denoCommand(project: OwnProject, ...args: string[]): Deno.Command {
  return denoProgram(project, COMMAND, ...args);
}

/** A program under Deno, in the project's folder. @param args Deno's flags, the program and its own */
export function denoProgram(
  { folder }: Pick<OwnProject, "folder">,
  ...args: string[]
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** What bots report. */
export interface BotsReport {
  readonly ticks: number;
  readonly rollbacks: number;
  readonly desyncs: number;
  readonly errors: number;
  readonly returns: number;
}

/**
 * Lets four bots play over a slow connection.
 * @param url the server's
 * @param options.onPlaying called each second with how many of them play
 * @throws AssertionError if the bots say that they failed
 */
export async function playBots(
  project: OwnProject,
  url: string,
  { flags = [], onPlaying = () => {} }: {
    readonly flags?: readonly string[];
    readonly onPlaying?: (count: number) => void;
  } = {},
): Promise<BotsReport> {
  const bots = denoCommand(
    project,
    ...["bots", "--url", url.replace("http", "ws").slice(0, -1)],
    ...["--clients", "4", "--seconds", "3", "--latency-ms", "100", "--json", ...flags],
  ).spawn();
  let said = "";
  const listen = async () => {
    for await (const text of bots.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      const [, count] = /(\d+) playing/.exec(text) ?? [];
      if (count !== undefined) onPlaying(Number(count));
    }
  };
  const report = new Response(bots.stdout).text();
  await listen();
  const { code } = await bots.status;
  assertEquals(code, 0, said);
  return JSON.parse((await report).trim().split("\n").at(-1)!);
}

/**
 * How long a program may take to print the next line that a test waits for, ms: ten times what a
 * build and a check of types take on a busy machine.
 */
export const LINE_MS_MAX = 300_000;

/** A program of the command that serves. With `await using` it ends with the block. */
export class OwnServer implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = "";
  #read = 0;
  #arrived = Promise.withResolvers<void>();
  /** Where it listened first. */
  url = "";

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#ended = Promise.all([this.#collect(process.stdout), this.#collect(process.stderr)]);
  }

  /**
   * Starts a server on any free port.
   * @param args of the command: "serve" and flags
   * @throws Error with its output if it ends before it listens
   */
  static start(project: OwnProject, ...args: string[]): Promise<OwnServer> {
    return OwnServer.run(denoCommand(project, ...args, "--port", "0"));
  }

  /** The same for a program that hosts games. */
  static async run(command: Deno.Command): Promise<OwnServer> {
    const server = new OwnServer(command.spawn());
    try {
      const [, url] = await server.waitFor(/Wyvern listens on (http:\S+\/)/);
      server.url = url!;
    } catch (error) {
      // The caller has nothing yet that would end it.
      await server[Symbol.asyncDispose]();
      throw error;
    }
    // A program's own lines may stand before those of its server's log.
    server.#read = 0;
    return server;
  }

  /** All output so far. */
  get output(): string {
    return this.#output;
  }

  /**
   * Waits for a match in the output after the last one.
   * @throws Error with all output if the program ends before, or prints none within `LINE_MS_MAX`
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    try {
      return await within(this.#printed(pattern), { what: "the line", ms: LINE_MS_MAX });
    } catch (error) {
      throw new Error(`it never printed ${pattern}:\n${this.#output}`, { cause: error });
    }
  }

  async #printed(pattern: RegExp): Promise<RegExpExecArray> {
    let hasEnded = false;
    for (;;) {
      const match = pattern.exec(this.#output.slice(this.#read));
      if (match !== null) {
        this.#read += match.index + match[0].length;
        return match;
      }
      if (hasEnded) throw new Error("it has ended");
      hasEnded = await Promise.race([
        this.#arrived.promise.then(() => false),
        this.#ended.then(() => true),
      ]);
    }
  }

  /** Kills the process that runs matches, and no other. */
  killMatches(): void {
    Deno.kill(serverPidOf(this.#process.pid), "SIGKILL");
  }

  /** @returns its exit code */
  async stop(): Promise<number> {
    this.#process.kill("SIGTERM");
    return await this.ended();
  }

  /** Waits until it ends by itself. @returns its exit code */
  async ended(): Promise<number> {
    const { code } = await this.#process.status;
    await this.#ended;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } catch {
      // It has already ended.
    }
    await this.#ended;
  }

  async #collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.#output += text;
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    }
  }
}
