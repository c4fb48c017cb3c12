/** When a body rests, sleeps and wakes, and at which distance two bodies touch. */
import { assert, assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type Shape,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";

const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.3 } }] },
  fields: {},
});
const SLIDER = archetype({
  name: "slider",
  body: { fixtures: [{ shape: { box: [0.3, 0.3] }, friction: 0 }] },
  fields: {},
});
const SLAB = archetype({
  name: "slab",
  body: { type: "static", fixtures: [{ shape: { box: [2, 0.5] } }] },
  fields: {},
});
const ZONE = archetype({
  name: "zone",
  body: { type: "static", fixtures: [{ shape: { circle: 2 }, sensor: true }] },
  fields: {},
});
const ROD = jointDef({ name: "rod", type: "distance", fields: {} });
const ROPE = jointDef({ name: "rope", type: "rope", fields: {} });
const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [],
  archetypes: [BALL, SLIDER, SLAB, ZONE],
  joints: [ROPE],
  fields: {},
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

/** A slope that rises to the right, with a body on it that goes up at `speed` m/s. */
function slope(kind: typeof BALL, degrees: number, speed: number, rates: Partial<StageDef>): Stage {
  const angle = degrees * Math.PI / 180;
  const s = Math.sin(angle);
  const c = Math.cos(angle);
  const stage = new Stage({
    ...DEF,
    ...rates,
    ground: [{ shape: { box: [40, 1], x: s, y: -c, angle } }],
  });
  const turn = kind === BALL ? { spin: -speed / 0.3 } : { angle };
  stage.spawn(kind, { x: -0.31 * s, y: 0.31 * c, vx: speed * c, vy: speed * s, ...turn });
  return stage;
}

Deno.test("sleep: what turns back on a gentle slope does not sleep at the top of its way (SPEC 9.31)", () => {
  for (const [tickHz, substeps] of [[20, 2], [60, 1]] as const) {
    for (
      const [kind, degrees] of [[BALL, 0.2], [BALL, 0.3], [SLIDER, 0.15], [SLIDER, 0.3]] as const
    ) {
      for (let i = 0; i < 5; i++) {
        const stage = slope(kind, degrees, 0.15 + 0.01 * i, { tickHz, substeps });
        const [body] = stage.entities();
        let farthest = -1;
        for (let tick = 0; tick < 60 * tickHz && body!.vx > -0.1; tick++) {
          run(stage, 1);
          farthest = Math.max(farthest, body!.x);
          assert(
            body!.awake,
            `${kind.name} at ${degrees}° slept at ${body!.x}, tick ${tick}, ${tickHz} Hz`,
          );
        }
        assertLess(body!.x, farthest - 0.08);
      }
    }
  }
});

Deno.test("sleep: after half a second, or at most one for what swings slower than 1 cm/s (SPEC 9.31)", () => {
  const ground = [{ shape: { box: [5, 1], y: -1 } }] as const;
  const ticksAwake = (stage: Stage) => {
    while (stage.entities()[0]!.awake && stage.tick < 400) run(stage, 1);
    return stage.tick;
  };
  const stands = new Stage({ ...DEF, ground });
  stands.spawn(SLIDER, { x: 0, y: 0.315 });
  assert(ticksAwake(stands) <= 11, `${stands.tick} ticks`);

  // Two in one island, a quarter of a period apart: one of them always has over 0.03 of its 0.05
  // m/s².
  const swings = new Stage({ ...DEF, joints: [ROD, ROPE] });
  const first = swings.spawn(BALL, { x: 0, y: 0, vx: 0.009 });
  const second = swings.spawn(BALL, { x: 2.0015, y: 0 });
  for (const [bob, x] of [[first, 0], [second, 2]] as const) {
    swings.joints.add(ROD, swings.ground, bob, { x, y: 0.3, bx: bob.x, by: 0, length: 0.3 });
  }
  swings.joints.add(ROPE, first, second, { x: 0, y: 0, bx: 2, by: 0, length: 3 });
  assert(ticksAwake(swings) >= 18 && swings.tick <= 21, `${swings.tick} ticks`);
});

Deno.test("wake: a static body wakes what touches it, and what is joined to it, and nothing else (SPEC 9.54)", () => {
  const stage = new Stage({ ...DEF, ground: [{ shape: { box: [20, 1], y: -3 } }] });
  const slab = stage.spawn(SLAB, { x: 0, y: 0 });
  const zone = stage.spawn(ZONE, { x: 8, y: -2 });
  const on = stage.spawn(SLIDER, { x: 0, y: 0.81 });
  const hangs = stage.spawn(BALL, { x: 4, y: -1 });
  const inside = stage.spawn(SLIDER, { x: 8, y: -1.69 });
  const apart = stage.spawn(SLIDER, { x: -6, y: -1.69 });
  const above = stage.spawn(SLIDER, { x: 0, y: 1.42 });
  stage.joints.add(ROPE, slab, hangs, { x: 2, y: 0, bx: 4, by: -1 });
  const all = [on, above, hangs, inside, apart];
  const awake = () => all.map((each) => each.awake);
  const sleep = () => {
    run(stage, 600);
    assertEquals(awake(), [false, false, false, false, false]);
  };
  sleep();
  stage.wake(slab);
  assertEquals(awake(), [true, false, true, false, false]);
  run(stage, 1);
  assertEquals(awake(), [true, true, true, false, false], "a step wakes the island");
  sleep();
  stage.wake(zone);
  assertEquals(awake(), [false, false, false, true, false]);
  assertThrows(() => stage.wake(stage.ground), StageError, "the ground");
});

