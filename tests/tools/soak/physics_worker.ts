/** One worker of the soak: receives a seed, runs it to its end and posts the result. */
import type { Difference } from "../../shared/physics/scenes/difference.ts";
import { without } from "../../shared/physics/scenes/mutations.ts";
import { SyncRun } from "../../shared/physics/scenes/sync_run.ts";

/** The message to a worker. */
export interface SeedRequest {
  readonly seed: number;
  readonly ticks: number;
  /** For tests: a label of state words to set to 0, which makes a difference to find. */
  readonly blank: string | undefined;
}

export interface SeedResult {
  readonly seed: number;
  readonly difference: Difference | undefined;
  /** The value that the run threw; it counts as a finding, too. */
  readonly error: unknown;
  readonly tally: Readonly<Record<string, number>> & {
    readonly ticksCompared: number;
    readonly rollbacks: number;
  };
}

self.addEventListener("message", ({ data: { seed, ticks, blank } }: MessageEvent<SeedRequest>) => {
  const run = new SyncRun(seed, blank === undefined ? undefined : without(blank));
  let difference;
  let error;
  try {
    difference = run.run(ticks);
  } catch (thrown) {
    error = thrown;
  }
  const result: SeedResult = { seed, difference, error, tally: run.tally };
  (self as unknown as Worker).postMessage(result);
});
