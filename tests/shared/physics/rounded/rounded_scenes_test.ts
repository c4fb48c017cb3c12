/** Capsules and rounded polygons that rest, roll, run over seams, and fly in closed rooms. */
import { assert, assertEquals, assertGreater, assertLessOrEqual, assertThrows } from "@std/assert";
import {
  archetype,
  type FixtureDef,
  type Shape,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { type Rate, STEP_RATES } from "../../../tools/engines/scene.ts";
import { FEATURES } from "../scenes/features.ts";
import { assertSameAfterRollbacks } from "../scenes/rolled_back.ts";
import { ROUND_SHAPES } from "./round_pairs.ts";

function stageOf(
  ground: readonly FixtureDef[],
  fixtures: readonly Partial<FixtureDef>[],
  { rate = STEP_RATES[0]!, gravity = 10, upright = false } = {},
) {
  const kinds = fixtures.map((fixture, i) =>
    archetype({
      name: `kind ${i}`,
      body: {
        fixtures: [{ shape: { circle: 1 }, ...fixture }],
        bullet: i % 2 === 0,
        fixedRotation: upright && "upright",
      },
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
  return { stage: new Stage(def), kinds, def };
}

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

const FLOOR: FixtureDef = { shape: { box: [40, 0.5], y: -0.5 } };

Deno.test("rounded: a shape that is wrong is refused by owner and number (SPEC 9.86)", () => {
  const refusals: readonly [Shape, string][] = [
    [{ capsule: [0, 0, 0, 0.004], radius: 1 }, "kind 0's capsule is shorter than 0.005"],
    [{ capsule: [0, 0, 0, 1], radius: 0 }, "kind 0's radius is 0; at least 0.01 is needed"],
    [{ capsule: [0, 0, 0, 1] } as unknown as Shape, "kind 0's shape is undefined"],
    [{ capsule: [0, 0, NaN, 1], radius: 1 }, "kind 0's shape is NaN"],
    [{ box: [1, 1], radius: 0.001 }, "kind 0's radius is 0.001"],
    [{ box: [1, 1], radius: -1 }, "kind 0's radius is -1"],
    [{ circle: 1, radius: 1 } as Shape, `kind 0's circle has no "radius"`],
    [{ edge: [0, 0, 1, 1], radius: 1 } as Shape, `kind 0's edge has no "radius"`],
  ];
  for (const [shape, message] of refusals) {
    assertThrows(() => stageOf([], [{ shape }]), StageError, message);
  }

  const { def } = stageOf([], ROUND_SHAPES.map((shape) => ({ shape })));
  assertThrows(
    () => new Stage({ ...def, features: [] }),
    StageError,
    "kind 0's radius needs the feature rounded",
  );
});

for (const rate of STEP_RATES) {
  const name = `${rate.tickHz}x${rate.substeps}`;

  Deno.test(`rounded: on floors of every kind all shapes lie on their surface, without a skin, and sleep, at ${name} (SPEC 9.87)`, () => {
    const floors: readonly [FixtureDef, skin: number][] = [
      [FLOOR, 0.01],
      [{ shape: { edge: [-40, 0, 40, 0] } }, 0.01],
      [{ shape: { chain: Array.from({ length: 81 }, (_, i) => [i - 40, 0] as const) } }, 0.01],
      [{ shape: { capsule: [-40, -1, 40, -1], radius: 1 } }, 0],
      [{ shape: { box: [39, 0.5], y: -1, radius: 0.5 } }, 0],
    ];
    for (const [floor, skin] of floors) {
      const lying = [
        { shape: { capsule: [-0.5, 0, 0.5, 0], radius: 0.25 }, half: 0.25 },
        { shape: { box: [0.4, 0.3], radius: 0.1 }, half: 0.4 },
        { shape: { polygon: [[0.5, -0.2], [0, 0.4], [-0.5, -0.2]], radius: 0.2 }, half: 0.4 },
      ] as const;
      const { stage, kinds } = stageOf([floor], lying.map(({ shape }) => ({ shape })), { rate });
      const bodies = kinds.map((kind, i) => stage.spawn(kind, { x: 3 * i - 3, y: 0.7 }));
      run(stage, 6 * rate.tickHz);
      bodies.forEach((body, i) => {
        const gap = body.y - lying[i]!.half;
        const what = `${JSON.stringify(floor.shape).slice(0, 40)}, kind ${i}: ${gap}`;
        assert(gap > skin - 0.0065 && gap <= skin, what);
        assertEquals([body.awake, Math.abs(body.angle) < 0.01], [false, true], what);
      });
    }
  });

  // At 20x1 a stack of boxes topples, too.
  if (rate.tickHz * rate.substeps < 40) continue;
  Deno.test(`rounded: a stack of eight rounded boxes stands and sleeps, at ${name} (SPEC 9.87)`, () => {
    const { stage, kinds: [crate] } = stageOf(
      [FLOOR],
      [{ shape: { box: [0.4, 0.4], radius: 0.1 } }],
      { rate },
    );
    const stack = Array.from(
      { length: 8 },
      (_, i) => stage.spawn(crate!, { x: 0, y: 0.5 + 1.001 * i }),
    );
    run(stage, 10 * rate.tickHz);
    for (const { x, angle, awake } of stack) {
      assert(Math.abs(x) < 0.01 && Math.abs(angle) < 0.01, `${x} ${angle}`);
      assert(!awake);
    }
  });

  Deno.test(`rounded: a hero who is a capsule runs over tiles and chains and is never stopped, at ${name} (SPEC 9.46, 9.87)`, () => {
    const tiles = Array.from(
      { length: 60 },
      (_, i): FixtureDef => ({ shape: { box: [0.5, 0.5], x: i, y: -0.5 } }),
    );
    const chain: FixtureDef = {
      shape: { chain: Array.from({ length: 61 }, (_, i) => [i - 0.5, 0] as const) },
    };
    const HEROES: readonly Shape[] = [
      { capsule: [0, -0.25, 0, 0.25], radius: 0.35 },
      { box: [0.25, 0.5], radius: 0.1 },
      { capsule: [-0.3, -0.5, 0.3, -0.5], radius: 0.1 },
    ];
    for (const ground of [tiles, [chain]]) {
      for (const shape of HEROES) {
        const { stage, kinds: [hero] } = stageOf(
          ground,
          [{ shape, friction: 0 }],
          { rate, gravity: 30, upright: true },
        );
        const me = stage.spawn(hero!, { x: 1, y: 0.62 });
        run(stage, rate.tickHz);
        const rest = me.y;
        let hop = 0;
        for (let tick = 0; tick < 6 * rate.tickHz; tick++) {
          stage.setVelocity(me, 8, me.vy);
          run(stage, 1);
          hop = Math.max(hop, Math.abs(me.y - rest));
        }
        const what = `${JSON.stringify(shape)} on ${ground.length} parts: x ${me.x}, hop ${hop}`;
        assertGreater(me.x, 48.5, what);
        // As a ball does, a round foot hops where it meets the corner of the next tile.
        if (ground.length === 1) assertLessOrEqual(hop, 0.001, what);
      }
    }
  });
}

Deno.test("rounded: a capsule and a rounded box bounce to e² of their height (SPEC 9.28, 9.87)", () => {
  for (const rate of STEP_RATES) {
    for (const restitution of [0.5, 1]) {
      const { stage, kinds } = stageOf([FLOOR], [
        { shape: { capsule: [-0.3, 0, 0.3, 0], radius: 0.25 }, restitution },
        { shape: { capsule: [0, -0.25, 0, 0.25], radius: 0.25 }, restitution },
        { shape: { box: [0.3, 0.2], radius: 0.3 }, restitution },
      ], { rate, upright: true });
      const lows = [0.25, 0.5, 0.5];
      const bodies = kinds.map((kind, i) => stage.spawn(kind, { x: 3 * i, y: lows[i]! + 3 }));

      // Down for 0.77 s, then up again
      const tops = bodies.map(() => 0);
      for (let tick = 0; tick < 1.9 * rate.tickHz; tick++) {
        run(stage, 1);
        if (tick < 0.85 * rate.tickHz) continue;
        bodies.forEach(({ y }, i) => tops[i] = Math.max(tops[i]!, y - lows[i]!));
      }
      for (const top of tops) {
        const ideal = restitution * restitution * 3;
        assert(Math.abs(top / ideal - 1) < 0.1, `${JSON.stringify(rate)}: ${top} of ${ideal}`);
      }
    }
  }
});

Deno.test("rounded: the mass follows a rounded part that is switched on and off (SPEC 9.86)", () => {
  const head: FixtureDef = { shape: { box: [0.4, 0.2] } };
  const arm: FixtureDef = { shape: { capsule: [0.4, 0, 1.2, 0], radius: 0.1 } };
  const kinds = [[head], [head, arm], [head, { ...arm, enabled: false }]].map((fixtures, i) =>
    archetype({ name: `kind ${i}`, body: { fixtures, mutable: ["enabled"] }, fields: {} })
  );
  const stage = new Stage({
    gravity: 0,
    tickHz: 20,
    substeps: 2,
    ground: [],
    archetypes: kinds,
    features: FEATURES,
    fields: {},
  });
  const [bare, armed, switched] = kinds.map((kind, i) => stage.spawn(kind, { x: 0, y: 9 * i }));
  const massOf = ({ mass, inertia }: typeof bare & object) => [mass, inertia];
  assertEquals(massOf(switched!), massOf(bare!));
  stage.properties.set(switched!, { enabled: true }, 1);
  assertEquals(massOf(switched!), massOf(armed!));
  stage.properties.set(switched!, { enabled: false }, 1);
  assertEquals(massOf(switched!), massOf(bare!));
});

const WALLS: FixtureDef[] = [
  { shape: { box: [6, 0.2], y: -5.2 } },
  { shape: { edge: [-5, 5, 5, 5] } },
  { shape: { chain: [[-5, 5], [-5, -5]] } },
  { shape: { capsule: [5.3, -5, 5.3, 5], radius: 0.3 } },
];

Deno.test("rounded: nothing leaves a closed room of every kind of wall (SPEC 9.26, 9.87)", () => {
  const rates: readonly Rate[] = [...STEP_RATES, { tickHz: 20, substeps: 1 }];
  for (const rate of rates) {
    for (let seed = 1; seed <= 3; seed++) {
      const random = new Random(seed);
      const between = (most: number) => (2 * random.fraction() - 1) * most;
      const { stage, kinds } = stageOf(
        WALLS,
        ROUND_SHAPES.map((shape) => ({ shape, restitution: seed === 2 ? 0.9 : 0 })),
        { rate },
      );
      const bodies = Array.from({ length: 16 }, (_, i) =>
        stage.spawn(kinds[i % kinds.length]!, {
          x: i % 4 * 2.4 - 3.6,
          y: Math.floor(i / 4) * 2.4 - 3.6,
        }));
      for (let tick = 0; tick < 12 * rate.tickHz; tick++) {
        for (const body of bodies) {
          if (random.below(rate.tickHz) === 0) {
            stage.setVelocity(body, between(80), between(80));
            stage.setSpin(body, between(30));
          }
        }
        run(stage, 1);
        for (const { x, y } of bodies) {
          assert(Math.abs(x) < 5 && Math.abs(y) < 5, `seed ${seed}, tick ${tick}: ${x}, ${y}`);
        }
      }
    }
  }
});

Deno.test("rounded: a pile of capsules has the same bits after forced rollbacks (SPEC 9.1, 9.87)", () => {
  const { def, kinds } = stageOf(
    [FLOOR, { shape: { chain: [[-4, 4], [-3, 0.5], [0, 0], [3, 0.5], [4, 4]] } }],
    ROUND_SHAPES.map((shape) => ({ shape, restitution: 0.2 })),
  );
  const kick = (stage: Stage, speed: number) => {
    const random = new Random(stage.tick);
    for (const body of stage.entities()) {
      if (random.below(60) === 0) stage.setVelocity(body, speed * (random.fraction() - 0.5), 6);
    }
  };
  const stage = assertSameAfterRollbacks(def, {
    start(stage) {
      for (let i = 0; i < 14; i++) {
        stage.spawn(kinds[i % kinds.length]!, { x: i % 3 - 1, y: 1 + 0.9 * i, angle: i });
      }
    },
    rules: (stage) => kick(stage, 9),
    wrong: (stage) => kick(stage, -7),
    ticks: 600,
  });
  assertGreater(stage.contactCount, 10);
});
