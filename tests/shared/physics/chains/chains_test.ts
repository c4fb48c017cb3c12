/**
 * Chains as an author declares and asks about them: refusals, limits, queries, projectiles,
 * one-way and sensors.
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertThrows,
} from "@std/assert";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import {
  archetype,
  type ChainPoint,
  type FixtureDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import type { QueryShape } from "../../../../shared/physics/stage/queries.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { within } from "../geometry/planck_reference.ts";
import { FEATURES } from "../scenes/features.ts";

const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.3 } }] },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.3, 0.3] } }] },
  fields: {},
});
const SHOT = archetype({
  name: "shot",
  projectile: { radius: 0.1, lifeTicks: 1000, bouncesMax: 255 },
  fields: {},
});

const FLAT: readonly ChainPoint[] = Array.from({ length: 121 }, (_, i) => [i - 60, 0]);

function stageOf(ground: readonly FixtureDef[], features = FEATURES): Stage {
  const archetypes = [BALL, CRATE, SHOT];
  return new Stage({
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    features,
    ground,
    archetypes,
    fields: {},
  });
}

function run(stage: Stage, ticks: number): void {
  for (let tick = 0; tick < ticks; tick++) {
    stage.advance();
    stage.endTick();
  }
}

Deno.test("chain: a wrong one is refused in words, and so is any property that a shape does not have (SPEC 9.47)", () => {
  const refused: readonly (readonly [shape: unknown, words: string])[] = [
    [{ chain: [[0, 0]] }, "chain of 1 points; at least 2"],
    [{ chain: [[0, 0], [1, 0]], loop: true }, "chain of 2 points; at least 3"],
    [{ chain: [[0, 0], [0.004, 0]] }, "two points in one place"],
    [{ chain: [[0, 0], [1, 0], [0, 0]], loop: true }, "two points in one place"],
    [{ chain: [[0, 0], [1, 0]], ghosts: [[0, 0], null] }, "two points in one place"],
    [{ chain: [[0, 0], [NaN, 0]] }, "chain is NaN"],
    [{ chain: [[0, 0], [1, 0]], ghosts: [null, [2, 1e6]] }, "chain is 1000000"],
    [
      { chain: [[0, 0], [1, 0], [1, 1]], loop: true, ghosts: [null, null] },
      "is a loop and has no ghosts",
    ],
    [{ chain: [[0, 0], [1, 0]], prev: [0, 0] }, 'chain has no "prev"'],
    [{ edge: [0, 0, 1, 0], prev: [-1, 0], next: [2, 0] }, 'edge has no "prev"'],
    [{ circle: 1, box: [1, 1] }, 'circle has no "box"'],
    [{ box: [1, 1], length: 1 }, 'box has no "length"'],
    [{ polygon: [[0, 0], [1, 0], [0, 1]], x: 1 }, 'polygon has no "x"'],
  ];
  for (const [shape, words] of refused) {
    assertThrows(() => stageOf([{ shape: shape as FixtureDef["shape"] }]), StageError, words);
  }
  const withoutFeature = FEATURES.filter((feature) => feature !== chains);
  const ground = [{ shape: { chain: [[0, 0], [1, 0]] } }] as const;
  assertThrows(
    () => stageOf(ground, withoutFeature),
    StageError,
    "ground's chain needs the feature chains",
  );
});

Deno.test("chain: the ground and a body have at most 256 parts, segments counted (SPEC 9.47)", () => {
  const rest = Array.from({ length: 136 }, (): FixtureDef => ({ shape: { circle: 1, y: 50 } }));
  const stage = stageOf([{ shape: { chain: FLAT } }, ...rest]);
  const ball = stage.spawn(BALL, { x: 59.5, y: 0.5 });
  run(stage, 40);
  assertAlmostEquals(ball.y, 0.31, 0.01);
  assertThrows(
    () => stageOf([{ shape: { chain: FLAT } }, ...rest, rest[0]!]),
    StageError,
    "more than 256 fixtures",
  );
  const ring = Array.from(
    { length: 257 },
    (_, i): ChainPoint => [20 * Math.cos(i / 41), 20 * Math.sin(i / 41)],
  );
  const wheel = archetype({
    name: "wheel",
    body: { fixtures: [{ shape: { chain: ring, loop: true } }] },
    fields: {},
  });
  const def = {
    gravity: 0,
    tickHz: 20,
    substeps: 1,
    features: FEATURES,
    ground: [],
    archetypes: [wheel],
    fields: {},
  };
  assertThrows(
    () => new Stage(def),
    StageError,
    "wheel has more than 256 fixtures, segments of chains counted",
  );
});

Deno.test("chain: an answer names its fixture and its segment, and each segment is an answer of its own (SPEC 9.45)", () => {
  const stage = stageOf([{ shape: { circle: 1, y: 50 } }, { shape: { chain: FLAT } }, {
    shape: { circle: 2, x: 0, y: -9 },
  }]);
  stage.endTick();
  const { queries } = stage;
  const hit = queries.rayCast({ x: 2.5, y: 3 }, { x: 2.5, y: -1 })!;
  assertEquals([hit.fixture, hit.segment, hit.nx, hit.ny, hit.y], [1, 62, 0, 1, 0]);
  const below = queries.rayCast({ x: 2.5, y: -3 }, { x: 2.5, y: 1 })!;
  assertEquals([below.fixture, below.segment, below.nx, below.ny], [1, 62, -0, -1]);
  const touched = queries.overlap({ box: [1, 0.1] }, { x: 3.5, y: 0 }).map((
    { fixture, segment },
  ) => [fixture, segment]);
  assertEquals(touched, [[1, 62], [1, 63], [1, 64]]);
  const nearest = queries.closest({ x: 0, y: -5 }, 4)!;
  assertEquals([nearest.fixture, nearest.segment, nearest.distance], [2, 0, 2]);
  const asked: number[] = [];
  queries.rayCastAll({ x: 0.5, y: 1 }, { x: 0.5, y: -20 }, {
    where: (_, fixture) => asked.push(fixture) > 0,
  });
  assertEquals(asked, [1, 2]);
});

/** Hills with corners of any bend. */
function hills(random: Random): ChainPoint[] {
  return Array.from({ length: 60 }, (_, i) => [i + within(random, 0.3), within(random, 0.6)]);
}

