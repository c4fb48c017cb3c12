/**
 * Snapshots from a hostile or broken server. A load throws a `SnapshotError` or makes a state, and
 * never does anything else.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import { JOINTS } from "../scenes/scene_joints.ts";
import { SCENE, type SceneStage, startScene, stepScene } from "../scenes/scene.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

function sceneAfter(ticks: number, seed = 7): { stage: SceneStage; snapshot: Snapshot } {
  const stage = startScene(seed);
  const snapshot = new Snapshot();
  for (let i = 0; i < ticks; i++) stepScene(stage, seed);
  stage.save(snapshot);
  assert(stage.contactCount > 5);
  return { stage, snapshot };
}

/** Seeds and ticks in which a scene gets a joint of every definition at once. */
const SEEDS_MAX = 40;
const FULL_TICKS_MAX = 500;

/** Other parts that the cases below spoil. */
const PARTS = [/bolt id$/, /crate id$/, /jumper id$/, /^contact 0:0-1:0 shape$/];

/**
 * The first scene with a joint of every definition and with those parts, at the first such tick
 * from 60 on.
 */
function fullScene(): { stage: SceneStage; snapshot: Snapshot } {
  for (let seed = 1; seed <= SEEDS_MAX; seed++) {
    const { stage, snapshot } = sceneAfter(60, seed);
    for (let tick = 0; tick < FULL_TICKS_MAX; tick++) {
      const hasJoints = JOINTS.every((definition) => stage.joints.all(definition).length > 0);
      const labels = hasJoints ? snapshotLabels(stage, snapshot) : [];
      if (PARTS.every((part) => labels.some((label) => part.test(label)))) {
        return { stage, snapshot };
      }
      stepScene(stage, seed);
      stage.save(snapshot);
    }
  }
  throw new Error(`no scene of ${SEEDS_MAX} has a joint of every definition`);
}

const PROJECTILE_ID = /(bolt|dart|mote) id$/;

function wordAt(stage: SceneStage, snapshot: Snapshot, name: RegExp): number {
  const index = snapshotLabels(stage, snapshot).findIndex((each) => name.test(each));
  assert(index >= 0, `${name} is not in the snapshot`);
  return index;
}

function floatBits(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0]!;
}

Deno.test("load: refuses a snapshot cut off anywhere, and stays as it was", () => {
  const { stage, snapshot } = sceneAfter(60);
  const cut = new Snapshot();
  const after = new Snapshot();
  const labels = snapshotLabels(stage, snapshot);
  for (let length = 0; length < snapshot.length; length++) {
    // Without its last ended touches it is another state.
    if (/^ended touch .+ entity A$/.test(labels[length]!)) continue;
    cut.copyFrom(snapshot);
    cut.length = length;
    assertThrows(() => stage.load(cut), SnapshotError);
  }
  stage.save(after);
  assert(after.equals(snapshot));
});

Deno.test("load: refuses words after the end", () => {
  const { stage, snapshot } = sceneAfter(20);
  snapshot.reserve(snapshot.length + 1);
  snapshot.words[snapshot.length++] = 0;
  assertThrows(() => stage.load(snapshot), SnapshotError, "too long");
});

Deno.test("load: random words are refused or make a state that saves as it was loaded", () => {
  const { stage, snapshot } = sceneAfter(60);
  const random = new Random(11);
  const corrupted = new Snapshot();
  const after = new Snapshot();
  let refused = 0;
  let loaded = 0;

  for (let i = 0; i < 4000; i++) {
    corrupted.copyFrom(snapshot);
    for (let changes = 1 + random.below(3); changes > 0; changes--) {
      const at = random.below(snapshot.length);
      corrupted.words[at] = random.chance(0.5)
        ? random.bits()
        : corrupted.words[at]! ^ 1 << random.below(32);
    }
    try {
      stage.load(corrupted);
    } catch (error) {
      assert(error instanceof SnapshotError, `change ${i}: ${error}`);
      refused++;
      continue;
    }
    loaded++;
    stage.save(after);
    assert(after.equals(corrupted), `change ${i}: ${firstDifference(stage, corrupted, after)}`);
    if (i % 8 === 0) stepOn(stage);
  }

  assert(refused > 500 && loaded > 500, `${refused} refused, ${loaded} loaded`);
  stage.load(snapshot);
  stage.save(after);
  assert(after.equals(snapshot), "after all that, a good snapshot is still loaded exactly");
});

/** A state that no stage has produced is stepped like any other (SPEC 9.68). */
function stepOn(stage: SceneStage): void {
  for (let i = 0; i < 3; i++) {
    stage.advance();
    stage.endTick();
  }
}

