/**
 * Every kind of word in a snapshot of the scene, and the proof that each is necessary. A mutation
 * sets all words of one kind to 0 in every snapshot that a stage loads, or changes their last bits.
 * The sync test must then fail for each kind in `DETECTED`. It cannot fail for a kind in
 * `UNDETECTED`, which gives the reason. `sync_test.ts` compares both lists with the words of real
 * snapshots. A new kind of state therefore needs an entry here.
 */
import { ManifoldType } from "../../../../shared/physics/core/contact_rows.ts";
import type { JointDef } from "../../../../shared/physics/core/types.ts";
import { ONE_WAY_IGNORED } from "../../../../shared/physics/snapshot/layout.ts";
import type { Snapshot } from "../../../../shared/snapshot.ts";
import { kindOfLabel } from "./difference.ts";
import { JOINTS } from "./scene_joints.ts";
import { CUSHION, MARBLE, PILL, ROUND } from "./scene_round.ts";
import type { Corruption } from "./sync_run.ts";

const ANCHORS = ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"];
const IMPULSES = ["impulse.x", "impulse.y", "impulse.z"];

function wordsOf(
  type: JointDef["type"],
  names: readonly string[],
  anchors: readonly string[] = ANCHORS,
): string[] {
  return [...anchors, ...names].map((name) => `${type} ${name}`);
}

const SPRING = ["frequencyHz", "dampingRatio"];
const LIMITS = ["lower", "upper"];

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
  "stage field parted",
  "gravity.x",
  "gravity.y",
  "crate.dents",
  "jumper.ghostTicks",
  "jumper.hits",
  "jumper.hardest",
  "bullet.ageTicks",
  "cloud.felt",
  "changeling.felt",
  ...ROUND.map(({ name }) => `${name}.felt`),
  ...["castHits", "castBounces", "castsSpent", "castPush"].map((name) => `stage field ${name}`),
  "bolt.shooter",
  "bolt.struck",
  "dart.shooter",
  "mote.shooter",
  ...["drops", "below", "stood", "passes", "landings", "rides", "falls", "pushes"].map((name) =>
    `hopper.${name}`
  ),
  "lift.side",
  "shelf.touches",
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
  // properties that may change
  ...["gravityScale", "linearDamping", "angularDamping"].map((name) => `entity ${name}`),
  ...["friction[0]", "restitution[0]", "category[0]", "mask[0]"].map((name) => `entity ${name}`),
  ...["type", "bullet", "fixedRotation", "sensor[0]", "enabled[0]"].map((name) => `entity ${name}`),
  // every projectile
  ...["id", "archetype", "age", "bounces", "jumps", "x", "y", "vx", "vy"].map((name) =>
    `cast ${name}`
  ),
  // joints
  ...JOINTS.map(({ name }) => `${name}.leftTicks`),
  ...["id", "kind", "entity A", "entity B"].map((name) => `joint ${name}`),
  ...wordsOf("revolute", ["flags", "referenceAngle", ...IMPULSES, "motorImpulse", "motorSpeed"]),
  ...wordsOf("revolute", [...LIMITS, "torqueMax"], []),
  ...wordsOf("prismatic", [
    "flags",
    "referenceAngle",
    "axis.x",
    "axis.y",
    ...IMPULSES,
    "motorImpulse",
    "motorSpeed",
  ]),
  ...wordsOf("revolute", ["springImpulse", ...SPRING], []),
  ...wordsOf("prismatic", [...LIMITS, "forceMax"], []),
  ...wordsOf("prismatic", ["springImpulse", ...SPRING], []),
  ...wordsOf("distance", ["length", "impulse", ...SPRING]),
  ...wordsOf("distance", ["flags", "limitImpulse", ...LIMITS], []),
  ...wordsOf("rope", ["length", "impulse"]),
  ...wordsOf("weld", ["referenceAngle", ...IMPULSES, ...SPRING]),
  ...wordsOf("wheel", [
    "flags",
    "axis.x",
    "axis.y",
    "impulse",
    "springImpulse",
    "motorImpulse",
    "motorSpeed",
  ]),
  ...wordsOf("wheel", ["torqueMax", ...SPRING], []),
  ...wordsOf("mouse", ["anchorB.x", "anchorB.y", "impulse.x", "impulse.y", "forceMax", ...SPRING], [
    "target.x",
    "target.y",
  ]),
  ...wordsOf("motor", [...IMPULSES, "referenceAngle", "forceMax", "torqueMax"]),
  ...wordsOf("friction", [...IMPULSES, "forceMax", "torqueMax"]),
  ...wordsOf("pulley", ["groundA.x", "groundA.y", "groundB.x", "groundB.y", "length", "impulse"]),
  ...wordsOf("gear", ["first joint", "second joint", "constant", "impulse"], []),
  // touching contacts
  "ended touch entity A",
  "ended touch entity B",
  "ended touch shape",
  "contact entity A",
  "contact entity B",
  "contact shape",
  "contact localNormal.x",
  "contact localNormal.y",
  "contact localPoint.x",
  "contact localPoint.y",
  ...["localPoint.x", "localPoint.y", "normalImpulse", "tangentImpulse", "features"].flatMap((
    name,
  ) => [
    `contact ${name}[0]`,
    `contact ${name}[1]`,
  ]),
];

/** State that is saved although the sync test cannot detect its loss, with the reason. */
export const UNDETECTED: Readonly<Record<string, string>> = {
  "jumper.grounded": "the rules write it in every tick before they read it",
  "jumper.drift": "the rules write it in every tick before they read it",
};

/** Changes a word. @param at the index of the word */
type Change = (words: Uint32Array, at: number) => void;

