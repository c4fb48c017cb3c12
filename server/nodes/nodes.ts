/**
 * The nodes that share the matches. Five times a second each node announces, through the log's
 * servers, that it lives, where players reach it and how busy it is. A node counts another's
 * silence only while it hears heartbeats itself, because otherwise its own connection is down.
 */
import * as z from "zod";
import type { Clock } from "../../shared/netcode/link.ts";
import { REGION } from "../settings/cluster.ts";
import { ORIGIN } from "../settings/network.ts";
import type { Bus } from "../bus/bus.ts";
import { DATAGRAM_OFFER, messageFrom, NODE_NAME } from "../messages/message_parts.ts";
import { candidatesFor } from "./rendezvous.ts";
import { HEARTBEAT_MS, MissedHeartbeats, NODES_MAX, SILENCE_MS } from "../bus/missed_heartbeats.ts";

/** A node silent for this long, ms, has missed a heartbeat and may be gone. */
export const MISSED_MS = 320;
/**
 * How long after its first heartbeat, ms, a node knows the others and their rooms, which they
 * announce once a second. The rest allows for a busy machine.
 */
const HEARD_ALL_MS = 1_500;
/** After this much silence, ms, a node is forgotten. */
const FORGOTTEN_MS = 60_000;
/**
 * How long a node's origin is remembered, ms. A page outlives the node that it came from, because
 * it may stay open all night.
 */
const ORIGIN_KEPT_MS = 24 * 3_600_000;
/**
 * How many origins are remembered: each node's and its gateway's, and those of nodes replaced since
 * yesterday.
 */
const ORIGINS_MAX = 8 * NODES_MAX;

/** How a node is, as probes and operators see it. */
const NODE_HEALTH = z.object({
  ok: z.boolean(),
  /** Why it takes no players; empty if it takes them. */
  reason: z.string().max(2_048),
  tickShare: z.number(),
  accepts: z.boolean(),
  rooms: z.int().min(0),
  clients: z.int().min(0),
  ticks: z.int().min(0),
  sockets: z.int().min(0),
  /** Matches that could not go on. */
  setAside: z.int().min(0),
});

export type NodeHealth = z.output<typeof NODE_HEALTH>;

/** A node's message about itself, as it goes over the bus. */
export const NODE_HEARTBEAT = z.object({
  node: NODE_NAME,
  /** Where players reach the node. It appears in pages' policies, and in answers to pages. */
  url: ORIGIN,
  /** Where the node takes datagrams, at its URL's host. */
  datagrams: DATAGRAM_OFFER.optional(),
  /** Whether the node is stopping: it then takes no further match. */
  leaves: z.boolean(),
  matches: z.int().min(0),
  /** The share of real time that the node's ticks take. */
  load: z.number().min(0),
  /** The load above which the node refuses newcomers. */
  loadMax: z.number().min(0),
  region: REGION,
  /** Where its players get tickets; missing for a node that gives them itself. */
  gateway: ORIGIN.optional(),
  /** Its number among the match processes of its machine; missing if there is only one process. */
  process: z.int().min(1).max(64).optional(),
  /** Whether an operator has closed it to newcomers and to further matches. */
  cordoned: z.boolean().optional(),
  /** Missing in an earlier version. */
  health: NODE_HEALTH.optional(),
});

/** A gateway's message that one of its processes has ended. */
const NODE_ENDED = z.object({ node: NODE_NAME });

/** A node's message about itself. */
export type NodeHeartbeat = z.output<typeof NODE_HEARTBEAT>;

/** Whether a node takes further matches and newcomers. */
export function takesMatches({ leaves, cordoned }: NodeHeartbeat): boolean {
  return !leaves && cordoned !== true;
}

/** The origin that gives tickets for a node's matches. */
export function ticketsAt({ gateway, url }: Pick<NodeHeartbeat, "gateway" | "url">): string {
  return gateway ?? url;
}

