/**
 * Shortcuts for slow bodies, and continuous collision of fast ones; the order of contacts that come
 * in bulk.
 */
import { FEATURES } from "../scenes/features.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { classifyMotion } from "../../../../shared/physics/collision/aabb.ts";
import {
  Body,
  BodyFlag,
  BodyInt,
  type BodyTable,
} from "../../../../shared/physics/core/body_rows.ts";
import { compileStage } from "../../../../shared/physics/stage/compiled_archetypes.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type FixtureDef,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { World } from "../../../../shared/physics/dynamics/world.ts";

/** @returns the rows of one body with these fixtures, at rest at the origin, in row 0 */
function bodyOf(...fixtures: FixtureDef[]): BodyTable {
  const parts = archetype({ name: "parts", body: { fixtures }, fields: {} });
  const def: StageDef = {
    gravity: 0,
    tickHz: 20,
    substeps: 2,
    features: FEATURES,
    ground: [],
    archetypes: [parts],
    fields: {},
  };
  const { archetypes, shapes } = compileStage(def);
  const world = new World({ gravity: 0, stepS: 0.025, shapes });
  world.addBody(archetypes[1]!.body!, 1);
  return world.bodies;
}

function isFastAfter(bodies: BodyTable, { by = 0, turnedBy = 0 }): boolean {
  const { values, ints } = bodies;
  values[Body.CENTER_X] = values[Body.CENTER_X0]! + by;
  values[Body.ANGLE] = values[Body.ANGLE0]! + turnedBy;
  classifyMotion(bodies, 0);
  return (ints[BodyInt.FLAGS]! & BodyFlag.FAST) !== 0;
}

Deno.test("classifyMotion: over half a circle's radius or a tenth of a polygon's, of the thinnest fixture (SPEC 9.27)", () => {
  const slow: [BodyTable, number][] = [
    [bodyOf({ shape: { circle: 0.5 } }), 0.25],
    [bodyOf({ shape: { box: [2, 0.1] } }), 0.01],
    [bodyOf({ shape: { circle: 1 } }, { shape: { box: [0.2, 0.3], x: 5 } }), 0.02],
    [bodyOf({ shape: { circle: 0.1 } }, { shape: { box: [2, 3], x: 5 } }), 0.05],
    [bodyOf({ shape: { polygon: [[9, 0], [12, 0], [9, 4]] } }), 0.08],
  ];
  for (const [body, maxSlowMotion] of slow) {
    assert(!isFastAfter(body, { by: maxSlowMotion * 0.99 }));
    assert(isFastAfter(body, { by: maxSlowMotion * 1.01 }));
    assert(isFastAfter(body, { by: -maxSlowMotion * 1.01 }));
  }
  assert(
    isFastAfter(bodyOf({ shape: { edge: [-1, 0, 1, 0] } }), { by: 0.0011 }),
    "an edge is as thin as its skin",
  );
});

Deno.test("classifyMotion: rotation counts by the travel of the farthest point (SPEC 9.27)", () => {
  const plank = bodyOf({ shape: { box: [2, 0.1] } });
  assertAlmostEquals(plank.values[Body.MAX_EXTENT]!, Math.sqrt(4.01), 1e-12);
  assert(!isFastAfter(plank, { turnedBy: 0.0049 }));
  assert(isFastAfter(plank, { turnedBy: -0.0051 }));
  assert(isFastAfter(plank, { turnedBy: 0.0026, by: 0.0052 }));
});

const PEBBLE = archetype({
  name: "pebble",
  body: { fixtures: [{ shape: { circle: 0.15 }, restitution: 0.6 }] },
  fields: {},
});
const PLANK = archetype({
  name: "plank",
  body: { fixtures: [{ shape: { box: [0.8, 0.06] } }] },
  fields: {},
});
const SHARD = archetype({
  name: "shard",
  body: {
    fixtures: [{ shape: { polygon: [[-0.2, -0.1], [0.3, 0], [-0.1, 0.2]] }, restitution: 0.4 }],
  },
  fields: {},
});

