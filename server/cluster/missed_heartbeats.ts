/**
 * Which nodes have fallen silent. A node that is partitioned hears no other, and must not conclude
 * that all others are silent. So only time in which it hears heartbeats counts, and after a
 * partition it counts anew, because the others may have lived meanwhile. A node hears its own
 * heartbeats, too, because they come back from the log's servers; so two nodes are enough.
 *
 *     deaf               = no heartbeat of any node for more than DEAF_MS
 *     silence of a node  = time since its last heartbeat, or since this node was deaf last; it stands still while it is deaf
 */

/** How often a node says that it lives, ms. */
export const HEARTBEAT_MS = 200;
/**
 * A node that was silent for so long, ms, is gone, and others take its matches. A machine may stall
 * for half a second.
 */
export const SILENCE_MS = 1000;
/**
 * This node is deaf if it hears no heartbeat at all for so long: two heartbeats, and a half for
 * jitter.
 */
export const DEAF_MS = 500;
/**
 * Nodes that are watched, as many as one directory has: all hear all, so n nodes cost 5 n² messages
 * a second.
 */
export const NODES_MAX = 64;

export class MissedHeartbeats {
  /** By node, ms. */
  readonly #lastHeartbeatsMs = new Map<string, number>();
  #newestHeartbeatMs = -Infinity;
  /** The first heartbeat since this node was deaf, ms; undefined before the first of all. */
  #hearsSinceMs: number | undefined;

  /** A heartbeat of a node has arrived. @param nowMs any clock that does not go back */
  hear(node: string, nowMs: number): void {
    if (!this.#lastHeartbeatsMs.has(node) && this.#lastHeartbeatsMs.size >= NODES_MAX) return;
    if (this.#isDeaf(nowMs)) this.#hearsSinceMs = nowMs;
    this.#newestHeartbeatMs = nowMs;
    this.#lastHeartbeatsMs.set(node, nowMs);
  }

  /** A node is not looked for any more. */
  forget(node: string): void {
    this.#lastHeartbeatsMs.delete(node);
  }

  /**
   * How long a node has been silent while this one heard others, ms. One that was never heard is
   * silent since this node hears; 0 before the first heartbeat of all.
   */
  silenceMs(node: string, nowMs: number): number {
    if (this.#hearsSinceMs === undefined) return 0;
    const untilMs = this.#isDeaf(nowMs) ? this.#newestHeartbeatMs : nowMs;
    return untilMs - Math.max(this.#hearsSinceMs, this.#lastHeartbeatsMs.get(node) ?? -Infinity);
  }

  /**
   * The time since a node's last heartbeat, also while this node hears none, ms; undefined for a
   * node that was never heard.
   */
  sinceHeartbeatMs(node: string, nowMs: number): number | undefined {
    const lastMs = this.#lastHeartbeatsMs.get(node);
    return lastMs === undefined ? undefined : nowMs - lastMs;
  }

  /**
   * Since when this node has heard heartbeats without being deaf, ms; undefined before the first.
   */
  get hearsSinceMs(): number | undefined {
    return this.#hearsSinceMs;
  }

  #isDeaf(nowMs: number): boolean {
    return nowMs - this.#newestHeartbeatMs > DEAF_MS;
  }
}
