/**
 * Three nodes that share matches over three nats-servers, each as an operator runs it. The servers
 * ask for a password, which an attack may know: `openLine` then plays the stranger on their port.
 */
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { LiveServer, newSecret, type ServerSetup } from "./live_server.ts";

const NODES = 3;
const USER = "wyvern";
/** Nodes that have not heard each other after this time never will, ms. */
const HEARD_MS_MAX = 30_000;
const POLL_MS = 100;

interface ClusterParts {
  readonly servers: NatsServers;
  readonly nodes: readonly LiveServer[];
  readonly addresses: readonly string[];
  /** Ends all of it, the nodes first. */
  readonly stack: AsyncDisposableStack;
}

export class LiveCluster implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly nodes: readonly LiveServer[];
  /** The nats-servers' addresses, with the password. */
  readonly addresses: readonly string[];
  readonly #stack: AsyncDisposableStack;

  private constructor({ servers, nodes, addresses, stack }: ClusterParts) {
    this.servers = servers;
    this.nodes = nodes;
    this.addresses = addresses;
    this.#stack = stack;
  }

  /**
   * @param setup of each node
   * @returns nodes that have heard each other
   * @throws Error without a nats-server, and for nodes that do not find each other
   */
  static async start(setup: ServerSetup): Promise<LiveCluster> {
    await using stack = new AsyncDisposableStack();
    const password = newSecret();
    const secret = newSecret();
    const authorization = `authorization { user: ${USER}, password: "${password}" }\n`;
    const servers = stack.use(await NatsServers.start({ authorization }));
    const addresses = servers.all.map(({ port }) => `nats://${USER}:${password}@127.0.0.1:${port}`);

    const nodes: LiveServer[] = [];
    while (nodes.length < NODES) {
      const { folder } = stack.use(await TemporaryData.make());
      const place = { cluster: addresses.join(","), secret, data: folder };
      nodes.push(stack.use(await LiveServer.start(setup, place)));
    }
    await untilHeard(nodes);
    return new LiveCluster({ servers, nodes, addresses, stack: stack.move() });
  }

  /**
   * Opens a connection to the servers for a stranger who knows their password. The caller closes
   * it.
   */
  openLine(): Promise<NatsClient> {
    return NatsClient.open(this.addresses);
  }

  /** The nodes' names, as in heartbeats and records, in the order of `nodes`. */
  names(): Promise<string[]> {
    return Promise.all(
      this.nodes.map(async (node) => (await node.log()).match(/ node node=([0-9a-f]{16})/)![1]!),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** @throws Error if a node has not heard all others in time */
async function untilHeard(nodes: readonly LiveServer[]): Promise<void> {
  const endMs = performance.now() + HEARD_MS_MAX;
  for (const node of nodes) {
    while ((await node.figures()).of("wyvern_cluster_nodes") < nodes.length) {
      if (performance.now() > endMs) {
        throw new Error(`the nodes have not heard each other after ${HEARD_MS_MAX} ms`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
