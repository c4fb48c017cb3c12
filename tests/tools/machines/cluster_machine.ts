/** A machine of a cluster: a nats-server and `serve --workers`, in a namespace of its own. */
import { fileURLToPath } from "node:url";
import { TASK_ENVIRONMENT } from "../../support/task.ts";
import type { NetworkedMachine } from "./machine_network.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SECRET = "a secret of the machines of this run alone";
export const OPS_TOKEN = "a token of the operators of this run";
const PAGE_PORT = 8080;
const OPS_PORT = 8090;
const NATS_PORT = 4222;
const ROUTE_PORT = 6222;
/** How long the server may take to listen, ms. */
const START_MS_MAX = 120_000;
const PERMISSIONS = ["net", "read", "write", "run", "env"].map((each) => `--allow-${each}`);

export interface ClusterMachineOptions {
  readonly workers: number;
  /** All machines of the cluster. */
  readonly machines: readonly NetworkedMachine[];
  /** The program nats-server. */
  readonly natsServer: string;
  /** For the files of the machine. */
  readonly folder: string;
}

export class ClusterMachine {
  readonly network: NetworkedMachine;
  readonly #options: ClusterMachineOptions;
  /** What its server has printed so far. */
  #output = "";
  hasFailed = false;

  constructor(network: NetworkedMachine, options: ClusterMachineOptions) {
    this.network = network;
    this.#options = options;
  }

  get url(): string {
    return `http://${this.network.address}:${PAGE_PORT}/`;
  }

  get opsUrl(): string {
    return `http://${this.network.address}:${OPS_PORT}/`;
  }

  /** Starts its part of the log. */
  async startLog(): Promise<void> {
    const { natsServer, folder, machines } = this.#options;
    const { name, address } = this.network;
    const routes = machines.map(({ address }) => `nats://${address}:${ROUTE_PORT}`).join(", ");
    const config = `${folder}/${name}.conf`;
    await Deno.writeTextFile(
      config,
      `
server_name: ${name}
listen: "${address}:${NATS_PORT}"
jetstream { store_dir: "${folder}/${name}-log", sync_interval: always }
cluster { name: wyvern, listen: "${address}:${ROUTE_PORT}", routes: [${routes}] }
`,
    );
    const child = this.network.spawn(natsServer, {
      args: ["-c", config],
      env: {},
      output: "null",
    });
    void child.status;
  }

  /** Starts its server. @throws Error with the output if it does not listen */
  async startServer(): Promise<void> {
    const { workers, folder, machines } = this.#options;
    const { address, name } = this.network;
    const servers = machines.map(({ address }) => `nats://${address}:${NATS_PORT}`).join(",");
    const own = `http://${address}:${PAGE_PORT}`;
    const others = machines.map(({ address }) => `http://${address}:${PAGE_PORT}`);
    const origins = [own, ...others.filter((origin) => origin !== own)];
    const tokenFile = `${folder}/token`;
    await Deno.writeTextFile(tokenFile, OPS_TOKEN);
    const child = this.network.spawn(Deno.execPath(), {
      args: [
        ...["run", "--cached-only", ...PERMISSIONS, `${ROOT}server/main.ts`],
        ...["--host", address, "--port", String(PAGE_PORT), "--node-url", this.url.slice(0, -1)],
        ...["--ops-host", address, "--ops-port", String(OPS_PORT), "--ops-token-file", tokenFile],
        ...["--workers", String(workers), "--cluster", servers, "--data", `${folder}/${name}`],
        ...["--npcs", "3", "--idle", "0", "--datagrams", "off"],
        ...["--public", "--origin", origins.join(",")],
      ],
      env: { ...TASK_ENVIRONMENT, WYVERN_SECRET: SECRET },
      output: "piped",
    });
    void this.#read(child.stdout);
    void this.#read(child.stderr);
    const hasEnded = child.status.then(() => true);

    const endMs = performance.now() + START_MS_MAX;
    while (!/^Wyvern listens on /m.test(this.#output)) {
      const isOver = await Promise.race([hasEnded, pause().then(() => false)]);
      if (isOver || performance.now() > endMs) {
        throw new Error(`machine ${this.network.number} does not listen:\n${this.#output}`);
      }
    }
  }

  /** Whether one of its processes listens there. @param port as players reach it */
  has(host: string): boolean {
    return host === this.network.address;
  }

  /** Kills the match process that has a port. @returns its number */
  killProcess(port: number): number {
    const joined = [...this.#output.matchAll(
      / node worker=(\d+) node=[0-9a-f]{16} url=http:\/\/[^:]+:(\d+)/g,
    )];
    const worker = joined.findLast(([, , own]) => Number(own) === port)?.[1];
    const started = [...this.#output.matchAll(
      new RegExp(`worker_started worker=${worker} pid=(\\d+)`, "g"),
    )];
    const pid = started.at(-1)?.[1];
    if (pid === undefined) throw new Error(`no process at port ${port}:\n${this.#output}`);
    Deno.kill(Number(pid), "SIGKILL");
    return Number(worker);
  }

  async fail(): Promise<void> {
    this.hasFailed = true;
    await this.network.fail();
  }

  /** Lines about matches that are damaged. There should be none. */
  get brokenLines(): readonly string[] {
    return this.#output.match(
      /.*(match_set_aside|match_not_read|room_failed|tick_failed|stray_error|check_failed).*/g,
    ) ?? [];
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#output += decoder.decode(bytes, { stream: true });
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
