/**
 * The server as an operator runs it: a process of `deno task serve` with that task's permissions,
 * its operators' port open, and its log in a file, on a full disk or in a pipe without a reader.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { build } from "../../../client/build/build.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { type Trap, trapLog } from "../../support/trials/trap_game.ts";
import { freePort } from "../../support/servers/public_server.ts";
import { serverPidOf, signalServer } from "../../support/servers/supervised.ts";
import { type ProcessResult, spawnTaskTo, textOf } from "../../support/task.ts";
import { longLog } from "./long_log.ts";
import { Figures } from "./figures.ts";

/** What a server needs besides its default settings. Attacks with equal setups share a server. */
export interface ServerSetup {
  readonly flags?: readonly string[];
  /** Where the log goes; by default into a file. */
  readonly log?: "file" | "full disk" | "stuck reader";
  /** How many files and sockets the process may open. */
  readonly descriptors?: number;
  /** Whether the server runs with --public, and asks for tickets. */
  readonly isPublic?: boolean;
  /** Whether it offers WebTransport. Then some of the honest players use it. */
  readonly hasDatagrams?: boolean;
  /**
   * A server for another game: its script in tests/support/servers, and the script's first
   * arguments.
   */
  readonly script?: readonly [string, ...string[]];
  /** Whether its folder contains logs of long matches, under the names in `LOG_IDS`. */
  readonly hasLongLogs?: boolean;
  /** The text of a module that decides who may come in. */
  readonly hook?: string;
  /**
   * An earlier process's matches, by their rooms. The server's game contains traps
   * (`trapped_server.ts`), which these matches meet.
   */
  readonly traps?: Readonly<Record<string, Trap>>;
  /**
   * Whether it is the first of three nodes that share matches over three nats-servers
   * (`live_cluster.ts`).
   */
  readonly isCluster?: boolean;
}

/** What a server is given as a node of a cluster. */
export interface NodePlace {
  /** The nats-servers with their password, as `--cluster` takes them. */
  readonly cluster: string;
  /** The secret that all nodes share. */
  readonly secret: string;
  /** Its own folder, as `--data` takes it. */
  readonly data: string;
}

/** The logs on a server with `hasLongLogs`: more than it prepares or sends at a time. */
export const LOG_IDS: readonly string[] = Array.from(
  { length: 12 },
  (_, i) => `20261125T${String(100_000 + i)}-CROW-0123abcd`,
);
/** How long half an hour of a full match is, bytes. */
const LONG_LOG_BYTES = 2_800_000;

/** A server with traps in its game. */
const TRAPPED_SERVER = new URL("../../support/trials/trapped_server.ts", import.meta.url);
/** A pipe holds 64 KiB, so the server's first lines no longer fit. */
const PIPE_FILLING_BYTES = 65_500;

/**
 * A server that does not answer an operator within this time hangs, ms. One that stands still for
 * 16 s answers afterwards.
 */
const ANSWER_MS_MAX = 20_000;