function firstDifference(stage: SceneStage, a: Snapshot, b: Snapshot): string {
  return snapshotLabels(stage, a)[a.words.findIndex((word, i) => word !== b.words[i])]!;
}

/** Each case sets one word of the snapshot. The stage must refuse it with the message. */
function assertRefused(
  stage: SceneStage,
  snapshot: Snapshot,
  cases: readonly (readonly [name: RegExp, word: number, message: string])[],
): void {
  for (const [name, word, message] of cases) {
    const corrupted = new Snapshot();
    corrupted.copyFrom(snapshot);
    corrupted.words[wordAt(stage, corrupted, name)] = word;
    assertThrows(() => stage.load(corrupted), SnapshotError, message);
  }
}

Deno.test("load: the error names the part that is wrong", () => {
  const { stage, snapshot } = fullScene();
  const notFinite = 0x7fc00000;
  const projectileId = snapshot.words[wordAt(stage, snapshot, PROJECTILE_ID)]!;
  const cases: [RegExp, number, string][] = [
    [/^next id$/, 1, "ids out of order"],
    [/^entity count$/, 1025, "impossible header"],
    [/^contact count$/, 0xffffffff, "impossible header"],
    [/^contact count$/, 8192, "contact"],
    [/^joint count$/, 1025, "impossible header"],
    [/^joint count$/, 1, "contact"],
    [/^joint \d+ pin id$/, 1, "ids of joints out of order"],
    [/^joint \d+ pin id$/, 0xfffffff0, "ids of joints out of order"],
    [/^joint \d+ pin kind$/, JOINTS.length, "unknown kind of joint"],
    [/^joint \d+ pin entity A$/, 0xffff, "joint of nobody"],
    [/^joint \d+ spring entity B$/, 0, "can move nobody"],
    [/^joint \d+ bendy entity A$/, projectileId, "joint of a projectile"],
    [/^joint \d+ bendy entity B$/, 0xffff, "joint of nobody"],
    [/^joint \d+ lever flags$/, 16, "impossible flags"],
    [/^joint \d+ lever flags$/, 1, "impossible flags"],
    [/^joint \d+ lever flags$/, 3 | 4, "impossible flags"],
    [/^joint \d+ pin flags$/, 4, "impossible flags"],
    [/^joint \d+ pin flags$/, 8, "impossible flags"],
    [/^joint \d+ weld impulse\.z$/, notFinite, "impulse.z is out of bounds"],
    [/^joint \d+ spring impulse$/, 0x7f800000, "impulse is out of bounds"],
    [/^joint \d+ lever motorImpulse$/, notFinite, "motorImpulse is out of bounds"],
    [/^joint \d+ lever motorSpeed$/, floatBits(10_001), "motorSpeed is out of bounds"],
    [/^joint \d+ lever referenceAngle$/, floatBits(5000), "referenceAngle is out of bounds"],
    [/^joint \d+ lever anchorB\.x$/, floatBits(2e5), "anchorB.x is out of bounds"],
    [/^joint \d+ spring length$/, 0, "no length or direction"],
    [/^joint \d+ spring length$/, floatBits(-1), "no length or direction"],
    [/^joint \d+ lift axis\.y$/, 0, "no length or direction"],
    [/lever\.leftTicks$/, 0x10000, "field of a joint that does not fit"],
    [/jumper archetype$/, 99, "unknown archetype"],
    [/jumper awake$/, 2, "impossible flags"],
    [/crate vx$/, notFinite, "motion out of bounds"],
    [/crate sleepTime$/, notFinite, "sleep time"],
    [/bolt age$/, 30, "outlived its time"],
    [/bolt bounces$/, 7, "too many bounces"],
    [/bolt jumps$/, 256, "impossible flags"],
    [/bolt vy$/, notFinite, "motion out of bounds"],
    [/bolt x$/, 0x48000000, "motion out of bounds"],
    [/jumper\.ghostTicks$/, 256, "does not fit"],
    [/jumper\.hardest$/, notFinite, "does not fit"],
    [/normalImpulse/, notFinite, "impossible point"],
    [/localNormal/, notFinite, "impossible manifold"],
    [/^contact .* entity B$/, 0xffff, "contact of nobody"],
    [/^contact .* shape$/, 0xffff, "impossible contact"],
    [/^contact 0:0-1:0 shape$/, 0x120000, "passing what is not one-way"],
  ];
  assertRefused(stage, snapshot, cases);
});

