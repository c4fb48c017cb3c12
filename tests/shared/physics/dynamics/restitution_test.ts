/**
 * Restitution keeps energy, and an impact ends no tick deep inside. `deno task bench quality` measures
 * both at length.
 */
import { assert, assertAlmostEquals, assertLess } from "@std/assert";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type FixtureDef,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import type { Entity } from "../../../../shared/physics/stage/entity.ts";
import { Random } from "../../../../shared/random.ts";

const RADIUS_M = 0.5;
const FLOOR = { shape: { box: [50, 0.5], y: -0.5 } } as const;

type Rate = Pick<StageDef, "tickHz" | "substeps">;
const RATES: readonly Rate[] = [
  { tickHz: 10, substeps: 1 },
  { tickHz: 20, substeps: 2 },
  { tickHz: 30, substeps: 8 },
  { tickHz: 60, substeps: 1 },
];

/** One ball above the floor. */
interface Drop extends Rate {
  readonly heightM: number;
  readonly restitution: number;
  readonly gravity?: number;
  readonly gravityScale?: number;
}

function dropped(
  { heightM, restitution, gravity = 14, gravityScale = 1, ...rate }: Drop,
): [Stage, Entity] {
  const ball = archetype({
    name: "ball",
    body: { fixtures: [{ shape: { circle: RADIUS_M }, restitution }], gravityScale },
    fields: {},
  });
  const stage = new Stage({ gravity, ...rate, ground: [FLOOR], archetypes: [ball], fields: {} });
  return [stage, stage.spawn(ball, { x: 0, y: RADIUS_M + heightM })];
}

function tick(stage: Stage): void {
  stage.advance();
  stage.endTick();
}

/** @returns the height of the parabola on which the ball is, metres above the floor */
function apexOf({ y, vy }: Entity, stepS: number, gravity: number): number {
  return y - RADIUS_M + (vy - gravity * stepS / 2) ** 2 / (2 * gravity);
}

for (const rate of RATES) {
  const { tickHz, substeps } = rate;
  const stepS = 1 / (tickHz * substeps);
  Deno.test(`restitution: 1 keeps a ball's height for a minute, ${tickHz} Hz × ${substeps} (SPEC 9.28)`, () => {
    for (const heightM of [0.3, 1, 4.7]) {
      const [stage, ball] = dropped({ ...rate, heightM, restitution: 1 });
      for (let i = 0; i < 60 * tickHz; i++) tick(stage);
      const share = apexOf(ball, stepS, 14) / heightM;
      assert(share > 0.9 && share < 1.1, `${share} of ${heightM} m`);
    }
  });
}

Deno.test("restitution: 0.5 returns a quarter of the height (SPEC 9.28)", () => {
  for (const heightM of [0.15, 0.4, 1, 3.3, 9]) {
    const [stage, ball] = dropped({ tickHz: 20, substeps: 2, heightM, restitution: 0.5 });
    while (ball.vy <= 0) tick(stage);
    assertAlmostEquals(apexOf(ball, 1 / 40, 14) / heightM, 0.25, 0.02, `from ${heightM} m`);
  }
});

Deno.test("restitution: a force counts as gravity does (SPEC 9.28)", () => {
  const weight = Math.PI * RADIUS_M * RADIUS_M * 14;
  for (const heightM of [0.2, 0.5, 1, 2, 5]) {
    const [stage, ball] = dropped({
      tickHz: 20,
      substeps: 2,
      heightM,
      restitution: 1,
      gravityScale: 0,
    });
    for (let i = 0; i < 1200; i++) {
      stage.applyForce(ball, 0, -weight);
      tick(stage);
    }
    assertAlmostEquals(apexOf(ball, 1 / 40, 14) / heightM, 1, 0.1, `${heightM} m`);
  }
});

Deno.test("restitution: an approach of 0.4 m/s does not bounce, a faster one does (SPEC 9.28)", () => {
  for (const [speed, after] of [[0.39, 0], [0.41, 0.41 * 0.8]] as const) {
    const [stage, ball] = dropped({
      tickHz: 20,
      substeps: 2,
      heightM: 0.1,
      restitution: 0.8,
      gravity: 0,
    });
    stage.setVelocity(ball, 0, -speed);
    for (let i = 0; i < 10; i++) tick(stage);
    assertAlmostEquals(ball.vy, after, 1e-6, `from ${speed} m/s`);
  }
});

