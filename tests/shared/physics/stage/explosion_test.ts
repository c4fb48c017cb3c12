/** Explosions: whom they push, how far, and that a refused one pushes nobody. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import type { Blast } from "../../../../shared/physics/stage/explosion.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { FEATURES } from "../scenes/features.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";

const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: {},
});
const DOOR = archetype({
  name: "door",
  body: { fixtures: [{ shape: { box: [0.1, 1] }, category: 2 }] },
  fields: {},
});
const PILL = archetype({
  name: "pill",
  body: { fixtures: [{ shape: { capsule: [0, -0.6, 0, 0.6], radius: 0.4 } }] },
  fields: {},
});
const GATE = archetype({
  name: "gate",
  body: { type: "kinematic", fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const CLOUD = archetype({
  name: "cloud",
  body: { fixtures: [{ shape: { circle: 1 }, sensor: true }] },
  fields: {},
});
const SHOT = archetype({ name: "shot", projectile: { radius: 0.1, lifeTicks: 99 }, fields: {} });
const DEF: StageDef = {
  gravity: 0,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [30, 0.5], y: -9 } }],
  archetypes: [BALL, DOOR, PILL, GATE, CLOUD, SHOT],
  fields: {},
};
const BLAST: Blast = { radius: 2, falloff: 4, impulse: 3 };

/** @returns the velocity that one body gets whose origin is there */
function pushed(
  kind: typeof BALL,
  at: { x: number; y: number; angle?: number },
  blast: Partial<Blast> = {},
) {
  const stage = new Stage(DEF);
  const entity = stage.spawn(kind, at);
  const hit = stage.explode(0, 0, { ...BLAST, ...blast });
  const { vx, vy, spin, mass, inertia } = entity;
  return { hit: hit.length, px: vx * mass, py: vy * mass, angular: spin * inertia };
}

Deno.test("explode: the impulse is that of the width which faces the point, and falls off beyond the radius (SPEC 9.89)", () => {
  // Whole within the radius: the nearest point counts, 1.5 m away.
  const { px, py, angular } = pushed(BALL, { x: 2, y: 0 });
  assertAlmostEquals(px, 3 * 1, 1e-5);
  assertAlmostEquals(py, 0, 1e-9);
  assertAlmostEquals(angular, 0, 1e-9);

  // Half of the way of the falloff, then at its end, then beyond it
  assertAlmostEquals(pushed(BALL, { x: 4.5, y: 0 }).px, 1.5, 1e-5);
  assertEquals(pushed(BALL, { x: 0, y: 6.51 }).hit, 0);
  assertEquals(pushed(BALL, { x: 2.51, y: 0 }, { falloff: 0 }).hit, 0);
  assertAlmostEquals(pushed(BALL, { x: 2.49, y: 0 }, { falloff: 0 }).px, 3, 1e-5);

  // The broad side of a door gets ten times as much as the narrow one, at any angle of the whole.
  assertAlmostEquals(pushed(DOOR, { x: 1, y: 0 }).px, 3 * 2, 1e-5);
  assertAlmostEquals(pushed(DOOR, { x: 0, y: 2 }).py, 3 * 0.2, 1e-5);
  assertAlmostEquals(pushed(DOOR, { x: 0, y: 1, angle: Math.PI / 2 }).py, 3 * 2, 1e-4);

  // A capsule's radius counts on both sides; below 0 an impulse pulls.
  assertAlmostEquals(pushed(PILL, { x: 1, y: 0 }).px, 3 * 2, 1e-5);
  assertAlmostEquals(pushed(PILL, { x: 0, y: 1.5 }, { impulse: -2 }).py, -2 * 0.8, 1e-5);
});

Deno.test("explode: it acts at the nearest point, so it turns what it hits off the middle (SPEC 9.89)", () => {
  const { px, py, angular } = pushed(DOOR, { x: 1, y: 0.8 });
  assertAlmostEquals(px, 3 * 2, 1e-5);
  assertAlmostEquals(py, 0, 1e-5);
  // The arm is (−0.1, −0.8), and the impulse leads to the right.
  assertAlmostEquals(angular, 0.8 * 6, 1e-4);

  // Inside of a shape, the middle of the shape gives the direction.
  const inside = pushed(BALL, { x: 0, y: 0.25 });
  assertAlmostEquals(inside.py, 3, 1e-5);
  assertAlmostEquals(pushed(BALL, { x: 0, y: 0 }).px, 3, 1e-5);
});

