/**
 * The messages that make up a match's log on the servers. Each carries a few of the log's records,
 * as they stand in the file, preceded by what another process needs to continue:
 *
 *     version · kind · bytes of begin (16 bits) · epoch (32) · node (64) · nonce (64)
 *     sequence of the newest state (64) · sequence of the message before (64) · offset of the state in the records (32)
 *     begin = length (8 bits) and text of the match's id · frame of the log's header       all numbers little-endian
 *
 * A message with a state also carries the begin, so that a reader can start there. A take-over
 * carries no state; in the offset's place it carries the attempts: failures (8 bits), attempts that
 * have begun (8). A node of an earlier version ignores them.
 */
import type { Attempts } from "../attempts.ts";

const VERSION = 1;
const HEAD_BYTES = 44;
const KINDS = ["claim", "records", "take", "end"] as const;

/**
 * "claim": the room is this node's, and its match has not begun. "records": ticks and states.
 * "take": another node continues from here. "end": the match is over.
 */
export type MessageKind = typeof KINDS[number];

export interface LogMessage {
  readonly kind: MessageKind;
  readonly epoch: number;
  /** The writer: 16 hexadecimal digits that each process draws. */
  readonly node: string;
  /**
   * Unique to the message, so that a writer can tell that its record was stored although the answer
   * was lost.
   */
  readonly nonce: bigint;
  /**
   * The sequence of the message with the newest state; 0 before the first state, and in the message
   * that carries the state itself.
   */
  readonly stateAt: number;
  /** The sequence of the match's previous message; 0 for the first. */
  readonly previous: number;
  /** Undefined for a message without a state. */
  readonly begin: MessageBegin | undefined;
  /** Frames of records. */
  readonly records: Uint8Array;
  /** The attempts to continue the match, including this one; only in a take-over. */
  readonly attempts?: TakeAttempts;
}

/**
 * The attempts since the match was last played, 0 … 255 each. A node of an earlier version counts
 * none.
 */
export type TakeAttempts = Pick<Attempts, "failures" | "begun">;

/** The part that only a message with a state carries. */
export interface MessageBegin {
  readonly id: string;
  /** The frame of the log's header record. */
  readonly header: Uint8Array;
  /** The state's offset in the records. */
  readonly stateOffset: number;
}

/** Reports bytes that are not a valid message. */
export class LogMessageError extends Error {
  override readonly name = "LogMessageError";
}

export function encodeLogMessage(
  { kind, epoch, node, nonce, stateAt, previous, begin, records, attempts }: LogMessage,
): Uint8Array<ArrayBuffer> {
  const id = new TextEncoder().encode(begin?.id ?? "");
  const beginBytes = begin ? 1 + id.length + begin.header.length : 0;
  const bytes = new Uint8Array(HEAD_BYTES + beginBytes + records.length);
  const view = new DataView(bytes.buffer);

  // The head
  bytes[0] = VERSION;
  bytes[1] = KINDS.indexOf(kind);
  view.setUint16(2, beginBytes, true);
  view.setUint32(4, epoch, true);
  view.setBigUint64(8, BigInt(`0x${node}`), true);
  view.setBigUint64(16, nonce, true);
  view.setBigUint64(24, BigInt(stateAt), true);
  view.setBigUint64(32, BigInt(previous), true);
  view.setUint32(
    40,
    begin?.stateOffset ?? (attempts === undefined ? 0 : attempts.failures | attempts.begun << 8),
    true,
  );

  if (begin !== undefined) {
    bytes[HEAD_BYTES] = id.length;
    bytes.set(id, HEAD_BYTES + 1);
    bytes.set(begin.header, HEAD_BYTES + 1 + id.length);
  }

  bytes.set(records, HEAD_BYTES + beginBytes);
  return bytes;
}

/** @throws LogMessageError for bytes that are not a message, or one of another version */
export function decodeLogMessage(bytes: Uint8Array): LogMessage {
  if (bytes.length < HEAD_BYTES) throw new LogMessageError(`a message of ${bytes.length} bytes`);
  if (bytes[0] !== VERSION) {
    throw new LogMessageError(`a message of version ${bytes[0]}; this program has ${VERSION}`);
  }

  // Where its parts are
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = KINDS[bytes[1]!];
  const beginBytes = view.getUint16(2, true);
  const from = HEAD_BYTES + beginBytes;
  const idBytes = bytes[HEAD_BYTES] ?? 0;
  const stateOffset = view.getUint32(40, true);
  const records = bytes.subarray(from);
  const isWhole = beginBytes === 0 || (beginBytes > 1 + idBytes && stateOffset < records.length);
  if (kind === undefined || from > bytes.length || !isWhole) {
    throw new LogMessageError("a message that is none");
  }

  return {
    kind,
    epoch: view.getUint32(4, true),
    node: view.getBigUint64(8, true).toString(16).padStart(16, "0"),
    nonce: view.getBigUint64(16, true),
    stateAt: Number(view.getBigUint64(24, true)),
    previous: Number(view.getBigUint64(32, true)),
    begin: beginBytes === 0 ? undefined : {
      id: new TextDecoder().decode(bytes.subarray(HEAD_BYTES + 1, HEAD_BYTES + 1 + idBytes)),
      header: bytes.subarray(HEAD_BYTES + 1 + idBytes, from),
      stateOffset,
    },
    records,
    ...kind === "take" &&
      { attempts: { failures: stateOffset & 0xff, begun: stateOffset >> 8 & 0xff } },
  };
}
