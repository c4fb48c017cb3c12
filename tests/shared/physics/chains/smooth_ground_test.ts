/** Bodies that cross the inner corners of chains, hit them fast, and rest on them. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import {
  archetype,
  type ChainPoint,
  type FixtureDef,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { ENGINES } from "../../../tools/engines/engines.ts";
import type { Rate } from "../../../tools/engines/scene.ts";
import { measureChains } from "../../../tools/quality/measures/chains.ts";
import { FEATURES } from "../scenes/features.ts";
import { within } from "../geometry/planck_reference.ts";

const RATES: readonly Rate[] = [{ tickHz: 20, substeps: 2 }, { tickHz: 60, substeps: 1 }];

Deno.test("chain: a ball and crates cross 120 segments as on planck's chain, and a loop holds 50 bodies (SPEC 9.46)", async () => {
  const [ours, theirs] = [
    measureChains(await ENGINES.stage(), 60),
    measureChains(await ENGINES.planck(), 0),
  ];
  for (const [name, { hopM, wentM }] of Object.entries(ours.chain)) {
    const planck = theirs.chain[name as keyof typeof theirs.chain];
    assertLessOrEqual(hopM, 0.005, name);
    assertLessOrEqual(Math.abs(hopM - planck.hopM), 0.001, name);
    assertEquals(wentM, planck.wentM, name);
  }
  assertEquals(ours.chain.ball.wentM, 115);
  assertEquals(ours.loopEscaped, 0);
});

const SHAPES: readonly FixtureDef["shape"][] = [
  { circle: 0.25 },
  { box: [0.25, 0.25] },
  { box: [0.4, 0.1] },
  { polygon: [[0.4, 0], [-0.2, 0.35], [-0.2, -0.35]] },
];

const ROUND_SHAPES: readonly FixtureDef["shape"][] = [
  { capsule: [-0.3, 0, 0.3, 0], radius: 0.15 },
  { box: [0.2, 0.1], radius: 0.1 },
  { polygon: [[0.35, 0], [-0.15, 0.3], [-0.15, -0.3]], radius: 0.05 },
];

/** A zigzag along the x axis: every inner corner bends towards one side or the other. */
const ZIGZAG: readonly ChainPoint[] = Array.from(
  { length: 41 },
  (_, i) => [i - 20, [0, 0.6, -0.5, 0.05][i % 4]!],
);

function stageOf(
  ground: readonly FixtureDef[],
  fixture: Partial<FixtureDef>,
  rate: Rate,
  gravity = 10,
  shapes = SHAPES,
) {
  const kinds = shapes.map((shape, i) =>
    archetype({
      name: `kind ${i}`,
      body: { fixtures: [{ ...fixture, shape }], bullet: i % 2 === 0 },
      fields: {},
    })
  );
  const def: StageDef = {
    gravity,
    ...rate,
    ground,
    archetypes: kinds,
    features: FEATURES,
    fields: {},
  };
  return { stage: new Stage(def), kinds };
}

/** @returns the y of the zigzag at an x of it */
function heightAt(x: number): number {
  const i = Math.min(Math.floor(x) + 20, ZIGZAG.length - 2);
  const [x1, y1] = ZIGZAG[i]!;
  const [, y2] = ZIGZAG[i + 1]!;
  return y1 + (x - x1) * (y2 - y1);
}

