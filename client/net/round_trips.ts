/**
 * The round trips to the regions of a server's machines, so that "Play now" leads to a near one.
 * Each is the least of a few short requests to one machine of the region. A region that is slow or
 * refuses has no figure.
 */
import type { Clock } from "../../shared/netcode/link.ts";

/** Requests to each region. The first one opens the connection, so it does not count. */
export const REQUESTS = 4;
/** Regions that are measured side by side. More would measure each other. */
const AT_ONCE = 4;
/** Regions that are measured at all. A server names no more. */
const REGIONS_MAX = 32;

/** One machine of a region. */
export interface RegionPlace {
  readonly name: string;
  /** Its origin. */
  readonly url: string;
}

/**
 * Measures all regions.
 * @param options.ask sends a short request, and resolves when the answer begins; it rejects when
 *   there is none
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

        // A machine that answers nothing is far away, or gone.
        if (!await ask(url).then(() => true, () => false)) break;

        const tookMs = clock.now() - sentMs;
        if (request === 0 || tookMs >= leastMs) continue;
        leastMs = tookMs;
        onMeasured(name, tookMs);
      }
    }
  }));
}
