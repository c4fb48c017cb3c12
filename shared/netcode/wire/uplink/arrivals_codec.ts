/**
 * Codes the server's report on a client's datagrams (WIRE 10): how many for each tick arrived, and
 * whether they could be read.
 */
import type { Tick } from "../../game.ts";
import { type Arrivals, ARRIVALS_TICKS, ARRIVED_MAX, checkedTick } from "../messages.ts";
import {
  P_ALL_ARRIVED_ONCE,
  P_ARRIVALS,
  P_ARRIVALS_NEXT_TICK,
  P_ARRIVED,
  P_ARRIVED_ONCE,
  P_COMMANDS_READ,
} from "../probabilities.ts";
import type { Coder } from "../range_coder.ts";

const MORE_BITS = 2;
if (ARRIVED_MAX - 2 !== (1 << MORE_BITS) - 1) throw new Error("a count of arrivals has other bits");

/** The report when all datagrams arrived once. */
const ALL_ONCE: Omit<Arrivals, "newest"> = {
  counts: Array.from({ length: ARRIVALS_TICKS }, () => 1),
  areRead: Array.from({ length: ARRIVALS_TICKS }, () => true),
};

/** Codes the arrivals in a datagram of ticks. @param tick its newest tick */
export function codeArrivals(
  given: Arrivals | undefined,
  tick: Tick,
  coder: Coder,
): Arrivals | undefined {
  coder.part = "arrivals";
  if (!coder.flag(given !== undefined, P_ARRIVALS)) return undefined;
  const newest = checkedTick(
    coder.near(given?.newest ?? 0, { likely: tick + 1, p: P_ARRIVALS_NEXT_TICK }),
  );
  const isUsual = given !== undefined && given.counts.every((count) => count === 1) &&
    given.areRead.every(Boolean);
  if (coder.flag(isUsual, P_ALL_ARRIVED_ONCE)) return { newest, ...ALL_ONCE };
  const counts: number[] = [];
  const areRead: boolean[] = [];
  for (let age = 0; age < ARRIVALS_TICKS; age++) {
    const count = codeCount(given?.counts[age] ?? 0, coder);
    counts.push(count);
    areRead.push(count > 0 && coder.flag(given?.areRead[age] ?? false, P_COMMANDS_READ));
  }
  return { newest, counts, areRead };
}

function codeCount(count: number, coder: Coder): number {
  if (!coder.flag(count > 0, P_ARRIVED)) return 0;
  if (coder.flag(count === 1, P_ARRIVED_ONCE)) return 1;
  return coder.bits(Math.max(0, count - 2), MORE_BITS) + 2;
}
