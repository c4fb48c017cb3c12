/** Joints of what becomes another archetype, and of what teleports: alone, and as one piece. */
import { assert, assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { adoptBodies, fillBodies } from "../../../../shared/physics/stage/body_stream.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { BodyList } from "../../../../shared/body_list.ts";
import { hashOf, randomBits } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";
import {
  BLOCK,
  COG,
  DRAG,
  FLOATER,
  HINGE,
  HOIST,
  LIFT,
  ROD,
  ROPE,
  run,
  SPARK,
  TURNTABLE,
  WEIGHT,
  WELD,
  WORKSHOP,
} from "../scenes/workshop.ts";

const NO_FIELDS = {} as const;
const SQUARE = [{ shape: { box: [0.4, 0.4] } }] as const;
const POST = archetype({
  name: "post",
  body: { type: "static", fixtures: SQUARE },
  fields: NO_FIELDS,
});
const CART = archetype({
  name: "cart",
  body: { type: "kinematic", fixtures: SQUARE },
  fields: NO_FIELDS,
});
const HEAVY = archetype({
  name: "heavy",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, density: 5 }] },
  fields: NO_FIELDS,
});
const HERO = archetype({
  name: "hero",
  body: { fixtures: SQUARE, fixedRotation: "upright" },
  fields: NO_FIELDS,
});
const FRAGILE = jointDef({
  name: "fragile",
  type: "weld",
  breakForce: 60,
  fields: { ageTicks: "u8", strain: "f32" },
});
const DEF: StageDef = {
  ...WORKSHOP,
  archetypes: [...WORKSHOP.archetypes, POST, CART, HEAVY, HERO],
  joints: [...WORKSHOP.joints!, FRAGILE],
};

function distance(a: Entity, b: Entity): number {
  return Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2);
}

Deno.test("become: joints hold the new body; a hinge goes on as dynamic, static, kinematic and dynamic again (SPEC 9.57, 9.21)", () => {
  const stage = new Stage(DEF);
  const bob = stage.spawn(BLOCK, { x: 3, y: 10 });
  const post = stage.spawn(BLOCK, { x: 0, y: 10 });
  const rod = stage.joints.add(ROD, post, bob, {
    x: 0,
    y: 10,
    bx: 3,
    by: 10,
    fields: { ageTicks: 9 },
  });
  const pin = stage.joints.add(HINGE, stage.ground, post, { x: 0, y: 10 });
  run(stage, 40);
  const fixed = stage.become(post, POST);
  assertEquals(
    [stage.joints.of(fixed), rod.a, pin.b],
    [[rod], fixed, post],
    "no joint can move post and ground",
  );
  assertEquals([stage.joints.count, rod.fields.ageTicks, stage.joints.get(rod.id)], [1, 9, rod]);
  const at = [fixed.x, fixed.y];
  let lowest = Infinity;
  run(stage, 60, () => {
    assertAlmostEquals(distance(fixed, bob), 3, 0.01);
    assertEquals([fixed.x, fixed.y], at);
    lowest = Math.min(lowest, bob.y);
  });
  assert(lowest < 7.2, `the pendulum swings, to ${lowest}`);
  const cart = stage.become(fixed, CART);
  stage.setVelocity(cart, 2, 0);
  run(stage, 60, () => assertAlmostEquals(distance(cart, bob), 3, 0.05));
  assertAlmostEquals(cart.x, 6, 0.01);
  assert(bob.x > 2.5, `it was drawn along to ${bob.x}`);
  const free = stage.become(cart, BLOCK);
  run(stage, 20, () => assertAlmostEquals(distance(free, bob), 3, 0.05));
  assert(free.y < 8, "both fall");
  assertEquals([stage.joints.of(free), stage.joints.of(bob), rod.a], [[rod], [rod], free]);
});

Deno.test("become: joints stay first in their lists, wake all they hold, and keep their bodies apart (SPEC 9.22, 9.31)", () => {
  const stage = new Stage(DEF);
  const low = stage.spawn(BLOCK, { x: 0, y: 0.4 });
  const high = stage.spawn(BLOCK, { x: 0.5, y: 0.4 });
  const weld = stage.joints.add(WELD, low, high, { x: 0.4, y: 0.4 });
  run(stage, 40);
  assertEquals([low.awake, high.awake], [false, false]);
  const heavy = stage.become(low, HEAVY);
  assert(high.awake && heavy.awake);
  run(stage, 40);
  assertEquals(
    [stage.touchingNow(heavy).map(({ id }) => id), stage.touchingNow(high).map(({ id }) => id)],
    [[0], [0]],
    "the weld keeps the two from touching",
  );
  assertAlmostEquals(high.x - heavy.x, 0.5, 0.01);
  stage.joints.remove(weld);
  run(stage, 40);
  assert(high.x - heavy.x > 0.79, "and without it they part");
});

