/**
 * The first pairs of a crowd, in the order of their keys. While a world has more pairs than it may
 * have contacts, this search replaces that of the broad phase. It compares all proxies, so its
 * result depends on their AABBs alone. It ends at the first pair too many: in a dense crowd that is
 * soon.
 */
import type { BroadPhase } from "./broad_phase.ts";

/** The proxies, and the pairs that count. */
export interface FirstPairsSearch {
  readonly broadPhase: BroadPhase;
  /** The key of a proxy. Pairs ascend by (smaller key, larger key). */
  keyOf(proxy: number): number;
  /** Whether the two may have a contact. `low` has the smaller key. */
  isPair(low: number, high: number): boolean;
  /** Called for each of the first pairs, in their order. */
  onPair(low: number, high: number): void;
}

/** @param max pairs to report, at most @returns whether there are more */
export function findFirstPairs(
  { broadPhase, keyOf, isPair, onPair }: FirstPairsSearch,
  max: number,
): boolean {
  const proxies = broadPhase.takeAll().sort((a, b) => keyOf(a) - keyOf(b));
  let count = 0;
  for (let i = 0; i < proxies.length; i++) {
    const low = proxies[i]!;
    for (let k = i + 1; k < proxies.length; k++) {
      const high = proxies[k]!;
      if (!broadPhase.testOverlap(low, high) || !isPair(low, high)) continue;
      if (count === max) return true;
      count++;
      onPair(low, high);
    }
  }
  return false;
}
