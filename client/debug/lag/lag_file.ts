/**
 * Stores a lag report as one file. It uses a match log's frames, so that a reader finds the record
 * with a changed bit, and a cut anywhere:
 *
 *     file = "wyvern lag 2\n" · frame( header ) · frame( entry )… · frame( number of entries · drawn frames )
 */
import type { Game } from "../../../shared/netcode/game.ts";
import { FrameReader, FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { CodeReader, CodeWriter, WireError } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot, SnapshotError } from "../../../shared/snapshot.ts";
import { ENTRIES_MAX, type FlightEntry } from "../../presentation/flight_recording.ts";
import { codeFrames, codeHeader, EntryCoder } from "./lag_codec.ts";
import {
  LAG_BYTES_MAX,
  LAG_MAGIC,
  LAG_STEPS_MAX,
  LAG_VERSION,
  type LagReport,
} from "./lag_report.ts";

/** What the file needs from a game. */
export type LagGame<Command> = Pick<Game<Command>, "id" | "command">;

const HEAD_LINE = /^wyvern lag (\d{1,4})\n/;
/** The longest first line, bytes. */
const HEAD_BYTES_MAX = 16;

/** Whether a file is a lag report, in any version. */
export function isLagFile(bytes: Uint8Array): boolean {
  return headLineOf(bytes).startsWith(LAG_MAGIC);
}

function headLineOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD_BYTES_MAX));
}

/** Encodes a report. @returns the file @throws RangeError for values that a page never records */
export function encodeLagFile<Command>(
  report: LagReport,
  { command }: LagGame<Command>,
): Uint8Array<ArrayBuffer> {
  const coder = new CodeWriter();
  const frames = new FrameWriter();
  const entries = new EntryCoder(command);
  const parts = [new TextEncoder().encode(`${LAG_MAGIC}${LAG_VERSION}\n`)];
  const add = (payload: Uint8Array) => parts.push(frames.frame(payload).slice());

  // The header
  coder.reset();
  codeHeader(report, coder);
  add(coder.finish());

  // The entries; a state's words follow its entry
  for (const entry of report.entries) {
    coder.reset();
    coder.flag(true);
    entries.code(entry, coder);
    const { words } = entry.state ?? {};
    add(words === undefined ? coder.finish() : coder.finishWith(bytesOf(words)));
  }

  // The end, with the number of entries, and the frames that were drawn
  coder.reset();
  coder.flag(false);
  coder.varint(report.entries.length);
  codeFrames(report.frames, report.entries[0]?.atMs ?? 0, coder);
  add(coder.finish());

  // Join them into one file
  const file = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * @throws LogError if the bytes are not a whole file in this version for this game; the message
 *   begins with "a lag file"
 */
export function decodeLagFile<Command>(bytes: Uint8Array, game: LagGame<Command>): LagReport {
  const head = HEAD_LINE.exec(headLineOf(bytes));
  if (head === null) throw new LogError("a lag file without a version");
  if (Number(head[1]) !== LAG_VERSION) {
    throw new LogError(`a lag file of version ${Number(head[1])}; this page has ${LAG_VERSION}`);
  }
  if (bytes.length > LAG_BYTES_MAX) {
    throw new LogError(`a lag file of more than ${LAG_BYTES_MAX} bytes`);
  }
  try {
    return decodeFrames(bytes.subarray(head[0].length), game);
  } catch (error) {
    if (error instanceof WireError || error instanceof SnapshotError) {
      throw new LogError(`a lag file with ${error.message}`);
    }
    throw error;
  }
}

function decodeFrames<Command>(bytes: Uint8Array, { id, command }: LagGame<Command>): LagReport {
  const frames = new FrameReader(bytes);
  const coder = new CodeReader(nextFrame(frames));
  const header = codeHeader(undefined, coder);
  coder.end();

  if (header.gameId !== id) {
    throw new LogError(`a lag file of ${header.gameId}, which is another game`);
  }

  // The entries, up to the end with their number
  const entries: FlightEntry[] = [];
  const reader = new EntryCoder(command);
  for (;;) {
    const coder = new CodeReader(nextFrame(frames));
    if (!coder.flag(false)) {
      const count = coder.varint(0);
      const drawn = codeFrames([], 0, coder);
      coder.end();
      if (count !== entries.length || frames.offset !== bytes.length) {
        throw new WireError("another end than its own");
      }
      return { ...header, entries, frames: drawn };
    }

    if (entries.length >= ENTRIES_MAX) throw new WireError(`more than ${ENTRIES_MAX} records`);
    entries.push(readEntry(reader, coder));
    if (reader.steps > LAG_STEPS_MAX) throw new WireError(`more than ${LAG_STEPS_MAX} steps`);
  }
}

/**
 * Reads a frame.
 * @throws LogError at a fault, and at the end, because a whole file ends with its last record
 */
function nextFrame(frames: FrameReader): Uint8Array {
  const payload = frames.next();
  if (payload !== undefined) return payload;
  const isChanged = frames.fault?.kind === "changed";
  throw new LogError(isChanged ? "a lag file that was changed" : "a lag file that is cut short");
}

function readEntry<Command>(reader: EntryCoder<Command>, coder: CodeReader): FlightEntry {
  const { entry, hasState } = reader.code(undefined, coder);
  if (!hasState) {
    coder.end();
    return entry;
  }
  const { words, length } = Snapshot.of(coder.tail());
  return { ...entry, state: { ...entry.state!, words: words.slice(0, length) } };
}
