/**
 * A log without what its other records repeat, for a page that makes its own states as it plays:
 *
 *     a later state      every reader that has come so far has the same one
 *     an early record    the next tick repeats its commands
 *
 * The records that stay are as they were. A state leaves the baselines of announced commands as
 * they are. Only the state after an owner's record resets them, because its writer has begun anew:
 * that one stays.
 */
import { FrameReader } from "./frames.ts";
import { recordTypeOf } from "./record_coder.ts";

/**
 * The payloads of a log's whole records, without those that a replay from its begin does not need;
 * not copied.
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
    // No tick has repeated them if the process ended between.
    if (type !== "tick") yield* early;
    early = [];
    if (type !== "state" || needsState) yield payload;
    if (type === "state") needsState = false;
    else if (type === "owner") needsState = true;
  }
  yield* early;
}
