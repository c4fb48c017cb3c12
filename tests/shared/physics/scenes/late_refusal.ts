/** A snapshot whose error is found when most of the stage is changed already. */
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

/**
 * Loads a copy of a good state whose last contact is another one, mostly of two bodies that are
 * apart.
 * @returns whether the stage has refused it late, and is broken until the next load
 */
export function loadRefusedLate(stage: Stage, good: Snapshot): boolean {
  const wrong = new Snapshot();
  const labels = snapshotLabels(stage, good);
  wrong.copyFrom(good);
  const at = labels.findLastIndex((label) => /^contact .* entity B$/.test(label));
  if (at < 0) return false;
  // Contacts ascend, so the new id must be larger.
  const [, id] = labels.map((label) => /^entity (\d+) .* awake$/.exec(label)).findLast((match) =>
    match !== null
  )!;
  wrong.words[at] = Number(id);
  try {
    stage.load(wrong);
    return false;
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return /are apart|a sensor's contact/.test(error.message);
  }
}
