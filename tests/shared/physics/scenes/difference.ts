/**
 * The first difference of two states by name: the owner of the word and its field. Every test that
 * compares states uses it.
 */
import type { Snapshot } from "../../../../shared/snapshot.ts";
import { SCENE } from "./scene.ts";
import { JOINTS } from "./scene_joints.ts";

/** The first word that differs between two states of one tick. */
export interface Difference {
  readonly tick: number;
  /** "entity 12 crate", "joint 7 rope", "contact 3:0-12:1", or "stage" for all other words. */
  readonly entity: string;
  /** The label of `snapshotLabels` without the owner: "vx", "normalImpulse[0]", "random". */
  readonly field: string;
}

/** Gives the words of a snapshot their names: a stage, or a game's simulation. */
export interface SnapshotLabeller {
  snapshotLabels(snapshot: Snapshot): readonly string[];
}

/** @returns undefined if both have the same words */
export function firstDifference(
  { expected, actual, namer }: { expected: Snapshot; actual: Snapshot; namer: SnapshotLabeller },
): Difference | undefined {
  if (expected.equals(actual)) return undefined;
  const tick = expected.words[0]!;
  const length = Math.min(expected.length, actual.length);
  for (let word = 0; word < length; word++) {
    if (expected.words[word] !== actual.words[word]) {
      return { tick, ...splitLabel(namer.snapshotLabels(expected)[word]!) };
    }
  }
  return { tick, entity: "stage", field: "length" };
}

/** "tick 40: entity 12 crate vx" */
export function formatDifference({ tick, entity, field }: Difference): string {
  return `tick ${tick}: ${entity} ${field}`;
}

/** The owner of a word and the rest of its label. */
export function splitLabel(name: string): { entity: string; field: string } {
  const [, entity, field] =
    /^((?:entity|joint) \d+ [^ .]+|(?:contact|ended touch) \d+:\d+-\d+:\d+)[ .](.+)$/.exec(name) ??
      [];
  if (entity !== undefined) return { entity, field: field! };
  return { entity: "stage", field: name.replace(/^stage field /, "") };
}

/**
 * A projectile has other words than a body, and other code saves them. Their labels get a prefix of
 * their own, "cast".
 */
const PROJECTILE_NAMES = new Set(
  SCENE.archetypes.filter((each) => "projectile" in each).map(({ name }) => name),
);

/**
 * The first words of all joints are alike. The others are those of the type, and the code of the
 * type uses them.
 */
const JOINT_TYPES = new Map(JOINTS.map(({ name, type }) => [name, type]));
const COMMON_JOINT_WORD = /^(?:id|kind|entity [AB])$/;

/**
 * A label of the sync test's scene without the owner's id, so that all words of one kind have one
 * name. Examples: "entity vx", "cast vx", "jumper.hits", "weld impulse.x", "contact features[1]".
 */
export function kindOfLabel(name: string): string {
  let kind = kinds.get(name);
  if (kind === undefined) kinds.set(name, kind = newKindOf(name));
  return kind;
}

/** Tests ask for the words of thousands of snapshots, most of which have the same labels. */
const kinds = new Map<string, string>();

function newKindOf(name: string): string {
  return name
    .replace(
      /^entity \d+ ([^ .]+) /,
      (_, archetype) => PROJECTILE_NAMES.has(archetype) ? "cast " : "entity ",
    )
    .replace(
      /^joint \d+ ([^ .]+) (.+)$/,
      (_, joint, word) =>
        `${COMMON_JOINT_WORD.test(word) ? "joint" : JOINT_TYPES.get(joint)} ${word}`,
    )
    .replace(/^(?:entity|joint) \d+ ([^ .]+\.)/, "$1")
    .replace(/^(contact|ended touch) \d+:\d+-\d+:\d+/, "$1");
}