Deno.test("chain: no ray and no circle slips through a joint (SPEC 9.45)", () => {
  const random = new Random(2);
  for (let round = 0; round < 20; round++) {
    const chain = hills(random);
    const { queries } = stageOf([{ shape: { chain } }]);
    for (let i = 1; i < chain.length - 1; i++) {
      const [x, y] = chain[i]!;
      const dx = within(random, 2);
      const dy = 2 + random.fraction();
      for (const side of [1, -1]) {
        const from = { x: x + dx * side, y: y + dy * side };
        const to = { x: x - dx * side, y: y - dy * side };
        assert(queries.rayCast(from, to) !== undefined, `ray through joint ${i} of round ${round}`);
        assert(
          queries.castShape({ circle: 0.05 }, from, to) !== undefined,
          `circle through joint ${i} of round ${round}`,
        );
      }
    }
  }
});

Deno.test("chain: a cast shape that slides along it meets nothing at its inner corners, but meets what rises (SPEC 9.46)", () => {
  const random = new Random(9);
  const tilts = [0, 0.3, -1.1];

  for (const tilt of tilts) {
    const c = Math.cos(tilt), s = Math.sin(tilt);
    const placed = ([x, y]: ChainPoint): ChainPoint => [c * x - s * y, s * x + c * y];
    const line: ChainPoint[] = [...Array.from({ length: 41 }, (_, i): ChainPoint => [i - 20, 0]), [
      21,
      1,
    ], [22, 1]];
    const { queries } = stageOf([{ shape: { chain: line.map(placed) } }]);
    const lowShapes: readonly QueryShape[] = [
      { circle: 0.4 },
      { box: [0.6, 0.4], angle: tilt },
      { box: [0.5, 0.3], radius: 0.1, angle: tilt },
      { capsule: [-0.3, 0, 0.3, 0], radius: 0.4, angle: tilt },
      { polygon: [[0.6, -0.4], [0, 0.5], [-0.6, -0.4]], angle: tilt },
    ];
    for (let i = 0; i < 200; i++) {
      const low = lowShapes[i % lowShapes.length]!;
      // It is a rounding error above or below the line.
      const start = -15 + 10 * random.fraction();
      const height = 0.4 + within(random, 1e-8);
      const [x, y] = placed([start, height]);
      const [toX, toY] = placed([start + 20, height]);
      const caught = queries.castShapeAll(low, { x, y }, { x: toX, y: toY })
        .find(({ nx, ny }) => Math.abs(c * nx + s * ny) > 1e-3);
      assertEquals(caught, undefined, `shape ${i} at ${start}`);
      const [farX, farY] = placed([start + 40, height]);
      const hits = queries.castShapeAll(low, { x, y }, { x: farX, y: farY });
      const slope = hits.find(({ nx, ny }) => c * nx + s * ny < -0.5)!;
      assertEquals(slope?.segment, 40, `shape ${i} at ${start} meets the slope`);
    }
  }
});

