/**
 * Bodies in joints come to rest and fall asleep, also where a joint and a limit or a contact never
 * quite agree.
 */
import { assert, assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import {
  archetype,
  type JointDef,
  jointDef,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";
import {
  BLOCK,
  FLOATER,
  HINGE,
  LIFT,
  RAIL,
  ROD,
  run,
  TOW,
  WELD,
  WORKSHOP,
  workshop,
} from "../scenes/workshop.ts";

/** Half of a box's side, metres. */
const HALF = 0.25;
const BOX = archetype({
  name: "box",
  body: { fixtures: [{ shape: { box: [HALF, HALF] }, friction: 0.3 }] },
  fields: {},
});
const LEAF = jointDef({
  name: "leaf",
  type: "revolute",
  limits: { lower: -0.1 * Math.PI, upper: 0.2 * Math.PI },
  fields: {},
});
const HINGES: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [20, 1], y: -1 } }],
  archetypes: [BOX],
  joints: [LEAF],
  fields: {},
};

/**
 * Box2D's test "falling hinges": four columns of turned boxes, each two of them on a hinge with
 * limits.
 */
function dropHinges(stage: Stage): void {
  for (let column = 0; column < 4; column++) {
    let below: Entity | undefined;
    for (let row = 0; row < 20; row++) {
      const x = (column - 1.5) * 10 * HALF + 0.4 * HALF * row;
      const y = HALF + 2 * HALF * row;
      const box = stage.spawn(BOX, { x, y, angle: 0.1 * row - 1 });
      if (below === undefined) below = box;
      else {
        const c = Math.cos(below.angle), s = Math.sin(below.angle);
        stage.joints.add(LEAF, below, box, {
          x: below.x + HALF * (c - s),
          y: below.y + HALF * (s + c),
        });
        below = undefined;
      }
    }
  }
}

Deno.test("joints: 80 boxes on 40 hinges with limits fall and all sleep, also across rollbacks (SPEC 9.31)", () => {
  for (const [tickHz, substeps] of [[20, 2], [60, 1]] as const) {
    const push = (stage: Stage) => stage.setVelocity(stage.entities()[stage.tick % 80]!, 1, 2);
    const stage = assertSameAfterRollbacks({ ...HINGES, tickHz, substeps }, {
      start: dropHinges,
      rules: () => {},
      wrong: push,
      ticks: 8 * tickHz,
    });
    const awake = stage.entities().filter((box) => box.awake).length;
    assertEquals([stage.joints.count, awake], [40, 0], `${tickHz} x ${substeps}`);
  }
});

Deno.test("joints: a body that is fixed within the ground sleeps, although the ground pushes it (SPEC 9.31, 9.22)", () => {
  for (const kind of [WELD, TOW] as JointDef[]) {
    for (const y of [0.3, 0.39, 0.405]) {
      const stage = workshop();
      const block = stage.spawn(BLOCK, { x: 0, y });
      stage.joints.add(kind, stage.ground, block, { x: 0, y });
      run(stage, 40);
      assertEquals(
        [block.awake, stage.touchingNow(block).map(({ id }) => id)],
        [false, [0]],
        `${kind.name} at ${y}`,
      );
      if (kind === WELD) assertAlmostEquals(block.y, y, 0.01);
    }
  }
});

Deno.test("joints: a body does not sleep while a joint still moves it without velocity (SPEC 9.31)", () => {
  const stage = workshop();
  const floater = stage.spawn(FLOATER, { x: 30, y: 5 });
  const rod = stage.joints.add(ROD, stage.ground, floater, { x: 0, y: 5, bx: 30, by: 5 });
  run(stage, 40);
  assertEquals([floater.awake, floater.x], [false, 30]);
  stage.joints.setLength(rod, 1);
  // Corrections take at most 0.2 m in each of 3 iterations: 29 m are 49 world steps, twice as long
  // as falling asleep.
  let fastest = 0;
  run(stage, 15, () => fastest = Math.max(fastest, Math.abs(floater.vx)));
  assert(floater.awake && floater.x > 5);
  run(stage, 45);
  assertEquals(floater.awake, false);
  assertAlmostEquals(floater.x, 1, 0.01);
  assertLess(fastest, 0.01);
});

