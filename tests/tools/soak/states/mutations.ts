/**
 * Hostile states of a game. Each mutation keeps a state well-formed where it can, so that many pass
 * the check when they are loaded, and are stepped. `../spoilings.ts` makes cruder ones, which are
 * mostly refused.
 */
import type { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { EntityWord, Header } from "../../../../shared/physics/snapshot/layout.ts";
import type { MatchState } from "./match_states.ts";

/** The words of a state under mutation, with their names. Both lists grow and shrink together. */
export class MutableState {
  readonly words: number[];
  readonly labels: string[];

  constructor({ snapshot, labels }: MatchState) {
    this.words = [...snapshot.words.subarray(0, snapshot.length)];
    this.labels = [...labels];
  }

  /** The indices of the words with a matching name. */
  indices(pattern: RegExp): number[] {
    return this.labels.flatMap((label, at) => pattern.test(label) ? [at] : []);
  }

  /** Each entity's, or joint's, words: their first index, and the one after their last. */
  blocks(of: "entity" | "joint"): { begin: number; end: number }[] {
    const blocks: { begin: number; end: number }[] = [];
    const pattern = new RegExp(`^${of} \\d+ \\S+ id$`);
    this.labels.forEach((label, begin) => {
      if (!pattern.test(label)) return;
      const owner = /^\w+ \d+ /.exec(label)![0];
      let end = begin;
      while (this.labels[end]?.startsWith(owner)) end++;
      blocks.push({ begin, end });
    });
    return blocks;
  }

  /** Drops all words with a matching name: the contacts, or the joints. */
  drop(pattern: RegExp, count: typeof Header.CONTACT_COUNT | typeof Header.JOINT_COUNT): void {
    const first = this.labels.findIndex((label) => pattern.test(label));
    const length = this.indices(pattern).length;
    this.words[count] = 0;
    if (length === 0) return;
    this.words.splice(first, length);
    this.labels.splice(first, length);
  }

  /**
   * Contacts of entities that move elsewhere would be refused. Without them, touching entities
   * begin a new contact.
   */
  dropContacts(): void {
    this.drop(/^contact \d/, Header.CONTACT_COUNT);
  }

  /**
   * Appends copies of an entity with new ids.
   * @returns how many, fewer than wanted if the match is full
   */
  copyEntity({ begin, end }: { begin: number; end: number }, wanted: number): number {
    const last = this.blocks("entity").at(-1)!;
    const count = Math.min(wanted, ENTITIES_WANTED_MAX - this.words[Header.ENTITY_COUNT]!);
    const words: number[] = [];
    const labels: string[] = [];
    for (let i = 0; i < count; i++) {
      const id = this.words[Header.NEXT_ID]!++;
      words.push(...this.words.slice(begin, end));
      words[words.length - (end - begin) + EntityWord.ID] = id;
      labels.push(
        ...this.labels.slice(begin, end).map((label) => label.replace(/\d+/, String(id))),
      );
    }
    this.words.splice(last.end, 0, ...words);
    this.labels.splice(last.end, 0, ...labels);
    this.words[Header.ENTITY_COUNT]! += Math.max(0, count);
    return Math.max(0, count);
  }

  get snapshot(): Snapshot {
    const snapshot = new Snapshot(0);
    snapshot.reserve(this.words.length);
    snapshot.words.set(this.words);
    snapshot.length = this.words.length;
    return snapshot;
  }
}

type Mutation = (state: MutableState, random: Random) => void;

/** More than any game may contain. */
const ENTITIES_WANTED_MAX = 1100;
// deno-fmt-ignore
const FLOATS = [
  NaN, Infinity, -Infinity, -0, 0, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38, 1e5, -1e5, 99_999,
  1e4, -1e4, 80,
];
// deno-fmt-ignore
const WORDS = [
  0, 1, 2, 3, 4, 15, 16, 31, 32, 254, 255, 256, 1023, 1024, 1025, 65_534, 65_535, 65_536,
  0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0xfeff_fffe, 0xffff_fffd, 0xffff_fffe, 0xffff_ffff,
];
/** Metres, metres a second and radians: the words of a motion. */
const MOTION = /^entity \d+ \S+ (x|y|angle|vx|vy|spin)$/;
const PLACE = /^entity \d+ \S+ (x|y)$/;
const SPEED = /^entity \d+ \S+ (vx|vy|spin)$/;
/** Fields of entities, joints and the match, which the rules read. */
const FIELD = /^(stage field |(entity|joint) \d+ [^ .]+\.)/;
const JOINT = /^joint \d+ \S+ (?!id$|kind$|entity [AB]$)/;
const CONTACT = /^contact \d.*(local|Impulse)/;

function pick<T>(from: readonly T[], random: Random): T {
  return from[random.below(from.length)]!;
}

const bitsOf = new DataView(new ArrayBuffer(4));

function floatBits(value: number): number {
  bitsOf.setFloat32(0, value);
  return bitsOf.getUint32(0);
}

/** A word at either end of a range, or beyond it. */
function extreme(random: Random): number {
  return random.chance(0.5) ? floatBits(pick(FLOATS, random)) : pick(WORDS, random);
}

/** Sets some words with a matching name. */
function setSome(
  state: MutableState,
  pattern: RegExp,
  random: Random,
  valueOf: (old: number) => number,
): void {
  const indices = state.indices(pattern);
  if (indices.length === 0) return;
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = pick(indices, random);
    state.words[at] = valueOf(state.words[at]!) >>> 0;
  }
}

