/**
 * One-way fixtures: bodies that come down on them land; all others pass as if the fixture did not
 * exist.
 */
import { FEATURES } from "../scenes/features.ts";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  type Archetype,
  archetype,
  type FixtureDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";

const FIELDS = { drops: "u8", ghost: "u8" } as const;
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: FIELDS,
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: FIELDS,
});
const DART = archetype({
  name: "dart",
  body: { fixtures: [{ shape: { circle: 0.02 } }], bullet: true },
  fields: FIELDS,
});
/** A body of two fixtures, one above the other. */
const DOLL = archetype({
  name: "doll",
  body: {
    fixtures: [{ shape: { circle: 0.4 } }, { shape: { box: [0.3, 0.3], y: 0.6 } }],
    fixedRotation: true,
  },
  fields: FIELDS,
});
const BOLT = archetype({
  name: "bolt",
  projectile: { radius: 0.1, lifeTicks: 200 },
  fields: FIELDS,
});
const SLIDER = archetype({
  name: "slider",
  projectile: { radius: 0.1, lifeTicks: 200, bouncesMax: 255 },
  fields: FIELDS,
});
/** A one-way slab that swings on a path. */
const LIFT = archetype({
  name: "lift",
  body: {
    fixtures: [{ shape: { box: [2, 0.2] }, oneWay: true, friction: 0.9 }],
    path: (tick) => ({ x: 15 + 3 * sin(tick / 20), y: 3 - 1.5 * cos(tick / 15) }),
  },
  fields: FIELDS,
});
const ARCHETYPES = [BALL, CRATE, DART, DOLL] as const;

/** Platforms whose tops are at y = 4. */
const SLAB: FixtureDef = { shape: { box: [3, 0.25], y: 3.75 }, oneWay: true };
const LINE: FixtureDef = { shape: { edge: [-3, 4, 3, 4] }, oneWay: true };
const FLOOR: FixtureDef = { shape: { box: [50, 0.5], y: -0.5 } };

function define(...platforms: FixtureDef[]): StageDef {
  return {
    gravity: 14,
    tickHz: 20,
    substeps: 2,
    features: FEATURES,
    ground: [FLOOR, ...platforms],
    archetypes: [...ARCHETYPES, LIFT, BOLT],
    fields: {},
    landsOn: (entity) => entity.fields["drops"] === 0,
    shouldCollide: (a, b) => a.fields["ghost"] === 0 && b.fields["ghost"] === 0,
  };
}

function tick(stage: Stage, ticks = 1): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

interface Launch {
  readonly x?: number;
  readonly y: number;
  readonly vx?: number;
  readonly vy?: number;
}

/**
 * Flies a body with and without the platform. `equalTicks` is the number of first ticks with equal
 * bits in both.
 */
function compare(
  def: Archetype<typeof FIELDS>,
  platform: FixtureDef,
  { x = 0, ...rest }: Launch,
  ticks: number,
) {
  const [stage, free] = [new Stage(define(platform)), new Stage(define())];
  const body = stage.spawn(def, { x, ...rest });
  const ghost = free.spawn(def, { x, ...rest });
  let equalTicks = 0;
  let apex = rest.y;
  for (let i = 0; i < ticks; i++) {
    tick(stage);
    tick(free);
    apex = Math.max(apex, body.y);
    if (
      equalTicks === i && body.x === ghost.x && body.y === ghost.y && body.vx === ghost.vx &&
      body.vy === ghost.vy
    ) {
      equalTicks++;
    }
  }
  return { stage, body, equalTicks, apex };
}

Deno.test("oneWay: a body from below passes at any speed without a change of bits, and lands from above (SPEC 9.9)", () => {
  let landings = 0;
  for (const platform of [SLAB, LINE]) {
    for (const def of ARCHETYPES) {
      for (let vy = 9.5; vy < 80; vy *= 1.13) {
        const { equalTicks, apex, body, stage } = compare(def, platform, { y: 1.1, vy }, 300);
        const name = `${def.name} at ${vy} m/s, apex ${apex}`;
        // It flies freely until it comes down again.
        const risingTicks = Math.floor(20 * vy / 14);
        assert(equalTicks >= risingTicks, `${name}: differs after ${equalTicks} ticks`);
        if (apex < 5.5 || Math.abs(body.x) > 2.5) continue;
        landings++;
        assert(
          body.y > 3.9 && stage.isSupported(body) && !body.awake,
          `${name}: it is at ${body.x} ${body.y}`,
        );
      }
    }
  }

  assert(landings > 60, `${landings} landings`);
});

