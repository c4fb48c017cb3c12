/**
 * Rate limits on addresses that also bound the networks around them, because one customer may have
 * 65,536 IPv6 addresses.
 */
import type { Rate } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { AddressBuckets } from "../addresses/address_buckets.ts";
import { customersOf } from "./networks.ts";

/**
 * The rates of a /56 and a /48, in multiples of one address's: homes and mobile carriers have
 * several busy addresses there.
 */
const SHARES_OF_WIDER = [4, 16] as const;

export class NetworkBuckets {
  /** Buckets for addresses, then for ever wider networks. */
  readonly #levels: readonly AddressBuckets[];

  /** @param rate for one address */
  constructor(rate: Rate, clock: Clock) {
    this.#levels = [1, ...SHARES_OF_WIDER].map((shares) => {
      const wider = { burst: shares * rate.burst, perSecond: shares * rate.perSecond };
      return new AddressBuckets(wider, clock);
    });
  }

  /** How many addresses' buckets are kept at the moment, at most 4,096. */
  get trackedAddresses(): number {
    return this.#levels[0]!.trackedAddresses;
  }

  /**
   * Takes a token from an address and from each network around it. An address without a token takes
   * none from its networks, so its flood does not slow down its neighbours.
   * @returns false if a token is missing
   */
  take(addressBlock: string): boolean {
    const networks = customersOf(addressBlock).toReversed();
    return networks.every((network, level) => this.#levels[level]!.take(network));
  }
}
