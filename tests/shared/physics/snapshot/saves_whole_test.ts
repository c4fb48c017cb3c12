/**
 * A stage saves and loads only what may differ. In a calm scene, most bodies sleep and no entity
 * comes or goes for a long time, so most words are copied. A stage that saves and loads everything
 * must have the same ones.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { type JointDef, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { type Entity, type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { loadRefusedLate } from "../scenes/late_refusal.ts";
import * as workshop from "../scenes/workshop.ts";

const { BLOCK, WEIGHT, FLOATER, SPARK, WORKSHOP } = workshop;
const BODIES = [BLOCK, WEIGHT, FLOATER];
/** Half of them have no fields: fields are saved always. */
const JOINTS = WORKSHOP.joints!.map((definition, i): JointDef =>
  i % 2 === 0 ? definition : { ...definition, fields: {} }
);
const CALM: StageDef = { ...WORKSHOP, joints: JOINTS };
const TICKS = 2000;
const SEEDS = 2;
const HISTORY_TICKS = 32;

type Act = (stage: Stage, random: Random) => void;

function pick<T>(from: readonly T[], random: Random): T {
  return from[random.below(from.length)]!;
}

function someBody(stage: Stage, random: Random): Entity {
  return pick(BODIES.flatMap((each) => stage.all(each)), random);
}

function someJoint(stage: Stage, random: Random): Joint | undefined {
  const all = JOINTS.flatMap((each) => stage.joints.all(each));
  return all[random.below(Math.max(1, all.length))];
}

/** Types with two anchors. */
const FLEXIBLE = new Set(["rope", "distance", "pulley"]);

function join(stage: Stage, random: Random, among = JOINTS): void {
  const definition = pick(among, random);
  const a = random.chance(0.2) ? stage.ground : someBody(stage, random);
  const b = someBody(stage, random);
  const { type } = definition;
  if (type === "gear") return couple(stage, random, definition);
  if (a === b) return;
  const at = { x: a === stage.ground ? b.x : a.x, y: a === stage.ground ? b.y + 1 : a.y };
  if (Math.hypot(b.x - at.x, b.y - at.y) < 0.1) return;
  const ends = FLEXIBLE.has(type) ? { bx: b.x, by: b.y } : {};
  const axis = { axis: { x: 0, y: 1 } };
  const grounds = { groundA: { x: at.x, y: 9 }, groundB: { x: b.x, y: 9 } };
  stage.joints.add(definition, a, b, {
    ...at,
    ...ends,
    ...(type === "prismatic" || type === "wheel" ? axis : {}),
    ...(type === "pulley" ? grounds : {}),
  });
}

function couple({ joints }: Stage, random: Random, definition: JointDef): void {
  const coupled = JOINTS.filter(({ type }) => type === "revolute" || type === "prismatic").flatMap((
    each,
  ) => joints.all(each));
  if (coupled.length < 2) return;
  const first = pick(coupled, random);
  const second = pick(coupled, random);
  if (first.b !== second.b && first.b.id !== 0 && second.b.id !== 0) {
    joints.addGear(definition, first, second);
  }
}

function drive(stage: Stage, random: Random): void {
  const { joints } = stage;
  const joint = someJoint(stage, random);
  if (joint === undefined) return;
  const { limits, motor, type } = joint.definition as JointDef & {
    limits?: object;
    motor?: object;
  };
  if (motor !== undefined) {
    joints.setMotor(joint, { on: random.chance(0.7), speed: random.below(5) - 2 });
  }
  if (limits !== undefined) joints.setLimits(joint, { on: random.chance(0.7) });
  if (FLEXIBLE.has(type)) joints.setLength(joint, joint.length * (0.8 + 0.4 * random.fraction()));
  if (type === "mouse") joints.setTarget(joint, random.fraction() * 16 - 8, random.fraction() * 3);
  if (type === "motor") joints.setOffset(joint, { angle: random.fraction() });
  if (joint.definition.changeable === true) change(stage, joint, random);
}

function change({ joints }: Stage, joint: Joint, random: Random): void {
  if (joint.upper > 0) joints.setLimits(joint, { upper: random.fraction() });
  if (joint.frequencyHz > 0) joints.setSpring(joint, { frequencyHz: 1 + random.below(3) });
  if (joint.forceMax > 0) joints.setStrength(joint, { forceMax: 1 + random.below(40) });
}