Deno.test("chain: nothing gets through its inner corners at any speed, from either side (SPEC 9.46, 9.87)", () => {
  const random = new Random(5);
  let shots = 0;

  for (const rate of RATES) {
    for (const restitution of [0, 0.5, 1]) {
      // Bodies do not meet each other: each is alone with the chain.
      const ground: FixtureDef[] = [{ shape: { chain: ZIGZAG }, restitution, category: 2 }];
      for (let round = 0; round < 24; round++) {
        const shapes = round < 12 ? SHAPES : ROUND_SHAPES;
        const { stage, kinds } = stageOf(ground, { mask: 2 }, rate, 0, shapes);
        const bodies = Array.from({ length: 24 }, (_, i) => {
          const side = i % 2 === 0 ? 1 : -1;
          const corner = ZIGZAG[8 + i]!;
          const speed = 10 + 100 * random.fraction();

          // It flies at a corner, or misses it by up to 20 cm, from 3 m off.
          const x = corner[0] + within(random, 2), y = corner[1] + 3 * side;
          const dx = corner[0] + within(random, 0.2) - x;
          const dy = corner[1] - y;
          const length = Math.sqrt(dx * dx + dy * dy);
          const vx = dx / length * speed, vy = dy / length * speed;
          return {
            side,
            body: stage.spawn(kinds[i % kinds.length]!, {
              x,
              y,
              vx,
              vy,
              angle: within(random, 3),
              spin: within(random, 9),
            }),
          };
        });
        stage.endTick();
        for (let tick = 0; tick < rate.tickHz; tick++) {
          stage.advance();
          stage.endTick();
          for (const { side, body } of bodies) {
            if (Math.abs(body.x) > 19) continue;
            assert(
              (body.y - heightAt(body.x)) * side > 0,
              `round ${round}: ${body} is at ${body.x}, ${body.y}`,
            );
          }
        }
        shots += bodies.length;
      }
    }
  }

  assertEquals(shots, 2 * 3 * 24 * 24);
});

Deno.test("chain: a body that rests across a joint falls asleep and stays where it is (SPEC 9.46)", () => {
  for (const rate of RATES) {
    const chain: readonly ChainPoint[] = [[-3, 0.3], [-2, 0], [-1, 0], [0, 0], [1, 0], [2, 0], [
      3,
      0.3,
    ]];
    const { stage, kinds } = stageOf([{ shape: { chain } }], {}, rate);
    const bodies = kinds.map((kind, i) =>
      stage.spawn(kind, { x: i - 1.5 < 0 ? i - 2 : i - 1, y: 0.5 })
    );
    stage.endTick();
    for (let tick = 0; tick < 5 * rate.tickHz; tick++) {
      stage.advance();
      stage.endTick();
    }
    const before = bodies.map(({ x, y, angle }) => [x, y, angle]);
    assertEquals(bodies.map(({ awake }) => awake), bodies.map(() => false));
    for (let tick = 0; tick < rate.tickHz; tick++) {
      stage.advance();
      stage.endTick();
    }
    assertEquals(bodies.map(({ x, y, angle }) => [x, y, angle]), before);
  }
});

Deno.test("chain: a body does not catch where ghosts continue one chain with another (SPEC 9.45)", () => {
  const left: readonly ChainPoint[] = [[-10, 0], [0, 0]];
  const right: readonly ChainPoint[] = [[0, 0], [10, 0]];

  /** The largest change of speed among balls that come down on both sides of the joint. */
  const caught = (ground: readonly FixtureDef[]): number => {
    const fixtures = ground.map((fixture) => ({ ...fixture, category: 2 }));
    const { stage, kinds } = stageOf(fixtures, { friction: 0, mask: 2 }, RATES[0]!);
    const balls = Array.from(
      { length: 40 },
      (_, i) => stage.spawn(kinds[0]!, { x: -4 + i * 0.05, y: 0.5, vx: 10 }),
    );
    for (let tick = 0; tick < 12; tick++) {
      stage.advance();
      stage.endTick();
    }
    return Math.max(...balls.map(({ vx }) => Math.abs(vx - 10)));
  };
  const ghosts: readonly FixtureDef[] = [
    { shape: { chain: left, ghosts: [null, [10, 0]] } },
    { shape: { chain: right, ghosts: [[-10, 0], null] } },
  ];
  assertEquals(caught(ghosts), 0);
  assertEquals(caught([{ shape: { chain: [...left, [10, 0]] } }]), 0);
  assertGreater(caught([{ shape: { chain: left } }, { shape: { chain: right } }]), 0.1);
});
