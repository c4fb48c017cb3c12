/**
 * Runs a real cluster on this machine: three nats-servers, three nodes, and bots that play one
 * match through all faults.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { Servers } from "../../../client/net/servers.ts";
import { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import {
  RecordStore,
  type StoredMessage,
  subjectOf,
} from "../../../server/match_log/nats/record_store.ts";
import type { Authority, Tick } from "../../../shared/netcode/game.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { type BotConnection, ReturningBot } from "../../support/returning_bot.ts";
import { ClusterNode, type NodeProcess } from "../../support/cluster/cluster_node.ts";
import {
  type Had,
  judge,
  newestTickIn,
  type ShownMessage,
  type Verdict,
} from "./confirmed_ticks.ts";

const ROOM = "BOTS";
const NODES = 3;
/** A round trip of 160 ms. */
const LINE = { oneWayMs: 80, jitterMs: 5 };
/**
 * A node that reaches no log server in time ends. A service manager starts it again, and so does
 * this, up to so many times.
 */
const STARTS_MAX = 5;
/** After this time the nodes have heard each other, ms. */
const HEARD_MS = 1_500;
/** A wait that takes longer has failed, even on a busy machine, ms. */
const PATIENCE_MS = 60_000;

export class ClusterWorld implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly store: RecordStore;
  readonly subject = subjectOf(dragonGame.id, ROOM);
  readonly #client: NatsClient;
  nodes: ClusterNode[];
  bots: readonly ReturningBot[] = [];
  readonly #ended: ClusterNode[] = [];
  /** The run's parts so far, the newest one last, and when each began, ms. */
  readonly #parts: { readonly name: string; readonly fromMs: number }[] = [{
    name: "start",
    fromMs: -Infinity,
  }];
  /** By sequence: each message that a server has shown as the newest. */
  readonly #shown = new Map<number, ShownMessage>();

  readonly #authority: Authority;
  readonly #workers: number;

  private constructor(
    servers: NatsServers,
    { client, nodes, authority, workers }: {
      client: NatsClient;
      nodes: ClusterNode[];
      authority: Authority;
      workers: number;
    },
  ) {
    this.servers = servers;
    this.#authority = authority;
    this.#workers = workers;
    this.#client = client;
    this.store = new RecordStore(client);
    this.nodes = nodes;
  }

  /**
   * @param options.authority whether nodes compute the match, or only order its commands
   * @param options.workers match processes of each node
   */
  static async start(
    { bots, seed, authority = "full", workers = 1 }: {
      bots: number;
      seed: number;
      authority?: Authority;
      workers?: number;
    },
  ): Promise<ClusterWorld> {
    const servers = await NatsServers.start();
    const client = await NatsClient.open(servers.all.map(({ url }) => url));
    const ports = servers.all.map(({ port }) => port);
    const nodes: ClusterNode[] = [];
    while (nodes.length < NODES) nodes.push(await startNode(ports, { authority, workers }));
    const world = new ClusterWorld(servers, { client, nodes, authority, workers });
    await wait(HEARD_MS);
    world.bots = Array.from({ length: bots }, (_, i) => {
      const { url } = nodes[i % nodes.length]!;
      const own = { name: `Bot ${i}`, seed: seed * bots + i, room: ROOM };
      return new ReturningBot(url, { ...own, servers: new Servers(url), network: LINE });
    });
    await world.until(() => world.bots.every((bot) => bot.isPlaying), "the bots play");
    return world;
  }

  /** Starts another process under the address of a node that has ended. */
  async replace(ended: ClusterNode): Promise<void> {
    const ports = this.servers.all.map(({ port }) => port);
    const { port } = ended;
    const started = await startNode(ports, {
      authority: this.#authority,
      workers: this.#workers,
      port,
    });
    this.#ended.push(ended);
    this.nodes = this.nodes.map((node) => node === ended ? started : node);
    await wait(HEARD_MS);
  }

  /** The match's newest record, from the leader. */
  async last(): Promise<StoredMessage> {
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
      const last = await this.store.lastOnce(this.subject);
      if (typeof last === "object") {
        this.#shown.set(last.sequence, { sequence: last.sequence, nonce: last.message.nonce });
        return last;
      }
      await wait(50);
    }
    throw new Error("the log does not answer");
  }

  /**
   * The node that owns the match. A node that has ended still owns it until another one takes it.
   */
  async owner(): Promise<ClusterNode> {
    return (await this.owningProcess()).node;
  }

  /** The same, with its process that has the match. */
  async owningProcess(): Promise<{ node: ClusterNode; process: NodeProcess }> {
    let owner: { node: ClusterNode; process: NodeProcess } | undefined;
    await this.until(async () => {
      const { message } = await this.last();
      for (const node of this.nodes) {
        const process = node.processes.find(({ name }) => name === message.node);
        if (process !== undefined) owner = { node, process };
      }
      return owner !== undefined;
    }, "a node has the match");
    return owner!;
  }

  /** The name of the server that leads the match's stream. */
  async leader(): Promise<string> {
    let name: string | undefined;
    await this.until(
      async () => (name = await this.store.leaderOf(this.subject)) !== undefined,
      "the log has a leader",
    );
    return name!;
  }

  /** Waits for a condition. @throws Error if it takes too long */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const endMs = performance.now() + PATIENCE_MS; !await condition();) {
      if (performance.now() > endMs) throw new Error(`not after ${PATIENCE_MS} ms: ${what}`);
      await wait(10);
    }
  }

  /**
   * @returns for each bot the time until it plays in another connection, and has a newer tick, ms
   *   since `sinceMs`
   */
  playingAgain(sinceMs: number): Promise<number[]> {
    const before = this.bots.map(({ session }) => session);
    return Promise.all(this.bots.map(async (bot, i) => {
      await this.until(() => bot.session !== before[i] && bot.isPlaying, `bot ${i} plays again`)
        .catch((error) => {
          const { phase, closeCode, closeReason } = bot.session;
          const lines = this.brokenLines.join("\n");
          throw new Error(
            `${error.message}; it is ${phase}, after ${closeCode} "${closeReason}"\n${lines}`,
          );
        });
      return performance.now() - sinceMs;
    }));
  }

  /** The newest tick that any bot has received. */
  get newestTick(): Tick {
    return Math.max(...this.bots.map(({ newestTick }) => newestTick));
  }

  /** The newest tick that any bot has received from a node. */
  newestTickOf(node: ClusterNode): Tick {
    const connections = this.bots.flatMap((bot) => bot.connections);
    const processes = this.#allProcesses;
    const names = node.processes.map(({ name }) => name);
    const own = connections.filter((connection) =>
      names.includes(processOf(connection, processes)?.name ?? "")
    );
    return Math.max(-1, ...own.map(({ newestTick }) => newestTick));
  }

  /** What bots receive from now on counts to this part of the run. */
  beginPart(name: string): void {
    this.#parts.push({ name, fromMs: performance.now() });
  }

  /** The match's whole log. */
  async messages(): Promise<readonly StoredMessage[]> {
    const last = await this.last();
    const body = JSON.stringify({ seq: 1, next_by_subj: this.subject });
    const stream = `WYVERN${this.subject.split(".")[1]}`;
    for (let tries = 0; tries < 100; tries++) {
      const answer = await this.#client.request(`$JS.API.STREAM.MSG.GET.${stream}`, body, 1_000);
      const from = answer && JSON.parse(new TextDecoder().decode(answer.bytes)).message?.seq;
      const messages = from && await this.store.readFrom(this.subject, { from, to: last.sequence });
      if (typeof messages === "object") return messages;
      await wait(50);
    }
    throw new Error("the log cannot be read");
  }

  /** Judges what the bots have received so far, once the log reaches as far. */
  async judge(): Promise<Verdict> {
    const had = this.#had();
    const newest = this.newestTick;
    let messages: readonly StoredMessage[] = [];
    await this.until(async () => {
      messages = await this.messages();
      return newestTickIn(messages) >= newest;
    }, "the log has as many ticks as the bots");
    const upTo = messages.at(-1)!.sequence;
    return judge({
      messages,
      had,
      outputs: new Map(this.#allProcesses.map(({ name, stdout }) => [name, stdout])),
      // Leaves out messages that a server has shown since the log was read.
      shown: [...this.#shown.values()].filter(({ sequence }) => sequence <= upTo),
    });
  }

  /** What each bot received in each connection. */
  #had(): Had[] {
    const processes = this.#allProcesses;
    return this.bots.flatMap(({ connections }, i) =>
      connections.flatMap((connection) => {
        const process = processOf(connection, processes);
        if (process === undefined) return [];
        const ticks = [...connection.ticks].map(([tick, { hash, atMs }]) => {
          const { name: part } = this.#parts.findLast(({ fromMs }) => fromMs <= atMs)!;
          return { tick, hash, part, atMs: performance.timeOrigin + atMs };
        });
        return [{ who: `bot ${i}`, node: process.name, ticks }];
      })
    );
  }

  /** The nodes that have ended, and those that run. */
  get #allNodes(): readonly ClusterNode[] {
    return [...this.#ended, ...this.nodes];
  }

  /** Their processes with matches, by the order of their starts. */
  get #allProcesses(): readonly NodeProcess[] {
    return this.#allNodes.flatMap(({ processes }) => processes)
      .toSorted((a, b) => a.startedMs - b.startedMs);
  }

  /** What nodes printed about broken matches. */
  get brokenLines(): string[] {
    return this.#allNodes.flatMap((node) => node.brokenLines);
  }

  get seatsKept(): number {
    const returns = this.bots.flatMap(({ seats }) =>
      seats.slice(1).map((seat) => seat === seats[0])
    );
    return returns.filter(Boolean).length / Math.max(1, returns.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bot of this.bots) bot.stop();
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.#client.close();
    await this.servers[Symbol.asyncDispose]();
  }
}

/**
 * The process that a connection leads to: of those that used its port one after another, the newest
 * at that time.
 */
function processOf(
  { socket }: BotConnection,
  processes: readonly NodeProcess[],
): NodeProcess | undefined {
  if (socket === undefined) return undefined;
  const { url, atMs } = socket;
  return processes.findLast(({ port, startedMs }) =>
    port === Number(url.port) && startedMs <= atMs
  );
}

/** @param port the port for players; by default any free one */
async function startNode(
  ports: readonly number[],
  { authority, workers, port = 0 }: { authority: Authority; workers: number; port?: number },
): Promise<ClusterNode> {
  const flags = ["--authority", authority, "--workers", String(workers)];
  for (let starts = 1;; starts++) {
    try {
      return await ClusterNode.start(ports, { port, flags });
    } catch (error) {
      if (starts === STARTS_MAX) throw error;
    }
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