Deno.test("joints: a rail whose limits are one place stays there, and does not return to where it was made (SPEC 9.42)", () => {
  const stage = workshop();
  const block = stage.spawn(BLOCK, { x: 0, y: 5 });
  const rail = stage.joints.add(RAIL, stage.ground, block, { x: 0, y: 5, axis: { x: 1, y: 0 } });
  stage.joints.setLimits(rail, { lower: -3, upper: 3 });
  stage.setVelocity(block, 2, 0);
  run(stage, 10);
  assertAlmostEquals(rail.translation, 1, 0.01);
  stage.joints.setLimits(rail, { lower: 1, upper: 1 });
  run(stage, 60);
  assertAlmostEquals(rail.translation, 1, 0.006);
  assertEquals(block.awake, false);
});

const SEESAW = archetype({
  name: "seesaw",
  body: { fixtures: [{ shape: { box: [2, 0.1] } }] },
  fields: {},
});
const DRAGGED = archetype({
  name: "dragged",
  body: { fixtures: [{ shape: { circle: 0.3 } }] },
  fields: {},
});

/**
 * @returns the lowest end of a seesaw that is pinned 1 m above the floor, and how far a mouse drags
 *   a ball
 */
function pinnedAndDragged(collide: boolean | undefined): { lowest: number; farthest: number } {
  const option = collide === undefined ? {} : { collide };
  const pin = jointDef({ name: "pin", type: "revolute", fields: {}, ...option });
  const drag = jointDef({ name: "drag", type: "mouse", forceMax: 1000, fields: {}, ...option });
  const stage = new Stage({
    ...WORKSHOP,
    ground: [{ shape: { box: [20, 1], y: -1 } }, { shape: { box: [0.1, 5], x: 6, y: 5 } }],
    archetypes: [SEESAW, DRAGGED],
    joints: [pin, drag],
  });
  const seesaw = stage.spawn(SEESAW, { x: 0.2, y: 1 });
  const ball = stage.spawn(DRAGGED, { x: 4, y: 1 });
  stage.joints.add(pin, stage.ground, seesaw, { x: 0, y: 1 });
  stage.joints.setTarget(stage.joints.add(drag, stage.ground, ball, { x: 4, y: 1 }), 9, 1);
  let lowest = Infinity;
  let farthest = 0;
  run(stage, 80, () => {
    lowest = Math.min(lowest, seesaw.y - 2 * Math.abs(Math.sin(seesaw.angle)));
    farthest = Math.max(farthest, ball.x);
  });
  return { lowest, farthest };
}

Deno.test("joints: what is joined to the ground still meets floors and walls, unless `collide` is false (SPEC 9.22)", () => {
  for (const collide of [undefined, true]) {
    const { lowest, farthest } = pinnedAndDragged(collide);
    assert(lowest > 0 && lowest < 0.2, `the seesaw's end came to ${lowest}`);
    assert(
      farthest > 5.5 && farthest < 5.65,
      `the wall at 5.9 let the ball through to ${farthest}`,
    );
  }
  const { lowest, farthest } = pinnedAndDragged(false);
  assert(lowest < -1 && farthest > 8.9, `${lowest}, ${farthest}`);
});

Deno.test("joints: two entities that are joined make no contacts, also if one of them is static (SPEC 9.22)", () => {
  const post = archetype({
    name: "post",
    body: { type: "static", fixtures: [{ shape: { box: [1, 1] } }] },
    fields: {},
  });
  const stage = new Stage({
    ...WORKSHOP,
    archetypes: [...WORKSHOP.archetypes, post],
    joints: [HINGE, LIFT],
  });
  const block = stage.spawn(BLOCK, { x: 1.2, y: 9 });
  const rail = stage.joints.add(LIFT, stage.spawn(post, { x: 0, y: 9 }), block, {
    x: 1,
    y: 9,
    axis: { x: 0, y: 1 },
  });
  run(stage, 20);
  assertEquals(stage.touchingNow(block).map(({ id }) => id), []);
  stage.joints.remove(rail);
  run(stage, 1);
  assertEquals(stage.touchingNow(block).length, 1);
});