/** The acts of the rules. The calm ones are frequent. */
const ACTS: Readonly<Record<string, Act>> = {
  join: (stage, random) => join(stage, random),
  separate: (stage, random) => {
    const joint = someJoint(stage, random);
    if (joint !== undefined) stage.joints.remove(joint);
  },
  "join others instead": (stage, random) => {
    const [first] = JOINTS.flatMap((each) => stage.joints.all(each)).sort((a, b) => a.id - b.id);
    if (first === undefined) return;
    stage.joints.remove(first);
    for (const { count } = stage.joints; stage.joints.count === count;) join(stage, random);
  },
  drive,
  "assign to a joint": (stage, random) => {
    const joint = someJoint(stage, random);
    if (joint !== undefined && "ageTicks" in joint.fields) {
      joint.fields["ageTicks"] = random.below(256);
    }
  },
  push: (stage, random) => stage.applyImpulse(someBody(stage, random), random.fraction(), 1),
  pull: (stage, random) => stage.applyForce(someBody(stage, random), 3, 5),
  throw: (stage, random) => stage.setVelocity(someBody(stage, random), 1, 4),
  "stop in its sleep": (stage, random) => stage.setVelocity(someBody(stage, random), 0, 0),
  spin: (stage, random) => stage.setSpin(someBody(stage, random), random.below(3)),
  teleport: (stage, random) =>
    stage.teleport(someBody(stage, random), random.fraction() * 16 - 8, 2),
  "teleport a little": (stage, random) => {
    const body = someBody(stage, random);
    stage.teleport(body, body.x + (random.chance(0.5) ? 0.06 : -0.06), body.y);
  },
  shoot: (stage, random) =>
    void stage.spawn(SPARK, { x: random.fraction() * 20 - 10, y: 5, vy: -20 }),
  "replace one": (stage, random) => {
    const { x, y } = someBody(stage, random);
    stage.despawn(someBody(stage, random));
    stage.spawn(pick(BODIES, random), { x, y: y + 1 });
  },
};
/** The most joints at a time. With more of them nothing sleeps. */
const JOINTS_LIVE_MAX = 12;

/** Piles whose bodies lie close to each other, so that many pairs sleep without touching. */
function start(stage: Stage): Stage {
  for (let i = 0; i < 30; i++) {
    const column = Math.floor(i / 3);
    stage.spawn(BODIES[i % 3]!, {
      x: column * 1.06 - 6 + i % 3 * 0.1,
      y: 0.5 + i % 3 * 1.1,
      angle: column * 0.1,
    });
  }
  stage.endTick();
  return stage;
}

function act(stage: Stage, name: string, seed: number): void {
  const random = new Random(seed);
  ACTS[name]!(stage, random);
  while (stage.joints.count > JOINTS_LIVE_MAX) stage.joints.remove(someJoint(stage, random)!);
}

/**
 * @returns the ids of all bodies with those that they touch: a save alone may copy what is not
 *   there any more
 */
function touchesOf(stage: Stage): string[] {
  return BODIES.flatMap((each) => stage.all(each)).map((body) =>
    `${body.id}: ${stage.touchingNow(body).map(({ id }) => id)}`
  );
}

/** @returns the label of the first word that differs, or undefined */
function differenceOf(stage: Stage, a: Snapshot, b: Snapshot): string | undefined {
  if (a.equals(b)) return undefined;
  const at = a.words.findIndex((word, i) => word !== b.words[i]);
  return snapshotLabels(stage, a)[at] ?? "length";
}

Deno.test("savesWhole: a calm scene that joins, drives and pushes has the same words with and without it (SPEC 9.37)", () => {
  const names = Object.keys(ACTS);
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  let asleep = 0;
  let refusedLate = 0;

  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Random(seed);
    const whole = start(new Stage(CALM, { savesWhole: true }));
    const frugal = start(new Stage(CALM));
    const actual = new Snapshot();
    const history = Array.from({ length: HISTORY_TICKS }, () => new Snapshot());
    for (let tick = 0; tick < TICKS; tick++) {
      const name = random.chance(0.15) ? pick(names, random) : undefined;
      const advances = random.chance(0.9);
      for (const stage of [whole, frugal]) {
        if (name !== undefined) act(stage, name, seed * TICKS + tick);
        if (advances) stage.advance();
        stage.endTick();
      }
      if (name !== undefined) counts[name]!++;
      const expected = history[tick % HISTORY_TICKS]!;
      whole.save(expected);
      if (random.chance(0.8)) {
        frugal.save(actual);
        const difference = differenceOf(whole, expected, actual);
        assertEquals(difference, undefined, `seed ${seed}, tick ${tick}, ${name}`);
      }
      if (random.chance(0.1)) {
        frugal.load(expected);
        for (const stage of [whole, frugal]) {
          workshop.run(stage, 1 + seed);
          stage.load(expected);
        }
      }
      asleep += whole.all(BLOCK).filter(({ awake }) => !awake).length;
      if (tick < HISTORY_TICKS || !random.chance(0.1)) continue;
      const earlier = random.chance(0.3) ? expected : history[random.below(HISTORY_TICKS)]!;
      const wrong = random.chance(0.5) ? history[random.below(HISTORY_TICKS)] : undefined;
      for (const stage of [whole, frugal]) {
        if (wrong !== undefined && loadRefusedLate(stage, wrong)) refusedLate++;
        stage.load(earlier);
      }
      assertEquals(touchesOf(frugal), touchesOf(whole), `seed ${seed}, tick ${tick}`);
    }
  }

  for (const [name, count] of Object.entries(counts)) assertGreater(count, 20, name);
  assertGreater(refusedLate, 50);
  assert(asleep / (SEEDS * TICKS) > 2, `${asleep / (SEEDS * TICKS)} of 10 blocks sleep`);
});

