/**
 * Which nodes have fallen silent. Only time in which this node hears beats counts. A node that is cut off hears
 * nobody, and must not take that for the silence of all others. A node hears its own beats, too, because they come back from the
 * log's servers; so two nodes are enough.
 *
 *     heard time = Σ of the gaps between beats of any node, each counted if it is at most DEAF_MS
 *     silence of a node = heard time since its last beat
 */

/** How often a node says that it lives, ms. */
export const BEAT_MS = 200;
/** A node that was silent for so long, ms, is gone, and others take its matches. A machine may stall for half a second. */
export const SILENCE_MS = 1000;
/** This node is deaf if it hears no beat at all for so long: two beats, and a half for jitter. */
export const DEAF_MS = 500;
/** Nodes that are watched, as many as one directory has: all hear all, so n nodes cost 5 n² messages a second. */
export const NODES_MAX = 64;

interface LastBeat {
  readonly atMs: number;
  /** The heard time then, ms. */
  readonly heardMs: number;
}

export class Silence {
  readonly #lastBeats = new Map<string, LastBeat>();
  #heardMs = 0;
  #newestBeatMs: number | undefined;

  /** A beat of a node has arrived. @param nowMs any clock that does not go back */
  hear(node: string, nowMs: number): void {
    if (!this.#lastBeats.has(node) && this.#lastBeats.size >= NODES_MAX) return;
    this.#heardMs = this.#heardTimeMs(nowMs);
    this.#newestBeatMs = nowMs;
    this.#lastBeats.set(node, { atMs: nowMs, heardMs: this.#heardMs });
  }

  /** A node is not looked for any more. */
  forget(node: string): void {
    this.#lastBeats.delete(node);
  }

  /** How long a node has been silent while this one heard others, ms; undefined for a node that was never heard. */
  silenceMs(node: string, nowMs: number): number | undefined {
    const last = this.#lastBeats.get(node);
    return last === undefined ? undefined : this.#heardTimeMs(nowMs) - last.heardMs;
  }

  /** The time since a node's last beat, also while this node hears nobody, ms; undefined as above. */
  sinceBeatMs(node: string, nowMs: number): number | undefined {
    const last = this.#lastBeats.get(node);
    return last === undefined ? undefined : nowMs - last.atMs;
  }

  /** While this node is deaf, the time stands still. */
  #heardTimeMs(nowMs: number): number {
    const gapMs = nowMs - (this.#newestBeatMs ?? nowMs);
    return gapMs <= DEAF_MS ? this.#heardMs + gapMs : this.#heardMs;
  }
}
