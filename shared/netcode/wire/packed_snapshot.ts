/**
 * Packs a snapshot to stand behind a message's coded part: deflated (RFC 1951) if that is shorter,
 * otherwise as it is. The coded part holds its length and says which of the two it is.
 */
import { type Coder, type CodeReader, WireError } from "./range_coder.ts";
import { SNAPSHOT_WORDS_MAX } from "../../snapshot.ts";
import { inflate } from "./inflate.ts";

/** Deflates bytes (RFC 1951). The result may be longer than the input. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** A packed snapshot's coded part. */
export interface SnapshotHead {
  /** The snapshot's length before packing, in bytes. */
  readonly length: number;
  readonly isDeflated: boolean;
}

export interface PackedSnapshot extends SnapshotHead {
  /** The bytes that end the message. */
  readonly bytes: Uint8Array;
}

/**
 * Packs a snapshot.
 * @param deflate without it the snapshot stays as it is, and its bytes are not copied
 */
export function packSnapshot(snapshot: Uint8Array, deflate: Deflate | undefined): PackedSnapshot {
  const { length } = snapshot;
  const deflated = deflate?.(snapshot);
  if (deflated === undefined || deflated.length >= length) {
    return { bytes: snapshot, length, isDeflated: false };
  }
  return { bytes: deflated, length, isDeflated: true };
}

/**
 * Writes, reads or measures a head.
 * @throws WireError if the snapshot is longer than any state can be
 */
export function codeSnapshotHead({ length, isDeflated }: SnapshotHead, coder: Coder): SnapshotHead {
  const coded = coder.varint(length);
  if (coder.isReading && coded > SNAPSHOT_WORDS_MAX * 4) {
    throw new WireError(`a snapshot of ${coded} bytes`);
  }
  return { length: coded, isDeflated: coder.flag(isDeflated) };
}

/**
 * Reads the bytes that end a message.
 * @returns the snapshot, a copy
 * @throws WireError if the bytes are not what the head says
 */
export function readSnapshot({ length, isDeflated }: SnapshotHead, reader: CodeReader): Uint8Array {
  const tail = reader.tail();
  if (!isDeflated && tail.length !== length) {
    throw new WireError(`${tail.length} bytes of a snapshot of ${length}`);
  }
  return isDeflated ? inflate(tail, length) : tail.slice();
}