Deno.test("become: a joint ends with the body, with a turn, and when it could move nothing (SPEC 9.21, 9.57)", () => {
  const stage = new Stage(DEF);
  const { joints, ground } = stage;
  const at = { x: 0, y: 5 };
  const cases: [what: string, kept: boolean, act: (block: Entity, other: Entity) => void][] = [
    ["a projectile", false, (block, other) => {
      joints.add(WELD, other, block, at);
      stage.become(block, SPARK);
    }],
    ["an upright body whose angle was 0", true, (block, other) => {
      joints.add(WELD, other, block, at);
      stage.become(block, HERO);
    }],
    ["an upright body that was turned", false, (block, other) => {
      stage.setAngle(block, 0.5);
      joints.add(WELD, other, block, at);
      stage.become(block, HERO);
    }],
    ["a static body at a dynamic one", true, (block, other) => {
      joints.add(WELD, other, block, at);
      stage.become(block, POST);
    }],
    ["a static body at a static one", false, (block, other) => {
      joints.add(WELD, stage.become(other, POST), block, at);
      stage.become(block, POST);
    }],
    ["a kinematic body at the ground", false, (block) => {
      joints.add(WELD, ground, block, at);
      stage.become(block, CART);
    }],
    ["a static b of a mouse joint", false, (block, other) => {
      joints.add(DRAG, other, block, at);
      stage.become(block, POST);
    }],
    ["a static a of a mouse joint", true, (block, other) => {
      joints.add(DRAG, other, block, at);
      stage.become(other, POST);
    }],
  ];

  for (const [what, kept, act] of cases) {
    act(stage.spawn(BLOCK, at), stage.spawn(FLOATER, { x: 0, y: 7 }));
    assertEquals(joints.count, kept ? 1 : 0, what);
    for (const entity of stage.entities()) stage.despawn(entity);
    stage.endTick();
  }
});

Deno.test("become: a gear needs two dynamic bodies, and its joints one (SPEC 9.41, 9.57)", () => {
  const stage = new Stage(DEF);
  const { joints } = stage;
  const [frame, first, second] = [0, -1, 1].map((x) => stage.spawn(FLOATER, { x, y: 5 })) as [
    Entity,
    Entity,
    Entity,
  ];
  const [left, right] = [first, second].map((wheel) =>
    joints.add(HINGE, frame, wheel, { x: wheel.x, y: 5 })
  );
  const cog = joints.addGear(COG, left!, right!);
  const heavy = stage.become(second, HEAVY);
  assertEquals([joints.count, cog.b, right!.b], [3, heavy, heavy]);
  stage.setSpin(first, 3);
  run(stage, 20);
  assertAlmostEquals(heavy.spin, -(first.spin - frame.spin) / 2 + frame.spin, 0.02);
  stage.become(heavy, POST);
  assertEquals([joints.get(cog.id), joints.count], [undefined, 2]);
});

/** A car of a body, two wheels on hinges and a trailer on a rope. */
function buildCar(stage: Stage, x: number, y: number): readonly Entity[] {
  const body = stage.spawn(BLOCK, { x, y });
  const trailer = stage.spawn(WEIGHT, { x: x - 2, y });
  const wheels = [-0.6, 0.6].map((dx) => stage.spawn(FLOATER, { x: x + dx, y: y - 0.5 }));
  for (const wheel of wheels) stage.joints.add(HINGE, body, wheel, { x: wheel.x, y: wheel.y });
  stage.joints.add(ROPE, body, trailer, { x, y, bx: x - 2, by: y, length: 2 });
  return [body, ...wheels, trailer];
}

Deno.test("teleport: a list moves as one piece; its joints hold, with pose, velocity and turn (SPEC 9.75, 9.21)", () => {
  const stage = new Stage(DEF);
  const car = buildCar(stage, 0, 2);
  const [body, wheel] = car as [Entity, Entity];
  run(stage, 40);
  stage.setVelocity(body, 1, 0);
  stage.setVelocity(wheel, 1, 2);
  const apart = car.map((each) => distance(body, each));
  const { teleports } = wheel;
  const joints = stage.joints.of(body);
  const [angle, turned, spin] = [body.angle, wheel.angle, wheel.spin];
  stage.teleport(car, 20, 8, angle + Math.PI / 2);
  assertEquals([stage.joints.of(body), body.x, body.y, wheel.teleports], [
    joints,
    20,
    8,
    teleports + 1 & 0xff,
  ]);
  car.forEach((each, i) => assertAlmostEquals(distance(body, each), apart[i]!, 1e-6));
  assertAlmostEquals(wheel.angle, turned + Math.PI / 2, 1e-9);

  // A quarter turn brings what was above the body to its left.
  assertAlmostEquals(wheel.vx - body.vx, -2, 1e-9);
  assertAlmostEquals(wheel.vy - body.vy, 0, 1e-9);
  assertEquals(wheel.spin, spin);
  for (const { ax, ay, bx, by, definition } of joints) {
    if (definition === HINGE) assertAlmostEquals((bx - ax) ** 2 + (by - ay) ** 2, 0, 1e-4);
  }
  run(stage, 40);
  assertEquals([stage.joints.of(body), body.awake], [joints, true]);
});