/** How long a server may take until it listens. */
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

  /**
   * @param node undefined for a server by itself
   * @returns a server that ticks
   * @throws Error with its output if it ends instead
   */
  static async start(
    {
      flags = [],
      log = "file",
      descriptors,
      isPublic,
      hasDatagrams,
      hasLongLogs,
      script,
      hook,
      traps,
    }: ServerSetup,
    node?: NodePlace,
  ): Promise<LiveServer> {
    await (built ??= build());
    const folder = await Deno.makeTempDir();
    const token = newSecret();
    await Deno.writeTextFile(`${folder}/token`, token);
    await Deno.writeTextFile(`${folder}/secret`, node?.secret ?? newSecret());
    if (hook !== undefined) await Deno.writeTextFile(`${folder}/hook.ts`, hook);
    const ports = [freePort(), freePort()] as const;
    const pipe = log === "stuck reader" ? await stuckPipe(`${folder}/log`) : undefined;

    // A node already has its folder, and meets traps in the log on the nats-servers.
    const data = node === undefined ? await dataOf({ hasLongLogs, script, traps }) : undefined;
    const env = node && { WYVERN_CLUSTER: node.cluster, WYVERN_DATA: node.data };
    const needsSecret = isPublic || node !== undefined;
    const child = await spawnTaskTo(
      {
        target: log === "full disk" ? "/dev/full" : `${folder}/log`,
        descriptors,
        env,
        script: traps !== undefined ? [TRAPPED_SERVER] : script &&
          [new URL(`../../support/servers/${script[0]}`, import.meta.url), ...script.slice(1)],
      },
      "serve",
      "--port",
      `${ports[0]}`,
      "--ops-port",
      `${ports[1]}`,
      "--ops-token-file",
      `${folder}/token`,
      ...isPublic ? ["--public", "--origin", `http://127.0.0.1:${ports[0]}`] : [],
      ...needsSecret ? ["--secret-file", `${folder}/secret`] : [],
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

  /** Its address without a path, as headers contain it. */
  get origin(): string {
    return new URL(this.url).origin;
  }

  get opsUrl(): string {
    return `http://127.0.0.1:${this.opsPort}/`;
  }

  /** The process that runs matches; its supervisor is above it. */
  get pid(): number {
    return serverPidOf(this.#child.pid);
  }

  /** The log so far; empty if it does not go into a file. */
  async log(): Promise<string> {
    return this.#pipe === undefined
      ? await Deno.readTextFile(`${this.#folder}/log`).catch(() => "")
      : "";
  }

  /** How much memory the process occupies, bytes; 0 after its end. */
  async residentBytes(): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this.pid}/status`).catch(() => "");
    return Number(status.match(/^VmRSS:\s+(\d+) kB/m)?.[1] ?? 0) * 1024;
  }

  /** How many files and sockets the process keeps open. */
  async descriptors(): Promise<number> {
    return (await Array.fromAsync(Deno.readDir(`/proc/${this.pid}/fd`))).length;
  }

  /** The metrics as operators read them. @throws Error if the server does not answer */
  async figures(): Promise<Figures> {
    const answer = await this.ask("metrics");
    if (!answer.ok) throw new Error(`metrics: ${answer.status} ${await answer.text()}`);
    return new Figures(await answer.text());
  }

  /** Sends an operator's request. */
  ask(path: string, options: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const headers = { authorization: `Bearer ${this.token}` };
    return fetch(this.opsUrl + path, { ...options, headers, signal });
  }

  signal(signal: Deno.Signal): void {
    signalServer(this.#child.pid, signal);
  }

  /** Stops the process and waits for its end. @returns its output if that is in a file */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<ProcessResult> {
    if (!this.hasEnded) signalServer(this.#child.pid, signal);
    const { code } = await this.#child.status;
    const stderr = await this.#stderr;
    const stdout = await this.log();
    this.#pipe?.close();
    this.#data?.[Symbol.dispose]();
    await Deno.remove(this.#folder, { recursive: true });
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }

  async #isHealthy(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}healthz`, {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}

/** A folder with logs of finished matches. */
async function longLogs(): Promise<TemporaryData> {
  const data = await TemporaryData.make();
  const log = longLog(LONG_LOG_BYTES);
  for (const id of LOG_IDS) data.write(`${id}.log`, log);
  return data;
}

/**
 * The folder of a server with matches that outlive its process; undefined for one that needs none.
 */
async function dataOf(
  { hasLongLogs, script, traps }: {
    [Name in "hasLongLogs" | "script" | "traps"]: ServerSetup[Name] | undefined;
  },
): Promise<TemporaryData | undefined> {
  if (hasLongLogs) return await longLogs();
  if (traps !== undefined) return await trapLogs(traps);
  return script === undefined ? undefined : await TemporaryData.make();
}

/** A folder with a log for each trap, as an earlier process would have left it. */
async function trapLogs(traps: Readonly<Record<string, Trap>>): Promise<TemporaryData> {
  const data = await TemporaryData.make();
  for (const [room, trap] of Object.entries(traps)) {
    data.write(`20261127T000000-${room}-0000000a.open`, trapLog(trap, { room, game: dragonGame }));
  }
  return data;
}

/** 32 secret characters. */
export function newSecret(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/**
 * A full pipe that is never read. It is opened for reading and writing, so it is never without a
 * reader.
 */
async function stuckPipe(path: string): Promise<Deno.FsFile> {
  const { code } = await new Deno.Command("mkfifo", { args: [path] }).output();
  if (code !== 0) throw new Error(`mkfifo ${path} failed`);
  const pipe = await Deno.open(path, { read: true, write: true });
  await pipe.write(new Uint8Array(PIPE_FILLING_BYTES));
  return pipe;
}