Deno.test("wake: a static body wakes the same bodies after every rollback (SPEC 9.54)", () => {
  const rulesOf = (every: number) => (stage: Stage) => {
    if (stage.tick % every === every - 1) stage.wake(stage.get(1)!);
  };
  const stage = assertSameAfterRollbacks(DEF, {
    start(stage) {
      stage.spawn(SLAB, { x: 0, y: 0 });
      for (let i = 0; i < 5; i++) stage.spawn(SLIDER, { x: 0.7 * i - 1.4, y: 0.8 });
    },
    rules: rulesOf(40),
    wrong: rulesOf(7),
    ticks: 120,
  });
  assertEquals(stage.entities().map(({ awake }) => awake), [true, true, true, true, true, true]);
});

Deno.test("touches: two bodies touch as soon as their skins do: 0, 1 or 2 cm apart (SPEC 9.77)", () => {
  const shapes: [name: string, shape: Shape, reach: number, skin: number][] = [
    ["circle", { circle: 0.5 }, 0.5, 0],
    ["box", { box: [0.5, 0.5] }, 0.5, 0.01],
    ["polygon", { polygon: [[-0.5, -0.5], [0.5, 0], [-0.5, 0.5]] }, 0.5, 0.01],
  ];
  for (const [nameA, shapeA, reachA, skinA] of shapes) {
    for (const [nameB, shapeB, reachB, skinB] of shapes) {
      for (const sensor of [false, true]) {
        const a = archetype({ name: "a", body: { fixtures: [{ shape: shapeA }] }, fields: {} });
        const b = archetype({
          name: "b",
          body: { fixtures: [{ shape: shapeB, sensor }], gravityScale: 0 },
          fields: {},
        });
        const stage = new Stage({ ...DEF, gravity: 0, archetypes: [a, b], joints: [] });
        const left = stage.spawn(a, { x: -1, y: 0, vx: 0.04 });
        const right = stage.spawn(b, { x: 1, y: 0, angle: Math.PI });
        // 1 mm in each world step. The touch is that of a step's start.
        let gap = 0;
        while (stage.touchingNow(left).length === 0 && stage.tick < 800) {
          gap = right.x - left.x - reachA - reachB;
          run(stage, 1);
        }
        assertAlmostEquals(
          gap,
          skinA + skinB,
          0.0021,
          `${nameA} and ${nameB}${sensor ? ", a sensor" : ""}`,
        );
      }
    }
  }
});

Deno.test("touches: bodies rest half a centimetre nearer than where their skins meet (SPEC 9.77)", () => {
  const stage = new Stage({ ...DEF, ground: [{ shape: { box: [9, 1], y: -1 } }] });
  const box = stage.spawn(SLIDER, { x: 0, y: 0.5 });
  const ball = stage.spawn(BALL, { x: 3, y: 0.5 });
  run(stage, 60);
  assertAlmostEquals(box.y - 0.3, 0.015, 0.002);
  assertAlmostEquals(ball.y - 0.3, 0.005, 0.002);
});

Deno.test("verbs: what JavaScript counts as a number, but is none, is refused by name (SPEC 9.11)", () => {
  const stage = new Stage(DEF);
  const ball = stage.spawn(BALL, { x: 0, y: 0 });
  const other = stage.spawn(BALL, { x: 2, y: 0 });
  const rope = stage.joints.add(ROPE, ball, other, { x: 0, y: 0, bx: 2, by: 0 });
  const { joints } = stage;
  const none = null as never;
  const at = { x: 0, y: 0, bx: 2, by: 0 };
  const wrong: [() => void, string][] = [
    [() => stage.applyForce(ball, none, 0), "entity 1 ball: force x is null; a number is allowed"],
    [
      () => stage.applyForce(ball, 0, true as never),
      "entity 1 ball: force y is true; a number is allowed",
    ],
    [
      () => stage.applyForce(ball, 1, 1, none),
      "entity 1 ball: the point of application is null; { x, y } is allowed",
    ],
    [() => stage.applyImpulse(ball, 1, 1, none), "the point of application is null"],
    [() => stage.applyImpulse(ball, 1, 1, { x: none, y: 0 }), "entity 1 ball: x is null"],
    [() => stage.teleport(ball, 0, 0, none), "entity 1 ball: angle is null"],
    [() => stage.setAngle(ball, undefined as never), "entity 1 ball: angle is undefined"],
    [() => stage.setVelocity(ball, none, 0), "entity 1 ball: vx is null"],
    [() => joints.setLength(rope, "3" as never), "joint 3 rope: length is 3"],
    [() => joints.setLength(rope, true as never), "joint 3 rope: length is true"],
    [() => joints.add(ROPE, ball, other, { ...at, length: none }), "joint 4 rope: length is null"],
    [() => ball.velocityAt(none, 0), "entity 1 ball: x is null"],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
  stage.endTick();
  assertEquals([ball.vx, ball.angle, rope.length, joints.count], [0, 0, 2, 1]);
});
