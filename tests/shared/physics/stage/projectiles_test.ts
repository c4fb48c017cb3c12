/**
 * The stage's guarantees about projectiles: which fixtures they hit and when, how they bounce, and
 * when they expire.
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertThrows,
} from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { type Entity, type Hit, Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  archetype,
  type FixtureDef,
  type ProjectileDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";

/** The distance that skins keep between a polygon or an edge and a body that touches it, metres. */
const SKIN = 0.01;
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, category: 2 }] },
  fields: { ghost: "u8" },
});
const DISC = archetype({
  name: "disc",
  body: { fixtures: [{ shape: { circle: 0.5 } }], gravityScale: 0 },
  fields: { ghost: "u8" },
});
const MIST = archetype({
  name: "mist",
  body: { fixtures: [{ shape: { circle: 0.5 }, sensor: true }], gravityScale: 0 },
  fields: {},
});

/** An empty stage with one archetype of projectiles, which fly straight. */
function sky(
  projectile: Partial<ProjectileDef> = {},
  rest: Partial<StageDef<Record<string, never>>> = {},
) {
  const SHOT = archetype({
    name: "shot",
    projectile: { radius: 0.1, gravityScale: 0, lifeTicks: 1000, ...projectile },
    fields: { owner: "u32" },
  });
  const stage = new Stage({
    gravity: 10,
    tickHz: 20,
    substeps: 2,
    ground: [],
    archetypes: [SHOT, CRATE, DISC, MIST],
    fields: {},
    shouldCollide: (a, b) =>
      !a.fields["ghost"] && !b.fields["ghost"] && a.fields["owner"] !== b.id &&
      b.fields["owner"] !== a.id,
    ...rest,
  });
  return { stage, SHOT };
}

/**
 * Runs ticks until a projectile hits.
 * @returns a copy of the first hit, or undefined if there is none within `ticks`
 */
function firstHit(
  stage: ReturnType<typeof sky>["stage"],
  ticks = 40,
): (Hit & { tick: number }) | undefined {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    const hit = stage.hits[0];
    stage.endTick();
    if (hit !== undefined) return { ...hit, tick: stage.tick };
  }
  return undefined;
}

