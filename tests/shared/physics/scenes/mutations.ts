/**
 * Every kind of word in a snapshot of the scene, and the proof that each is necessary. A mutation sets all words of one
 * kind to 0 in every snapshot that a stage loads. The sync test must then fail for each kind in `DETECTED`. It cannot
 * fail for a kind in `UNDETECTED`, which gives the reason. `sync_test.ts` compares both lists with the words of real
 * snapshots. A new kind of state therefore needs an entry here.
 */
import { ONE_WAY_IGNORED } from "../../../../shared/physics/snapshot/layout.ts";
import type { Snapshot } from "../../../../shared/snapshot.ts";
import { kindOfLabel } from "./difference.ts";
import type { Corruption } from "./sync_run.ts";

/** By part of the snapshot. The names are those of `kindOfLabel`. */
export const DETECTED: readonly string[] = [
  // header
  "tick",
  "next id",
  "entity count",
  "joint count",
  "contact count",
  // the scene's own fields
  "stage field random",
  "stage field impacts",
  "crate.dents",
  "jumper.ghostTicks",
  "jumper.hits",
  "jumper.hardest",
  "bullet.ageTicks",
  "cloud.felt",
  ...["castHits", "castBounces", "castsSpent", "castPush"].map((name) => `stage field ${name}`),
  "bolt.shooter",
  "bolt.struck",
  "dart.shooter",
  "mote.shooter",
  ...["drops", "below", "stood", "passes", "landings", "rides", "falls", "pushes"].map((name) => `hopper.${name}`),
  "lift.side",
  // every entity with a body
  "entity id",
  "entity archetype",
  "entity awake",
  "entity jumps",
  "entity x",
  "entity y",
  "entity angle",
  "entity vx",
  "entity vy",
  "entity spin",
  "entity sleepTime",
  // every projectile
  ...["id", "archetype", "age", "bounces", "jumps", "x", "y", "vx", "vy"].map((name) => `cast ${name}`),
  // joints
  ...["lever", "pin", "clamp", "lift", "rod", "spring", "rope", "weld", "bendy"].map((kind) => `${kind}.leftTicks`),
  ...["id", "kind", "entity A", "entity B", "flags"].map((name) => `joint ${name}`),
  ...["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y", "axis.x", "axis.y"].map((name) => `joint ${name}`),
  ...["referenceAngle", "length", "motorSpeed", "motorImpulse", "impulse"].map((name) => `joint ${name}`),
  ...["impulse.x", "impulse.y", "impulse.z"].map((name) => `joint ${name}`),
  // touching contacts
  "contact entity A",
  "contact entity B",
  "contact shape",
  "contact localNormal.x",
  "contact localNormal.y",
  "contact localPoint.x",
  "contact localPoint.y",
  ...["localPoint.x", "localPoint.y", "normalImpulse", "tangentImpulse", "features"].flatMap((name) => [
    `contact ${name}[0]`,
    `contact ${name}[1]`,
  ]),
];

/** State that is saved although the sync test cannot detect its loss, with the reason. */
export const UNDETECTED: Readonly<Record<string, string>> = {
  "jumper.grounded": "the rules write it in every tick before they read it",
  "jumper.drift": "the rules write it in every tick before they read it",
};

/** Sets every word of one kind to 0. */
export function without(kind: string): Corruption {
  return (snapshot, names) =>
    names().forEach((name, word) => {
      if (kindOfLabel(name) === kind) snapshot.words[word] = 0;
    });
}

/** Clears the bit of a contact's flags for a one-way fixture that a body passes. */
export function withoutOneWayIgnored(snapshot: Snapshot, names: () => readonly string[]): void {
  names().forEach((name, word) => {
    if (kindOfLabel(name) === "contact shape") snapshot.words[word] = snapshot.words[word]! & ~ONE_WAY_IGNORED;
  });
}

/** Removes every contact, as if the stage saved none. */
export function withoutContacts(snapshot: Snapshot, names: () => readonly string[]): void {
  const all = names(), first = all.findIndex((name) => name.startsWith("contact ") && name !== "contact count");
  if (first < 0) return;
  snapshot.words[all.indexOf("contact count")] = 0;
  snapshot.length = first;
}
