/** What a person saw in the last moments. */

/** Longer than any reaction. */
const MEMORY_MS = 1500;

/** The pictures of the last moments, each with the time at which it was on the screen. */
export class SightMemory<Seen> {
  readonly #seen: { readonly atMs: number; readonly sight: Seen }[] = [];

  /** @param atMs not before the last one */
  add(atMs: number, sight: Seen): void {
    this.#seen.push({ atMs, sight });
    while (this.#seen[0]!.atMs < atMs - MEMORY_MS) this.#seen.shift();
  }

  /** The newest sight that is not newer than `atMs`; undefined if there is none. */
  at(atMs: number): Seen | undefined {
    return this.#seen.findLast((seen) => seen.atMs <= atMs)?.sight;
  }
}
