/**
 * Names for the words of a snapshot. Tests and tools use them to show where two states differ; no
 * match needs them.
 */
import type { Snapshot } from "../../snapshot.ts";
import { INTERNALS } from "../stage/internals.ts";
import { SnapshotCheck } from "./check.ts";
import {
  BodyWord,
  ContactWord,
  EntityWord,
  Header,
  POINT_FEATURES,
  ProjectileWord,
  propertyName,
  unpackContactFlags,
} from "./layout.ts";
import type { Stage } from "../stage/stage.ts";

/** Labels by offset. */
type Labels = Readonly<Record<number, string>>;

const HEADER: Labels = {
  [Header.TICK]: "tick",
  [Header.NEXT_ID]: "next id",
  [Header.ENTITY_COUNT]: "entity count",
  [Header.JOINT_COUNT]: "joint count",
  [Header.CONTACT_COUNT]: "contact count",
};

const ENTITY: Labels = { [EntityWord.ID]: "id", [EntityWord.ARCHETYPE]: "archetype" };

const BODY: Labels = {
  ...ENTITY,
  [BodyWord.AWAKE]: "awake",
  [BodyWord.TELEPORTS]: "jumps",
  ...consecutive(BodyWord.MOTION, ["x", "y", "angle", "vx", "vy", "spin"]),
  [BodyWord.SLEEP_S]: "sleepTime",
};

const PROJECTILE: Labels = {
  ...ENTITY,
  [ProjectileWord.AGE]: "age",
  [ProjectileWord.BOUNCES]: "bounces",
  [ProjectileWord.TELEPORTS]: "jumps",
  ...consecutive(ProjectileWord.MOTION, ["x", "y", "vx", "vy"]),
};

const CONTACT: Labels = {
  [ContactWord.ENTITY_A]: "entity A",
  [ContactWord.ENTITY_B]: "entity B",
  [ContactWord.FLAGS]: "shape",
};

const MANIFOLD: Labels = {
  ...consecutive(0, ["localNormal.x", "localNormal.y", "localPoint.x", "localPoint.y"]),
};

const POINT: Labels = {
  ...consecutive(0, ["localPoint.x", "localPoint.y", "normalImpulse", "tangentImpulse"]),
  [POINT_FEATURES]: "features",
};

/**
 * @returns one label per word, e.g. "entity 12 dragon.cooldown" or "contact 12:0-14:0
 *   normalImpulse[1]"
 * @throws SnapshotError if the snapshot is not a state of this stage
 */
export function snapshotLabels(stage: Stage, from: Snapshot): readonly string[] {
  const internals = stage[INTERNALS];
  new SnapshotCheck(internals).run(from, undefined);

  const { words } = from;
  const names = [
    ...inOrder(HEADER),
    ...internals.layout.names.map((name) => `stage field ${name}`),
    ...internals.gravityWords?.names ?? [],
  ];

  // Entities
  for (let i = 0; i < words[Header.ENTITY_COUNT]!; i++) {
    const compiled = internals.archetypes[words[names.length + EntityWord.ARCHETYPE]!]!;
    const owner = `entity ${words[names.length + EntityWord.ID]} ${compiled.archetype.name}`;
    const motion = inOrder(compiled.projectile === undefined ? BODY : PROJECTILE);
    motion.push(...(compiled.mutable ?? []).map(propertyName));
    names.push(
      ...motion.map((name) => `${owner} ${name}`),
      ...compiled.layout.names.map((name) => `${owner}.${name}`),
    );
  }

  // Joints and contacts
  for (let i = 0; i < words[Header.JOINT_COUNT]!; i++) {
    names.push(...internals.jointWords!.labelsOf(internals.compiledJoints, from, names.length));
  }
  for (let i = 0; i < words[Header.CONTACT_COUNT]!; i++) {
    names.push(...contactLabels(from, names.length));
  }
  return [...names, ...internals.endedTouchWords?.labelsOf(from, names.length) ?? []];
}

function contactLabels({ words }: Snapshot, cursor: number): string[] {
  const { fixtureA, fixtureB, points } = unpackContactFlags(
    words[cursor + ContactWord.FLAGS]!,
  );
  const idA = words[cursor + ContactWord.ENTITY_A];
  const idB = words[cursor + ContactWord.ENTITY_B];
  const names = inOrder(CONTACT);
  if (points > 0) names.push(...inOrder(MANIFOLD));
  for (let point = 0; point < points; point++) {
    names.push(...inOrder(POINT).map((name) => `${name}[${point}]`));
  }
  return names.map((name) => `contact ${idA}:${fixtureA}-${idB}:${fixtureB} ${name}`);
}

function consecutive(offset: number, names: readonly string[]): Labels {
  return Object.fromEntries(names.map((name, i) => [offset + i, name]));
}

/**
 * An object lists its whole-number keys in ascending order, so the labels come in the order of
 * their offsets.
 */
function inOrder(labels: Labels): string[] {
  return Object.values(labels);
}
