/**
 * Measures how late the process's timers are, because a long task, such as the garbage collector's,
 * delays everything else.
 */
import type { Scheduler } from "../ground/ticker.ts";
import type { Histogram } from "./histogram.ts";

/** A prime, so that the timer does not keep in step with ticks at 20 or 30 Hz, ms. */
const SAMPLE_EVERY_MS = 97;

/**
 * Measures a timer's lateness ten times a second.
 * @param lag observes it, s
 * @returns a function that stops it
 */
export function sampleEventLoop(lag: Histogram, scheduler: Scheduler): () => void {
  let cancel: () => void;
  const sample = () => {
    const dueMs = scheduler.now() + SAMPLE_EVERY_MS;
    cancel = scheduler.after(SAMPLE_EVERY_MS, () => {
      lag.observe(Math.max(0, scheduler.now() - dueMs) / 1000);
      sample();
    });
  };
  sample();
  return () => cancel();
}
