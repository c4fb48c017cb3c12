/**
 * Floors and walls hold, whatever presses or flies: under load, at every length of step, and in
 * closed rooms.
 */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import * as planck from "planck";
import { Room, runRoom } from "../../../tools/quality/measures/rooms.ts";
import { type Rate, STEP_RATES } from "../../../tools/engines/scene.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { archetype, type FixtureDef } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

const CRATE_HALF = 1.2;
const MARBLES_X = [-0.8, 0.7];
const SECONDS = 6;

/** A crate on two marbles. Densities in kg/m². */
interface Load {
  readonly radius: number;
  readonly density: number;
}

/** @returns how deep the marbles have been in a floor of the stage's, metres */
function sunkOnStage(
  floor: FixtureDef,
  { tickHz, substeps }: Rate,
  { radius, density }: Load,
): number {
  const marble = archetype({
    name: "marble",
    fields: {},
    body: { fixtures: [{ shape: { circle: radius } }] },
  });
  const crate = archetype({
    name: "crate",
    fields: {},
    body: { fixtures: [{ shape: { box: [CRATE_HALF, CRATE_HALF] }, density }] },
  });
  const stage = new Stage({
    gravity: 10,
    tickHz,
    substeps,
    features: [chains],
    ground: [floor],
    archetypes: [marble, crate],
    fields: {},
  });
  const marbles = MARBLES_X.map((x) => stage.spawn(marble, { x, y: radius }));
  stage.spawn(crate, { x: 0, y: 2 * radius + CRATE_HALF + 0.01 });
  let sunk = -Infinity;
  for (let tick = 0; tick < SECONDS * tickHz; tick++) {
    run(stage, 1);
    for (const { y } of marbles) sunk = Math.max(sunk, radius - y);
  }
  return sunk;
}

/** The same in planck. */
function sunkInPlanck({ tickHz, substeps }: Rate, { radius, density }: Load): number {
  const world = new planck.World({ gravity: { x: 0, y: -10 } });
  world.createBody().createFixture({
    shape: new planck.Box(20, 1, { x: 0, y: -1 }, 0),
    friction: 0.6,
  });
  const marbles = MARBLES_X.map((x) =>
    world.createBody({ type: "dynamic", position: { x, y: radius } })
  );
  for (const body of marbles) {
    body.createFixture({ shape: new planck.Circle(radius), density: 1, friction: 0.6 });
  }
  world.createBody({ type: "dynamic", position: { x: 0, y: 2 * radius + CRATE_HALF + 0.01 } })
    .createFixture({ shape: new planck.Box(CRATE_HALF, CRATE_HALF), density, friction: 0.6 });
  let sunk = -Infinity;
  for (let step = 0; step < SECONDS * tickHz * substeps; step++) {
    world.step(1 / (tickHz * substeps), 8, 3);
    for (const body of marbles) sunk = Math.max(sunk, radius - body.getPosition().y);
  }
  return sunk;
}

const FLOORS: Readonly<Record<string, FixtureDef>> = {
  "a box 2 m thick": { shape: { box: [20, 1], y: -1 } },
  "an edge": { shape: { edge: [-20, 0, 20, 0] } },
  "a chain": { shape: { chain: [[-20, 0], [-0.8, 0], [0, 0], [0.7, 0], [20, 0]] } },
};
/** Mass ratios of 1:81 to 1:1146. */
const LOADS: readonly Load[] = [
  { radius: 0.15, density: 1 },
  { radius: 0.3, density: 10 },
  { radius: 0.15, density: 10 },
  { radius: 0.08, density: 4 },
];