Deno.test("load: the error names the part of a changeable joint, or of one of the other types, that is wrong", () => {
  const { stage, snapshot } = fullScene();
  const { words } = snapshot;
  const notFinite = 0x7fc00000;
  const coupled = words[wordAt(stage, snapshot, /cog second joint$/)]!;
  const rope =
    words[wordAt(stage, snapshot, /(rope|spring|weld|bendy|strut|drag|tow|brake|hoist) id$/)]!;
  const cog = words[wordAt(stage, snapshot, /cog id$/)]!;
  assertRefused(stage, snapshot, [
    [/^joint \d+ lever lower$/, floatBits(2), "limits are exchanged"],
    [/^joint \d+ lever upper$/, floatBits(1025), "upper is out of bounds"],
    [/^joint \d+ lever torqueMax$/, floatBits(-1), "torqueMax is out of bounds"],
    [/^joint \d+ spring frequencyHz$/, 0, "frequencyHz is out of bounds"],
    [/^joint \d+ spring frequencyHz$/, floatBits(20.01), "frequencyHz is out of bounds"],
    [/^joint \d+ bendy dampingRatio$/, notFinite, "dampingRatio is out of bounds"],
    [/^joint \d+ strut flags$/, 4, "impossible flags"],
    [/^joint \d+ strut flags$/, 1, "impossible flags"],
    [/^joint \d+ strut axis\.y$/, 0, "no length or direction"],
    [/^joint \d+ drag entity B$/, 0, "can move nobody"],
    [/^joint \d+ drag target\.x$/, floatBits(1.1e5), "target.x is out of bounds"],
    [/^joint \d+ drag forceMax$/, floatBits(-1), "forceMax is out of bounds"],
    [/^joint \d+ tow referenceAngle$/, floatBits(5000), "referenceAngle is out of bounds"],
    [/^joint \d+ brake torqueMax$/, floatBits(2e9), "torqueMax is out of bounds"],
    [/^joint \d+ hoist length$/, 0, "no length or direction"],
    [/^joint \d+ hoist groundB\.y$/, notFinite, "groundB.y is out of bounds"],
    [/^joint \d+ cog constant$/, notFinite, "constant is out of bounds"],
    [/^joint \d+ cog entity A$/, 0, "can move nobody"],
    [/^joint \d+ cog entity A$/, 1, "a gear of other entities than its joints"],
    [/^joint \d+ cog first joint$/, 0, "a gear of no joint"],
    [/^joint \d+ cog second joint$/, 0xfffffff0, "a gear of no joint"],
    [/cog first joint$/, coupled, "a gear of one joint"],
    [/cog first joint$/, cog, "a gear of no joint"],
    [/cog first joint$/, rope, "a gear of joints that none couples"],
  ]);
});

Deno.test("load: after a contact of two bodies that are apart, only another load is allowed", () => {
  const stage = new Stage(SCENE);
  const good = new Snapshot();
  const corrupted = new Snapshot();
  for (const x of [-12, 0]) stage.spawn(SCENE.archetypes[0]!, { x, y: 0.4 });
  stage.spawn(SCENE.archetypes[0]!, { x: -12, y: 1.2 });
  stage.advance();
  stage.endTick();
  stage.save(good);
  corrupted.copyFrom(good);
  const at = wordAt(stage, good, /^contact 1:0-3:0 entity A$/);
  corrupted.words[at] = 2;
  assertThrows(() => stage.load(corrupted), SnapshotError, "apart");
  assertThrows(() => stage.advance(), StageError, "broken");
  assertThrows(() => stage.endTick(), StageError, "broken");
  assertThrows(() => stage.save(corrupted), StageError, "broken");
  stage.load(good);
  stage.save(corrupted);
  assert(corrupted.equals(good));
});

Deno.test("load: refuses a solid contact without points", () => {
  const { stage, snapshot } = sceneAfter(60);
  const names = snapshotLabels(stage, snapshot);
  const shapeAt = names.findIndex((name) => /^contact 0:0-1:0 shape$/.test(name));
  const end = names.findLastIndex((name) => name.startsWith("contact 0:0-1:0 ")) + 1;
  snapshot.words[shapeAt] = snapshot.words[shapeAt]! & 0xffff;
  snapshot.words.copyWithin(shapeAt + 1, end, snapshot.length);
  snapshot.length -= end - shapeAt - 1;
  assertThrows(() => stage.load(snapshot), SnapshotError, "sensor");
});

/**
 * The scene at a tick whose snapshot has an ended touch: an entity has left the stage, or has flown
 * away.
 */
function sceneWithEnds(): { stage: SceneStage; snapshot: Snapshot } {
  const { stage, snapshot } = sceneAfter(60);
  const hasEnds = () =>
    snapshotLabels(stage, snapshot).filter((label) => label.startsWith("ended touch")).length >= 6;
  for (let tick = 0; tick < 500 && !hasEnds(); tick++) {
    stepScene(stage, 7);
    stage.save(snapshot);
  }
  assert(hasEnds());
  return { stage, snapshot };
}