function run(stage: ReturnType<typeof sky>["stage"], ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

const WALL: FixtureDef = { shape: { box: [0.5, 5], x: 5.5 } };

Deno.test("projectile: an entity like the others: spawn, all, get, fields, teleport, setVelocity, despawn", () => {
  const { stage, SHOT } = sky();
  const crate = stage.spawn(CRATE, { x: 9, y: 9 });
  const shot = stage.spawn(SHOT, { x: 1, y: 2, vx: 4, fields: { owner: 7 } });
  const other = stage.spawn(SHOT, { x: 0, y: -5 });
  assertEquals([crate.id, shot.id, stage.entityCount, stage.get(2)], [1, 2, 3, shot]);
  assertEquals([shot.x, shot.y, shot.angle, shot.vx, shot.vy, shot.spin], [1, 2, 0, 4, 0, 0]);
  assertEquals([shot.awake, shot.expired, shot.teleports, shot.fields.owner], [true, false, 0, 7]);
  run(stage, 10);
  assertAlmostEquals(shot.x, 3, 1e-6);
  stage.setVelocity(shot, 0, 6);
  stage.teleport(shot, -1, -2);
  assertEquals([shot.x, shot.y, shot.vx, shot.vy, shot.teleports], [-1, -2, 0, 6, 1]);
  run(stage, 5);
  assertAlmostEquals(shot.y, -0.5, 1e-6);
  assertEquals(stage.all(SHOT), [shot, other]);
  stage.despawn(shot);
  assertEquals([stage.all(SHOT).length, stage.get(2)], [1, undefined]);
  assertThrows(
    () => stage.setVelocity(shot, 1, 1),
    StageError,
    "entity 2 shot is not on this stage",
  );
});

Deno.test("projectile: falls as a body of its gravity scale does", () => {
  const { stage, SHOT } = sky({ gravityScale: 0.5 });
  const shot = stage.spawn(SHOT, { x: 0, y: 0, vx: 2 });
  const h = 1 / 40;
  run(stage, 20);
  assertAlmostEquals(shot.vy, -5, 1e-5);
  assertAlmostEquals(shot.y, -5 * h * h * 40 * 41 / 2, 1e-4);
});

Deno.test("projectile: hits where a solid circle would touch, reports the hit, and is gone at the end of the tick (SPEC 9.6, 9.7)", () => {
  const { stage, SHOT } = sky({}, { ground: [WALL] });
  const shot = stage.spawn(SHOT, { x: 0, y: 1, vx: 33 });
  for (let i = 0; i < 2; i++) run(stage, 1);
  stage.advance();
  const [hit] = stage.hits;
  assertEquals(stage.hits.length, 1);
  assertEquals([hit!.projectile, hit!.target, hit!.expired, hit!.nx, hit!.ny], [
    shot as Entity,
    stage.ground,
    true,
    -1,
    0,
  ]);
  assertAlmostEquals(hit!.x, 5 - SKIN - 0.1, 1e-5);
  assertAlmostEquals(hit!.approachSpeed, 33, 1e-5);
  assertEquals(
    [shot.expired, shot.x, shot.y, stage.get(shot.id)],
    [true, hit!.x, hit!.y, shot],
    "the rules still read it",
  );
  stage.endTick();
  assertEquals([stage.entityCount, stage.get(shot.id), stage.all(SHOT).length], [0, undefined, 0]);
  stage.advance();
  assertEquals(stage.hits.length, 0);
});

Deno.test("hits: load clears them", () => {
  const { stage, SHOT } = sky({ bouncesMax: 255 }, { ground: [WALL] });
  const start = new Snapshot();
  stage.endTick();
  stage.save(start);
  stage.spawn(SHOT, { x: 4, y: 1, vx: 40 });
  stage.advance();
  assertEquals(stage.hits.length, 1);
  stage.load(start);
  stage.advance();
  assertEquals(stage.hits.length, 0);
});

Deno.test("load: a projectile that expired on the mispredicted timeline flies on", () => {
  const { stage, SHOT } = sky({}, { ground: [WALL] });
  const start = new Snapshot();
  const shot = stage.spawn(SHOT, { x: 4, y: 1, vx: 40 });
  stage.endTick();
  stage.save(start);
  stage.advance();
  assert(shot.expired);
  stage.load(start);
  assertEquals([shot.expired, stage.get(shot.id)], [false, shot]);
  assertEquals(firstHit(stage)?.tick, 2);
});

Deno.test("projectile: lives exactly its ticks of physics", () => {
  for (const lifeTicks of [1, 2, 7]) {
    const { stage, SHOT } = sky({ lifeTicks });
    const shot = stage.spawn(SHOT, { x: 0, y: 0, vx: 1 });
    stage.endTick(); // a tick without physics does not count
    run(stage, lifeTicks - 1);
    assertEquals([stage.get(shot.id), shot.expired], [shot, false]);
    stage.advance();
    assert(shot.expired);
    assertEquals(stage.hits.length, 0);
    stage.endTick();
    assertEquals(stage.get(shot.id), undefined);
    assertAlmostEquals(shot.x, lifeTicks / 20, 1e-6);
  }
});

Deno.test("bouncesMax: the number of hits that a projectile survives; 255 means any number", () => {
  const corridor: FixtureDef[] = [{ shape: { edge: [-1, -50, -1, 50] } }, {
    shape: { edge: [1, -50, 1, 50] },
  }];
  for (const bouncesMax of [0, 1, 3, 254, 255]) {
    const { stage, SHOT } = sky({ bouncesMax, restitution: 1 }, { ground: corridor });
    stage.spawn(SHOT, { x: 0, y: 0, vx: 30 });
    let hits = 0;
    let spent = 0;
    for (let i = 0; i < 400; i++) {
      stage.advance();
      hits += stage.hits.length;
      spent += stage.hits.filter((hit) => hit.expired).length;
      stage.endTick();
    }
    const end = new Snapshot();
    stage.save(end);
    stage.load(end);
    if (bouncesMax === 255) assert(hits > 300 && spent === 0, `${hits} hits, ${spent} spent`);
    else assertEquals([hits, spent], [bouncesMax + 1, 1]);
  }
});

Deno.test("expiresOn: a target of such a category ends the projectile at once, another target does not", () => {
  const { stage, SHOT } = sky({ bouncesMax: 255, restitution: 1, expiresOn: 2 }, {
    ground: [WALL],
    gravity: 0,
  });
  stage.spawn(CRATE, { x: -3, y: 0 });
  stage.spawn(SHOT, { x: 0, y: 0, vx: 20 });
  assertEquals([firstHit(stage)?.target.id, stage.entityCount], [0, 2]);
  const last = firstHit(stage)!;
  assertEquals([last.target.id, last.expired, stage.entityCount], [1, true, 1]);
});

Deno.test("restitution: the larger of projectile and fixture, or the pair's own if declared; none below 1 m/s", () => {
  const leaves = (projectile: number, fixture: number, rest = {}, vx = 10) => {
    const { stage, SHOT } = sky({ restitution: projectile, bouncesMax: 9 }, {
      ground: [{ ...WALL, restitution: fixture }],
      ...rest,
    });
    const shot = stage.spawn(SHOT, { x: 4.5, y: 0, vx });
    assert(firstHit(stage));
    return shot.vx;
  };
  assertAlmostEquals(leaves(0.4, 0.1), -4, 1e-6);
  assertAlmostEquals(leaves(0.1, 0.5), -5, 1e-6);
  assertAlmostEquals(leaves(0.1, 0.5, { restitutions: [["ground", "shot", 0.2]] }), -2, 1e-6);
  assertEquals(leaves(1, 1, {}, 0.9), 0);
});

Deno.test("projectile: bounces off a corner along the line from the corner to its centre", () => {
  const { stage, SHOT } = sky({ bouncesMax: 9, restitution: 1 }, {
    ground: [{ shape: { box: [1, 1] } }],
  });
  const shot = stage.spawn(SHOT, { x: 1.05, y: 3, vy: -20 });
  const hit = firstHit(stage)!;
  assertAlmostEquals(hit.nx, 0.05 / (0.1 + SKIN), 1e-5);
  assertAlmostEquals((hit.x - 1) ** 2 + (hit.y - 1) ** 2, (0.1 + SKIN) ** 2, 1e-6);
  assertAlmostEquals(shot.vx ** 2 + shot.vy ** 2, 400, 1e-3);
  assertGreater(shot.vx, 1);
});

Deno.test("projectile: moves relative to its target: hits earlier head-on, later from behind, never at the same speed", () => {
  const metAt = (vx: number) => {
    const { stage, SHOT } = sky({ radius: 0 }, { gravity: 0 });
    const disc = stage.spawn(DISC, { x: 3, y: 0, vx });
    const shot = stage.spawn(SHOT, { x: 0, y: 0, vx: 20 });
    const hit = firstHit(stage, 100);
    return hit && { tick: hit.tick, x: hit.x, approach: hit.approachSpeed, gap: disc.x - shot.x };
  };
  // The gap of 2.5 m closes at 20 − vx m/s.
  for (const vx of [-30, -5, 0, 5, 10]) {
    const { tick, x, approach } = metAt(vx)!;
    assertAlmostEquals(x, 20 * 2.5 / (20 - vx), 1e-4, `${vx}`);
    assertEquals(tick, Math.ceil(2.5 / (20 - vx) * 20), `${vx}`);
    assertAlmostEquals(approach, 20 - vx, 1e-4);
  }
  assertEquals([metAt(20), metAt(25)], [undefined, undefined]);
});

Deno.test("projectile: a body that catches up with it from behind hits it, too", () => {
  const { stage, SHOT } = sky({ bouncesMax: 255 }, { gravity: 0 });
  const shot = stage.spawn(SHOT, { x: 0, y: 0 });
  const disc = stage.spawn(DISC, { x: -3, y: 0, vx: 40 });
  const hit = firstHit(stage)!;
  assertEquals([hit.target, hit.nx], [disc as Entity, 1]);
  assertAlmostEquals(shot.vx, 40, 1e-6, "pushed along by what nothing holds up");
});

Deno.test("projectile: of two fixtures hit at the same time the smaller key decides, whichever was made first (SPEC 9.18)", () => {
  const { stage, SHOT } = sky({}, { gravity: 0 });
  const snapshot = new Snapshot();
  const crates = [1, -1].map((side) => stage.spawn(CRATE, { x: 1, y: side * 0.2 }));
  stage.spawn(SHOT, { x: 0, y: 0, vx: 30 });
  stage.endTick();
  stage.save(snapshot);
  assertEquals(firstHit(stage)?.target.id, 1);
  stage.load(snapshot);
  // On this timeline the proxy of the first crate is made later.
  stage.despawn(crates[0]!);
  stage.load(snapshot);
  assertEquals(firstHit(stage)?.target.id, 1);
});

Deno.test("projectile: flies through sensors, other projectiles, and fixtures that either mask excludes (SPEC 9.19)", () => {
  const { stage, SHOT } = sky({ category: 4, mask: 1 }, {
    gravity: 0,
    ground: [{ shape: { box: [0.1, 1], x: 3 }, mask: 3 }, {
      shape: { box: [0.1, 1], x: 6 },
      category: 8,
    }, {
      shape: { box: [0.1, 1], x: 9 },
    }],
  });
  stage.spawn(MIST, { x: 1, y: 0 });
  stage.spawn(SHOT, { x: 2, y: 0 });
  stage.spawn(SHOT, { x: 0, y: 0, vx: 20 });
  assertAlmostEquals(firstHit(stage)!.x, 8.9 - SKIN - 0.1, 1e-5);
});

Deno.test("shouldCollide: a projectile flies without a hit through an entity for which it is false, such as its shooter (SPEC 9.19)", () => {
  const { stage, SHOT } = sky({ bouncesMax: 3, restitution: 1, mass: 1 }, {
    ground: [WALL],
    gravity: 0,
  });
  const mouth = stage.spawn(DISC, { x: 0, y: 0 });
  const ghost = stage.spawn(DISC, { x: 3, y: 0, fields: { ghost: 1 } });
  const last = stage.spawn(DISC, { x: -5, y: 0 });
  stage.spawn(SHOT, { x: 0.2, y: 0, vx: 20, fields: { owner: mouth.id } });
  assertEquals(firstHit(stage)?.target.id, 0);
  assertEquals(firstHit(stage)?.target.id, last.id);
  assertEquals([mouth.vx, ghost.vx], [0, 0]);
});

Deno.test("projectile: spawned inside a body, it leaves it freely, but bounces at once if it moves deeper", () => {
  for (const [vx, expected] of [[20, undefined], [-20, 1]] as const) {
    const { stage, SHOT } = sky({ bouncesMax: 3, restitution: 1 }, { gravity: 0 });
    stage.spawn(DISC, { x: 0, y: 0 });
    const shot = stage.spawn(SHOT, { x: 0.4, y: 0, vx });
    const hit = firstHit(stage);
    assertEquals(hit?.tick, expected);
    assertEquals([shot.vx, hit?.x], [20, hit && 0.4], "and leaves");
  }
});

Deno.test("projectile: finds the one body that it may hit among a hundred that it may not", () => {
  const { stage, SHOT } = sky({}, { gravity: 0 });
  for (let i = 0; i < 100; i++) stage.spawn(DISC, { x: 3, y: 0, fields: { ghost: 1 } });
  const solid = stage.spawn(DISC, { x: 3, y: 0 });
  stage.spawn(SHOT, { x: 0, y: 0, vx: 100 });
  assertEquals(firstHit(stage)?.target, solid as Entity);
});

Deno.test("projectile: after a bounce it hits other bodies where they are by then", () => {
  const { stage, SHOT } = sky({ radius: 0.09, bouncesMax: 9, restitution: 1 }, {
    ground: [WALL],
    gravity: 0,
  });
  stage.spawn(SHOT, { x: 0.9, y: 0, vx: 400 });
  const disc = stage.spawn(DISC, { x: -0.4, y: 0, vx: 100 });
  stage.advance();
  // The shot takes 10 ms to the wall, where its centre is at 4.9 m. The disc's surface starts at
  // 0.19 m. They meet at time t: 4.9 − 400 (t − 0.01) = 0.19 + 100 t
  const t = (4.9 + 4 - 0.19) / 500;
  const [wall, met] = stage.hits;
  assertEquals([wall!.target, met!.target], [stage.ground, disc as Entity]);
  assertAlmostEquals(met!.x, 0.19 + 100 * t, 1e-5);
});

Deno.test("projectile: in a wedge it loses the rest of its motion and never gets through", () => {
  const { stage, SHOT } = sky({ radius: 0.02, bouncesMax: 255, restitution: 1 }, {
    ground: [{ shape: { edge: [0, 0, 5, 0.4] } }, { shape: { edge: [0, 0, 5, -0.4] } }],
  });
  const shot = stage.spawn(SHOT, { x: 4, y: 0, vx: -400, vy: 3 });
  let most = 0;
  for (let i = 0; i < 20; i++) {
    stage.advance();
    most = Math.max(most, stage.hits.length);
    stage.endTick();
    assertLess(Math.abs(shot.y), Math.max(0, shot.x) * 0.08 + 1e-6, `tick ${i}`);
  }
  assertEquals(most, 8, "four in each of two world steps");
});

Deno.test("stage: refuses projectiles that make no sense; the error names archetype and field", () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ radius: NaN }, "shot.radius is NaN"],
    [{ radius: -1 }, "shot.radius is -1"],
    [{ gravityScale: Infinity }, "shot.gravityScale is Infinity"],
    [{ restitution: 1.1 }, "shot.restitution is 1.1; 0 to 1 are allowed"],
    [{ restitution: -0.1 }, "shot.restitution is -0.1"],
    [{ mass: -1 }, "shot.mass is -1"],
    [{ mass: NaN }, "shot.mass is NaN"],
    [{ bouncesMax: 256 }, "shot.bouncesMax is 256; 0 to 255 are allowed"],
    [{ bouncesMax: 0.5 }, "shot.bouncesMax is 0.5"],
    [{ lifeTicks: 0 }, "shot.lifeTicks is 0; 1 to 65535 are allowed"],
    [{ lifeTicks: 65_536 }, "shot.lifeTicks is 65536"],
    [{ lifeTicks: undefined }, "shot.lifeTicks is undefined"],
    [{ expiresOn: 0x10000 }, "shot: category, mask and expiresOn have 16 bits"],
  ];
  for (const [part, message] of wrong) assertThrows(() => sky(part), StageError, message);
  const both = {
    name: "both",
    body: CRATE.body,
    projectile: { radius: 1, lifeTicks: 1 },
    fields: {},
  };

  for (const archetypes of [[both], [{ name: "both", fields: {} }]]) {
    assertThrows(
      () => sky({}, { archetypes: archetypes as never }),
      StageError,
      "both needs a body or a projectile",
    );
  }
});