Deno.test("teleport: without a turn nothing of the piece's motion changes, and a force that holds goes on (SPEC 9.75)", () => {
  const moved = new Stage(DEF);
  const stays = new Stage({ ...DEF, ground: [] });
  for (const stage of [moved, stays]) {
    const block = stage.spawn(BLOCK, { x: 0, y: 300 });
    const load = stage.spawn(WEIGHT, { x: 0, y: 298 });
    stage.joints.add(FRAGILE, block, load, { x: 0, y: 299 });
    stage.setSpin(block, 1);
    run(stage, 20);
    if (stage === moved) stage.teleport([block, load], block.x + 64, block.y);
    run(stage, 5);
  }
  const [block, load] = moved.entities();
  const [plain, other] = stays.entities();
  assertAlmostEquals(block!.x - 64, plain!.x, 1e-3);
  assertAlmostEquals(load!.y, other!.y, 1e-3);
  assertAlmostEquals(load!.vx, other!.vx, 1e-3);
  assertEquals(moved.joints.count, 1);
});

Deno.test("teleport: a turn keeps momentum and energy, and the joints' old impulses add none (SPEC 9.75)", () => {
  const stage = new Stage({ ...DEF, gravity: 0 });
  const places = [-3, -2, -1, 0, 1, 2, 3];
  const links = places.map((x) => stage.spawn(FLOATER, { x, y: 20, vx: 1, vy: 2 * x, spin: 2 }));
  const welds = links.slice(1).map((link, i) =>
    stage.joints.add(WELD, links[i]!, link, { x: link.x - 0.5, y: 20 })
  );
  const momentum = () => links.reduce((sum, { mass, vx }) => sum + mass * vx, 0);
  const energy = () =>
    links.reduce(
      (sum, { mass, inertia, vx, vy, spin }) =>
        sum + (mass * (vx * vx + vy * vy) + inertia * spin ** 2) / 2,
      0,
    );
  const force = () => Math.max(...welds.map((weld) => weld.force));
  run(stage, 10);
  const before = { momentum: momentum(), force: force() };

  // The three outer links at 1, 2 and 3 m from the axis.
  assertAlmostEquals(before.force, links[0]!.mass * 6 * links[0]!.spin ** 2, 0.5);

  for (let i = 0; i < 6; i++) {
    const had = energy();
    stage.teleport(links, 10 * i, 20, links[0]!.angle + 2.5);
    assertAlmostEquals(energy(), had, 1e-6);
    assertAlmostEquals(momentum(), before.momentum, 1e-3);
    run(stage, 1);
    assertLess(energy(), had);
    assertLess(force(), before.force * 1.2);
  }

  assertEquals(stage.joints.count, 6);
});

Deno.test("teleport: a joint ends that holds the piece to another entity, to the ground, or to a point of the stage (SPEC 9.75, 9.21)", () => {
  const stage = new Stage(DEF);
  const { joints, ground } = stage;
  const [a, b, other] = [0, 2, 4].map((x) => stage.spawn(BLOCK, { x, y: 5 })) as [
    Entity,
    Entity,
    Entity,
  ];
  const at = { x: 0, y: 5, bx: 2, by: 5 };
  const within = joints.add(ROD, a, b, at);
  joints.add(ROPE, b, other, { x: 2, y: 5, bx: 4, by: 5 });
  joints.add(LIFT, ground, a, { x: 0, y: 5, axis: { x: 0, y: 1 } });
  joints.add(DRAG, a, b, { x: 2, y: 5 });
  joints.add(HOIST, a, b, { ...at, groundA: { x: 0, y: 9 }, groundB: { x: 2, y: 9 } });
  stage.teleport([b, a], 30, 5);
  assertEquals([joints.of(a), joints.of(b), joints.count], [[within], [within], 1]);
  stage.teleport([a], 5, 5);
  assertEquals(joints.count, 0);
});

