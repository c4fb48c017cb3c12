/** Proves each settled tick to a server that only orders commands, once per tick and in order. */
import type { Tick } from "../../shared/netcode/game.ts";
import { ProofMaker, type TickProof } from "../../shared/netcode/proof.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

export class LocalProofs {
  readonly #send: (proof: TickProof) => void;
  #maker = new ProofMaker();
  #newest: Tick = -1;
  readonly #proven = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  /** How many ticks went into proofs so far. */
  provenTicks = 0;

  /** @param send gets each proof once it is complete */
  constructor(send: (proof: TickProof) => void) {
    this.#send = send;
  }

  /** Restarts at `tick`, whose state was adopted. */
  restart(tick: Tick): void {
    this.#maker = new ProofMaker();
    this.#newest = tick - 1;
  }

  /**
   * Proves every tick up to `last` that was not proven yet.
   * @param last a tick that is definitive and stepped
   * @param hashOf returns the local hash, 32 bits; undefined if there is none
   */
  proveTo(last: Tick, hashOf: (tick: Tick) => number | undefined): void {
    while (this.#newest < last) {
      const tick = ++this.#newest;
      const hash = hashOf(tick);
      if (hash === undefined) continue;
      this.#proven.claim(tick).hash = hash;
      this.provenTicks++;
      const proof = this.#maker.add(tick, hash);
      if (proof !== undefined) this.#send(proof);
    }
  }

  /** The local hash, 32 bits, of a tick that went into a proof; undefined for any other. */
  proven(tick: Tick): number | undefined {
    return this.#proven.get(tick)?.hash;
  }
}
