/**
 * A state as one flat buffer of 32-bit words, reused tick after tick. Equal states have equal
 * words.
 *
 * Every number of a state is a float32 or an integer of at most 32 bits. Engines write and compare
 * words faster than bytes. On the wire the words are little-endian.
 */

/**
 * Words: 1 MiB. 1,024 bodies with their contacts need far less. A longer snapshot is a mistake or
 * an attack.
 */
export const SNAPSHOT_WORDS_MAX = 262_144;

/** Thrown for a snapshot that is no state: too short, too long, or with values out of range. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** @param what e.g. "ends within an entity" @throws SnapshotError if `wrong` */
export function refuseIf(wrong: boolean, what: string): void {
  if (wrong) throw new SnapshotError(`a snapshot that ${what}`);
}

if (new Uint8Array(new Uint32Array([1]).buffer)[0] !== 1) {
  throw new Error("Wyvern's snapshots need a little-endian machine");
}

/** The words of one state in a reusable buffer. */
export class Snapshot {
  /**
   * The first `length` words are the state; the rest is spare room. Both views show the same
   * memory.
   */
  words: Uint32Array<ArrayBuffer>;
  floats: Float32Array<ArrayBuffer>;
  /** In words. */
  length = 0;

  /** @param capacity initial size in words; the buffer grows as needed */
  constructor(capacity = 1024) {
    this.words = new Uint32Array(capacity);
    this.floats = new Float32Array(this.words.buffer);
  }

  /** A snapshot of bytes. @throws SnapshotError if they are no whole number of words or too many */
  static of(bytes: Uint8Array): Snapshot {
    const snapshot = new Snapshot(0);
    snapshot.setBytes(bytes);
    return snapshot;
  }

  /**
   * Makes room for `words` words in total and keeps the state. It may replace `words` and `floats`.
   * @throws SnapshotError for more than `SNAPSHOT_WORDS_MAX`
   */
  reserve(words: number): void {
    if (words <= this.words.length) return;
    if (words > SNAPSHOT_WORDS_MAX) {
      throw new SnapshotError(`a snapshot of ${words} words; ${SNAPSHOT_WORDS_MAX} are allowed`);
    }
    const grown = new Uint32Array(
      Math.min(SNAPSHOT_WORDS_MAX, Math.max(words, this.words.length * 2)),
    );
    grown.set(this.words.subarray(0, this.length));
    this.words = grown;
    this.floats = new Float32Array(grown.buffer);
  }

  /** Becomes a copy of another snapshot. */
  copyFrom(other: Snapshot): void {
    this.length = 0;
    this.reserve(other.length);
    this.words.set(other.words.subarray(0, other.length));
    this.length = other.length;
  }

  equals(other: Snapshot): boolean {
    if (this.length !== other.length) return false;
    for (let i = 0; i < this.length; i++) if (this.words[i] !== other.words[i]) return false;
    return true;
  }

  /** The bytes of the state, not a copy: valid until the next change. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.words.buffer, 0, this.length * 4);
  }

  /**
   * Sets the state from bytes.
   * @throws SnapshotError if they are no whole number of words or too many
   */
  setBytes(bytes: Uint8Array): void {
    if (bytes.length % 4 !== 0) {
      throw new SnapshotError(`a snapshot of ${bytes.length} bytes is not whole words`);
    }
    this.length = 0;
    this.reserve(bytes.length / 4);
    new Uint8Array(this.words.buffer).set(bytes);
    this.length = bytes.length / 4;
  }
}