export class Nodes {
  readonly #options: {
    readonly self: (() => NodeHeartbeat) | undefined;
    readonly bus: Omit<Bus, "request">;
    readonly clock: Clock;
  };
  readonly #heard = new Map<string, NodeHeartbeat>();
  /** When a node was last heard under each origin, ms; oldest first. */
  readonly #originsHeardMs = new Map<string, number>();
  readonly #missed = new MissedHeartbeats();
  /** Nodes whose process has ended, as its gateway says. */
  readonly #ended = new Set<string>();
  #wasConnected = true;
  /** When this node sends its next heartbeat, ms. */
  #heartbeatAtMs = -Infinity;
  readonly #waiting = new Set<() => void>();

  /**
   * @param options.self what this node's heartbeat says now; undefined for a gateway, which runs no
   * match
   */
  constructor(
    options: {
      readonly self: (() => NodeHeartbeat) | undefined;
      readonly bus: Omit<Bus, "request">;
      readonly clock: Clock;
    },
  ) {
    this.#options = options;
    options.bus.subscribe("beat.*", (bytes) => this.#hear(bytes));
    options.bus.subscribe("gone.*", (bytes) => this.#hearEnd(bytes));
  }

  /** Announces that this node lives. */
  sendHeartbeat(): void {
    const heartbeat = this.#options.self?.();
    if (heartbeat === undefined) return;
    this.#options.bus.publish(`beat.${heartbeat.node}`, JSON.stringify(heartbeat));
  }

  /**
   * Tells all nodes that a process of this machine has ended. They take its matches at once,
   * because nobody needs to wait for heartbeats of a process that is known to be gone.
   */
  sendEnd(node: string): void {
    this.#options.bus.publish(`gone.${node}`, JSON.stringify({ node }));
  }

  /**
   * Sends a heartbeat every `HEARTBEAT_MS`, and at once after this node stalled or was
   * disconnected, because others count the silence since the previous heartbeat, and no record that
   * the servers take ends that silence. Call it often.
   */
  advance(): void {
    const { bus, clock } = this.#options;
    const { isConnected } = bus;
    const nowMs = clock.now();
    const isBack = isConnected && !this.#wasConnected;
    this.#wasConnected = isConnected;
    if (nowMs < this.#heartbeatAtMs && !isBack) return;
    this.sendHeartbeat();
    this.#heartbeatAtMs = nowMs + HEARTBEAT_MS;
  }

  /**
   * Whether this node hears the servers and can believe others, so that another node's silence
   * means something.
   */
  get hears(): boolean {
    const { self, bus, clock } = this.#options;
    const nowMs = clock.now();
    const own = self === undefined
      ? this.#missed.sinceAnyHeartbeatMs(nowMs)
      : this.#missed.sinceHeartbeatMs(self().node, nowMs);
    return bus.isConnected && !bus.isInDoubt && own !== undefined && own < MISSED_MS;
  }

  /** Whether this node may be the one at fault. Then it takes neither matches nor players. */
  get isInDoubt(): boolean {
    return this.#options.bus.isInDoubt;
  }

  /** Since when this node has heard heartbeats without a gap; undefined before the first one. */
  get hearsSinceMs(): number | undefined {
    return this.#missed.hearsSinceMs;
  }

  /** Whether this node has heard the servers for long enough to know all nodes and their rooms. */
  get hasHeardAll(): boolean {
    return this.hears && this.#options.clock.now() - this.hearsSinceMs! >= HEARD_ALL_MS;
  }

  /** Nodes that live, including this one. */
  get living(): readonly NodeHeartbeat[] {
    return [...this.#heard.values()].filter(({ node }) => this.silentMs(node) < SILENCE_MS);
  }

  /**
   * The origins of nodes that live, or did within the last day, because their pages are still open.
   */
  get origins(): readonly string[] {
    const sinceMs = this.#options.clock.now() - ORIGIN_KEPT_MS;
    return [...this.#originsHeardMs].filter(([, heardMs]) => heardMs > sinceMs).map(([url]) => url);
  }

  /**
   * How long a node has been silent, ms: for ever if its process has ended. A node that was never
   * heard counts as silent since this node began to hear heartbeats.
   */
  silentMs(node: string): number {
    if (this.#ended.has(node)) return Infinity;
    return this.#missedMs(node);
  }

  #missedMs(node: string): number {
    return this.#missed.silenceMs(node, this.#options.clock.now());
  }

  /** A node's last heartbeat, by its name. */
  get(node: string): NodeHeartbeat | undefined {
    return this.#heard.get(node);
  }

  /** Nodes that have been silent for so long that others take their matches. */
  gone(): string[] {
    const gone: string[] = [];
    for (const node of this.#heard.keys()) {
      const silentMs = this.silentMs(node);
      if (this.#missedMs(node) > FORGOTTEN_MS) this.#forget(node);
      else if (silentMs >= SILENCE_MS) gone.push(node);
    }
    return gone;
  }

  /**
   * The nodes that may take a match, first candidate first. Nodes that are stopping or cordoned are
   * left out.
   */
  rankedFor(match: string): readonly NodeHeartbeat[] {
    const takers = new Map(
      this.living.filter(takesMatches).map((heartbeat) => [heartbeat.node, heartbeat]),
    );
    return candidatesFor(match, takers.keys()).map((node) => takers.get(node)!);
  }

  /** Resolves when the next heartbeat of any node is heard. */
  nextHeartbeat(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #hear(bytes: Uint8Array): void {
    const heartbeat = messageFrom(NODE_HEARTBEAT, bytes);
    if (
      heartbeat === undefined || (this.#heard.size >= NODES_MAX && !this.#heard.has(heartbeat.node))
    ) {
      return;
    }
    const nowMs = this.#options.clock.now();
    this.#heard.set(heartbeat.node, heartbeat);
    this.#missed.hear(heartbeat.node, nowMs);

    // Moves its origins to the end of the map's order.
    const origins = this.#originsHeardMs;
    for (const url of new Set([heartbeat.url, ticketsAt(heartbeat)])) {
      origins.delete(url);
      origins.set(url, nowMs);
    }
    while (origins.size > ORIGINS_MAX) origins.delete(origins.keys().next().value!);

    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #hearEnd(bytes: Uint8Array): void {
    const ended = messageFrom(NODE_ENDED, bytes);
    // One that was never heard is among those that are searched for after a start.
    if (ended !== undefined && this.#heard.has(ended.node)) this.#ended.add(ended.node);
  }

  #forget(node: string): void {
    this.#heard.delete(node);
    this.#ended.delete(node);
    this.#missed.forget(node);
  }
}