for (const rate of STEP_RATES) {
  Deno.test(`stage: marbles under a heavy crate stay on their floor as in planck, at ${rate.tickHz}x${rate.substeps} (SPEC 9.27, 9.29)`, () => {
    for (const load of LOADS) {
      assertLessOrEqual(sunkInPlanck(rate, load), 0.00625);
      for (const [name, floor] of Object.entries(FLOORS)) {
        const sunk = sunkOnStage(floor, rate, load);
        assertLessOrEqual(
          sunk,
          0.00625,
          `${sunk} m into ${name}, marbles of ${load.radius} m, density ${load.density}`,
        );
      }
    }
  });
}

Deno.test("static entity: keeps its bits under a heavy load and under bodies that hit it (SPEC 9.48)", () => {
  const floor = archetype({
    name: "floor",
    fields: {},
    body: { type: "static", fixtures: [{ shape: { box: [5, 0.5] } }] },
  });
  const marble = archetype({
    name: "marble",
    fields: {},
    body: { fixtures: [{ shape: { circle: 0.15 } }] },
  });
  const crate = archetype({
    name: "crate",
    fields: {},
    body: { fixtures: [{ shape: { box: [1, 1] }, density: 10 }] },
  });
  const stage = new Stage({
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    ground: [],
    archetypes: [floor, marble, crate],
    fields: {},
  });
  const ground = stage.spawn(floor, { x: 0.1, y: -0.7, angle: 0.01 });
  for (const x of MARBLES_X) stage.spawn(marble, { x, y: 0.1 });
  stage.spawn(crate, { x: 0, y: 1.4 });
  stage.endTick();
  const { x, y, angle } = ground;

  for (let tick = 0; tick < 200; tick++) {
    if (tick % 20 === 0) stage.spawn(marble, { x: 3, y: 2, vx: 20, vy: -60 });
    stage.advance();
    // Within the tick numbers have 64 bits.
    for (const [now, before] of [[ground.x, x], [ground.y, y], [ground.angle, angle]]) {
      assert(Object.is(now, before));
    }
    stage.endTick();
  }
});

/** A room of 10 m inside; nothing has its centre beyond 5 m. */
const ROOMS: Readonly<Record<string, readonly FixtureDef[]>> = {
  boxes: [0, 1, 2, 3].map((side) => {
    const off = side % 2 === 0 ? 5.5 : -5.5;
    return { shape: side < 2 ? { box: [6, 0.5], y: off } : { box: [0.5, 6], x: off } };
  }),
  edges: [[-5, -5, 5, -5], [5, -5, 5, 5], [5, 5, -5, 5], [-5, 5, -5, -5]].map((
    [x1, y1, x2, y2],
  ) => ({
    shape: { edge: [x1!, y1!, x2!, y2!] },
  })),
  chain: [{ shape: { chain: [[-5, -5], [5, -5], [5, 5], [-5, 5]], loop: true } }],
};

Deno.test("speedMax: a rod at 150 to 400 m/s stays in its room, at every length of step (SPEC 9.26, 9.46, 9.51)", () => {
  const rod = archetype({
    name: "rod",
    fields: {},
    body: { bullet: true, fixtures: [{ shape: { box: [0.8, 0.04] } }] },
  });
  const random = new Random(6);
  const signed = (size: number) => (2 * random.fraction() - 1) * size;
  let turnedBack = 0;

  for (const rate of STEP_RATES) {
    for (const [walls, ground] of Object.entries(ROOMS)) {
      const def = {
        gravity: 10,
        ...rate,
        speedMax: 400,
        features: [chains],
        ground,
        archetypes: [rod],
        fields: {},
      };
      for (let i = 0; i < 60; i++) {
        const stage = new Stage(def);
        const heading = signed(Math.PI);
        const speed = 150 + 250 * random.fraction();
        const start = i === 0
          ? { x: -2.214, y: 2.839, angle: 4.408, vx: -196.82, vy: 35.51, spin: -3.06 }
          : { x: signed(3.5), y: signed(3.5), angle: signed(3), spin: signed(20) };
        const flies = i === 0
          ? {}
          : { vx: speed * Math.cos(heading), vy: speed * Math.sin(heading) };
        const body = stage.spawn(rod, { ...start, ...flies });
        for (let tick = 0; tick < 10; tick++) {
          run(stage, 1);
          const { x, y } = body;
          assertLessOrEqual(
            Math.max(Math.abs(x), Math.abs(y)),
            5,
            `${walls}, rod ${i}, ${rate.tickHz}x${rate.substeps}`,
          );
        }
        if (Math.hypot(body.vx, body.vy) < 100) turnedBack++;
      }
    }
  }

  assertGreater(turnedBack, 300);
});

