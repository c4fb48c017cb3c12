/**
 * The bounds of a stage: what a tick does that reaches one, and which states a load refuses (SPEC
 * 9.60 to 9.67).
 */
import {
  assert,
  assertEquals,
  assertGreater,
  assertLess,
  assertMatch,
  assertThrows,
} from "@std/assert";
import { Header, NEXT_ID_MAX } from "../../../../shared/physics/snapshot/layout.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { ENTITIES_MAX, Stage } from "../../../../shared/physics/stage/stage.ts";
import { joints as jointsFeature } from "../../../../shared/physics/joints/feature.ts";
import { queries } from "../../../../shared/physics/stage/queries.ts";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
  type StageLimits,
} from "../../../../shared/physics/core/types.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { startScene, stepScene } from "../scenes/scene.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: { hits: "u8" },
});
const BULLET = archetype({
  name: "bullet",
  body: { fixtures: [{ shape: { circle: 0.3 }, restitution: 0.9 }], bullet: true },
  fields: {},
});
const SHOT = archetype({
  name: "shot",
  projectile: { radius: 0.1, lifeTicks: 200, bouncesMax: 255, mass: 0.01 },
  fields: {},
});
const COMB = archetype({
  name: "comb",
  body: {
    type: "static",
    fixtures: Array.from({ length: 200 }, (_, x) => ({ shape: { box: [0.1, 1] as const, x } })),
  },
  fields: {},
});

/** A room of 20 m between walls of 1 m. */
const ROOM: StageDef<{ round: "u16"; heat: "f32" }> = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  ground: [
    { shape: { box: [12, 1], y: -1 } },
    { shape: { box: [12, 1], y: 21 } },
    { shape: { box: [1, 12], x: -11, y: 10 } },
    { shape: { box: [1, 12], x: 11, y: 10 } },
  ],
  archetypes: [CRATE, BULLET, SHOT, COMB],
  fields: { round: "u16", heat: "f32" },
};

type Room = Stage<{ round: "u16"; heat: "f32" }>;

function room(limits: StageLimits = {}): Room {
  return new Stage({ ...ROOM, limits });
}

