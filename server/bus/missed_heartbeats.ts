/**
 * Tells which nodes have fallen silent. A partitioned node hears no other, and must not conclude
 * that all others are silent. So only time in which it hears heartbeats counts, and after a
 * partition it starts to count anew, because the others may have been alive meanwhile. A node's own
 * heartbeats come back from the log's servers, so it hears itself too, and two nodes are enough.
 *
 *     deaf               = no heartbeat of any node for more than DEAF_MS
 *     silence of a node  = time since its last heartbeat, or since this node was deaf last; it stands still while it is deaf
 */

/** How often a node sends a heartbeat, ms. */
export const HEARTBEAT_MS = 200;
/**
 * After this much silence, ms, a node counts as gone, and others take its matches. A machine may
 * stall for half a second.
 */
export const SILENCE_MS = 1000;
/**
 * If this node hears no heartbeat at all for this long, it is deaf: two heartbeats, and half a one
 * for jitter.
 */
export const DEAF_MS = 500;
/**
 * How many nodes are watched, which is as many as one directory holds. All hear all, so n nodes
 * cost 5 n² messages a second.
 */
export const NODES_MAX = 64;

export class MissedHeartbeats {
  /** By node, ms. */
  readonly #lastHeartbeatsMs = new Map<string, number>();
  #newestHeartbeatMs = -Infinity;
  /** The first heartbeat since this node was last deaf, ms; undefined before the very first. */
  #hearsSinceMs: number | undefined;

  /** Notes a node's heartbeat. @param nowMs on any clock that does not go back */
  hear(node: string, nowMs: number): void {
    if (!this.#lastHeartbeatsMs.has(node) && this.#lastHeartbeatsMs.size >= NODES_MAX) return;
    if (this.#isDeaf(nowMs)) this.#hearsSinceMs = nowMs;
    this.#newestHeartbeatMs = nowMs;
    this.#lastHeartbeatsMs.set(node, nowMs);
  }

  /** Stops watching a node. */
  forget(node: string): void {
    this.#lastHeartbeatsMs.delete(node);
  }

  /**
   * How long a node has been silent while this node heard others, ms. A node that was never heard
   * counts as silent since this node began to hear; 0 before the very first heartbeat.
   */
  silenceMs(node: string, nowMs: number): number {
    if (this.#hearsSinceMs === undefined) return 0;
    const untilMs = this.#isDeaf(nowMs) ? this.#newestHeartbeatMs : nowMs;
    return untilMs - Math.max(this.#hearsSinceMs, this.#lastHeartbeatsMs.get(node) ?? -Infinity);
  }

  /**
   * The time since a node's last heartbeat, ms, which also grows while this node hears none;
   * undefined for a node that was never heard.
   */
  sinceHeartbeatMs(node: string, nowMs: number): number | undefined {
    const lastMs = this.#lastHeartbeatsMs.get(node);
    return lastMs === undefined ? undefined : nowMs - lastMs;
  }

  /** The time since the newest heartbeat of any node, ms; undefined before the very first. */
  sinceAnyHeartbeatMs(nowMs: number): number | undefined {
    return this.#hearsSinceMs === undefined ? undefined : nowMs - this.#newestHeartbeatMs;
  }

  /**
   * Since when this node has heard heartbeats without being deaf, ms; undefined before the first
   * one.
   */
  get hearsSinceMs(): number | undefined {
    return this.#hearsSinceMs;
  }

  #isDeaf(nowMs: number): boolean {
    return nowMs - this.#newestHeartbeatMs > DEAF_MS;
  }
}