Deno.test("chain: a projectile slides along it without a hit at its inner corners (SPEC 9.46)", () => {
  for (const shape of [{ chain: FLAT }, { chain: FLAT.toReversed() }]) {
    const stage = stageOf([{ shape, friction: 0 }]);
    const shot = stage.spawn(SHOT, { x: -50, y: 0.5, vx: 20 });
    run(stage, 20);
    let highest = 0;
    for (let tick = 0; tick < 60; tick++) {
      stage.advance();
      for (const { nx } of stage.hits) assertEquals(nx, 0);
      stage.endTick();
      highest = Math.max(highest, shot.y);
    }
    assertAlmostEquals(highest, 0.11, 1e-6);
    assertAlmostEquals(shot.vx, 20, 1e-4);
    assertGreater(shot.x, 20);
  }
});

Deno.test("chain: a projectile bounces at no corner's inside, and gets through none at any speed (SPEC 9.6)", () => {
  const random = new Random(4);
  for (let round = 0; round < 20; round++) {
    const chain = hills(random);
    const stage = stageOf([{ shape: { chain }, restitution: 0.8 }]);
    const shots = Array.from({ length: 100 }, () => {
      const x = 5 + 50 * random.fraction();
      return stage.spawn(SHOT, {
        x,
        y: 2,
        vx: within(random, 300),
        vy: -10 - 300 * random.fraction(),
      });
    });
    for (let tick = 0; tick < 20; tick++) {
      run(stage, 1);
      for (const { x, y } of shots) {
        if (x > 1 && x < 58) assert(y > heightAt(chain, x), `${x}, ${y}`);
      }
    }
  }
});

function heightAt(chain: readonly ChainPoint[], x: number): number {
  const i = chain.findLastIndex(([left]) => left <= x);
  const [x1, y1] = chain[i]!;
  const [x2, y2] = chain[i + 1]!;
  return y1 + (x - x1) / (x2 - x1) * (y2 - y1);
}

Deno.test("chain: one-way, it is one fixture: a body that jumps through a joint passes all segments, then lands (SPEC 9.9, 9.25)", () => {
  const chain: readonly ChainPoint[] = [[-4, 2.2], [-2, 2], [-1, 2], [0, 2.05], [1, 2], [2, 2], [
    4,
    2.2,
  ]];
  const stage = stageOf([{ shape: { box: [20, 0.5], y: -0.5 } }, {
    shape: { chain },
    oneWay: true,
  }]);
  const bodies = [-1.1, -0.05, 0.3, 1.02].map((x, i) => {
    return stage.spawn(i % 2 === 0 ? BALL : CRATE, {
      x: x + (i - 1.5) * 0.4,
      y: 0.5,
      vx: -0.8 * (i - 1.5),
      vy: 9,
    });
  });
  let highest = 0;
  for (let tick = 0; tick < 80; tick++) {
    run(stage, 1);
    highest = Math.max(highest, ...bodies.map(({ y }) => y));
    for (const { vy } of tick < 5 ? bodies : []) assertGreater(vy, 9 - 0.5 * (tick + 1) - 1e-3);
  }

  assertGreater(highest, 3.5);
  for (const { y } of bodies) assertGreater(y, 2.2);
});

Deno.test("chain: one-way, a body that stands on it does not fall through its steep segments (SPEC 9.25)", () => {
  const xOf = (ground: readonly FixtureDef[]): number => {
    const stage = stageOf(ground);
    const ball = stage.spawn(BALL, { x: -1, y: 2.4 });
    run(stage, 20);
    for (let tick = 0; tick < 40; tick++) {
      stage.setVelocity(ball, 2, ball.vy);
      run(stage, 1);
    }
    return ball.x;
  };

  // A step of 76 degrees, which no body lands on.
  const line: readonly ChainPoint[] = [[-3, 2], [0, 2], [0.5, 4], [3, 4]];
  const edges = line.slice(1).map((point, i): FixtureDef => ({
    shape: { edge: [...line[i]!, ...point] },
    oneWay: true,
  }));
  assertLess(xOf([{ shape: { chain: line }, oneWay: true }]), 0.1);
  assertGreater(xOf(edges), 1);
});

Deno.test("chain: as a sensor it reports what crosses it, and stops nothing", () => {
  const stage = stageOf([{ shape: { chain: [[-2, 3], [0, 3.2], [2, 3]] }, sensor: true }]);
  const ball = stage.spawn(BALL, { x: 0, y: 5 });
  let events = 0;
  for (let tick = 0; tick < 40; tick++) {
    stage.advance();
    events += stage.contactEvents.filter(({ began }) => began).length;
    stage.endTick();
  }
  assertEquals(events, 1);
  assert(ball.y < 0 && Math.abs(ball.x) < 1e-6);
});
