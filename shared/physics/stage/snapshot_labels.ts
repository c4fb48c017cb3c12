/** The words of a snapshot by name, for who compares two of them; no match needs it. */
import type { Snapshot } from "../../snapshot.ts";
import { INTERNALS } from "./internals.ts";
import { jointLabels } from "../joints/joint_snapshot.ts";
import {
  BODY,
  checkSnapshot,
  CONTACT,
  HEADER,
  MANIFOLD,
  POINT,
  PROJECTILE,
  unpackContactFlags,
} from "./snapshot_layout.ts";
import type { Stage } from "./stage.ts";

/**
 * What each word of a snapshot of this stage is, e.g. "entity 12 dragon.cooldown", "contact 12:0-14:0 normalImpulse[1]".
 * @throws SnapshotError where it is none of this stage
 */
export function snapshotLabels(stage: Stage, from: Snapshot): readonly string[] {
  const internals = stage[INTERNALS];
  checkSnapshot(internals, from);
  const { words } = from;
  const names = [...HEADER, ...internals.layout.names.map((name) => `stage field ${name}`)];
  for (let i = 0; i < words[2]!; i++) {
    const compiled = internals.archetypes[words[names.length + 1]!]!,
      owner = `entity ${words[names.length]} ${compiled.archetype.name}`;
    const motion = compiled.projectile === undefined ? BODY : PROJECTILE;
    names.push(...motion.map((name) => `${owner} ${name}`), ...compiled.layout.names.map((name) => `${owner}.${name}`));
  }
  for (let i = 0; i < words[3]!; i++) names.push(...jointLabels(internals.compiledJoints, from, names.length));
  for (let i = 0; i < words[4]!; i++) {
    const cursor = names.length, { fixtureA, fixtureB, points } = unpackContactFlags(words[cursor + 2]!);
    const owner = `contact ${words[cursor]}:${fixtureA}-${words[cursor + 1]}:${fixtureB}`;
    names.push(...CONTACT.map((name) => `${owner} ${name}`));
    if (points > 0) names.push(...MANIFOLD.map((name) => `${owner} ${name}`));
    for (let point = 0; point < points; point++) names.push(...POINT.map((name) => `${owner} ${name}[${point}]`));
  }
  return names;
}
