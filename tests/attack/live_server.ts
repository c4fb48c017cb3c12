/**
 * The server as an operator runs it: a process of `deno task serve` with the permissions of that task, its operators'
 * port open, and its log in a file, on a full disk or in a pipe that nobody reads.
 */
import { build } from "../../client/build/build.ts";
import { freePort } from "../support/servers/public_server.ts";
import { type ProcessResult, spawnTaskTo, textOf } from "../support/task.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { longLog } from "./long_log.ts";
import { Figures } from "./figures.ts";

/** What a server needs besides its default settings. Attacks with equal setups share a server. */
export interface ServerSetup {
  readonly flags?: readonly string[];
  /** Where the log goes; by default into a file. */
  readonly log?: "file" | "full disk" | "stuck reader";
  /** Files and sockets that the process may have open. */
  readonly descriptors?: number;
  /** Whether it is a server of --public, which wants tickets. */
  readonly isPublic?: boolean;
  /** Whether it has WebTransport. Then some of the honest players play by it. */
  readonly hasDatagrams?: boolean;
  /** Whether its folder has logs of long matches, under the names of `LOG_IDS`. */
  readonly hasLongLogs?: boolean;
  /** The text of a module that decides who may come in. */
  readonly hook?: string;
}

/** The logs of a server with `hasLongLogs`: more than it prepares or sends at a time. */
export const LOG_IDS: readonly string[] = Array.from(
  { length: 12 },
  (_, i) => `20261125T${String(100_000 + i)}-CROW-0123abcd`,
);
/** Half an hour of a full match has so many bytes. */
const LONG_LOG_BYTES = 2_800_000;

/** A pipe holds 64 KiB. The server's first lines do not fit any more. */
const PIPE_FILLING_BYTES = 65_500;

/** A server that answers no operator within this time, ms, hangs. One that stands still for 16 s answers afterwards. */
const ANSWER_MS_MAX = 20_000;

/** How long a server may take to listen. */
const START_SECONDS_MAX = 30;

/** The page is built once, so that the server serves the page of the present sources. */
let built: Promise<unknown> | undefined;

export class LiveServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #stderr: Promise<string>;
  readonly #folder: string;
  readonly #data: TemporaryData | undefined;
  readonly port: number;
  readonly opsPort: number;
  /** The operators' token. */
  readonly token: string;
  readonly #pipe: Deno.FsFile | undefined;
  /** Whether the process has ended. */
  hasEnded = false;

  private constructor(
    child: Deno.ChildProcess,
    { folder, data, ports, token, pipe }: {
      folder: string;
      data: TemporaryData | undefined;
      ports: readonly [number, number];
      token: string;
      pipe: Deno.FsFile | undefined;
    },
  ) {
    this.#child = child;
    this.#folder = folder;
    this.#data = data;
    [this.port, this.opsPort] = ports;
    this.token = token;
    this.#pipe = pipe;
    this.#stderr = textOf(child.stderr);
    void child.status.then(() => this.hasEnded = true);
  }

  /** @returns a server that ticks @throws Error with its output if it ends instead */
  static async start(
    { flags = [], log = "file", descriptors, isPublic, hasDatagrams, hasLongLogs, hook }: ServerSetup,
  ): Promise<LiveServer> {
    await (built ??= build());
    const folder = await Deno.makeTempDir(), token = newSecret();
    await Deno.writeTextFile(`${folder}/token`, token);
    await Deno.writeTextFile(`${folder}/secret`, newSecret());
    if (hook !== undefined) await Deno.writeTextFile(`${folder}/hook.ts`, hook);
    const ports = [freePort(), freePort()] as const;
    const data = hasLongLogs ? await longLogs() : undefined;
    const pipe = log === "stuck reader" ? await stuckPipe(`${folder}/log`) : undefined;
    const child = await spawnTaskTo(
      { target: log === "full disk" ? "/dev/full" : `${folder}/log`, descriptors },
      "serve",
      ...["--port", `${ports[0]}`, "--ops-port", `${ports[1]}`, "--ops-token-file", `${folder}/token`],
      ...isPublic ? ["--public", "--origin", `http://127.0.0.1:${ports[0]}`, "--secret-file", `${folder}/secret`] : [],
      ...hasDatagrams ? ["--datagrams", "on"] : [],
      ...hook === undefined ? [] : ["--authorise", `${folder}/hook.ts`],
      ...data === undefined ? [] : ["--data", data.folder],
      ...flags,
    );
    const server = new LiveServer(child, { folder, data, ports, token, pipe });
    const endMs = performance.now() + START_SECONDS_MAX * 1000;
    while (!await server.#isHealthy()) {
      if (server.hasEnded || performance.now() > endMs) {
        const { code, stderr, stdout } = await server.stop("SIGKILL");
        throw new Error(`the server did not start (${code}): ${stderr}${stdout}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  get opsUrl(): string {
    return `http://127.0.0.1:${this.opsPort}/`;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The log so far; empty if it does not go into a file. */
  async log(): Promise<string> {
    return this.#pipe === undefined ? await Deno.readTextFile(`${this.#folder}/log`).catch(() => "") : "";
  }

  /** Memory of the process in its machine, bytes; 0 after its end. */
  async residentBytes(): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this.pid}/status`).catch(() => "");
    return Number(status.match(/^VmRSS:\s+(\d+) kB/m)?.[1] ?? 0) * 1024;
  }

  /** Files and sockets that the process has open. */
  async descriptors(): Promise<number> {
    return (await Array.fromAsync(Deno.readDir(`/proc/${this.pid}/fd`))).length;
  }

  /** The metrics as operators read them. @throws Error if the server does not answer */
  async figures(): Promise<Figures> {
    const answer = await this.ask("metrics");
    if (!answer.ok) throw new Error(`metrics: ${answer.status} ${await answer.text()}`);
    return new Figures(await answer.text());
  }

  /** A request of an operator. */
  ask(path: string, options: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX), headers = { authorization: `Bearer ${this.token}` };
    return fetch(this.opsUrl + path, { ...options, headers, signal });
  }

  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Stops the process and waits for its end. @returns its output if that is in a file */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<ProcessResult> {
    if (!this.hasEnded) this.#child.kill(signal);
    const { code } = await this.#child.status, stderr = await this.#stderr, stdout = await this.log();
    this.#pipe?.close();
    await Deno.remove(this.#folder, { recursive: true });
    this.#data?.[Symbol.dispose]();
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }

  async #isHealthy(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}

/** A folder with logs of matches that are over. */
async function longLogs(): Promise<TemporaryData> {
  const data = await TemporaryData.make(), log = longLog(LONG_LOG_BYTES);
  for (const id of LOG_IDS) data.write(`${id}.log`, log);
  return data;
}

/** 32 characters that nobody knows. */
function newSecret(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** A pipe that is full. Opened for reading and writing, it is never without a reader, and nobody reads. */
async function stuckPipe(path: string): Promise<Deno.FsFile> {
  const { code } = await new Deno.Command("mkfifo", { args: [path] }).output();
  if (code !== 0) throw new Error(`mkfifo ${path} failed`);
  const pipe = await Deno.open(path, { read: true, write: true });
  await pipe.write(new Uint8Array(PIPE_FILLING_BYTES));
  return pipe;
}
