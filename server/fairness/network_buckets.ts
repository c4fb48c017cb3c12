/**
 * Rate limits of addresses that hold for the networks around them, too: a customer may have 65,536
 * addresses of IPv6.
 */
import type { Rate } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { AddressBuckets } from "../http/address_buckets.ts";
import { customersOf } from "./networks.ts";

/**
 * The rates of a /56 and a /48, in shares of one address: homes and carriers of phones have several
 * busy addresses there.
 */
const SHARES_OF_WIDER = [4, 16] as const;

export class NetworkBuckets {
  /** Those of addresses first, then of wider networks. */
  readonly #levels: readonly AddressBuckets[];

  /** @param rate that of one address */
  constructor(rate: Rate, clock: Clock) {
    this.#levels = [1, ...SHARES_OF_WIDER].map((shares) => {
      const wider = { burst: shares * rate.burst, perSecond: shares * rate.perSecond };
      return new AddressBuckets(wider, clock);
    });
  }

  /** Addresses whose buckets are kept at the moment, at most 4,096. */
  get trackedAddresses(): number {
    return this.#levels[0]!.trackedAddresses;
  }

  /**
   * Takes a token of an address and of each network around it. An address without a token takes
   * none of its networks, so its flood does not slow down its neighbours.
   * @returns false if there is none
   */
  take(addressBlock: string): boolean {
    const networks = customersOf(addressBlock).toReversed();
    return networks.every((network, level) => this.#levels[level]!.take(network));
  }
}