Deno.test("oneWay: a body that does not get above it falls back through it, untouched (SPEC 9.9, 9.25)", () => {
  let inside = 0;
  for (const platform of [SLAB, LINE]) {
    for (const def of [BALL, CRATE, DOLL]) {
      for (let height = 2.2; height < 4.3; height += 0.1) {
        // The bottom of each body is at y - 0.5 to y - 0.4.
        const y = 1, vy = Math.sqrt(2 * 14 * (height - y));
        const { equalTicks, apex } = compare(def, platform, { y, vy }, 20);
        assert(
          equalTicks === 20 || apex > 4.3,
          `${def.name} to ${apex}: caught after ${equalTicks} ticks`,
        );
        if (apex > 3.2 && equalTicks === 20) inside++;
      }
    }
  }
  assert(inside > 40, `${inside}`);
});

Deno.test("oneWay: a body that appears inside lands only if it can have come from above in one world step", () => {
  for (
    const [depth, vy, lands] of [[0.06, 1, false], [0.05, 0, true], [0.3, 0, false], [
      0.3,
      -20,
      true,
    ]] as const
  ) {
    const launch = { y: 4.4 - depth, vy };
    const { equalTicks, stage, body } = compare(CRATE, SLAB, launch, 6);
    assertEquals(
      [equalTicks === 6, stage.isSupported(body)],
      [!lands, lands],
      `${depth} m deep at ${vy} m/s`,
    );
  }
});

Deno.test("oneWay: a body from the side passes", () => {
  for (const def of ARCHETYPES) {
    const { equalTicks } = compare(def, SLAB, { x: -6, y: 3.75, vx: 12, vy: 1 }, 12);
    assertEquals(equalTicks, 12, def.name);
  }
});

Deno.test("oneWay: a body that falls on it lands at any speed", () => {
  for (const platform of [SLAB, LINE]) {
    for (const def of ARCHETYPES) {
      for (let vy = 0; vy > -75; vy -= 4.7) {
        const stage = new Stage(define(platform));
        const body = stage.spawn(def, { x: 0.3, y: 8, vy, vx: 1 });
        for (let i = 0; i < 30; i++) {
          tick(stage);
          assert(body.y > 3.98, `${def.name} at ${vy} m/s fell to ${body.y} in tick ${i}`);
        }
      }
    }
  }
});

Deno.test("oneWay: a stack of eight stands on it for a minute, and sleeps (SPEC 9.9)", () => {
  for (const platform of [SLAB, LINE]) {
    const stage = new Stage(define(platform));
    const crates = Array.from(
      { length: 8 },
      (_, i) => stage.spawn(CRATE, { x: -1, y: 4.41 + i * 0.81 }),
    );
    const ball = stage.spawn(BALL, { x: 2, y: 4.5 });
    tick(stage, 40);
    const before = crates.map(({ x, y }) => [x, y] as const);
    const trembling = stage.spawn(BALL, { x: 0.6, y: 4.5 }); // rolls to and fro beside them all the time
    for (let i = 0; i < 1200; i++) {
      if (i % 8 === 0) stage.setVelocity(trembling, i % 16 === 0 ? 0.7 : -0.7, 0);
      tick(stage);
      for (const [k, crate] of crates.entries()) {
        assertAlmostEquals(crate.x, before[k]![0], 1e-3, `crate ${k}, tick ${i}`);
        assertAlmostEquals(crate.y, before[k]![1], 1e-3, `crate ${k}, tick ${i}`);
      }
      assert(trembling.y > 4.4, `tick ${i}`);
    }
    assert(crates.every((crate) => !crate.awake) && !ball.awake && stage.isSupported(ball));
  }
});

