/**
 * Counts what addresses' networks have under way, so that one customer's many addresses together
 * take no more than a share.
 */
import { customersOf } from "./networks.ts";

export class NetworkCounts {
  readonly #perAddressMax: number;
  readonly #perNetworkMax: number;
  readonly #counts = new Map<string, number>();

  /** @param options.perNetworkMax for an IPv6 /56 or /48 */
  constructor({ perAddressMax, perNetworkMax }: { perAddressMax: number; perNetworkMax: number }) {
    this.#perAddressMax = perAddressMax;
    this.#perNetworkMax = perNetworkMax;
  }

  /**
   * Counts one more for an address, until `release`.
   * @returns false, with nothing counted, if one of its networks has too many
   */
  acquire(addressBlock: string): boolean {
    const networks = customersOf(addressBlock);
    for (const network of networks) {
      const max = network === addressBlock ? this.#perAddressMax : this.#perNetworkMax;
      if ((this.#counts.get(network) ?? 0) >= max) return false;
    }
    for (const network of networks) this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
    return true;
  }

  /** Counts one less for an address. */
  release(addressBlock: string): void {
    for (const network of customersOf(addressBlock)) {
      const left = this.#counts.get(network)! - 1;
      if (left === 0) this.#counts.delete(network);
      else this.#counts.set(network, left);
    }
  }
}