function changed(kind: string, change: Change): Corruption {
  return ({ words }, names) =>
    names().forEach((name, at) => {
      if (kindOfLabel(name) === kind) change(words, at);
    });
}

/** Sets every word of one kind to 0. */
export function without(kind: string): Corruption {
  return changed(kind, (words, at) => words[at] = 0);
}

/**
 * Changes the last bit of every word of one kind, as if a stage saved or loaded it less exactly.
 */
export function withOtherLastBit(kind: string): Corruption {
  return changed(kind, (words, at) => words[at]! ^= 1);
}

/** Changes the words of one kind in the contacts of some archetypes with anything. */
function changedContactsOf(
  archetypes: readonly { readonly name: string }[],
  kind: RegExp,
  change: Change,
): Corruption {
  return ({ words }, names) => {
    const ids = new Set(
      names().flatMap((name) => {
        const [, id, owner] = /^entity (\d+) (\S+) id$/.exec(name) ?? [];
        return archetypes.some((each) => each.name === owner) ? [id] : [];
      }),
    );
    names().forEach((name, at) => {
      const [, a, b, word = ""] = /^contact (\d+):\d+-(\d+):\d+ (.+)$/.exec(name) ?? [];
      if ((ids.has(a) || ids.has(b)) && kind.test(word)) change(words, at);
    });
  };
}

/** A change to the bits of `mask`. */
function bits(mask: number, change: (bits: number) => number): Change {
  return (words, at) => words[at] = (words[at]! & ~mask | change(words[at]! & mask) & mask) >>> 0;
}

const cleared = (mask: number) => bits(mask, () => 0);
const POINTS_BITS = 3 << 16;
const TYPE_BITS = 3 << 18;
const FACE_A_BITS = ManifoldType.FACE_A << 18;
const FACE_B_BITS = ManifoldType.FACE_B << 18;

/**
 * Parts of words, and words whose change by the mutations above is refused at once. Each becomes
 * another valid one, or at least for some of the owners.
 */
export const PARTS: Readonly<Record<string, Corruption>> = {
  ...Object.fromEntries(
    ["revolute", "prismatic"].flatMap((type) => [
      [`the switch of limits of ${type} joints`, changed(`${type} flags`, cleared(4))],
      [`the switch of motors of ${type} joints`, changed(`${type} flags`, cleared(8))],
    ]),
  ),
  "the switch of motors of wheel joints": changed("wheel flags", cleared(8)),
  "the order of the joints of gears": changed("gear constant", (words, at) => {
    [words[at - 1], words[at - 2]] = [words[at - 2]!, words[at - 1]!];
  }),
  "the definition of joints": changed("joint kind", (words, at) => {
    const from = JOINTS.findIndex(({ name }) => name === "pin");
    const to = JOINTS.findIndex(({ name }) => name === "clamp");
    if (words[at] === from) words[at] = to;
  }),
  "the first entity of joints": changed("joint entity A", (words, at) => words[at] = 0),
  "the axis of wheel joints": changed("wheel axis.x", (words, at) => {
    [words[at], words[at + 1]] = [words[at + 1]!, words[at]!];
  }),
  "the axis of prismatic joints": changed("prismatic axis.x", (words, at) => {
    [words[at], words[at + 1]] = [words[at + 1]!, words[at]!];
  }),
  "the first fixture of contacts": changed("contact shape", cleared(0xff)),
  "the second fixture of contacts": changed("contact shape", cleared(0xff00)),
  "the number of points of contacts": withoutSecondPoints,
  "the reference face of contacts": changed(
    "contact shape",
    bits(
      TYPE_BITS,
      (type) => type === FACE_A_BITS ? FACE_B_BITS : type === FACE_B_BITS ? FACE_A_BITS : type,
    ),
  ),
  "the flags of passed one-way fixtures": changed("contact shape", cleared(ONE_WAY_IGNORED)),
  ...Object.fromEntries(
    ["index A", "index B", "type A", "type B"].map((part, byte) => [
      `the ${part} of features`,
      changed(
        "contact features[0]",
        byte < 2 ? bits(0xff << 8 * byte, (index) => ~index) : cleared(0xff << 8 * byte),
      ),
    ]),
  ),
  "the impulses of contacts of rounded shapes": changedContactsOf(
    [PILL, CUSHION],
    /Impulse/,
    (words, at) => words[at] = 0,
  ),
  "the impulses of contacts of fixtures that resist rolling": changedContactsOf(
    [MARBLE],
    /Impulse/,
    (words, at) => words[at] = 0,
  ),
  "the features of contacts of rounded shapes": changedContactsOf(
    [PILL, CUSHION],
    /^features/,
    bits(0xffff, (indices) => ~indices),
  ),
  "all contacts": withoutContacts,
};

/** Removes the second of two points. */
function withoutSecondPoints(snapshot: Snapshot, names: () => readonly string[]): void {
  const all = names();
  const { words } = snapshot;
  let to = 0;
  let shape = 0;
  for (let at = 0; at < snapshot.length; at++) {
    const kind = kindOfLabel(all[at]!);
    if (kind === "contact shape") shape = to;
    if (kind.startsWith("contact ") && kind.endsWith("[1]")) {
      words[shape] = words[shape]! & ~POINTS_BITS | 1 << 16;
    } else words[to++] = words[at]!;
  }
  snapshot.length = to;
}

/** Removes every contact, as if the stage saved none. */
function withoutContacts(snapshot: Snapshot, names: () => readonly string[]): void {
  const all = names();
  const first = all.findIndex((name) => name.startsWith("contact ") && name !== "contact count");
  if (first < 0) return;
  snapshot.words[all.indexOf("contact count")] = 0;
  snapshot.length = first;
}
