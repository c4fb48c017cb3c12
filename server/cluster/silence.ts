/**
 * Which nodes have fallen silent. A node that is partitioned hears no other, and must not conclude
 * that all others are silent. So only time in which it hears beats counts, and after a partition it
 * counts anew, because the others may have lived meanwhile. A node hears its own beats, too,
 * because they come back from the log's servers; so two nodes are enough.
 *
 *     deaf               = no beat of any node for more than DEAF_MS
 *     silence of a node  = time since its last beat, or since this node was deaf last; it stands still while it is deaf
 */

/** How often a node says that it lives, ms. */
export const BEAT_MS = 200;
/**
 * A node that was silent for so long, ms, is gone, and others take its matches. A machine may stall
 * for half a second.
 */
export const SILENCE_MS = 1000;
/** This node is deaf if it hears no beat at all for so long: two beats, and a half for jitter. */
export const DEAF_MS = 500;
/**
 * Nodes that are watched, as many as one directory has: all hear all, so n nodes cost 5 n² messages
 * a second.
 */
export const NODES_MAX = 64;

export class Silence {
  /** By node, ms. */
  readonly #lastBeatsMs = new Map<string, number>();
  #newestBeatMs = -Infinity;
  /** The first beat since this node was deaf, ms; undefined before the first of all. */
  #hearsSinceMs: number | undefined;

  /** A beat of a node has arrived. @param nowMs any clock that does not go back */
  hear(node: string, nowMs: number): void {
    if (!this.#lastBeatsMs.has(node) && this.#lastBeatsMs.size >= NODES_MAX) return;
    if (this.#isDeaf(nowMs)) this.#hearsSinceMs = nowMs;
    this.#newestBeatMs = nowMs;
    this.#lastBeatsMs.set(node, nowMs);
  }

  /** A node is not looked for any more. */
  forget(node: string): void {
    this.#lastBeatsMs.delete(node);
  }

  /**
   * How long a node has been silent while this one heard others, ms. One that was never heard is
   * silent since this node hears; 0 before the first beat of all.
   */
  silenceMs(node: string, nowMs: number): number {
    if (this.#hearsSinceMs === undefined) return 0;
    const untilMs = this.#isDeaf(nowMs) ? this.#newestBeatMs : nowMs;
    return untilMs - Math.max(this.#hearsSinceMs, this.#lastBeatsMs.get(node) ?? -Infinity);
  }

  /**
   * The time since a node's last beat, also while this node hears none, ms; undefined for a node
   * that was never heard.
   */
  sinceBeatMs(node: string, nowMs: number): number | undefined {
    const lastMs = this.#lastBeatsMs.get(node);
    return lastMs === undefined ? undefined : nowMs - lastMs;
  }

  /** Since when this node has heard beats without being deaf, ms; undefined before the first. */
  get hearsSinceMs(): number | undefined {
    return this.#hearsSinceMs;
  }

  #isDeaf(nowMs: number): boolean {
    return nowMs - this.#newestBeatMs > DEAF_MS;
  }
}