const HALF_WIDTH = 8;
const HEIGHT = 10;
/** Walls so thin that only a time of impact stops a fast body. */
const BOX: StageDef = {
  gravity: 14,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [
    { shape: { box: [HALF_WIDTH, 0.05], y: -0.05 } },
    { shape: { box: [HALF_WIDTH, 0.05], y: HEIGHT } },
    { shape: { box: [0.05, HEIGHT], x: -HALF_WIDTH, y: HEIGHT / 2 } },
    { shape: { edge: [HALF_WIDTH, -1, HALF_WIDTH, HEIGHT + 1] } },
  ],
  archetypes: [PEBBLE, PLANK, SHARD],
  fields: {},
};

Deno.test("stage: nothing leaves a box of thin walls at up to 50 m/s along each axis (SPEC 9.26)", () => {
  const stage = new Stage(BOX);
  const random = new Random(4);
  const archetypes = [PEBBLE, PLANK, SHARD];
  const spread = (size: number) => (random.fraction() - 0.5) * size;
  for (let i = 0; i < 36; i++) {
    stage.spawn(archetypes[i % 3]!, { x: spread(14), y: 1 + random.fraction() * 8 });
  }
  let fastest = 0;

  for (let tick = 0; tick < 500; tick++) {
    for (const entity of archetypes.flatMap((each) => stage.all(each))) {
      if ((tick + entity.id) % 40 !== 0) continue;
      stage.setVelocity(entity, spread(100), spread(100));
      stage.setSpin(entity, spread(20));
    }
    stage.advance();
    stage.endTick();
    for (const { id, x, y, vx } of archetypes.flatMap((each) => stage.all(each))) {
      const isWithin = Math.abs(x) < HALF_WIDTH + 0.1 && y > -0.1 && y < HEIGHT + 0.1;
      assert(isWithin, `tick ${tick}: ${id} is at ${x}, ${y}`);
      fastest = Math.max(fastest, Math.abs(vx));
    }
  }

  assert(fastest > 40, `${fastest}`);
});

Deno.test("stage: a bullet stops at a thin loose plank, with no other body around", () => {
  const bullet = archetype({
    name: "bullet",
    body: { fixtures: [{ shape: { circle: 0.1 } }], bullet: true },
    fields: {},
  });
  const stage = new Stage({ ...BOX, gravity: 0, ground: [], archetypes: [PLANK, bullet] });
  const plank = stage.spawn(PLANK, { x: 0, y: 0, angle: Math.PI / 2 });
  const shot = stage.spawn(bullet, { x: -3.8, y: 0, vx: 60 });
  for (let tick = 0; tick < 4; tick++) {
    stage.advance();
    stage.endTick();
  }
  assert(
    plank.vx > 1 && shot.x < plank.x,
    `the plank flies at ${plank.vx}, the shot is at ${shot.x}`,
  );
});

Deno.test("stage: contacts that come all at once have the order of contacts that came one by one (SPEC 9.1)", () => {
  const straight = new Stage(BOX);
  const state = new Snapshot();
  const other = new Snapshot();

  for (let i = 0; i < 90; i++) {
    straight.spawn(SHARD, {
      x: -6 + (i * 7 % 30) * 0.4,
      y: 0.3 + Math.floor(i / 30) * 0.5,
      angle: i,
    });
    straight.advance();
    straight.endTick();
  }

  assert(straight.contactCount > 60, `${straight.contactCount} contacts`);
  straight.save(state);
  const fresh = new Stage(BOX);
  fresh.load(state);

  for (let tick = 0; tick < 60; tick++) {
    for (const stage of [straight, fresh]) {
      stage.advance();
      stage.endTick();
    }
    straight.save(state);
    fresh.save(other);
    assertEquals(state.equals(other), true, `tick ${tick}`);
  }
});