Deno.test("explode: it pushes dynamic bodies alone, by mask and without the exception, and wakes them (SPEC 9.89)", () => {
  const stage = new Stage({ ...DEF, gravity: 10 });
  const balls = [-2, 2].map((x) => stage.spawn(BALL, { x, y: -8 }));
  const door = stage.spawn(DOOR, { x: 4, y: -7.4 });
  const gate = stage.spawn(GATE, { x: 0, y: -6 });
  const cloud = stage.spawn(CLOUD, { x: 0, y: -6 });
  const run = (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      stage.advance();
      stage.endTick();
    }
  };
  run(60);
  assert(balls.every(({ awake }) => !awake) && !door.awake);
  stage.spawn(SHOT, { x: 0, y: -7 });

  const all = stage.explode(0, -8, { radius: 20, impulse: 1 });
  assertEquals(all, [...balls, door]);
  assert([...balls, door].every(({ awake }) => awake));
  assertEquals([gate.vx, gate.vy, cloud.vx], [0, 0, 0]);
  assert(balls[0]!.vx < 0 && balls[1]!.vx > 0 && door.vx > 0);

  const others = stage.explode(0, -8, { radius: 20, impulse: 1, except: balls[0]! });
  assertEquals(others, [balls[1]!, door]);
  assertEquals(stage.explode(0, -8, { radius: 20, impulse: 1, mask: 2 }), [door]);
  assertEquals(stage.explode(0, -8, { radius: 20, impulse: 0 }), []);
});

Deno.test("explode: what is wrong is refused in words, and pushes nobody (SPEC 9.89)", () => {
  const stage = new Stage(DEF);
  const ball = stage.spawn(BALL, { x: 1, y: 0 });
  stage.spawn(DOOR, { x: -1, y: 0 });
  const refusals: readonly [Partial<Blast>, string][] = [
    [{ radius: -1 }, "radius is -1"],
    [{ radius: NaN }, "radius is NaN"],
    [{ falloff: 1e5 }, "falloff is 100000"],
    [{ impulse: Infinity }, "impulse is Infinity"],
    [{ impulse: 1e6 }, "entity 1 ball: vx is"],
    [{ power: 1 } as Partial<Blast>, 'an explosion has no "power"'],
  ];
  for (const [blast, message] of refusals) {
    assertThrows(() => stage.explode(0, 0, { ...BLAST, ...blast }), StageError, message);
  }
  assertThrows(() => stage.explode(NaN, 0, BLAST), StageError, "x is NaN");
  assertEquals(ball.vx, 0);
  const { features: _, ...plain } = DEF;
  const without = new Stage({ ...plain, archetypes: [BALL] });
  assertThrows(() => without.explode(0, 0, BLAST), StageError, "an explosion needs the feature");
});

Deno.test("explode: a room of explosions has the same bits after forced rollbacks (SPEC 9.1, 9.89)", () => {
  let blasts = 0;
  const explode = (stage: Stage, impulse: number) => {
    const random = new Random(stage.tick);
    if (random.below(6) !== 0) return;
    const x = 8 * (random.fraction() - 0.5);
    blasts += stage.explode(x, -8, { radius: 1, falloff: 4, impulse }).length;
  };
  assertSameAfterRollbacks({ ...DEF, gravity: 10 }, {
    start(stage) {
      for (let i = 0; i < 15; i++) {
        stage.spawn([BALL, DOOR, PILL][i % 3]!, { x: i % 5 * 1.5 - 3, y: -7 + i });
      }
    },
    rules: (stage) => explode(stage, 4),
    wrong: (stage) => explode(stage, -3),
    ticks: 400,
  });
  assertGreater(blasts, 300);
});

Deno.test("explode: equal motions for bodies that were spawned in another order of rows", () => {
  const save = (spare: number) => {
    const stage = new Stage(DEF);
    for (let i = 0; i < spare; i++) stage.despawn(stage.spawn(BALL, { x: 9, y: 0 }));
    for (let i = 0; i < 8; i++) stage.spawn(DOOR, { x: i % 3 - 1, y: 2.1 * Math.floor(i / 3) });
    const first = stage.entities()[0]!.id;
    const hit = stage.explode(0.3, 2, BLAST).map(({ id }) => id - first);
    const motions = stage.entities().map(({ vx, vy, spin }) => [vx, vy, spin]);
    return { hit, motions };
  };
  assertEquals(save(5), save(0));
});