Deno.test("savesWhole: a crowd and the time after it have the same words with and without it (SPEC 9.37, 9.61)", () => {
  const words = [true, false].map((savesWhole) => {
    const stage = start(new Stage(CALM, { savesWhole }));
    const state = new Snapshot();
    workshop.run(stage, 200);
    assert(stage.all(BLOCK).filter(({ awake }) => !awake).length > 5);
    stage.save(state);
    const crowd = Array.from({ length: 250 }, () => stage.spawn(FLOATER, { x: 0, y: 50 }));
    workshop.run(stage, 1);
    stage.save(state);
    const crowded = state.words.slice(0, state.length);
    for (const each of crowd) stage.despawn(each);
    stage.endTick();
    stage.save(state);
    return [crowded, state.words.slice(0, state.length)];
  });
  assertEquals(words[0], words[1]);
});

/**
 * Loads a state, runs a tick, wakes all bodies and runs two more.
 * @returns the words and touches of these ticks, or the name of the error that refuses the state or
 *   ends them
 */
function futureOf(stage: Stage, state: Snapshot): string[] {
  const saved = new Snapshot();
  const future: string[] = [];

  try {
    stage.load(state);
    for (let tick = 0; tick < 4; tick++) {
      stage.save(saved);
      future.push(saved.words.slice(0, saved.length).join(), ...touchesOf(stage));
      if (tick === 1) {
        for (const each of BODIES.flatMap((each) => stage.all(each))) {
          stage.applyImpulse(each, 0.1, 0.2);
        }
      }
      workshop.run(stage, 1);
    }
  } catch (error) {
    assert(error instanceof SnapshotError || error instanceof StageError, `${error}`);
    future.push(error.name);
  }

  return future;
}

Deno.test("savesWhole: a calm state that differs in any one word has the same future with and without it (SPEC 9.1, 9.37)", () => {
  const whole = start(new Stage(CALM, { savesWhole: true }));
  const frugal = new Stage(CALM);
  const random = new Random(1);
  workshop.run(whole, 200);

  // Joints without motors and without springs, some of them without fields, in piles that stand
  // already.
  const quiet = JOINTS.filter(({ name }) =>
    ["hinge", "rod", "rope", "weld", "glue"].includes(name)
  );
  while (whole.joints.count < JOINTS_LIVE_MAX) join(whole, random, quiet);
  workshop.run(whole, 100);
  const asleep = BODIES.flatMap((each) => whole.all(each)).filter(({ awake }) => !awake);
  assertGreater(asleep.length, 15);
  const joined = quiet.flatMap((each) => whole.joints.all(each)).filter(({ b }) =>
    asleep.includes(b)
  );
  assertGreater(joined.length, 5);
  const good = new Snapshot();
  const changed = new Snapshot();
  whole.save(good);
  const labels = snapshotLabels(whole, good);
  let refused = 0;

  for (let at = 0; at < good.length; at++) {
    changed.copyFrom(good);
    // Poses move farther, so that some bodies leave their contacts.
    if (/ [xy]$/.test(labels[at]!)) changed.floats[at]! += 0.5;
    else changed.words[at]! ^= 1;
    frugal.load(good);
    const actual = futureOf(frugal, changed);
    const expected = futureOf(whole, changed);
    assertEquals(actual, expected, labels[at]);
    if (actual[0] === "SnapshotError") refused++;
  }

  assert(refused > 50 && refused < good.length / 2, `${refused} of ${good.length} refused`);
});

Deno.test("load: after a state that is refused late, the contacts of sleeping bodies are those of the next state (SPEC 9.37)", () => {
  const stage = new Stage(CALM);
  const good = new Snapshot();
  const lifted = new Snapshot();
  const blocks = Array.from({ length: 6 }, (_, i) => stage.spawn(BLOCK, { x: 3 * i, y: 0.41 }));
  stage.spawn(FLOATER, { x: 0, y: 9 });
  workshop.run(stage, 60);
  stage.save(good);
  assert(blocks.every(({ awake }) => !awake));
  stage.teleport(blocks[1]!, 3, 9);
  workshop.run(stage, 1);
  stage.save(lifted);
  stage.load(good);
  assert(loadRefusedLate(stage, lifted));
  stage.load(good);
  assertEquals(
    blocks.map((block) => stage.touchingNow(block).map(({ id }) => id)),
    blocks.map(() => [0]),
  );
});