Deno.test("restitution: a ball of 0.9 comes to rest and sleeps (SPEC 9.28)", () => {
  for (const rate of RATES) {
    const [stage, ball] = dropped({ ...rate, heightM: 1, restitution: 0.9 });
    for (let i = 0; i < 20 * rate.tickHz; i++) tick(stage);
    assert(!ball.awake, `awake at ${rate.tickHz} Hz × ${rate.substeps}`);
  }
});

/** Twelve balls in a box of 4 m, without friction. */
function closedBox(seed: number): [Stage, readonly Entity[]] {
  const bouncy = { friction: 0, restitution: 1 };
  const ball = archetype({
    name: "ball",
    body: { fixtures: [{ shape: { circle: 0.25 }, ...bouncy }] },
    fields: {},
  });
  const walls = [[0, -2.5], [0, 2.5], [-2.5, 0], [2.5, 0]] as const;
  const stage = new Stage({
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    ground: walls.map(([x, y]) => ({
      shape: { box: [x === 0 ? 3 : 0.5, y === 0 ? 3 : 0.5] as const, x, y },
      ...bouncy,
    })),
    archetypes: [ball],
    fields: {},
  });
  const random = new Random(seed);
  const speed = () => 8 * random.fraction() - 4;
  const balls = Array.from({ length: 12 }, (_, i) => {
    return stage.spawn(ball, {
      x: (i % 4) * 0.8 - 1.2,
      y: Math.floor(i / 4) * 0.8 - 1.2,
      vx: speed(),
      vy: speed(),
    });
  });
  return [stage, balls];
}

Deno.test("restitution: twelve balls in a closed box gain no energy, and lose little (SPEC 9.28)", () => {
  for (const seed of [1, 2]) {
    const [stage, balls] = closedBox(seed);
    /** @param lag the speed by which a stored velocity lags */
    const energy = (lag: number) =>
      balls.reduce(
        (sum, { y, vx, vy }) => sum + (vx * vx + (vy - lag) ** 2) / 2 + 10 * (y + 1.75),
        0,
      );
    const before = energy(0);
    for (let i = 0; i < 600; i++) tick(stage);
    const share = energy(10 / 40 / 2) / before;
    assert(share > 0.85 && share < 1.02, `${share} of it is left, seed ${seed}`);
  }
});

/** Metres: the deepest that an end of a tick may find a body in the ground. */
const DEPTH_MAX_M = 0.01;

Deno.test("stage: balls between bouncy balls and walls end no tick deep in a wall (SPEC 9.29)", () => {
  for (const seed of [1, 2, 6]) {
    const [stage, balls] = closedBox(seed);
    for (let i = 0; i < 1200; i++) {
      tick(stage);
      for (const { x, y } of balls) {
        assertLess(Math.max(Math.abs(x), Math.abs(y)) - 1.75, DEPTH_MAX_M, `tick ${i}`);
      }
    }
  }
});

Deno.test("stage: a body that falls on the ground ends no tick deep in it (SPEC 9.29)", () => {
  const fixtures: readonly FixtureDef[] = [{ shape: { circle: 0.5 } }, {
    shape: { circle: 0.5 },
    restitution: 0.6,
  }, {
    shape: { box: [0.5, 0.5] },
  }];
  const archetypes = fixtures.map((fixture, i) =>
    archetype({ name: `body${i}`, body: { fixtures: [fixture] }, fields: {} })
  );

  for (const { tickHz, substeps } of RATES.slice(1)) {
    const stage = new Stage({
      gravity: 14,
      tickHz,
      substeps,
      ground: [FLOOR],
      archetypes,
      fields: {},
    });
    const bodies = Array.from({ length: 60 }, (_, i) => {
      return stage.spawn(archetypes[i % 3]!, { x: 1.5 * i - 44, y: 0.6 + i * 0.21 });
    });
    for (let i = 0; i < 6 * tickHz; i++) {
      tick(stage);
      for (const { y } of bodies) assertLess(0.5 - y, DEPTH_MAX_M, `${tickHz} Hz, tick ${i}`);
    }
  }
});
