/**
 * Ways to spoil a snapshot, as an attacker, a broken server or a broken network would. Each changes
 * the snapshot.
 */
import { kindOfLabel } from "../../shared/physics/scenes/difference.ts";
import type { Random } from "../../../shared/random.ts";
import { type Snapshot, SNAPSHOT_WORDS_MAX } from "../../../shared/snapshot.ts";

/** A good state, and its words by kind (`kindOfLabel`). */
export interface GoodState {
  readonly snapshot: Snapshot;
  readonly indicesOf: ReadonlyMap<string, readonly number[]>;
}

/** @param good the state of which `snapshot` is still a copy */
type Spoiling = (snapshot: Snapshot, good: GoodState, random: Random) => void;

// deno-fmt-ignore
const FLOATS = [
  NaN, Infinity, -Infinity, -0, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38, 1e5, 1e4, 4096,
];
// deno-fmt-ignore
const WORDS = [
  0, 1, 2, 3, 4, 255, 256, 1023, 1024, 1025, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe,
  0xffff_ffff,
];
const FLAG_KINDS =
  /^(entity awake|entity jumps|cast (age|bounces|jumps)|\w+ flags|contact shape|contact features.*)$/;
const ID_KINDS = /( id| kind| archetype| entity A| entity B)$/;
/** How many words are added to the end at most. */
const EXTENSION_MAX = 200;

/** @returns the labels' words by kind */
export function indicesByKind(labels: readonly string[]): Map<string, number[]> {
  const indicesOf = new Map<string, number[]>();
  labels.forEach((label, at) => {
    const kind = kindOfLabel(label);
    const indices = indicesOf.get(kind);
    if (indices === undefined) indicesOf.set(kind, [at]);
    else indices.push(at);
  });
  return indicesOf;
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[random.below(from.length)]!;
}

/** @returns the indices of the words of some kind with a matching name */
function someKind({ indicesOf }: GoodState, pattern: RegExp, random: Random): readonly number[] {
  return indicesOf.get(pick([...indicesOf.keys()].filter((kind) => pattern.test(kind)), random))!;
}

export const SPOILINGS: Readonly<Record<string, Spoiling>> = {
  "random words": ({ words, length }, _, random) => {
    for (let changes = 1 + random.below(8); changes > 0; changes--) {
      words[random.below(length)] = random.bits();
    }
  },
  "other bits": ({ words, length }, _, random) => {
    for (let changes = 1 + random.below(4); changes > 0; changes--) {
      words[random.below(length)]! ^= 1 << random.below(32);
    }
  },
  "floats at a bound": ({ floats, length }, _, random) => {
    for (let changes = 1 + random.below(4); changes > 0; changes--) {
      floats[random.below(length)] = pick(FLOATS, random);
    }
  },
  "floats of one kind": ({ floats }, { indicesOf }, random) => {
    const value = pick(FLOATS, random);
    for (const at of indicesOf.get(pick([...indicesOf.keys()], random))!) floats[at] = value;
  },
  "swapped ids": ({ words }, good, random) => {
    const indices = someKind(good, ID_KINDS, random);
    const a = pick(indices, random);
    const b = pick(indices, random);
    [words[a], words[b]] = [words[b]!, words[a]!];
  },
  "other ids": ({ words }, good, random) => {
    words[pick(someKind(good, ID_KINDS, random), random)] =
      words[pick(someKind(good, ID_KINDS, random), random)]!;
  },
  flags: ({ words }, good, random) => {
    const at = pick(someKind(good, FLAG_KINDS, random), random);
    words[at] = random.chance(0.5) ? pick(WORDS, random) : words[at]! ^ 1 << random.below(24);
  },
  counts: ({ words }, good, random) => {
    const [at] = someKind(good, /^(next id|.* count)$/, random);
    words[at!] = random.chance(0.5) ? pick(WORDS, random) : words[at!]! + random.below(9) - 4;
  },
  truncated: (snapshot, _, random) => {
    snapshot.length = random.below(snapshot.length);
  },
  extended: (snapshot, _, random) => {
    const extra = 1 + random.below(EXTENSION_MAX);
    const { length } = snapshot;
    snapshot.reserve(length + extra);
    for (let i = 0; i < extra; i++) {
      snapshot.words[length + i] = random.chance(0.5) ? random.bits() : pick(WORDS, random);
    }
    snapshot.length = length + extra;
  },
  "moved block": ({ words, length }, _, random) => {
    const from = random.below(length);
    const to = random.below(length);
    const count = 1 + random.below(60);
    words.copyWithin(to, from, Math.min(from + count, from + length - to, length));
  },
  "removed block": (snapshot, _, random) => {
    const from = random.below(snapshot.length);
    const count = Math.min(1 + random.below(30), snapshot.length - from);
    snapshot.words.copyWithin(from, from + count, snapshot.length);
    snapshot.length -= count;
  },
  noise: (snapshot, _, random) => {
    snapshot.length = 0;
    const length = random.below(random.chance(0.02) ? SNAPSHOT_WORDS_MAX : 400);
    snapshot.reserve(length);
    for (let i = 0; i < length; i++) {
      snapshot.words[i] = pick([random.bits(), random.below(8), ...WORDS], random);
    }
    snapshot.length = length;
  },
  "all at one place": ({ floats }, { indicesOf }, random) => {
    for (const kind of ["entity x", "entity y", "cast x", "cast y"]) {
      const value = random.fraction() * 40 - 20;
      for (const at of indicesOf.get(kind) ?? []) floats[at] = value;
    }
  },
};
