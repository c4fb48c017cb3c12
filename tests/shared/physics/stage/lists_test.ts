/** Lists that rules walk while they spawn, despawn, join and load. */
import { assert, assertEquals } from "@std/assert";
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";
import { BALL, CRATE, run, YARD, yard } from "../scenes/yard.ts";

const SHOT = archetype({ name: "shot", projectile: { radius: 0.1, lifeTicks: 2 }, fields: {} });
const ROD = jointDef({ name: "rod", type: "distance", collide: false, fields: {} });

const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);

Deno.test("all: a rule that despawns while it walks the list reaches every entity (SPEC 9.50)", () => {
  const stage = yard();
  for (let i = 0; i < 4; i++) stage.spawn(CRATE, { x: i, y: 5 });
  for (const crate of stage.all(CRATE)) stage.despawn(crate);
  assertEquals([stage.entityCount, stage.all(CRATE).length], [0, 0]);
});

Deno.test("all: a rule that spawns while it walks the list ends, and the next list has the new ones (SPEC 9.50)", () => {
  const stage = yard();
  for (let i = 0; i < 3; i++) stage.spawn(CRATE, { x: i, y: 5 });
  for (const crate of stage.all(CRATE)) stage.spawn(CRATE, { x: crate.x, y: 9 });
  assertEquals(idsOf(stage.all(CRATE)), [1, 2, 3, 4, 5, 6]);
});

Deno.test("all: an entity that a rule has despawned is not on the stage, and keeps its last values (SPEC 9.50)", () => {
  const stage = yard();
  const seen: [number, boolean, number][] = [];
  for (let i = 0; i < 4; i++) stage.spawn(CRATE, { x: i, y: 5 });
  for (const crate of stage.all(CRATE)) {
    if (crate.id === 2) stage.despawn(stage.get(3)!);
    seen.push([crate.id, crate.isOnStage, crate.x]);
  }
  assertEquals(seen, [[1, true, 0], [2, true, 1], [3, false, 2], [4, true, 3]]);
});

Deno.test("all: a list that somebody holds stays the same across a load and the end of projectiles (SPEC 9.50)", () => {
  const stage = new Stage({ ...YARD, archetypes: [CRATE, SHOT] });
  const state = new Snapshot();
  stage.spawn(CRATE, { x: 0, y: 5 });
  stage.endTick();
  stage.save(state);
  stage.spawn(CRATE, { x: 0, y: 9 });
  stage.spawn(SHOT, { x: 0, y: 50 });
  const crates = stage.all(CRATE);
  const shots = stage.all(SHOT);
  const entities = stage.entities();
  run(stage as never, 3);
  assertEquals([idsOf(shots), stage.all(SHOT).length, shots[0]!.isOnStage], [[3], 0, false]);
  stage.load(state);
  assertEquals([idsOf(crates), idsOf(entities), idsOf(stage.entities())], [[1, 2], [1, 2, 3], [1]]);
  assertEquals([crates[0]!.isOnStage, crates[1]!.isOnStage], [true, false]);
});

Deno.test("all, entities: the same list as long as nothing changes (SPEC 9.50)", () => {
  const stage = yard();
  stage.spawn(CRATE, { x: 0, y: 5 });
  const crates = stage.all(CRATE);
  const entities = stage.entities();
  stage.spawn(BALL, { x: 3, y: 5 });
  run(stage, 3);
  assert(stage.all(CRATE) === crates);
  assert(stage.entities() === stage.entities());
  assert(stage.entities() !== entities);
});

Deno.test("entities: has all archetypes, ascending by id (SPEC 9.50)", () => {
  const stage = new Stage({ ...YARD, archetypes: [BALL, CRATE, SHOT] });
  stage.spawn(CRATE, { x: 0, y: 5 });
  stage.spawn(SHOT, { x: 0, y: 7 });
  stage.spawn(BALL, { x: 3, y: 5 });
  stage.spawn(CRATE, { x: 6, y: 5 });
  stage.despawn(stage.get(1)!);
  assertEquals(stage.entities().map(({ id, archetype: { name } }) => [id, name]), [
    [2, "shot"],
    [3, "ball"],
    [4, "crate"],
  ]);
});

Deno.test("joints.all, joints.of, touchingNow: rules may change and nest the walks (SPEC 9.50)", () => {
  const stage = new Stage({ ...YARD, features: FEATURES, joints: [ROD] });
  const crates = [0, 1, 2].map((i) => stage.spawn(CRATE, { x: i * 0.79, y: 0.4 }));
  for (const crate of crates) {
    stage.joints.add(ROD, stage.ground, crate, { x: crate.x, y: 9, bx: crate.x, by: 0.4 });
  }
  run(stage, 2);
  const touching = crates.map((crate) => stage.touchingNow(crate).map(({ id }) => id));
  assertEquals(touching, [[2], [1, 3], [2]]);
  const pairs = crates.map((crate) => stage.joints.of(crate));
  assertEquals(pairs.map((joints) => joints[0]!.b.id), [1, 2, 3]);
  for (const joint of stage.joints.all(ROD)) stage.joints.remove(joint);
  assertEquals(stage.joints.count, 0);
});
