/**
 * Measures the round trips to the regions of a server's machines, so that "Play now" leads to a
 * near one. Each is the least among a few short requests to one machine in the region. A region
 * that is slow or refuses gets no figure.
 */
import type { Clock } from "../../shared/netcode/link.ts";

/**
 * How many requests go to each region. The first one opens the connection, so it does not count.
 */
export const REQUESTS = 4;
/** How many regions to measure side by side. More would disturb each other. */
const AT_ONCE = 4;
/** How many regions to measure at most; a server does not name more. */
const REGIONS_MAX = 32;

/** One machine in a region. */
export interface RegionPlace {
  readonly name: string;
  /** Its origin. */
  readonly url: string;
}

/**
 * Measures all regions.
 * @param options.ask sends a short request, and resolves when the answer begins; rejects without
 *   one
 * @param options.onMeasured called with each better figure, ms
 */
export async function measureRoundTrips(
  regions: readonly RegionPlace[],
  { ask, clock, onMeasured }: {
    ask: (url: string) => Promise<unknown>;
    clock: Clock;
    onMeasured: (region: string, ms: number) => void;
  },
): Promise<void> {
  const left = regions.slice(0, REGIONS_MAX);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let region = left.shift(); region !== undefined; region = left.shift()) {
      const { name, url } = region;
      let leastMs = Infinity;
      for (let request = 0; request < REQUESTS; request++) {
        const sentMs = clock.now();

        // A machine that does not answer is far away, or gone.
        if (!await ask(url).then(() => true, () => false)) break;

        const tookMs = clock.now() - sentMs;
        if (request === 0 || tookMs >= leastMs) continue;
        leastMs = tookMs;
        onMeasured(name, tookMs);
      }
    }
  }));
}
