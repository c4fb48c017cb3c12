/** One worker of the soak: takes a seed, runs it to its end, says what came of it. */
import type { Difference } from "../shared/physics/scenes/difference.ts";
import { without } from "../shared/physics/scenes/mutations.ts";
import { SyncRun } from "../shared/physics/scenes/sync_run.ts";

/** What a worker is asked. */
export interface SeedRequest {
  readonly seed: number;
  readonly ticks: number;
  /** For tests: a kind of word that is blanked, so that there is something to find. */
  readonly blank: string | undefined;
}

export interface SeedResult {
  readonly seed: number;
  readonly difference: Difference | undefined;
  /** Where the run threw: that is no less a find. */
  readonly error: unknown;
  readonly tally: Readonly<Record<string, number>> & { readonly ticksCompared: number; readonly rollbacks: number };
}

self.addEventListener("message", ({ data: { seed, ticks, blank } }: MessageEvent<SeedRequest>) => {
  const run = new SyncRun(seed, blank === undefined ? undefined : without(blank));
  let difference, error;
  try {
    difference = run.run(ticks);
  } catch (thrown) {
    error = thrown;
  }
  const result: SeedResult = { seed, difference, error, tally: run.tally };
  (self as unknown as Worker).postMessage(result);
});
