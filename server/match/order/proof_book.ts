/**
 * What clients have proven, compared with each other at once, and with the referee's proofs when
 * those come.
 *
 *     equal so far  →  a tick is verified by those who play it        differing  →  the referee decides, whatever the majority says
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { PROOF_TICKS, type TickProof } from "../../../shared/netcode/proof.ts";
import { WireError } from "../../../shared/netcode/wire/range_coder.ts";

/** How many proofs are kept of each client, and of the referee: 32 s at 20 Hz. */
const PROOFS_KEPT = 64;

/** Some proofs in a row of ticks, the newest `PROOFS_KEPT`. */
class Proofs {
  newestTick: Tick = -1;
  readonly #ticks = new Int32Array(PROOFS_KEPT).fill(-1);
  readonly #proofs = new Uint32Array(PROOFS_KEPT);

  set({ tick, proof }: TickProof): void {
    const place = tick / PROOF_TICKS % PROOFS_KEPT;
    this.newestTick = Math.max(this.newestTick, tick);
    this.#ticks[place] = tick;
    this.#proofs[place] = proof;
  }

  /** The proof of this tick; undefined if there is none. */
  at(tick: Tick): number | undefined {
    const place = tick / PROOF_TICKS % PROOFS_KEPT;
    return this.#ticks[place] === tick ? this.#proofs[place] : undefined;
  }
}

/** The proofs of one match. */
export class ProofBook<Prover extends object> {
  readonly #byProver = new Map<Prover, Proofs>();
  /** What the first of them said. */
  readonly #first = new Proofs();
  readonly #true = new Proofs();
  /** The newest tick that was proven by at least one of them, and in which all agreed so far. */
  verifiedTick: Tick = 0;
  /** The newest tick on which two of them disagree, and the referee has not decided; −1 for none. */
  disputedTick: Tick = -1;

  /**
   * Takes a client's proof. One that is too old to be compared is ignored.
   * @returns whether it contradicts the referee's
   * @throws WireError if it does not follow the client's proofs before it: who could take a proof
   * back would make the referee work and would never be named
   */
  add(prover: Prover, given: TickProof): boolean {
    const { tick, proof } = given;
    const proofs = this.#byProver.get(prover) ?? new Proofs();
    if (tick <= proofs.newestTick) {
      throw new WireError(`has proven tick ${tick} after tick ${proofs.newestTick}`);
    }
    this.#byProver.set(prover, proofs);
    proofs.set(given);
    const newest = Math.max(this.#first.newestTick, this.#true.newestTick);
    if (tick <= newest - PROOFS_KEPT * PROOF_TICKS) return false;

    const truth = this.#true.at(tick);
    if (truth !== undefined) return truth !== proof;

    const first = this.#first.at(tick);
    if (first === undefined) this.#first.set(given);
    if (first === undefined || first === proof) {
      this.verifiedTick = Math.max(this.verifiedTick, tick);
    } else {
      this.disputedTick = Math.max(this.disputedTick, tick);
    }
    return false;
  }

  /** Forgets a client's proofs, because it has left or gets another state. */
  forget(prover: Prover): void {
    this.#byProver.delete(prover);
  }

  /**
   * Takes the referee's proofs, ascending.
   * @returns the clients that contradict one of them, with the first such tick
   */
  judge(proofs: readonly TickProof[]): ReadonlyMap<Prover, Tick> {
    const wrong = new Map<Prover, Tick>();
    for (const truth of proofs) {
      this.#true.set(truth);
      this.disputedTick = truth.tick >= this.disputedTick ? -1 : this.disputedTick;
      for (const [prover, given] of this.#byProver) {
        const proof = given.at(truth.tick);
        if (proof !== undefined && proof !== truth.proof && !wrong.has(prover)) {
          wrong.set(prover, truth.tick);
        }
      }
    }
    return wrong;
  }
}
