/**
 * A stage that saves and loads only what may differ has the words of one that saves and loads
 * everything.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { archetype, jointDef, type StageDef } from "../../../../shared/physics/core/types.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { firstDifference } from "../scenes/difference.ts";
import { FEATURES } from "../scenes/features.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: {},
});
const TOTEM = archetype({
  name: "totem",
  body: { fixtures: [{ shape: { box: [0.3, 0.8] } }, { shape: { circle: 1 }, sensor: true }] },
  fields: { mood: "i32" },
});
const PIN = jointDef({ name: "pin", type: "revolute", fields: {} });
const LABELLED = jointDef({ name: "labelled", type: "weld", fields: { label: "u8" } });
const YARD: StageDef = {
  gravity: 14,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [60, 0.5], y: -0.5 } }],
  archetypes: [CRATE, TOTEM],
  joints: [PIN, LABELLED],
  fields: { mood: "u8" },
};

const TICKS = 1500;
/**
 * Ticks between two changes of the yard, at most: long enough that nearly all fall asleep again.
 */
const REST_TICKS_MAX = 60;
const STATES = 8;

/** Fills the yard with stacks of crates and totems, and joins some neighbours. */
function fill(stage: Stage): void {
  for (let column = 0; column < 12; column++) {
    for (let row = 0; row < 3; row++) stage.spawn(CRATE, { x: column * 2, y: 0.4 + row * 0.8 });
    stage.spawn(TOTEM, { x: column * 2 - 30, y: 0.8, fields: { mood: column } });
  }
  const crates = stage.all(CRATE);
  for (let i = 0; i + 3 < crates.length; i += 6) {
    stage.joints.add(i % 4 === 0 ? PIN : LABELLED, crates[i]!, crates[i + 3]!, {
      x: crates[i]!.x + 1,
      y: 0.4,
    });
  }
  stage.endTick();
}

/** One random change by the rules. Both stages get the same. */
function change(stage: Stage, random: Random): void {
  const all = [...stage.all(CRATE), ...stage.all(TOTEM)];
  const one = all[random.below(all.length)]!;
  const joints = [...stage.joints.all(PIN), ...stage.joints.all(LABELLED)];
  const joint = joints[random.below(joints.length)];
  const changes = [
    () => stage.despawn(one),
    () => stage.spawn(CRATE, { x: random.below(30) - 5, y: 3 }),
    () =>
      stage.spawn(TOTEM, { x: random.below(20) - 30, y: 3, fields: { mood: -random.below(9) } }),
    () => stage.applyImpulse(one, random.below(5) - 2, 3),
    () => stage.teleport(one, random.below(60) - 30, 4),
    () => joint && stage.joints.remove(joint),
    () =>
      stage.joints.add(PIN, stage.spawn(CRATE, { x: -40, y: 0.4 }), stage.ground, {
        x: -40,
        y: 0.4,
      }),
    () => stage.all(TOTEM).slice(0, 1).forEach(({ fields }) => fields.mood = random.below(100)),
    () =>
      stage.joints.all(LABELLED).slice(0, 1).forEach(({ fields }) =>
        fields.label = random.below(100)
      ),
  ];
  changes[random.below(changes.length)]!();
}

/** Runs both kinds of stage side by side. Changes are rare; saves and loads come at random. */
function compare(seed: number): { kept: number; asleep: number; loads: number } {
  const chance = new Random(seed);
  const tally = { kept: 0, asleep: 0, loads: 0 };
  const stages = [new Stage(YARD), new Stage(YARD, { savesWhole: true })];
  const actual = new Snapshot();
  const whole = new Snapshot();
  const states = Array.from({ length: STATES }, () => new Snapshot());
  for (const stage of stages) fill(stage);
  for (const state of states) stages[0]!.save(state);
  for (let tick = 0, changeAt = 0; tick < TICKS; tick++) {
    const isChange = tick >= changeAt;
    const changeSeed = chance.below(1e9);
    if (isChange) changeAt = tick + 1 + chance.below(REST_TICKS_MAX);
    for (const stage of stages) {
      if (isChange) change(stage, new Random(changeSeed));
      stage.advance();
      stage.endTick();
    }
    tally.asleep += stages[0]!.all(CRATE).filter(({ awake }) => !awake).length;
    if (chance.below(3) === 0) continue;
    stages[0]!.save(actual);
    stages[1]!.save(whole);
    const namer = { snapshotLabels: (state: Snapshot) => snapshotLabels(stages[0]!, state) };
    if (!actual.equals(whole)) {
      assertEquals(firstDifference({ expected: whole, actual, namer }), undefined);
    }
    if (chance.below(4) === 0) states[chance.below(STATES)]!.copyFrom(whole);
    if (chance.below(10) > 0) continue;
    const state = states[chance.below(STATES)]!;
    for (const stage of stages) stage.load(state);
    tally.loads++;
    const { check, entities } = stages[0]![INTERNALS];
    tally.kept += check.isSame.subarray(0, entities.records.length).reduce(
      (sum, same) => sum + same,
      0,
    );
  }

  return tally;
}

for (const seed of [1, 2, 3]) {
  Deno.test(`stage: saves and loads of what may differ have the words of whole ones, seed ${seed} (SPEC 9.37)`, () => {
    const { kept, asleep, loads } = compare(seed);
    assertGreater(loads, 50);
    assertGreater(kept, 20 * loads);
    assertGreater(asleep, 15 * TICKS);
  });
}