function run(stage: Room, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

function saved(stage: Room): Snapshot {
  const snapshot = new Snapshot();
  stage.save(snapshot);
  return snapshot;
}

/** All contacts of a stage, whether they touch or not, by the ids of their entities. */
function pairsOf(stage: Room): string[] {
  const { world: { contacts } } = stage[INTERNALS];
  return Array.from(contacts.order.subarray(0, contacts.count), (row) => {
    const [low, high] = [contacts.values[row * 16 + 14]!, contacts.values[row * 16 + 15]!];
    return `${Math.floor(low / 256)}-${Math.floor(high / 256)}`;
  });
}

/** @returns the index of the first word whose label matches */
function wordAt(stage: Room, snapshot: Snapshot, label: RegExp): number {
  const at = snapshotLabels(stage, snapshot).findIndex((each) => label.test(each));
  assert(at >= 0, `${label} is not in the snapshot`);
  return at;
}

Deno.test("limits: a wrong one is refused with its name; contacts are 8 for each entity unless declared (SPEC 9.60)", () => {
  const cases: [StageLimits, string][] = [
    [{ entities: 0 }, "limits.entities is 0; 1 to 1024 are allowed"],
    [{ entities: 1025 }, "limits.entities is 1025"],
    [{ contacts: 8193 }, "limits.contacts is 8193; 8 to 8192 are allowed"],
    [{ contacts: 2.5 }, "limits.contacts is 2.5"],
    [{ things: 3 } as StageLimits, 'limits has no "things"'],
  ];
  for (const [limits, message] of cases) assertThrows(() => room(limits), StageError, message);
  assertEquals(room()[INTERNALS].limits, { entities: 1024, contacts: 8192 });
  assertEquals(room({ entities: 100 })[INTERNALS].limits, { entities: 100, contacts: 800 });
  assertEquals(room({ contacts: 9 })[INTERNALS].limits, { entities: 1024, contacts: 9 });
});

Deno.test("contacts: a crowd has the first pairs in the order of their keys, and all of them once it has room (SPEC 9.61)", () => {
  const stage = room({ contacts: 40 });
  const crates = Array.from({ length: 30 }, () => stage.spawn(CRATE, { x: 0, y: 0.4 }));
  run(stage, 1);
  const pairs = pairsOf(stage);
  const first = [];
  for (const crate of crates) first.push(`0-${crate.id}`);
  for (let b = 2; b <= 11; b++) first.push(`1-${b}`);
  assertEquals(pairs, first, "all that touch the ground, then those of the oldest crate");
  assertMatch(stage.limited.join(), /more than 40 pairs are near each other \(limits\.contacts\)/);
  run(stage, 60);
  assert(crates.every(({ y }) => y > 0.3), "the ground holds them all");
  for (const crate of crates.slice(8)) stage.despawn(crate);
  run(stage, 1);
  assertEquals(stage.limited, []);
  const roomy = room();
  roomy.load(saved(stage));
  assertGreater(pairsOf(stage).length, 8 + 7, "each crate still meets the ground and another one");
  assertEquals(pairsOf(stage), pairsOf(roomy), "as without the limit");
});

Deno.test("contacts: a crowd that comes and goes is the same bits after any rollback (SPEC 9.61)", () => {
  const straight = room({ contacts: 60 });
  const rolled = room({ contacts: 60 });
  const random = new Random(5);
  const other = new Random(6);
  let crowded = 0;
  let roomy = 0;

  for (let tick = 0; tick < 240; tick++) {
    const before = saved(straight);
    const fresh = room({ contacts: 60 });
    // Crates gather in turns at one place and apart from each other, and some appear and vanish.
    const rules = (stage: Room, draw: number) => {
      const crates = stage.all(CRATE);
      const isGathering = tick % 60 < 30;
      if (crates.length < 40) stage.spawn(CRATE, { x: draw % 17 - 8, y: 1 + draw % 7 });
      const chosen = crates[draw % Math.max(1, crates.length)];
      if (chosen === undefined) return;
      if (draw % 11 === 0) stage.despawn(chosen);
      else if (isGathering) stage.teleport(chosen, draw % 3 * 0.2, 2);
      else stage.teleport(chosen, draw % 19 - 9, 3 + draw % 13);
    };
    const step = (stage: Room, draws: readonly number[]) => {
      for (const draw of draws) rules(stage, draw);
      run(stage, 1);
    };
    const draws = [random.bits(), random.bits(), random.bits()];
    // The rolled stage has predicted other ticks. The fresh one knows nothing but the state.
    rolled.load(before);
    for (let wrong = other.below(3); wrong > 0; wrong--) {
      step(rolled, [other.bits(), other.bits(), other.bits()]);
    }
    rolled.load(before);
    fresh.load(before);
    for (const stage of [straight, rolled, fresh]) step(stage, draws);
    const after = saved(straight);
    assert(saved(rolled).equals(after), `tick ${tick}, after a rollback`);
    assert(saved(fresh).equals(after), `tick ${tick}, after a load`);
    assertEquals(pairsOf(rolled), pairsOf(straight), `tick ${tick}`);
    if (straight.limited.length > 0) crowded++;
    else roomy++;
  }

  assertGreater(crowded, 30);
  assertGreater(roomy, 30);
});

Deno.test("contacts: those of a crowd fit a snapshot, whatever the entities do (SPEC 9.61)", () => {
  const stage = room();
  for (let i = 0; i < ENTITIES_MAX; i++) stage.spawn(CRATE, { x: 0, y: 5 });
  run(stage, 2);
  const state = saved(stage);
  const again = room();
  assertEquals(pairsOf(stage).length, 8192);
  again.load(state);
  run(stage, 1);
  run(again, 1);
  assert(saved(again).equals(saved(stage)));
});

/** Bullets in all directions: each impact moves bodies that then may hit others. */
function bullets(stage: Room, count: number, random: Random): void {
  for (let i = 0; i < count; i++) {
    const [x, y] = [random.fraction() * 18 - 9, 1 + random.fraction() * 18];
    stage.spawn(BULLET, {
      x,
      y,
      vx: random.fraction() * 150 - 75,
      vy: random.fraction() * 150 - 75,
    });
  }
}

Deno.test("impacts: beyond the work of a world step bodies stand still for the rest of it, and none leaves the room (SPEC 9.62)", () => {
  const stage = room();
  const fresh = room();
  const random = new Random(3);
  let held = 0;
  bullets(stage, 700, random);
  for (let tick = 0; tick < 6; tick++) {
    run(stage, 1);
    if (stage.limited.join().includes("impacts")) held++;
    // A stage that loads the state reaches the same bound.
    if (tick === 2) fresh.load(saved(stage));
    else if (tick > 2) run(fresh, 1);
  }
  assertGreater(held, 3);
  assert(saved(fresh).equals(saved(stage)));
  for (const { id, x, y } of stage.all(BULLET)) {
    assert(Math.abs(x) < 10.5 && y > -0.5 && y < 20.5, `bullet ${id} at ${x}, ${y}`);
  }
});

Deno.test("casts: beyond the work of a world step the newest projectiles stand still for the rest of it (SPEC 9.63)", () => {
  const stage = room({ contacts: 8 });
  for (let i = 0; i < 100; i++) {
    stage.spawn(CRATE, { x: i % 10 - 4.5, y: 0.4 + Math.floor(i / 10) });
  }
  const shots = Array.from(
    { length: 200 },
    (_, i) => stage.spawn(SHOT, { x: -9 + i * 0.05, y: 15, vx: 0, vy: -900 }),
  );
  stage.advance();
  assertMatch(stage.limited.join(), /projectiles of a world step had too many bodies near them/);
  const standing = shots.filter(({ y }) => y === 15);
  assertGreater(standing.length, 10);
  assertEquals(standing, shots.slice(-standing.length), "those with the largest ids");
  stage.endTick();
  const fresh = room({ contacts: 8 });
  fresh.load(saved(stage));
  run(stage, 3);
  run(fresh, 3);
  assert(saved(fresh).equals(saved(stage)));
});

Deno.test("entities: the newest beyond the limit leave when the tick ends; a loop without an end is refused (SPEC 9.64)", () => {
  const stage = room({ entities: 10 });
  const crates = Array.from({ length: 13 }, (_, i) => stage.spawn(CRATE, { x: i - 6, y: 0.4 }));
  assertEquals(
    [stage.entityCount, crates[12]!.isOnStage],
    [13, true],
    "within the tick the rules have them all",
  );
  run(stage, 1);
  assertEquals(stage.entities(), crates.slice(0, 10));
  assertMatch(
    stage.limited.join(),
    /13 entities .*limits\.entities: 10.*the newest 3 have left it, such as entity 13 crate/,
  );
  run(stage, 1);
  assertEquals(stage.limited, []);
  const endless = () => {
    for (;;) stage.spawn(CRATE, { x: 0, y: 5 });
  };
  assertThrows(endless, StageError, "1034 entities with 1038 fixtures are on the stage");
});

Deno.test("parts: a stage has at most 8,192 fixtures when the tick ends, and loads no more (SPEC 9.64, 9.66)", () => {
  const stage = room();
  for (let i = 0; i < 60; i++) stage.spawn(COMB, { x: 0, y: 100 + 3 * i });
  run(stage, 1);
  assertEquals(stage.entityCount, 40, "40 combs of 200 boxes, and four parts of the ground");
  assertMatch(stage.limited.join(), /60 entities with 12004 fixtures/);
  const state = saved(stage);
  const words = state.words.slice(state.length - 11, state.length);
  state.reserve(state.length + 11);
  state.words.set(words, state.length);
  state.words[state.length] = state.words[Header.NEXT_ID]!++;
  state.words[Header.ENTITY_COUNT]!++;
  state.length += 11;
  assertThrows(() => room().load(state), SnapshotError, "too many fixtures");
});

Deno.test("numbers: one beyond its type or bound is held there when the tick ends, and named (SPEC 9.65)", () => {
  const stage = room();
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  const far = stage.spawn(CRATE, { x: 99_999, y: -99_999, vx: 79, vy: -79 });
  const shot = stage.spawn(SHOT, { x: 99_990, y: 5, vx: 9000 });
  crate.fields.hits = 255;
  stage.fields.round = 65_535;
  stage.advance();
  crate.fields.hits++;
  stage.fields.round += 10;
  stage.fields.heat = -1e39;
  stage.setVelocity(crate, 3000, 4000);
  stage.setSpin(crate, -9000);
  stage.endTick();
  assertEquals([crate.fields.hits, stage.fields.round, stage.fields.heat], [
    255,
    65_535,
    -3.4028234663852886e38,
  ]);
  assertEquals([crate.vx, crate.vy], [48, 64], "2 m in a world step of 25 ms");
  assertEquals(crate.spin, Math.fround(-Math.PI / 2 * 40));
  assertEquals([far.centerX, far.centerY, far.vx, far.vy], [100_000, -100_000, 0, 0]);
  assertEquals([shot.x, shot.vx], [100_000, 9000]);
  const limited = stage.limited.join("\n");
  assertMatch(limited, /entity 1 crate\.hits is 256; a u8 holds it at 255/);
  assertMatch(limited, /stage\.round is 65545; a u16 holds it at 65535/);
  assertMatch(limited, /entity 2 crate is at the edge of the world/);
  const fresh = room();
  fresh.load(saved(stage));
  run(stage, 20);
  run(fresh, 20);
  assert(saved(fresh).equals(saved(stage)));
  crate.fields.hits = 0.5;
  assertThrows(() => run(stage, 1), StageError, "entity 1 crate.hits is 0.5");
  crate.fields.hits = NaN;
  assertThrows(() => stage.endTick(), StageError, "entity 1 crate.hits is NaN");
});

Deno.test("load: refuses more than the stage may have, ids that are nearly used up, and impossible motions (SPEC 9.66)", () => {
  const stage = room({ entities: 20 });
  for (let i = 0; i < 12; i++) stage.spawn(CRATE, { x: i % 4, y: 0.4 + Math.floor(i / 4) * 0.8 });
  run(stage, 3);
  const good = saved(stage);
  const bits = new Float32Array(1);
  const word = new Uint32Array(bits.buffer);
  const cases: [RegExp, number, string][] = [
    [/^next id$/, NEXT_ID_MAX + 1, "impossible header"],
    [/^entity count$/, 21, "impossible header"],
    [/^contact count$/, 161, "impossible header"],
    [/^entity 3 crate vx$/, 80.01, "faster than a tick leaves it"],
    [/^entity 3 crate spin$/, -62.9, "faster than a tick leaves it"],
    [/^contact .* localNormal\.y$/, 1.01, "impossible manifold"],
    [/^contact .* localPoint\.x$/, 2e5, "impossible manifold"],
    [/^contact .* localPoint\.y\[0\]$/, -2e5, "impossible point"],
    [/^contact .* normalImpulse\[0\]$/, Infinity, "impossible point"],
  ];

  for (const [label, value, message] of cases) {
    const wrong = new Snapshot();
    wrong.copyFrom(good);
    bits[0] = value;
    wrong.words[wordAt(stage, good, label)] = / (id|count)\$/.test(label.source) ? value : word[0]!;
    assertThrows(() => stage.load(wrong), SnapshotError, message);
  }

  // One that is larger by far than the rest of the state: the count alone decides.
  assertLess(good.words[Header.CONTACT_COUNT]!, 160);
  stage.load(good);
  assert(saved(stage).equals(good));
});

Deno.test("load: a state in which all is at one place is taken, and steps as the stage that made it (SPEC 9.61, 9.66)", () => {
  const apart = room();
  const together = new Snapshot();
  for (let i = 0; i < 300; i++) {
    apart.spawn(CRATE, { x: i % 9 * 2 - 8, y: 1 + Math.floor(i / 9) * 2 });
  }
  apart.endTick();
  const state = saved(apart);
  together.copyFrom(state);
  snapshotLabels(apart, state).forEach((label, at) => {
    if (label.endsWith(" x")) together.floats[at] = 0;
    if (label.endsWith(" y")) together.floats[at] = 5;
  });

  // Into a stage without a crowd, into one with the crowd, and into a new one.
  const stages = [apart, room(), room()];
  run(stages[1]!, 1);
  stages[1]!.load(together);
  run(stages[1]!, 2);

  for (const stage of stages) {
    stage.load(together);
    assertEquals(stage.limited, [], "a load reports nothing");
    run(stage, 5);
    assert(stage.limited.length > 0);
  }

  for (const stage of stages) assert(saved(stage).equals(saved(stages[0]!)));
  apart.load(state);
  run(apart, 1);
  assertEquals(apart.limited, []);
});

Deno.test("limited: names at most eight held values of a tick; nothing in normal play (SPEC 9.67)", () => {
  const stage = room();
  const crates = Array.from({ length: 20 }, (_, i) => stage.spawn(CRATE, { x: i - 9, y: 0.4 }));
  run(stage, 5);
  assertEquals(stage.limited, []);
  for (const crate of crates) crate.fields.hits = 300;
  stage.endTick();
  assertEquals(stage.limited.length, 8);
});

Deno.test("numbers: rules may name what is beside a body that a step has moved out of the world (SPEC 9.65, 9.68)", () => {
  const rope = jointDef({ name: "rope", type: "rope", fields: {} });
  const drag = jointDef({
    name: "drag",
    type: "mouse",
    fields: {},
    spring: { frequencyHz: 5, dampingRatio: 1 },
    forceMax: 10,
  });
  const def = { ...ROOM, speedMax: 1000, features: [jointsFeature, queries], joints: [rope, drag] };
  const stage = new Stage(def);
  const lost = stage.spawn(CRATE, { x: 99_999, y: -99_999, vx: 700, vy: -700 });
  stage.advance();
  const { x, y } = lost;
  assertGreater(x, 100_030);
  assertLess(y, -100_030);
  const beside = stage.spawn(CRATE, { x: x + 3, y: y - 3 });
  const { joints } = stage;
  joints.add(rope, lost, beside, { x, y, bx: x + 3, by: y - 3 });
  const held = joints.add(drag, stage.ground, lost, { x, y });
  joints.setTarget(held, x + 1, y - 1);
  const opposite = stage.spawn(CRATE, { x: -x, y: -y });
  const long = joints.add(rope, lost, opposite, { x, y, bx: -x, by: -y });
  assertEquals([long.length, joints.add(rope, lost, opposite, { x: -x, y, bx: x, by: y }).length], [
    1e5,
    1e5,
  ]);
  stage.queries.rayCast({ x, y }, { x: x + 5, y });
  stage.teleport(lost, x + 4, y - 4);
  assertThrows(() => stage.teleport(lost, 101_025, 0), StageError, "x is 101025; at most 101024");
  stage.endTick();
  assertEquals([lost.centerX, lost.centerY, beside.centerX, beside.centerY], [
    1e5,
    -1e5,
    1e5,
    -1e5,
  ]);

  const fresh = new Stage(def);
  const state = new Snapshot();
  stage.save(state);
  fresh.load(state);

  for (let tick = 0; tick < 20; tick++) {
    for (const each of [stage, fresh]) {
      each.advance();
      each.endTick();
    }
  }

  const [one, other] = [new Snapshot(), new Snapshot()];
  stage.save(one);
  fresh.save(other);
  assert(one.equals(other));
});

Deno.test("Stage: a body that joints throw beyond all numbers stays where the world step began (SPEC 9.109) [seed 59]", () => {
  const stage = startScene(59);
  let thrown = 0;
  for (let i = 0; i < 600; i++) {
    stepScene(stage, 59, ({ limited }) => {
      if (limited.some((sentence) => sentence.includes("pull against each other"))) thrown++;
    });
  }
  assertGreater(thrown, 0);
  for (const { x, y, angle } of stage.entities()) assert(Number.isFinite(x + y + angle));
});
