/** A machine of a cluster: a nats-server and `serve --workers`, in a namespace of its own. */
import { fileURLToPath } from "node:url";
import { brokenLinesIn, pidOf, workerAt } from "../../support/cluster/node_output.ts";
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

  /** Where players load the page, without a path. */
  get origin(): string {
    return originOf(this.network);
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
    const others = machines.filter((machine) => machine !== this.network);
    const origins = [this.network, ...others].map(originOf);
    const tokenFile = `${folder}/token`;
    await Deno.writeTextFile(tokenFile, OPS_TOKEN);
    const child = this.network.spawn(Deno.execPath(), {
      args: [
        ...["run", "--cached-only", ...PERMISSIONS, `${ROOT}server/main.ts`],
        ...["--host", address, "--port", String(PAGE_PORT), "--node-url", originOf(this.network)],
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

  /** Whether players who connect to this address reach it. */
  isAt(address: string): boolean {
    return address === this.network.address;
  }

  /** Kills the match process that has a port. @returns its number */
  killProcess(port: number): number {
    const worker = workerAt(this.#output, port);
    Deno.kill(pidOf(this.#output, worker), "SIGKILL");
    return worker;
  }

  async fail(): Promise<void> {
    this.hasFailed = true;
    await this.network.fail();
  }

  get brokenLines(): readonly string[] {
    return brokenLinesIn(this.#output);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#output += decoder.decode(bytes, { stream: true });
  }
}

function originOf({ address }: NetworkedMachine): string {
  return `http://${address}:${PAGE_PORT}`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
