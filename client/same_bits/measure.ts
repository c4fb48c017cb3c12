/**
 * Measures what a physics engine gives in this JavaScript engine: the hash of a run of the full
 * scene, and whether it comes out again. It is a worker's task, because it takes a second or more.
 */
import { hashOf } from "../../shared/random.ts";
import type { FullScene } from "./full_scene.ts";

/** The ticks of a run: 100 s of the scene. */
export const TICKS = 2000;
/** How often progress is told, in ticks. */
const PROGRESS_TICKS = 50;
/** How often the run with rollbacks goes back, and how far, in ticks. */
const ROLLBACK_EVERY_TICKS = 100;
const ROLLBACK_TICKS = 20;

/** What one physics engine gave in one JavaScript engine. Hashes have eight hexadecimal digits. */
export interface Measurement {
  /** Over the hashes of all ticks of the first run. */
  readonly hash: string;
  /** The same of a second run in the same process. */
  readonly again: string;
  /**
   * The same of a run that often steps 20 wrong ticks, goes back and steps on; null for an engine
   * whose state cannot be saved.
   */
  readonly rolledBack: string | null;
  /** How long the first run took, with the hash of each tick, ms. */
  readonly ms: number;
}

export interface MeasureOptions {
  /** By default `TICKS`. */
  readonly ticks?: number;
  /** A clock, ms. */
  readonly now: () => number;
  /** @param share 0 to 1, of all runs */
  readonly onProgress?: (share: number) => void;
}

/** @param newScene makes the scene at its start, for each run anew */
export function measure(
  newScene: () => FullScene,
  { ticks = TICKS, now, onProgress = () => {} }: MeasureOptions,
): Measurement {
  const first = newScene();
  const runs = first.keep === undefined ? 2 : 3;
  let runsDone = 0;
  const run = (scene: FullScene, withRollbacks = false): string => {
    let hash = 0;
    for (let tick = 1; tick <= ticks; tick++) {
      scene.step();
      hash = hashOf(hash, scene.hash());
      if (withRollbacks && tick % ROLLBACK_EVERY_TICKS === 0) mispredict(scene);
      if (tick % PROGRESS_TICKS === 0) onProgress((runsDone + tick / ticks) / runs);
    }
    runsDone++;
    return hash.toString(16).padStart(8, "0");
  };

  const startMs = now();
  const hash = run(first);
  const ms = now() - startMs;
  const again = run(newScene());
  return { hash, again, rolledBack: runs === 3 ? run(newScene(), true) : null, ms };
}

/** Steps ticks that never were, and goes back. */
function mispredict(scene: FullScene): void {
  const goBack = scene.keep!();
  for (let i = 0; i < ROLLBACK_TICKS; i++) scene.step("wrong");
  goBack();
}