Deno.test("stage: a rod that reaches a ceiling only in the middle of a step hits it (SPEC 9.27)", () => {
  const rod = archetype({
    name: "rod",
    fields: {},
    body: { fixtures: [{ shape: { box: [0.8, 0.02] } }] },
  });
  const stage = new Stage({
    gravity: 0,
    tickHz: 20,
    substeps: 1,
    // Its AABB is 10 cm from that of the rod at both ends of the step. Upright, the rod would reach
    // over it.
    ground: [{ shape: { edge: [-5, 0.75, 5, 0.75] } }],
    archetypes: [rod],
    fields: {},
  });
  const spin = Math.PI / 2 * 20;
  const body = stage.spawn(rod, { x: 0, y: 0, angle: Math.PI / 4, spin });
  run(stage, 1);
  assert(body.spin < spin / 2, `it still turns at ${body.spin} rad/s`);
});

/**
 * A room of edges that meet at blunt corners: beside the end of an edge a box may have no manifold
 * with it.
 */
const BLUNT_CORNERS = [[2.124, 0.736], [0.78, 1.466], [-0.663, 2.506], [-2.637, 0.835], [
  -1.416,
  -1.104,
]]
  .concat([[0.36, -1.597], [1.768, -2.02]]);

Deno.test("stage: a box that flies along an edge past its end does not get through it later (SPEC 9.27)", () => {
  const box = archetype({
    name: "box",
    fields: {},
    body: { fixtures: [{ shape: { box: [0.133, 0.06] } }] },
  });
  const walls = BLUNT_CORNERS.map(([x, y], i): readonly [number, number, number, number] => {
    const [toX, toY] = BLUNT_CORNERS[(i + 1) % BLUNT_CORNERS.length]!;
    return [x!, y!, toX!, toY!];
  });
  const ground = walls.map((edge) => ({ shape: { edge } }));
  const def = {
    gravity: 0,
    tickHz: 20,
    substeps: 1,
    speedMax: 400,
    ground,
    archetypes: [box],
    fields: {},
  };
  const random = new Random(1);
  const about = (value: number, size: number) => value + (random.fraction() - 0.5) * size;

  for (let i = 0; i < 900; i++) {
    const stage = new Stage(def);
    const body = stage.spawn(box, {
      x: about(0.07, 0.05),
      y: about(0.08, 0.05),
      angle: about(1, 0.5),
      vx: about(20, 1),
      vy: about(-100, 5),
      spin: about(-16.6, 3),
    });
    for (let tick = 0; tick < 20; tick++) {
      run(stage, 1);
      const { x, y } = body;
      // The room is a star around the origin, with its corners clockwise or not: the place is on
      // the same side of a wall.
      const isOutside = walls.some(([x1, y1, x2, y2]) => {
        const isTowards = x1 * y - y1 * x >= 0 && x * y2 - y * x2 > 0;
        return isTowards && (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) < 0;
      });
      assert(!isOutside, `box ${i} is at ${x}, ${y}`);
    }
  }
});

/** Rooms that something left before impacts had the rules of SPEC 9.27: one for each way out. */
const LEAKY_SEEDS = [4, 6, 14, 18, 21, 24, 26, 27, 34, 43, 65, 161, 194, 195, 17449, 19715];