Deno.test("load: the error names the ended touch that no stage can have (SPEC 9.69)", () => {
  const { stage, snapshot } = sceneWithEnds();
  const first = wordAt(stage, snapshot, /^ended touch/);
  const jumper = SCENE.archetypes.findIndex(({ name }) => name === "jumper") + 1;
  const bolt = SCENE.archetypes.findIndex(({ name }) => name === "bolt") + 1;
  const touching = wordAt(stage, snapshot, /^contact 0:.* entity A$/);
  const rows: readonly (readonly [a: number, b: number, flags: number, message: string])[] = [
    [0, 1, 0x0000_0000, "ended touch with the ground's archetype"],
    [1, 2, jumper << 24, "ended touch with the ground's archetype"],
    [0, 1, jumper << 16 | jumper << 24, "ended touch with the ground's archetype"],
    [2, 1, jumper << 16 | jumper << 24, "ended touch of nobody"],
    [1, 1, jumper << 16 | jumper << 24, "ended touch of nobody"],
    [1, 0xffff_ffff, jumper << 16 | jumper << 24, "ended touch of nobody"],
    [1, 2, jumper << 16 | 0xff << 24, "fixtures that are not there"],
    [1, 2, jumper << 16 | bolt << 24, "fixtures that are not there"],
    [1, 2, 2 | jumper << 16 | jumper << 24, "fixtures that are not there"],
    [1, 2, 2 << 8 | jumper << 16 | jumper << 24, "fixtures that are not there"],
  ];

  for (const [a, b, flags, message] of rows) {
    const corrupted = new Snapshot();
    corrupted.copyFrom(snapshot);
    corrupted.words.set([a, b, flags], first);
    assertThrows(() => stage.load(corrupted), SnapshotError, message);
  }

  const twice = new Snapshot();
  const goesOn = new Snapshot();
  twice.copyFrom(snapshot);
  twice.words.copyWithin(first + 3, first, first + 3);
  assertThrows(() => stage.load(twice), SnapshotError, "ended touches out of order");
  goesOn.copyFrom(snapshot);
  const [a, b, flags] = snapshot.words.slice(touching, touching + 3);
  const archetypeOf = (id: number) => SCENE.archetypes.indexOf(stage.get(id)!.archetype) + 1;
  goesOn.words.set(
    [a!, b!, flags! & 0xffff | archetypeOf(a!) << 16 | archetypeOf(b!) << 24],
    first,
  );
  goesOn.length = first + 3;
  assertThrows(() => stage.load(goesOn), SnapshotError, "ends a touch that goes on");
  goesOn.length = first + 2;
  assertThrows(() => stage.load(goesOn), SnapshotError, "ends within an ended touch");
  stage.load(snapshot);
});

Deno.test("load: a stage without the feature touches refuses ended touches, and more than it may have contacts (SPEC 9.69)", () => {
  const def = { ...SCENE, limits: { contacts: 64 } };
  const [crate] = SCENE.archetypes;
  const row = (i: number) => [1, 2 + i, 1 << 16 | 1 << 24];

  for (
    const [features, count, message] of [[SCENE.features!, 65, "too many ended touches"], [
      [],
      1,
      "too long",
    ]] as const
  ) {
    const stage = new Stage({
      ...def,
      joints: [],
      mutable: [],
      ground: [],
      archetypes: [crate!],
      restitutions: [],
      features,
      fields: {},
    });
    const snapshot = new Snapshot();
    for (let i = 0; i < 70; i++) stage.despawn(stage.spawn(crate!, { x: 0, y: 9 }));
    stage.endTick();
    stage.save(snapshot);
    const rows = Array.from({ length: count }, (_, i) => row(i)).flat();
    snapshot.reserve(snapshot.length + rows.length);
    snapshot.words.set(rows, snapshot.length);
    snapshot.length += rows.length;
    assertThrows(() => stage.load(snapshot), SnapshotError, message);
  }
});

Deno.test("snapshotLabels: every word has a label of its own", () => {
  const { stage, snapshot } = sceneAfter(60);
  const names = snapshotLabels(stage, snapshot);
  assertEquals(names.length, snapshot.length);
  assertEquals(new Set(names).size, names.length);
  assertEquals(names[1], "next id");
  assertEquals(names[5], "stage field random");
  assertEquals(names[14], "entity 1 crate id");
  assert(names.some((name) => /^contact 0:0-\d+:0 normalImpulse\[1\]$/.test(name)));
});