Deno.test("landsOn: a body that may not land falls through, also out of sleep, is not caught again, and lands below", () => {
  const low: FixtureDef = { shape: { box: [3, 0.25], y: 1.75 }, oneWay: true };
  for (const def of [BALL, CRATE, DOLL]) {
    const stage = new Stage(define(SLAB, low));
    const body = stage.spawn(def, { x: 0, y: 4.5 });
    tick(stage, 60);
    assert(!body.awake && stage.isSupported(body) && body.y > 4.3);
    body.fields.drops = 1;
    tick(stage, 2);
    body.fields.drops = 0;
    assert(body.awake && !stage.isSupported(body));
    for (let i = 0; i < 60 && body.awake; i++) tick(stage);
    assert(body.y > 2.3 && body.y < 2.6, `${def.name} at ${body.y}`);
    assert(stage.isSupported(body));
  }
});

Deno.test("oneWay: a body that becomes solid inside it falls out without a push", () => {
  const stage = new Stage(define());
  const lift = stage.spawn(LIFT);
  const ball = stage.spawn(BALL, { x: 15, y: 4, fields: { ghost: 1 } });
  while (ball.y - lift.y > 0.3) tick(stage);
  ball.fields.ghost = 0;
  const { vy } = ball;
  tick(stage);
  assert(ball.vy < vy, "it was shoved up");
  tick(stage, 40);
  assertAlmostEquals(ball.y, 0.5, 0.02);
});

Deno.test("oneWay: a moving platform carries riders for a minute, sideways and up and down (SPEC 9.8, 9.9)", () => {
  const stage = new Stage(define());
  const lift = stage.spawn(LIFT);
  const riders = [CRATE, DOLL].map((def, i) =>
    stage.spawn(def, { x: lift.x - 1 + 2 * i, y: lift.y + 0.7 })
  );
  const below = stage.spawn(CRATE, { x: 15, y: 0.4 });
  for (let i = 0; i < 1200; i++) {
    tick(stage);
    for (const rider of riders) {
      assert(
        rider.y > lift.y + 0.5 && Math.abs(rider.x - lift.x) < 1.6,
        `${rider.archetype.name} in tick ${i}`,
      );
    }
    assertAlmostEquals(below.y, 0.41, 0.02);
  }
});

Deno.test("oneWay: a moving platform sinks and rises past bodies below, and lifts a body that it meets from beneath", () => {
  const stage = new Stage(define(SLAB));
  const lift = stage.spawn(LIFT);
  const stack: Entity[] = [];
  for (let i = 0; i < 3; i++) stack.push(stage.spawn(CRATE, { x: 15, y: 0.41 + i * 0.81 }));
  const before = stack.map(({ y }) => y);
  let carried = 0;
  for (let i = 0; i < 200; i++) {
    tick(stage);
    if (stack[2]!.y > 3) carried++;
  }
  assertEquals(stack.slice(0, 2).map(({ y }, i) => Math.abs(y - before[i]!) < 0.02), [true, true]);
  assert(carried > 20, `the topmost was carried in ${carried} ticks of ${lift.y}`);
});

Deno.test("oneWay: bodies walk over a row of one-way and solid tiles without a stumble", () => {
  const tiles = Array.from({ length: 6 }, (_, i): FixtureDef => ({
    shape: { box: [0.5, 0.25], x: -2.5 + i, y: 3.75 },
    oneWay: i % 2 === 0,
    friction: 0.1,
  }));
  for (const def of [BALL, CRATE, DOLL]) {
    const stage = new Stage(define(...tiles));
    const body = stage.spawn(def, { x: -2.5, y: 4.5 });
    tick(stage, 20);
    for (let i = 0; i < 40 && body.x < 2.3; i++) {
      stage.setVelocity(body, 3, body.vy);
      tick(stage);
      assert(body.y > 4.35, `${def.name} at ${body.x} ${body.y}`);
    }
    assert(body.x > 2.3);
  }
});

Deno.test("oneWay: a projectile hits it from above, and passes from below and from the side (SPEC 9.6, 9.9)", () => {
  for (const platform of [SLAB, LINE]) {
    for (const speed of [3, 17, 60, 300]) {
      for (
        const [x, y, dx, dy, hits] of [
          [0, 5, 0.1, -1, true],
          [0, 2, 0.1, 1, false],
          [-6, 3.8, 1, 0, false],
          [0, 3.9, 0, -1, false],
        ] as const
      ) {
        const stage = new Stage({ ...define(platform), gravity: 0 });
        const bolt = stage.spawn(BOLT, { x, y, vx: dx * speed, vy: dy * speed });
        let hit = false;
        for (let i = 0; i < 20 && !hit && bolt.y > 1 && bolt.y < 7; i++) {
          stage.advance();
          hit = stage.hits.some(({ ny, y: at }) => ny === 1 && Math.abs(at - 4.1) < 0.03);
          assert(
            hit || stage.hits.every(({ y: at }) => at < 1 || at > 7),
            `at ${speed} m/s: ${stage.hits[0]?.y}`,
          );
          stage.endTick();
        }
        assertEquals(hit, hits, `from ${x} ${y} at ${speed} m/s`);
      }
    }
  }
});

