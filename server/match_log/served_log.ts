/** A log as pages get it, and its summary for lists. Ticks run between its records. */
import { FrameReader } from "../../shared/netcode/match_log/frames.ts";
import { LogPacker } from "../../shared/netcode/match_log/packed_log.ts";
import { recordTypeOf } from "../../shared/netcode/match_log/record_coder.ts";
import { LogError } from "../../shared/netcode/match_log/records.ts";
import { headerOf, plainRecordOf } from "../../shared/netcode/match_log/replayed_log.ts";
import { compactedRecords } from "../../shared/netcode/match_log/compact_log.ts";

/** The longest log that is served, bytes: hours of a full match. */
export const LOG_BYTES_MAX = 1 << 25;
/** How many records are processed before ticks may run: about 2 ms. */
const RECORDS_AT_ONCE = 2048;

/** Resolves after other work, such as a tick. */
export type Pause = () => Promise<void>;

/** A summary of a log's records. */
export interface LogCounts {
  readonly ticks: number;
  /** How many seats players had. */
  readonly players: number;
  /** Why the match is over; undefined if the log does not say. */
  readonly endReason: string | undefined;
  /** Whether all of its records are complete and unchanged. */
  readonly isIntact: boolean;
}

/**
 * Compacts and packs a log (SPEC 15.10, 15.11).
 * @param log is overwritten, because the packed log uses its memory
 * @throws LogError for invalid records
 */
export async function packedLogOf(
  log: Uint8Array<ArrayBuffer>,
  pause: Pause,
): Promise<Uint8Array<ArrayBuffer>> {
  const packer = new LogPacker(log);
  let records = 0;
  for (const payload of compactedRecords(log)) {
    packer.add(payload);
    if (++records % RECORDS_AT_ONCE === 0) await pause();
  }
  return packer.bytes;
}

/** @throws LogError for invalid records */
export async function countsOf(log: Uint8Array, pause: Pause): Promise<LogCounts> {
  const frames = new FrameReader(log);
  const seats = new Set<number>();
  let ticks = 0;
  let records = 0;
  let endReason: string | undefined;
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    const type = recordTypeOf(payload);
    if (type === "tick") ticks++;
    else if (type === "seat") seats.add(plainRecordOf(payload, "seat").seat);
    else if (type === "end") endReason = plainRecordOf(payload, "end").reason;
    if (++records % RECORDS_AT_ONCE === 0) await pause();
  }
  return { ticks, players: seats.size, endReason, isIntact: frames.fault === undefined };
}

/**
 * Whether only clients with its key may see the match. A log without a header counts as private.
 */
export function isPrivate(log: Uint8Array): boolean {
  try {
    return headerOf(log).key !== undefined;
  } catch (error) {
    if (error instanceof LogError) return true;
    throw error;
  }
}
