/**
 * The nodes that share the matches. Five times a second each node announces, through the log's
 * servers, that it lives, where players reach it and how busy it is. A node counts another's
 * silence only while it hears heartbeats itself, because otherwise its own connection is down.
 */
import * as z from "zod";
import type { Clock } from "../../shared/netcode/link.ts";
import { REGION } from "../settings/cluster.ts";
import { ORIGIN } from "../settings/network.ts";
import { DATAGRAM_OFFER, messageFrom, NODE_NAME } from "../messages/message_parts.ts";
import { candidatesFor } from "./rendezvous.ts";
import { HEARTBEAT_MS, MissedHeartbeats, NODES_MAX, SILENCE_MS } from "./missed_heartbeats.ts";

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
/** How many origins are remembered: each node's, and those of nodes replaced since yesterday. */
const ORIGINS_MAX = 4 * NODES_MAX;

const NODE_HEARTBEAT = z.object({
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
});

/** A node's message about itself. */
export type NodeHeartbeat = z.output<typeof NODE_HEARTBEAT>;

/** The connection that carries the heartbeats. */
export interface HeartbeatChannel {
  readonly isConnected: boolean;
  /**
   * Whether this node may be the one at fault, because it can believe no other (`SignedChannel`).
   */
  readonly isInDoubt: boolean;
  publish(subject: string, text: string): void;
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void;
}

export class Nodes {
  readonly #options: {
    readonly self: () => NodeHeartbeat;
    readonly channel: HeartbeatChannel;
    readonly clock: Clock;
  };
  readonly #heard = new Map<string, NodeHeartbeat>();
  /** When a node was last heard under each origin, ms; oldest first. */
  readonly #originsHeardMs = new Map<string, number>();
  readonly #missed = new MissedHeartbeats();
  #wasConnected = true;
  /** When this node sends its next heartbeat, ms. */
  #heartbeatAtMs = -Infinity;
  readonly #waiting = new Set<() => void>();

  /** @param options.self what this node's heartbeat says now */
  constructor(
    options: {
      readonly self: () => NodeHeartbeat;
      readonly channel: HeartbeatChannel;
      readonly clock: Clock;
    },
  ) {
    this.#options = options;
    options.channel.subscribe("beat.*", (bytes) => this.#hear(bytes));
  }

  /** Announces that this node lives. */
  sendHeartbeat(): void {
    const heartbeat = this.#options.self();
    this.#options.channel.publish(`beat.${heartbeat.node}`, JSON.stringify(heartbeat));
  }

  /**
   * Sends a heartbeat every `HEARTBEAT_MS`, and at once after this node stalled or was
   * disconnected, because others count the silence since the previous heartbeat, and no record that
   * the servers take ends that silence. Call it often.
   */
  advance(): void {
    const { channel, clock } = this.#options;
    const { isConnected } = channel;
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
    const { self, channel, clock } = this.#options;
    const own = this.#missed.sinceHeartbeatMs(self().node, clock.now());
    return channel.isConnected && !channel.isInDoubt && own !== undefined && own < MISSED_MS;
  }

  /** Whether this node may be the one at fault. Then it takes neither matches nor players. */
  get isInDoubt(): boolean {
    return this.#options.channel.isInDoubt;
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
   * How long a node has been silent, ms. A node that was never heard counts as silent since this
   * node began to hear heartbeats.
   */
  silentMs(node: string): number {
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
      if (silentMs > FORGOTTEN_MS) this.#forget(node);
      else if (silentMs >= SILENCE_MS) gone.push(node);
    }
    return gone;
  }

  /**
   * The nodes that may take a match, first candidate first. Nodes that are stopping are left out.
   */
  rankedFor(match: string): readonly NodeHeartbeat[] {
    const takers = new Map(
      this.living.filter(({ leaves }) => !leaves).map((heartbeat) => [heartbeat.node, heartbeat]),
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

    // Moves its origin to the end of the map's order.
    const origins = this.#originsHeardMs;
    origins.delete(heartbeat.url);
    origins.set(heartbeat.url, nowMs);
    if (origins.size > ORIGINS_MAX) origins.delete(origins.keys().next().value!);

    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #forget(node: string): void {
    this.#heard.delete(node);
    this.#missed.forget(node);
  }
}