Deno.test("projectile: the error names a value that is no position or motion; calls that need a body are refused", () => {
  const { stage, SHOT } = sky({ bouncesMax: 255 });
  assertThrows(() => stage.spawn(SHOT, { x: NaN, y: 0 }), StageError, "entity 1 shot: x is NaN");
  assertThrows(
    () => stage.spawn(SHOT, { x: 0, y: 0, vy: 2e4 }),
    StageError,
    "entity 1 shot: vy is 20000",
  );
  assertThrows(
    () => stage.spawn(SHOT, { x: 0, y: 0, angle: 1 }),
    StageError,
    "entity 1 shot: a projectile does not turn",
  );
  assertThrows(
    () => stage.spawn(SHOT, { x: 0, y: 0, spin: 1 }),
    StageError,
    "entity 1 shot: a projectile does not turn",
  );
  const shot = stage.spawn(SHOT, { x: 99_990, y: 0, vx: 9000 });
  assertThrows(() => stage.teleport(shot, 0, Infinity), StageError, "entity 1 shot: y is Infinity");
  assertThrows(() => stage.setVelocity(shot, NaN, 0), StageError, "entity 1 shot: vx is NaN");

  for (
    const ask of [
      () => stage.setSpin(shot, 1),
      () => stage.isSupported(shot),
      () => stage.touchingNow(shot),
    ]
  ) {
    assertThrows(ask, StageError, "entity 1 shot is a projectile");
  }
});
