/**
 * A log without what its other records repeat, for a page that makes its own states as it plays:
 *
 *     a later state      every reader that has come so far has the same one
 *     an early record    the next tick repeats its commands
 *
 * The records that stay are copied as they are. A state leaves the baselines of announced commands as they were. Only
 * the state after an owner's record resets them, because its writer has begun anew: that one stays.
 */
import { FrameReader } from "./frames.ts";
import { recordTypeOf } from "./record_coder.ts";

/** @returns a copy of a log's whole records, without those that a replay from its begin does not need */
export function thinnedLog(log: Uint8Array): Uint8Array<ArrayBuffer> {
  const thinned = new Uint8Array(log.length), frames = new FrameReader(log);
  let length = 0, needsState = true, early: { from: number; to: number }[] = [];
  const keep = (from: number, to: number) => {
    thinned.set(log.subarray(from, to), length);
    length += to - from;
  };
  for (let from = 0, payload = frames.next(); payload !== undefined; from = frames.offset, payload = frames.next()) {
    const type = recordTypeOf(payload), to = frames.offset;
    if (type === "early") {
      early.push({ from, to });
      continue;
    }
    // No tick has repeated them if the process ended between.
    if (type !== "tick") { for (const each of early) keep(each.from, each.to); }
    early = [];
    if (type !== "state" || needsState) keep(from, to);
    if (type === "state") needsState = false;
    else if (type === "owner") needsState = true;
  }
  for (const each of early) keep(each.from, each.to);
  return thinned.slice(0, length);
}
