/**
 * Counts which networks hold a server's places and, when all are taken, finds the place that a
 * newcomer gets:
 *
 *     excess(place) = places of the holder's network − places of the newcomer's network
 *     worth(place)  = active players who would lose it
 *
 * The networks are compared at the widest level at which they differ. A place may be taken if its
 * excess is greater than its worth. So an idle place goes to a network that holds less, and an
 * active player's place only to a network that holds at least two less. The place with the least
 * worth is taken; among equals, the largest holder's.
 */
import { holdersOf } from "./networks.ts";

interface Count {
  places: number;
}

/** An address block with its places. */
interface Holder<Place> {
  /** The counts of the block's networks, the widest first. */
  readonly counts: readonly Count[];
  /** Oldest first. */
  readonly places: Set<Place>;
}

/** A client that needs a place. */
export interface Newcomer {
  readonly addressBlock: string;
  /**
   * Whether it only watches. Then it gets a place only from a network that holds at least two more.
   */
  readonly isIdle: boolean;
  /** Its networks' places in other processes, the widest network first; by default none. */
  readonly elsewhere?: readonly number[] | undefined;
}

export class HeldPlaces<Place> {
  readonly #counts = new Map<string, Count>();
  readonly #holders = new Map<string, Holder<Place>>();
  readonly #blocks = new Map<Place, string>();

  /** How many places are held. */
  get size(): number {
    return this.#blocks.size;
  }

  [Symbol.iterator](): Iterator<Place> {
    return this.#blocks.keys();
  }

  /** Counts a place for an address block until `delete`. */
  add(place: Place, addressBlock: string): void {
    let holder = this.#holders.get(addressBlock);
    if (holder === undefined) {
      holder = {
        counts: holdersOf(addressBlock).map((network) => this.#countOf(network)),
        places: new Set(),
      };
      this.#holders.set(addressBlock, holder);
    }
    for (const count of holder.counts) count.places++;
    holder.places.add(place);
    this.#blocks.set(place, addressBlock);
  }

  /** @returns whether the place was held */
  delete(place: Place): boolean {
    const addressBlock = this.#blocks.get(place);
    if (addressBlock === undefined) return false;
    this.#blocks.delete(place);

    const holder = this.#holders.get(addressBlock)!;
    holder.places.delete(place);
    if (holder.places.size === 0) this.#holders.delete(addressBlock);
    for (const network of holdersOf(addressBlock)) {
      const count = this.#counts.get(network)!;
      if (--count.places === 0) this.#counts.delete(network);
    }
    return true;
  }

  /** An address block's places, oldest first. */
  of(addressBlock: string): ReadonlySet<Place> {
    return this.#holders.get(addressBlock)?.places ?? new Set();
  }

  /** Counts the places that each of an address block's networks holds, the widest first. */
  countsOf(addressBlock: string): number[] {
    return holdersOf(addressBlock).map((network) => this.#counts.get(network)?.places ?? 0);
  }

  /**
   * Finds the place that a newcomer may have.
   * @param worthOf active players who would lose the place; `Infinity` for a place that stays
   * @returns undefined if every place stays with its holder
   */
  placeFor(
    { addressBlock, isIdle, elsewhere = [] }: Newcomer,
    worthOf: (place: Place) => number,
  ): Place | undefined {
    const own = holdersOf(addressBlock).map((network) => this.#counts.get(network));
    const held = own.map((count, level) => (count?.places ?? 0) + (elsewhere[level] ?? 0));

    let best:
      | { readonly place: Place; readonly worth: number; readonly holder: Holder<Place> }
      | undefined;
    for (const holder of this.#holders.values()) {
      // How many more places the holder's network has, at the widest level at which they differ
      const level = holder.counts.findIndex((count, level) => count !== own[level]);
      if (level < 0) continue;
      const excess = holder.counts[level]!.places - held[level]!;
      if (excess <= (isIdle ? 1 : 0)) continue;

      // Its place with the least worth
      for (const place of holder.places) {
        const worth = worthOf(place);
        if (excess <= worth) continue;
        const isBetter = best === undefined || worth < best.worth ||
          worth === best.worth && isLarger(holder, best.holder);
        if (isBetter) best = { place, worth, holder };
      }
    }

    return best?.place;
  }

  /** The largest holder's oldest place; undefined if no places are held. */
  oldestOfLargest(): Place | undefined {
    let largest: Holder<Place> | undefined;
    for (const holder of this.#holders.values()) {
      if (largest === undefined || isLarger(holder, largest)) largest = holder;
    }
    return largest?.places.values().next().value;
  }

  #countOf(network: string): Count {
    let count = this.#counts.get(network);
    if (count === undefined) this.#counts.set(network, count = { places: 0 });
    return count;
  }
}

/**
 * Whether a holder's networks hold more places than another's. The widest level at which their
 * counts differ decides.
 */
function isLarger(left: Holder<unknown>, right: Holder<unknown>): boolean {
  for (const [level, { places }] of left.counts.entries()) {
    const other = right.counts[level]?.places ?? 0;
    if (places !== other) return places > other;
  }
  return false;
}
