/**
 * The log of a match of many minutes: a short match with ticks that are repeated again and again.
 */
import { FrameReader, FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { recordTypeOf } from "../../../shared/netcode/match_log/record_coder.ts";
import { playedLog } from "../lab/logs/played_log.ts";

/** @returns a log of about this many bytes */
export function longLog(bytes: number): Uint8Array<ArrayBuffer> {
  const payloads: Uint8Array[] = [];
  const frames = new FrameReader(playedLog({ seed: 5, seconds: 10, players: 4 }).bytes);
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    payloads.push(payload);
  }
  const writer = new FrameWriter();
  const log = new Uint8Array(bytes + 1_000_000);
  let length = 0;
  const add = (payload: Uint8Array) => {
    const frame = writer.frame(payload);
    log.set(frame, length);
    length += frame.length;
  };
  const ticks = payloads.filter((payload) => recordTypeOf(payload) === "tick");
  for (const payload of payloads) add(payload);
  while (length < bytes) for (const payload of ticks) add(payload);
  return log.slice(0, length);
}
