/**
 * A coder that writes nothing and sums the information in each part of a message: −log2(p) bits for
 * an outcome with probability p.
 */
import { Coder, P_ONE } from "../../../../shared/netcode/wire/range_coder.ts";

export class Meter extends Coder {
  override readonly isReading = false;
  /** Bits by the part's name. */
  readonly bitsOf = new Map<string, number>();

  override flag(value: boolean, chance = P_ONE / 2): boolean {
    this.#add(-Math.log2((value ? chance : P_ONE - chance) / P_ONE));
    return value;
  }

  override bits(value: number, width: number): number {
    this.#add(width);
    return value;
  }

  /** Bits of all parts. */
  get total(): number {
    let total = 0;
    for (const bits of this.bitsOf.values()) total += bits;
    return total;
  }

  #add(bits: number): void {
    this.bitsOf.set(this.part, (this.bitsOf.get(this.part) ?? 0) + bits);
  }
}
