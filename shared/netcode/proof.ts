/**
 * What a client proves about its match where the server simulates nothing: ten settled ticks' hashes
 * in 32 bits. Equal states have equal hashes, so clients that agree have equal proofs, and one that
 * differed for a single tick does not.
 */
import type { Tick } from "./game.ts";

/** How many ticks a proof covers: half a second at 20 Hz. Its tick is a multiple of that. */
export const PROOF_TICKS = 10;

/** The hashes of the ticks from `tick` − 9 to `tick`. */
export interface TickProof {
  /** A multiple of `PROOF_TICKS`. */
  readonly tick: Tick;
  /** Unsigned, 32 bits. */
  readonly proof: number;
}

/** Makes proofs from the hashes of one tick after the other. */
export class ProofMaker {
  /** The newest tick; the next one must follow it. */
  #tick: Tick = -1;
  /** How many ticks in a row are in the proof. */
  #count = 0;
  #proof = 0;

  /**
   * Adds a tick's hash, 32 bits. Ticks ascend; after a gap a new proof begins.
   * @returns the proof if this tick completes one
   */
  add(tick: Tick, hash: number): TickProof | undefined {
    if (tick !== this.#tick + 1 || tick % PROOF_TICKS === 1) this.#count = this.#proof = 0;
    this.#tick = tick;
    this.#count++;
    // FNV-1a's prime, a word at a time (Fowler, Noll, Vo): the order of the hashes counts.
    this.#proof = Math.imul(this.#proof ^ hash, 0x0100_0193);
    if (tick % PROOF_TICKS !== 0 || this.#count < PROOF_TICKS) return undefined;
    return { tick, proof: this.#proof >>> 0 };
  }
}
