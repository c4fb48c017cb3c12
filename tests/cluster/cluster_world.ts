/** A real cluster on this machine: three nats-servers, three nodes, and bots that play one match through all faults. */
import { Servers } from "../../client/net/servers.ts";
import { NatsLine } from "../../server/match_log/nats/nats_line.ts";
import { RecordStore, type StoredMessage, subjectOf } from "../../server/match_log/nats/record_store.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import type { Tick } from "../../shared/netcode/game.ts";
import { FrameReader } from "../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../shared/netcode/match_log/record_coder.ts";
import { NatsServers } from "../support/nats/nats_servers.ts";
import { ReturningBot } from "../support/returning_bot.ts";
import { ClusterNode } from "./cluster_node.ts";

const ROOM = "BOTS";
const NODES = 3;
/** A round trip of 160 ms. */
const LINE = { oneWayMs: 80, jitterMs: 5 };
/** The nodes have heard each other after this time, ms. */
const HEARD_MS = 1_500;
/** A wait that takes longer has failed, ms. */
const PATIENCE_MS = 30_000;

/** The ticks of the servers' log, and who wrote the newest record. */
interface Truth {
  readonly hashes: ReadonlyMap<Tick, number>;
  readonly messages: readonly StoredMessage[];
}

export class ClusterWorld implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly store: RecordStore;
  readonly subject = subjectOf(dragonGame.id, ROOM);
  readonly #line: NatsLine;
  nodes: ClusterNode[];
  bots: readonly ReturningBot[] = [];
  readonly #ended: ClusterNode[] = [];
  /** Ticks that became void where that may be. */
  readonly #voidTicks = new Set<Tick>();

  private constructor(servers: NatsServers, line: NatsLine, nodes: ClusterNode[]) {
    this.servers = servers;
    this.#line = line;
    this.store = new RecordStore(line);
    this.nodes = nodes;
  }

  static async start({ bots, seed }: { bots: number; seed: number }): Promise<ClusterWorld> {
    const servers = await NatsServers.start(), line = await NatsLine.open(servers.all.map(({ url }) => url));
    const ports = servers.all.map(({ port }) => port);
    const nodes = [await ClusterNode.start(ports)];
    while (nodes.length < NODES) nodes.push(await ClusterNode.start(ports));
    const world = new ClusterWorld(servers, line, nodes);
    await wait(HEARD_MS);
    world.bots = Array.from({ length: bots }, (_, i) => {
      const { url } = nodes[i % nodes.length]!, own = { name: `Bot ${i}`, seed: seed * bots + i, room: ROOM };
      return new ReturningBot(url, { ...own, servers: new Servers(url), network: LINE });
    });
    await world.until(() => world.bots.every((bot) => bot.isPlaying), "the bots play");
    return world;
  }

  /** Another process in the place of a node that has ended, under its address. */
  async replace(ended: ClusterNode): Promise<void> {
    const ports = this.servers.all.map(({ port }) => port);
    const started = await ClusterNode.start(ports, { port: Number(new URL(ended.url).port) });
    this.#ended.push(ended);
    this.nodes = this.nodes.map((node) => node === ended ? started : node);
    await wait(HEARD_MS);
  }

  /** The match's newest record, from the leader. */
  async last(): Promise<StoredMessage> {
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
      const last = await this.store.lastOnce(this.subject);
      if (typeof last === "object") return last;
      await wait(50);
    }
    throw new Error("the log does not answer");
  }

  /** The node that has the match. */
  async owner(): Promise<ClusterNode> {
    const { message } = await this.last(), owner = this.nodes.find(({ name }) => name === message.node);
    if (owner === undefined) throw new Error(`the match belongs to ${message.node}, which is no node here`);
    return owner;
  }

  /** Waits for a condition. @throws Error if it takes too long */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const endMs = performance.now() + PATIENCE_MS; !await condition();) {
      if (performance.now() > endMs) throw new Error(`not after ${PATIENCE_MS} ms: ${what}`);
      await wait(10);
    }
  }

  /** @returns for each bot the time until it plays in another connection, and has a newer tick, ms since `sinceMs` */
  playingAgain(sinceMs: number): Promise<number[]> {
    const before = this.bots.map(({ session }) => session);
    return Promise.all(this.bots.map(async (bot, i) => {
      await this.until(() => bot.session !== before[i] && bot.isPlaying, `bot ${i} plays again`).catch((error) => {
        const { phase, closeCode, closeReason } = bot.session, lines = this.brokenLines.join("\n");
        throw new Error(`${error.message}; it is ${phase}, after ${closeCode} "${closeReason}"\n${lines}`);
      });
      return performance.now() - sinceMs;
    }));
  }

  /** The newest tick that any bot has had. */
  get newestTick(): Tick {
    return Math.max(...this.bots.map(({ newestTick }) => newestTick));
  }

  /** The last tick before the newest owner's first one. */
  async takenAt(): Promise<Tick> {
    const { messages } = await this.truth(), at = messages.findLastIndex(({ message }) => message.kind === "take");
    return Math.max(...ticksOf(messages.slice(0, at)).keys());
  }

  allowVoid(ticks: Iterable<Tick>): void {
    for (const tick of ticks) this.#voidTicks.add(tick);
  }

  /** The whole log of the match. */
  async truth(): Promise<Truth> {
    const last = await this.last(), body = JSON.stringify({ seq: 1, next_by_subj: this.subject });
    const stream = `WYVERN${this.subject.split(".")[1]}`;
    for (let tries = 0; tries < 100; tries++) {
      const answer = await this.#line.request(`$JS.API.STREAM.MSG.GET.${stream}`, body, 1_000);
      const from = answer && JSON.parse(new TextDecoder().decode(answer.bytes)).message?.seq;
      const messages = from && await this.store.readFrom(this.subject, { from, to: last.sequence });
      if (messages) return { hashes: ticksOf(messages), messages };
      await wait(50);
    }
    throw new Error("the log cannot be read");
  }

  /** Compares what the bots have had with the log. */
  async compare(): Promise<{ compared: number; lost: number; changed: number }> {
    const { hashes } = await this.truth(), last = Math.max(...hashes.keys());
    let compared = 0, lost = 0, changed = 0;
    for (const bot of this.bots) {
      for (const [tick, hash] of bot.hashes) {
        if (this.#voidTicks.has(tick) || tick > last) continue;
        compared++;
        if (!hashes.has(tick)) lost++;
        else if (hashes.get(tick) !== hash) changed++;
      }
    }
    return { compared, lost, changed };
  }

  /** Lines of nodes about broken matches. */
  get brokenLines(): string[] {
    return [...this.#ended, ...this.nodes].flatMap((node) => node.brokenLines);
  }

  get seatsKept(): number {
    const returns = this.bots.flatMap(({ seats }) => seats.slice(1).map((seat) => seat === seats[0]));
    return returns.filter(Boolean).length / Math.max(1, returns.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bot of this.bots) bot.stop();
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.#line.close();
    await this.servers[Symbol.asyncDispose]();
  }
}

/** The hash of each tick in some records, which begin with the match's first or with a state. */
function ticksOf(messages: readonly StoredMessage[]): Map<Tick, number> {
  const reader = new RecordReader(dragonGame.command), hashes = new Map<Tick, number>();
  for (const { message } of messages) {
    const frames = new FrameReader(message.records);
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const record = reader.read(payload);
      if (record.type !== "tick") continue;
      if (hashes.has(record.tick)) throw new Error(`tick ${record.tick} is in the log twice`);
      hashes.set(record.tick, record.hash);
    }
  }
  return hashes;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
