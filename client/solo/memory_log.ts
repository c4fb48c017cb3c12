/**
 * The log of a match that a page hosts, in the worker's memory, so that a player can keep the match
 * as a file. Beyond the bound it begins again with the present state.
 */
import type { MatchLog } from "../../server/match/match_recorder.ts";

/** The longest log, bytes: hours of a match. Pages of replays take twice as much. */
const LOG_BYTES_MAX = 1 << 24;

export class MemoryLog implements MatchLog {
  readonly epoch = 1;
  readonly id = "";
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #isFull = false;
  readonly #bytesMax: number;

  /** @param bytesMax the bound, by default `LOG_BYTES_MAX` */
  constructor(bytesMax = LOG_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  get isOpen(): boolean {
    return !this.#isFull;
  }

  append(frame: Uint8Array): undefined {
    const length = this.#length + frame.length;
    if (length > this.#bytesMax) this.#isFull = true;
    if (this.#isFull) return;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(this.#bytesMax, Math.max(length, 2 * this.#length)));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(frame, this.#length);
    this.#length = length;
  }

  end(frame: Uint8Array): void {
    this.append(frame);
  }

  beginAgain(): boolean {
    this.#length = 0;
    this.#isFull = false;
    return true;
  }

  /** @returns a copy of all records so far, which a page of replays plays */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}
