/**
 * The objective that the law of leads minimized before it served what people see (DESIGN 12.5).
 *
 *     objective = wait + λ · late share        λ = 330 · width, within 20 to 6,000 ms
 *
 * The width is a delay's mean distance from the median of its 5 s. These constants stay as they
 * were, whatever the law becomes, so that its figures can be compared.
 */
import { type CommandArrival, median, queueFigures, windowsOf } from "./oracle.ts";

const PRICE_PER_WIDTH = 330;
const PRICE_MS_MIN = 20;
const PRICE_MS_MAX = 6000;

export interface QueueObjective {
  readonly lateShare: number;
  readonly waitMs: number;
  readonly objectiveMs: number;
}

/** One player's figures. @param arrivals at least one, in order of `dueMs` */
export function queueObjectiveOf(arrivals: readonly CommandArrival[]): QueueObjective {
  const { lateShare, waitMs } = queueFigures(arrivals);
  const priceMs = Math.min(
    PRICE_MS_MAX,
    Math.max(PRICE_MS_MIN, PRICE_PER_WIDTH * widthMsOf(arrivals)),
  );
  return { lateShare, waitMs, objectiveMs: waitMs + priceMs * lateShare };
}

/** Commands that never arrived have no delay and do not count. */
function widthMsOf(arrivals: readonly CommandArrival[]): number {
  let sumMs = 0;
  let count = 0;
  for (const window of windowsOf(arrivals)) {
    const delays = Float64Array.from(window, ({ delayMs }) => delayMs).filter((delayMs) =>
      delayMs < Infinity
    ).sort();
    if (delays.length === 0) continue;
    const medianMs = median(delays);
    for (const delayMs of delays) sumMs += Math.abs(delayMs - medianMs);
    count += delays.length;
  }
  return sumMs / Math.max(1, count);
}