Deno.test("oneWay: a projectile that rises into it falls back; one that may not land never does", () => {
  for (const platform of [SLAB, LINE]) {
    for (let height = 3.4; height < 4.08; height += 0.04) {
      const stage = new Stage(define(platform));
      const bolt = stage.spawn(BOLT, { x: 0, y: 2, vy: Math.sqrt(28 * (height - 2)) });
      tick(stage, 24);
      assert(bolt.y < 2.5, `to ${height}: it is at ${bolt.y}`);
    }
    const stage = new Stage(define(platform));
    const bolt = stage.spawn(BOLT, { x: 0, y: 6, fields: { drops: 1 } });
    tick(stage, 16);
    assert(bolt.y < 3, "it was stopped");
  }
});

Deno.test("oneWay: a projectile slides down into a corner of two, and does not sink in", () => {
  const slope = (side: 1 | -1): FixtureDef => ({
    shape: { box: [9, 0.25], x: 7 * side, y: 5, angle: 0.3 * side },
    oneWay: true,
  });
  const stage = new Stage({ ...define(slope(-1), slope(1)), archetypes: [SLIDER] });
  const sliders = Array.from(
    { length: 12 },
    (_, i) => stage.spawn(SLIDER, { x: -9 + i * 1.6, y: 9 }),
  );
  for (let i = 0; i < 150; i++) {
    tick(stage);
    for (const { x, y } of sliders) assert(y > 2.9 + Math.abs(x) * 0.3, `tick ${i}: ${x} ${y}`);
  }
});

Deno.test("oneWay: a sensor cannot be one-way", () => {
  assertThrows(
    () => new Stage(define({ ...SLAB, sensor: true })),
    StageError,
    "ground: a sensor stops nobody",
  );
});

Deno.test("oneWay: a gate with a vector is solid on that side alone, which turns with its body (SPEC 9.9)", () => {
  const gate = archetype({
    name: "gate",
    body: { type: "static", fixtures: [{ shape: { box: [0.2, 5] }, oneWay: { x: 3, y: 0 } }] },
    fields: FIELDS,
  });
  const bullet = archetype({
    name: "bullet",
    projectile: { radius: 0.1, lifeTicks: 99, bouncesMax: 9, restitution: 1 },
    fields: FIELDS,
  });
  const def = {
    gravity: 0,
    tickHz: 20,
    substeps: 2,
    ground: [],
    archetypes: [gate, BALL, CRATE, bullet],
    fields: {},
  };

  for (const angle of [0, Math.PI]) {
    const stage = new Stage(def);
    stage.spawn(gate, { x: 0, y: 0, angle });
    // The solid side is on the right, or after half a turn on the left.
    for (const [from, stops] of [[4, angle === 0], [-4, angle !== 0]] as const) {
      const vx = -from * 2;
      const movers = [BALL, CRATE, bullet].map((kind, i) =>
        stage.spawn(kind, { x: from, y: i * 1.5, vx })
      );
      for (let tick = 0; tick < 20; tick++) {
        stage.advance();
        stage.endTick();
      }
      for (const { archetype: { name }, x, y } of movers) {
        if (stops) assert(x * from > 0 && y >= -0.1, `${name} from ${from} is at ${x}`);
        else assertAlmostEquals(x, -from, 0.01, `${name} from ${from}`);
      }
      for (const mover of movers) stage.despawn(mover);
    }
  }

  const define = (oneWay: unknown) => () =>
    new Stage({ ...def, ground: [{ shape: { circle: 1 }, oneWay }] } as unknown as StageDef);
  assertThrows(define({ x: 0, y: 0 }), StageError, "ground.oneWay is too short");
  assertThrows(define({ x: NaN, y: 0 }), StageError, "ground.oneWay.x is NaN");
});
