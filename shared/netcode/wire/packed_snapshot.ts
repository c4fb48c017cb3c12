/**
 * A snapshot as it stands behind the coded part of a message: deflated (RFC 1951) if that is
 * shorter, otherwise as it is. The coded part holds its length and which of the two it is.
 */
import { type Coder, type CodeReader, WireError } from "./range_coder.ts";
import { SNAPSHOT_WORDS_MAX } from "../../snapshot.ts";
import { inflate } from "./inflate.ts";

/** Deflates bytes (RFC 1951). The result may be longer than they are. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** The coded part of a packed snapshot. */
export interface SnapshotHead {
  /** The snapshot's length before packing, in bytes. */
  readonly length: number;
  readonly isDeflated: boolean;
}

export interface PackedSnapshot extends SnapshotHead {
  /** The bytes that end the message. */
  readonly bytes: Uint8Array;
}

/** @param deflate without it the snapshot stays as it is; its bytes are not copied then */
export function packSnapshot(snapshot: Uint8Array, deflate: Deflate | undefined): PackedSnapshot {
  const { length } = snapshot;
  const deflated = deflate?.(snapshot);
  if (deflated === undefined || deflated.length >= length) {
    return { bytes: snapshot, length, isDeflated: false };
  }
  return { bytes: deflated, length, isDeflated: true };
}

/** Writes, reads or measures a head. @throws WireError for a longer snapshot than any state has */
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
 * @throws WireError if they are not what the head says
 */
export function readSnapshot({ length, isDeflated }: SnapshotHead, reader: CodeReader): Uint8Array {
  const tail = reader.tail();
  if (!isDeflated && tail.length !== length) {
    throw new WireError(`${tail.length} bytes of a snapshot of ${length}`);
  }
  return isDeflated ? inflate(tail, length) : tail.slice();
}
