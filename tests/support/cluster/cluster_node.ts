/**
 * One node of a real cluster: the server as a process of its own, with a line to each of the log's
 * servers.
 */
import { Proxy } from "../proxy.ts";
import { TemporaryData } from "../logs/temporary_data.ts";
import { ServerProcess } from "../servers/server_process.ts";
import type { MachineClock } from "../servers/shifted_server.ts";
import { brokenLinesIn, NODE_LINE, pidOf } from "./node_output.ts";

const SHIFTED = new URL("../servers/shifted_server.ts", import.meta.url);

/** The same on all nodes of a test. */
export const SECRET = "a secret of all nodes of this test alone";

/** A process with matches. */
export interface NodeProcess {
  /** As the log's records name it. */
  readonly name: string;
  /** Its number on its machine; undefined if it is the only process. */
  readonly worker: number | undefined;
  /** Its port for sockets. */
  readonly port: number;
  /** When it was started, ms on the clock of `performance.now`. */
  readonly startedMs: number;
  /** What it has printed since, without its number. */
  readonly stdout: string;
}

export class ClusterNode implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #data: TemporaryData;
  readonly #lines: readonly Proxy[];
  #isStopped = false;
  /** When its process was started, ms on the clock of `performance.now`. */
  readonly startedMs: number;
  /** As the log's records name its first process. */
  readonly name: string;

  private constructor(
    process: ServerProcess,
    { data, lines, startedMs }: { data: TemporaryData; lines: readonly Proxy[]; startedMs: number },
  ) {
    this.#process = process;
    this.#data = data;
    this.#lines = lines;
    this.startedMs = startedMs;
    this.name = process.stdout.match(/ node (?:worker=\d+ )?node=([0-9a-f]{16})/)?.[1] ?? "";
  }

  /**
   * @param ports of the log's servers on this machine
   * @param options.port the port for players; by default any free one
   * @param options.npcs how many NPCs a match has; by default 4
   * @param options.archive the folder of `--archive`; by default there is none
   * @param options.flags further ones
   * @param options.secret by default that of all nodes of a test
   * @param options.clock that of its machine; by default the right one
   * @throws Error with its output if it ends instead of listening
   */
  static async start(
    ports: readonly number[],
    { port = 0, npcs = 4, archive, flags = [], secret = SECRET, clock }: {
      port?: number;
      npcs?: number;
      archive?: string;
      flags?: readonly string[];
      secret?: string;
      clock?: MachineClock;
    } = {},
  ): Promise<ClusterNode> {
    const data = await TemporaryData.make();
    const lines = ports.map((port) => new Proxy(port));
    const servers = lines.map(({ port }) => `nats://127.0.0.1:${port}`).join(",");
    const env = { WYVERN_SECRET: secret, WYVERN_DATA: data.folder, WYVERN_CLUSTER: servers };
    const archived = archive === undefined ? [] : ["--archive", archive];
    const startedMs = performance.now();
    let process: ServerProcess;

    try {
      const own = ["--npcs", String(npcs), "--port", String(port), ...archived, ...flags];
      process = clock === undefined
        ? await ServerProcess.startWith(env, ...own)
        : await ServerProcess.startScriptWith(env, SHIFTED, JSON.stringify(clock), ...own);
    } catch (error) {
      await release(data, lines);
      throw error;
    }

    await process.waitForOutput(/ node (worker=\d+ )?node=[0-9a-f]{16}/);
    const node = new ClusterNode(process, { data, lines, startedMs });

    // From now on all output is read as it comes.
    void process.waitForOutput(/$^/);
    return node;
  }

  get url(): string {
    return this.#process.url.replace(/\/$/, "");
  }

  /** The port for players. */
  get port(): number {
    return this.#process.port;
  }

  get stdout(): string {
    return this.#process.stdout;
  }

  /** The processes with matches that have run so far, by the order of their starts. */
  get processes(): readonly NodeProcess[] {
    const lines = this.stdout.split("\n");
    const starts = lines.flatMap((line, at) => {
      const [, time, worker, name, port] = NODE_LINE.exec(line) ?? [];
      if (name === undefined) return [];
      const number = worker === undefined ? undefined : Number(worker);
      const startedMs = number === undefined
        ? this.startedMs
        : Date.parse(time!) - performance.timeOrigin;
      return [{ at, worker: number, name, port: Number(port), startedMs }];
    });

    return starts.map(({ at, worker, ...start }, i) => {
      const next = starts.slice(i + 1).find((each) => each.worker === worker);
      const own = worker === undefined ? "" : `worker=${worker} `;
      const output = lines.slice(at, next?.at).filter((line) => line.includes(own));
      return { ...start, worker, stdout: output.join("\n").replaceAll(own, "") };
    });
  }

  /** Signals one of its processes. @param worker its number; undefined for the only one */
  signalProcess(worker: number | undefined, signal: Deno.Signal): void {
    if (worker === undefined) return this.signal(signal);
    Deno.kill(pidOf(this.stdout, worker), signal);
  }

  get brokenLines(): string[] {
    return brokenLinesIn(this.stdout);
  }

  signal(signal: Deno.Signal): void {
    this.#process.signal(signal);
  }

  /** Holds the bytes between this node and the log's servers, in both directions. */
  partition(): void {
    for (const line of this.#lines) line.stall();
  }

  mend(): void {
    for (const line of this.#lines) line.unstall();
  }

  /** @returns all of its output */
  async stop(signal: Deno.Signal): Promise<string> {
    if (this.#isStopped) return this.stdout;
    this.#isStopped = true;
    const { stdout } = await this.#process.stop(signal);
    await release(this.#data, this.#lines);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }
}

/** Ends what a node had beside its process. */
async function release(data: TemporaryData, lines: readonly Proxy[]): Promise<void> {
  for (const line of lines) await line[Symbol.asyncDispose]();
  data[Symbol.dispose]();
}