Deno.test("stage: random crowds of rods, stones and balls stay in closed rooms, seeds 1 to 60 and known ones (SPEC 9.26)", () => {
  const seeds = new Set([...Array.from({ length: 60 }, (_, i) => i + 1), ...LEAKY_SEEDS]);
  assertEquals([...seeds].filter((seed) => runRoom(seed) > 0), []);
});

Deno.test("stage: a crowd in a closed room has the same bits after rollbacks, also where bodies are stopped (SPEC 9.1, 9.27)", () => {
  for (const seed of LEAKY_SEEDS.slice(0, 6)) {
    const room = new Room(seed);
    const saved: Snapshot[] = [];
    const after = new Snapshot();
    let rolled = room.newStage();
    let loads = 0;
    for (let tick = 0; tick < Math.min(room.ticks, 60); tick++) {
      const before = new Snapshot();
      room.stage.save(before);
      saved.push(before);
      room.step(room.stage, tick);
      if (tick % 7 === 6) {
        // Each third rollback begins on a stage that knows nothing.
        if (loads % 3 === 0) rolled = room.newStage();
        const from = tick - 5;
        rolled.load(saved[from]!);
        loads++;
        for (let again = from; again <= tick; again++) room.step(rolled, again);
        room.stage.save(before);
        rolled.save(after);
        assert(after.equals(before), `room ${seed}, tick ${tick}`);
        saved[tick] = new Snapshot();
        saved[tick]!.copyFrom(before);
      }
    }
    assertGreater(loads, 7);
  }
});

/** What became of a slender box at a step. */
interface Push {
  /** Its longest way in a tick beyond what its speed allows, metres. */
  readonly jumpM: number;
  /** Radians, at the end. */
  readonly angle: number;
}

/** Pushes a box of 0.3 × 1.2 m against a step of 0.3 m, and then lets go of it. */
function pushPlank(ground: readonly FixtureDef[], rate: Rate, direction: 1 | -1): Push {
  const plank = archetype({
    name: "plank",
    fields: {},
    body: { fixtures: [{ shape: { box: [0.15, 0.6] } }] },
  });
  const stage = new Stage({
    gravity: 10,
    ...rate,
    features: [chains],
    ground,
    archetypes: [plank],
    fields: {},
  });
  const body = stage.spawn(plank, { x: -0.2 * direction, y: 0.61 });
  let jumpM = 0;

  for (let tick = 0; tick < 4 * rate.tickHz; tick++) {
    const { x, y, vx, vy } = body;
    if (tick < 1.5 * rate.tickHz) {
      stage.applyForce(body, 4 * direction * body.mass, 0, { x, y: y + 0.1 });
    }
    run(stage, 1);
    const speed = Math.max(Math.hypot(vx, vy), Math.hypot(body.vx, body.vy));
    jumpM = Math.max(jumpM, Math.hypot(body.x - x, body.y - y) - speed / rate.tickHz);
  }

  return { jumpM, angle: body.angle };
}

Deno.test("chain: a slender box at a low step topples as on two edges, and does not jump (SPEC 9.45)", () => {
  for (const rate of STEP_RATES) {
    for (const direction of [1, -1] as const) {
      const points = [[-10, 0], [0, 0], [0, 0.3], [5, 0.3]].map(([x, y]) =>
        [direction * x!, y!] as const
      );
      const edges = points.slice(1).map(([x, y], i) => ({
        shape: { edge: [...points[i]!, x, y] as const },
      }));
      const onEdges = pushPlank(edges, rate, direction);
      // A chain is solid from both sides, so its direction does not count.
      for (const chain of [points, points.toReversed()]) {
        const { jumpM, angle } = pushPlank([{ shape: { chain } }], rate, direction);
        const what = JSON.stringify({ rate, chain });
        assertLessOrEqual(jumpM, 0.03, what);
        assert(
          Math.abs(angle) > 1 && Math.abs(angle - onEdges.angle) < 0.1,
          `${angle}, ${onEdges.angle}: ${what}`,
        );
      }
    }
  }
});
