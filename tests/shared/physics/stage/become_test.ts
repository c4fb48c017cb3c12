/** An entity that becomes one of another archetype keeps its id and its place. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";

const EGG = archetype({
  name: "egg",
  body: { fixtures: [{ shape: { circle: 0.4 } }] },
  fields: { age: "u16", warmth: "f32" },
});
const CHICK = archetype({
  name: "chick",
  body: { fixtures: [{ shape: { box: [0.3, 0.5] }, density: 2 }] },
  fields: { age: "u8", name: "u32" },
});
const STONE = archetype({
  name: "stone",
  body: { type: "static", fixtures: [{ shape: { box: [1, 1] } }] },
  fields: {},
});
const SHOT = archetype({
  name: "shot",
  projectile: { radius: 0.1, lifeTicks: 99 },
  fields: { age: "u16" },
});
const LIFT = archetype({
  name: "lift",
  body: { fixtures: [{ shape: { box: [1, 0.1] } }], path: (tick) => ({ x: 9, y: tick }) },
  fields: {},
});
const NEST: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
  archetypes: [EGG, CHICK, STONE, SHOT, LIFT],
  fields: {},
};

function tick(stage: Stage): void {
  stage.advance();
  stage.endTick();
}

Deno.test("become: keeps id, pose, motion, teleports and shared fields; contacts begin anew (SPEC 9.57)", () => {
  const stage = new Stage(NEST);
  stage.spawn(EGG, { x: 0, y: 0.4 });
  const egg = stage.spawn(EGG, {
    x: 0,
    y: 1.3,
    angle: 0.5,
    vx: 1,
    spin: 2,
    fields: { age: 7, warmth: 0.5 },
  });
  stage.spawn(EGG, { x: 5, y: 1 });
  stage.teleport(egg, 0, 1.25);
  const chick = stage.become(egg, CHICK, { name: 3 });
  const { id, x, y, angle, vx, spin, teleports } = chick;
  assertEquals([id, x, y, angle, vx, spin, teleports], [egg.id, 0, 1.25, 0.5, 1, 2, 1]);
  assertEquals({ ...chick.fields }, { age: 7, name: 3 });
  assertEquals([stage.get(id), stage.entityCount], [chick, 3]);
  assertEquals([stage.all(EGG).map(({ id }) => id), stage.all(CHICK)], [[1, 3], [chick]]);
  assertThrows(() => stage.setVelocity(egg, 0, 0), StageError, "is not on this stage");
  stage.endTick();
  for (let i = 0; i < 60; i++) tick(stage);

  // It has the new body: its mass, and half of its width above the floor, for it has fallen over.
  assertAlmostEquals(chick.mass, 2 * 0.6 * 1, 1e-6);
  assertAlmostEquals(chick.y, 0.3, 0.03);
});

Deno.test("become: a body becomes a shot and a shot a body; a stone has no motion; what touched it wakes", () => {
  const stage = new Stage(NEST);
  const egg = stage.spawn(EGG, { x: 0, y: 5, vx: 3, spin: 1, fields: { age: 2 } });
  const shot = stage.become(egg, SHOT);
  assertEquals([shot.vx, shot.spin, shot.fields.age], [3, 0, 2]);
  const stone = stage.become(stage.become(shot, EGG), STONE);
  assertEquals([stone.vx, stone.x, stone.id], [0, 0, 1]);
  const above = stage.spawn(EGG, { x: 0, y: 6.4 });
  for (let i = 0; i < 40; i++) i === 0 ? stage.endTick() : tick(stage);
  assertEquals(above.awake, false);
  stage.become(stone, SHOT);
  assert(above.awake);
});

Deno.test("become: paths, the ground and fields that do not fit are refused, and nothing changes", () => {
  const stage = new Stage(NEST);
  const egg = stage.spawn(EGG, { x: 0, y: 1, fields: { age: 300 } });
  const lift = stage.spawn(LIFT);
  const before = new Snapshot();
  const after = new Snapshot();
  stage.endTick();
  stage.save(before);
  assertThrows(() => stage.become(egg, LIFT as never), StageError, "which has a path");
  assertThrows(() => stage.become(lift, EGG), StageError, "is on a path");
  assertThrows(() => stage.become(stage.ground, EGG), StageError, "the ground");
  assertThrows(() => stage.become(egg, CHICK), StageError, "entity 1 chick.age is 300");
  assertEquals(stage.become(egg, CHICK, { age: 30 }).fields.age, 30);
  stage.load(before);
  stage.save(after);
  assert(before.equals(after));
});

Deno.test("become: changes are exact across rollbacks (SPEC 9.57)", () => {
  const straight = new Stage(NEST);
  const second = new Stage(NEST, { savesWhole: true });
  const random = new Random(1);
  const start = new Snapshot();
  const expected = new Snapshot();
  const actual = new Snapshot();
  const kinds = [EGG, CHICK, SHOT, STONE];
  for (let i = 0; i < 12; i++) straight.spawn(EGG, { x: i * 0.7, y: 1 + i % 3 });
  straight.endTick();
  const step = (stage: Stage, seed: number) => {
    const draw = new Random(seed);
    const all = stage.entities();
    const one = all[draw.below(Math.max(1, all.length))];
    if (one !== undefined && draw.below(3) === 0) {
      stage.become(one, kinds[draw.below(kinds.length)]! as typeof EGG);
    }
    if (all.length < 12) stage.spawn(EGG, { x: draw.below(8), y: 4 });
    tick(stage);
  };
  let changes = 0;

  for (let round = 0; round < 60; round++) {
    const seeds = Array.from({ length: 1 + random.below(8) }, () => random.below(1e9));
    straight.save(start);
    const ids = straight.entities().map(({ id, archetype }) => `${id} ${archetype.name}`);
    for (const seed of seeds) step(straight, seed);
    changes += straight.entities().filter(({ id, archetype }) =>
      !ids.includes(`${id} ${archetype.name}`)
    ).length;
    straight.save(expected);
    for (let i = 0; i < 3; i++) step(second, random.below(1e9));
    second.load(start);
    for (const seed of seeds) step(second, seed);
    second.save(actual);
    assert(expected.equals(actual), `round ${round}`);
  }

  assertGreater(changes, 20);
});
