/**
 * Runs events in virtual time from a heap of Deno std. Events at the same instant run in the order
 * in which they were added.
 */
import * as heap from "deno-std/data_structures/binary_heap.js";

interface Heap<Item> {
  push(...items: Item[]): number;
  pop(): Item | undefined;
  peek(): Item | undefined;
  readonly length: number;
}

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * 1,000 nodes queue an event for each player who leaves within the run, at most 1,000 a node, and a
 * few events for themselves.
 */
export const EVENTS_MAX = 2_000_000;

/** The package has no types. */
const { BinaryHeap } = heap as unknown as {
  BinaryHeap: new <Item>(compare: (a: Item, b: Item) => number) => Heap<Item>;
};

export class EventQueue {
  readonly #heap = new BinaryHeap<Event>((a, b) => a.atMs - b.atMs || a.order - b.order);
  readonly #endMs: number;
  #nowMs = 0;
  #added = 0;

  /** @param endMs later events never happen, so they are not kept */
  constructor(endMs: number) {
    this.#endMs = endMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get endMs(): number {
    return this.#endMs;
  }

  /** Counts the events that were added and not left out. */
  get added(): number {
    return this.#added;
  }

  /**
   * Adds an event. @param atMs an instant that is over counts as now
   * @throws RangeError for more than `EVENTS_MAX` at once
   */
  at(atMs: number, run: () => void): void {
    if (!(atMs < this.#endMs)) return;
    if (this.#heap.length >= EVENTS_MAX) {
      throw new RangeError(`more than ${EVENTS_MAX} events wait`);
    }
    this.#heap.push({ atMs: Math.max(atMs, this.#nowMs), order: this.#added++, run });
  }

  after(ms: number, run: () => void): void {
    this.at(this.#nowMs + ms, run);
  }

  /**
   * Runs all events.
   * @param onProgress called after each of 200 equal parts of the time, with ms of virtual time
   */
  run(onProgress: (nowMs: number) => void = () => {}): void {
    const partMs = this.#endMs / 200;
    let shownMs = 0;
    for (let event = this.#heap.pop(); event !== undefined; event = this.#heap.pop()) {
      this.#nowMs = event.atMs;
      event.run();
      if (this.#nowMs - shownMs >= partMs) onProgress(shownMs = this.#nowMs);
    }
    this.#nowMs = this.#endMs;
  }
}
