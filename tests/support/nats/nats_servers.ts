/**
 * Three nats-servers with JetStream on this machine, as an operator runs them on three: each writes
 * to its disk before it answers. A test can kill one, pause it, let it go in peace, and start it
 * again on its files.
 */
import { newestServer } from "./server_program.ts";

/** A server that has not come up after this time, ms, does not. */
const HEALTHY_MS_MAX = 20_000;
const POLL_MS = 20;

interface ServerPorts {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

/** One server of the three. */
export class NatsServer {
  readonly name: string;
  readonly url: string;
  readonly #monitorUrl: string;
  readonly #program: string;
  readonly #config: string;
  #child: Deno.ChildProcess | undefined;

  constructor(
    { name, ports, program, config }: {
      name: string;
      ports: ServerPorts;
      program: string;
      config: string;
    },
  ) {
    this.name = name;
    this.url = `nats://127.0.0.1:${ports.client}`;
    this.#monitorUrl = `http://127.0.0.1:${ports.monitor}/healthz`;
    this.#program = program;
    this.#config = config;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  start(): void {
    const [args, output] = [["-c", this.#config], "null" as const];
    this.#child = new Deno.Command(this.#program, {
      args,
      stdin: output,
      stdout: output,
      stderr: output,
    }).spawn();
  }

  /** SIGSTOP and SIGCONT pause it; SIGUSR2 lets it hand its work over first. */
  signal(signal: Deno.Signal): void {
    this.#child?.kill(signal);
  }

  /** Resolves when it has ended. */
  async stop(signal: Deno.Signal = "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    try {
      child.kill(signal);
      // A paused process takes no other signal.
      child.kill("SIGCONT");
    } catch {
      // It has ended.
    }
    await child.status;
  }

  /** Resolves when it serves clients and has all that the others have. @throws Error after 20 s */
  async healthy(): Promise<void> {
    const endMs = performance.now() + HEALTHY_MS_MAX;
    while (performance.now() < endMs) {
      try {
        const answer = await fetch(this.#monitorUrl, { signal: AbortSignal.timeout(1_000) });
        await answer.body?.cancel();
        if (answer.ok) return;
      } catch {
        // It does not listen yet.
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${this.name} is not healthy after ${HEALTHY_MS_MAX} ms`);
  }
}

export class NatsServers implements AsyncDisposable {
  readonly all: readonly NatsServer[];
  readonly #folder: string;

  private constructor(all: readonly NatsServer[], folder: string) {
    this.all = all;
    this.#folder = folder;
  }

  /**
   * Starts three servers.
   * @param options.program the path of another nats-server; by default the newest
   * @param options.authorization what clients have to show, as the configuration has it; by default
   *   nothing
   * @throws Error if there is none
   */
  static async start(
    { program, count = 3, authorization = "" }: {
      program?: string;
      count?: number;
      authorization?: string;
    } = {},
  ): Promise<NatsServers> {
    const path = program ?? await newestServer();
    if (path === undefined) throw new Error("no nats-server that fences can be had here");
    const folder = await Deno.makeTempDir({ prefix: "wyvern-nats-" });
    const isOld = path !== await newestServer();
    const ports = freePorts(count);
    const all: NatsServer[] = [];

    for (const [i, own] of ports.entries()) {
      const name = `n${i + 1}`;
      const config = `${folder}/${name}.conf`;
      await Deno.writeTextFile(
        config,
        configOf(name, { ports, own, folder, isOld }) + authorization,
      );
      all.push(new NatsServer({ name, ports: own, program: path, config }));
    }

    const servers = new NatsServers(all, folder);

    try {
      await servers.startAll();
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** As `--cluster` takes it. */
  get urls(): string {
    return this.all.map(({ url }) => url).join(",");
  }

  named(name: string): NatsServer {
    return this.all.find((server) => server.name === name)!;
  }

  /** Starts those that do not run. */
  async startAll(): Promise<void> {
    for (const server of this.all) if (!server.isRunning) server.start();
    await Promise.all(this.all.map((server) => server.healthy()));
  }

  async stopAll(signal: Deno.Signal = "SIGKILL"): Promise<void> {
    await Promise.all(this.all.map((server) => server.stop(signal)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAll();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** @param options.isOld whether the server knows no `sync_interval: always` */
function configOf(
  name: string,
  { ports, own, folder, isOld }: {
    ports: readonly ServerPorts[];
    own: ServerPorts;
    folder: string;
    isOld: boolean;
  },
): string {
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(", ");
  const sync = isOld ? "" : "sync_interval: always";
  const cluster = ports.length === 1
    ? ""
    : `cluster { name: wyvern, listen: "127.0.0.1:${own.route}", routes: [${routes}] }`;
  return `
server_name: ${name}
listen: "127.0.0.1:${own.client}"
http: "127.0.0.1:${own.monitor}"
jetstream { store_dir: "${folder}/${name}", ${sync} }
${cluster}
`;
}

/** Ports that are free at this moment. */
function freePorts(count: number): ServerPorts[] {
  const listeners = Array.from(
    { length: 3 * count },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const free = listeners.map(({ addr }) => addr.port);
  for (const listener of listeners) listener.close();
  return Array.from({ length: count }, (_, i) => (
    { client: free[3 * i]!, route: free[3 * i + 1]!, monitor: free[3 * i + 2]! }
  ));
}