/** The owner's number left out: "entity crate vx", "stage field left". */
function kindOf(label: string): string {
  return label.replace(/\d+(:\d+-\d+:\d+)?/, "");
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "flipped bits": (state, random) =>
    setSome(state, /./, random, (old) => old ^ 1 << random.below(32)),
  extremes: (state, random) => setSome(state, /./, random, () => extreme(random)),
  "extreme fields": (state, random) => setSome(state, FIELD, random, () => extreme(random)),
  "small fields": (state, random) => setSome(state, FIELD, random, () => random.below(40)),
  "extreme motions": (state, random) => {
    state.dropContacts();
    setSome(state, MOTION, random, () => floatBits(pick(FLOATS, random)));
  },
  "extreme joints": (state, random) => setSome(state, JOINT, random, () => extreme(random)),
  "extreme contacts": (state, random) =>
    setSome(state, CONTACT, random, () => floatBits(pick(FLOATS, random))),
  "a kind at an extreme": (state, random) => {
    const kind = kindOf(pick(state.labels, random));
    const value = extreme(random);
    if (/ (id|kind|archetype|entity [AB])$/.test(kind)) return;
    state.labels.forEach((label, at) => {
      if (kindOf(label) === kind) state.words[at] = value;
    });
  },
  "swapped words": (state, random) => {
    const kind = kindOf(pick(state.labels, random));
    const indices = state.indices(/./).filter((at) => {
      return kindOf(state.labels[at]!) === kind;
    });
    const a = pick(indices, random), b = pick(indices, random);
    [state.words[a], state.words[b]] = [state.words[b]!, state.words[a]!];
  },
  "other archetypes": (state, random) =>
    setSome(state, / archetype$/, random, () => 1 + random.below(8)),
  counts: (state, random) =>
    setSome(state, /^(next id|\w+ count|tick)$/, random, () => extreme(random)),
  "all fast": (state, random) => {
    const speed = pick([10, 60, 79, 1e3], random);
    for (const at of state.indices(SPEED)) {
      state.words[at] = floatBits((random.fraction() * 2 - 1) * speed);
    }
  },
  "all asleep": (state, random) => {
    for (const at of state.indices(/ awake$/)) if (random.chance(0.9)) state.words[at] = 0;
  },
  "without some entities": (state, random) => {
    state.dropContacts();
    state.drop(/^joint \d/, Header.JOINT_COUNT);
    for (const { begin, end } of state.blocks("entity").reverse()) {
      if (random.chance(0.6)) continue;
      state.words.splice(begin, end - begin);
      state.labels.splice(begin, end - begin);
      state.words[Header.ENTITY_COUNT]!--;
    }
  },
  "without joints": (state) => state.drop(/^joint \d/, Header.JOINT_COUNT),
  "at one place": (state, random) => together(state, random, 0),
  "some copies": (state, random) => copies(state, random, 1 + random.below(30)),
  "a crowd": (state, random) => copies(state, random, 30 + random.below(ENTITIES_WANTED_MAX)),
  "a full match": (state, random) => {
    copies(
      state,
      random,
      pick([1024, 512, 320, 256, 128, 64], random) - state.words[Header.ENTITY_COUNT]! -
        random.below(3),
    );
  },
  "at the edge": (state, random) => {
    state.dropContacts();
    for (const at of state.indices(PLACE)) {
      if (random.chance(0.3)) {
        state.words[at] = floatBits(pick([1e5, -1e5, 99_999.99, 420, -420, 30, -1], random));
      }
    }
  },
};

/** Brings all entities to one place, within `spread` metres. */
function together(state: MutableState, random: Random, spread: number): void {
  state.dropContacts();
  const at = [random.fraction() * 30 - 5, random.fraction() * 20 - 2];
  state.indices(PLACE).forEach((index) => {
    const isY = state.labels[index]!.endsWith("y");
    state.words[index] = floatBits(at[isY ? 1 : 0]! + (random.fraction() - 0.5) * spread);
  });
}

/** Copies some entity, and mostly brings all of them together. */
function copies(state: MutableState, random: Random, count: number): void {
  const blocks = state.blocks("entity");
  if (blocks.length === 0) return;
  if (random.chance(0.5)) state.drop(/^joint \d/, Header.JOINT_COUNT);
  state.dropContacts();
  state.copyEntity(pick(blocks, random), count);
  if (random.chance(0.8)) together(state, random, pick([0, 0, 0.3, 3, 30], random));
}

/** @returns a hostile state, made by one mutation or two, and their names */
export function mutate(good: MatchState, random: Random): { snapshot: Snapshot; mutation: string } {
  const state = new MutableState(good);
  const names = Object.keys(MUTATIONS);
  const chosen = Array.from({ length: 1 + random.below(2) }, () => pick(names, random));
  for (const name of chosen) MUTATIONS[name]!(state, random);
  return { snapshot: state.snapshot, mutation: chosen.join(", ") };
}