Deno.test("teleport: a list is refused as a whole, by name, and nothing has changed (SPEC 9.75, 9.11)", () => {
  const stage = new Stage(DEF);
  const before = new Snapshot();
  const after = new Snapshot();
  const block = stage.spawn(BLOCK, { x: 0, y: 5 });
  const far = stage.spawn(BLOCK, { x: 0, y: 9 });
  const hero = stage.spawn(HERO, { x: 3, y: 5 });
  const spark = stage.spawn(SPARK, { x: 0, y: 3 });
  const table = stage.spawn(TURNTABLE);
  stage.joints.add(WELD, block, far, { x: 0, y: 7 });
  stage.endTick();
  stage.save(before);
  const cases: [list: readonly Entity[], x: number, angle: number | undefined, message: string][] =
    [
      [[], 0, 0, "a list without an entity"],
      [[block, far, block], 0, 0, "entity 1 block is listed twice"],
      [[block, table], 0, 0, `entity ${table.id} turntable is on a path`],
      [[block, stage.ground], 0, 0, "the ground cannot be moved"],
      [[block, hero], 0, 1, "entity 3 hero is upright"],
      [[block, spark], 0, 1, "entity 4 spark is a projectile: it does not turn"],
      [[block, far], 101_023, -Math.PI / 2, "entity 2 block: x is 101027"],
      [[block, far], NaN, 0, "entity 1 block: x is NaN"],
      [[block, far], 0, null as never, "entity 1 block: angle is null"],
    ];
  for (const [list, x, angle, message] of cases) {
    assertThrows(() => stage.teleport(list, x, 5, angle), StageError, message);
    stage.save(after);
    assert(after.equals(before), message);
  }

  stage.teleport([block, hero, spark], 50, 5);
  assertEquals([hero.x, spark.y, stage.joints.count], [53, 3, 0]);
});

Deno.test("teleport: of a static body in the piece nothing moves but its place (SPEC 9.75, 9.48)", () => {
  const stage = new Stage(DEF);
  const block = stage.spawn(BLOCK, { x: 0, y: 5, vx: 3 });
  const post = stage.spawn(POST, { x: 2, y: 5 });
  const rod = stage.joints.add(ROD, block, post, { x: 0, y: 5, bx: 2, by: 5 });
  stage.teleport([block, post], 10, 5, 1);
  assertEquals([post.vx, post.vy, stage.joints.of(post)], [0, 0, [rod]]);
  run(stage, 10, () => assertAlmostEquals(distance(block, post), 2, 0.02));
});

Deno.test("become, teleport: cars that change and teleport are the same after every rollback (SPEC 9.57, 9.75)", () => {
  for (let seed = 1; seed <= 4; seed++) {
    let changes = 0;
    let jumps = 0;
    const rulesOf = (salt: number) => (stage: Stage) => {
      const draw = randomBits(hashOf(stage.tick, salt, seed));
      const all = stage.entities();
      const one = all[draw % all.length]!;
      const joints = stage.joints.of(one);

      if (draw % 5 === 1) {
        const kinds = [BLOCK, HEAVY, CART, POST, FLOATER];
        stage.become(one, kinds[(draw >>> 8) % kinds.length] as typeof BLOCK);
        changes += joints.length;
      } else if (draw % 5 === 2) {
        const piece = [...new Set([one, ...joints.flatMap(({ a, b }) => [a, b])])].filter((
          { id },
        ) => id !== 0);
        stage.teleport(
          piece,
          (draw >>> 8) % 20 - 10,
          3 + (draw >>> 12) % 5,
          (draw >>> 16) % 8 * 0.3,
        );
        jumps += stage.joints.of(one).length;
      }

      if (stage.joints.count < 5 && all.length < 24) buildCar(stage, (draw >>> 20) % 16 - 8, 4);
    };
    const stage = assertSameAfterRollbacks(DEF, {
      start: (stage) => void buildCar(stage, 0, 3),
      rules: rulesOf(0),
      wrong: rulesOf(1),
      ticks: 120,
      seed,
    });
    assert(
      stage.joints.count > 0 && changes > 20 && jumps > 20,
      `${stage.joints.count} ${changes} ${jumps}`,
    );
  }
});

Deno.test("adoptBodies: a joint whose entity has become another is adopted with it (SPEC 9.57, 12.20)", () => {
  const server = new Stage(DEF);
  const client = new Stage(DEF);
  const list = new BodyList();
  const block = server.spawn(BLOCK, { x: 0, y: 5 });
  const other = server.spawn(BLOCK, { x: 1, y: 5 });
  const weld = server.joints.add(WELD, block, other, { x: 0.5, y: 5 });
  run(server, 3);
  fillBodies(server, () => -1, list);
  adoptBodies(client, list);
  const heavy = server.become(block, HEAVY);
  run(server, 3);
  fillBodies(server, () => -1, list);
  adoptBodies(client, list);
  const held = client.joints.get(weld.id)!;
  assertEquals([held.a.archetype, client.joints.count], [HEAVY, 1]);
  for (const stage of [server, client]) run(stage, 20);
  assertAlmostEquals(client.get(other.id)!.x - held.a.x, other.x - heavy.x, 1e-3);
});
