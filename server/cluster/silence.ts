/**
 * Which nodes have fallen silent. Only time in which this node hears beats counts. A node that is cut off hears
 * nobody, and must not take that for the silence of all others. A node hears its own beats, too, because they come back from the
 * log's servers; so two nodes are enough.
 *
 *     heard time = Σ of the gaps between beats of any node, each counted if it is at most DEAF_MS
 *     silence of a node = heard time since its last beat
 */

/** Beats a second are 5. */
export const BEAT_MS = 200;
/** A node that is silent for so long may be taken over: five beats, more than a garbage collection or a move costs. */
export const SILENCE_MS = 1000;
/** This node is deaf if it hears no beat at all for so long: two beats, and a half for jitter. */
export const DEAF_MS = 500;
/** Nodes that are watched, as many as one directory has: all hear all, so n nodes cost 5 n² messages a second. */
export const NODES_MAX = 64;

export class Silence {
  /** For each node, the heard time of its last beat, ms. */
  readonly #lastHeardMs = new Map<string, number>();
  #heardMs = 0;
  #newestBeatMs: number | undefined;

  /** A beat of a node has arrived. @param nowMs any clock that does not go back */
  hear(node: string, nowMs: number): void {
    if (!this.#lastHeardMs.has(node) && this.#lastHeardMs.size >= NODES_MAX) return;
    this.#heardMs = this.#heardTimeMs(nowMs);
    this.#newestBeatMs = nowMs;
    this.#lastHeardMs.set(node, this.#heardMs);
  }

  /** A node has said goodbye, or all its matches are taken. */
  forget(node: string): void {
    this.#lastHeardMs.delete(node);
  }

  /** How long a node has been silent while this one heard others, ms; undefined for a node that was never heard. */
  silenceMs(node: string, nowMs: number): number | undefined {
    const lastMs = this.#lastHeardMs.get(node);
    return lastMs === undefined ? undefined : this.#heardTimeMs(nowMs) - lastMs;
  }

  /** The nodes that are heard, and those that have been silent for `SILENCE_MS`, each in the order of their first beat. */
  nodes(nowMs: number): { readonly living: string[]; readonly silent: string[] } {
    const living: string[] = [], silent: string[] = [], heardMs = this.#heardTimeMs(nowMs);
    for (const [node, lastMs] of this.#lastHeardMs) (heardMs - lastMs < SILENCE_MS ? living : silent).push(node);
    return { living, silent };
  }

  /** While this node is deaf, the time stands still. */
  #heardTimeMs(nowMs: number): number {
    const gapMs = nowMs - (this.#newestBeatMs ?? nowMs);
    return gapMs <= DEAF_MS ? this.#heardMs + gapMs : this.#heardMs;
  }
}
