/**
 * Leaves out of a log what its other records repeat, for a page that makes its own states as it
 * plays:
 *
 *     a later state      every reader that has come so far has the same one
 *     an early record    the next tick repeats its commands
 *
 * The records that stay keep their bytes. Leaving out a state is safe because it does not touch the
 * baselines of announced commands. Only the state after an owner's record resets them, because its
 * writer began anew, so that one stays.
 */
import { FrameReader } from "./frames.ts";
import { recordTypeOf } from "./record_coder.ts";

/**
 * Yields the payloads of a log's whole records, except those that a replay from its beginning does
 * not need; not copied.
 */
export function* compactedRecords(log: Uint8Array): Generator<Uint8Array, void> {
  const frames = new FrameReader(log);
  let needsState = true;
  let early: Uint8Array[] = [];
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    const type = recordTypeOf(payload);
    if (type === "early") {
      early.push(payload);
      continue;
    }
    // No tick repeated them if the process ended in between.
    if (type !== "tick") yield* early;
    early = [];
    if (type !== "state" || needsState) yield payload;
    if (type === "state") needsState = false;
    else if (type === "owner") needsState = true;
  }
  yield* early;
}
