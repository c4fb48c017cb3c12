/**
 * Bodies on a path: they have exactly the pose of the path, carry other bodies, and are pushed by
 * none.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { sin } from "../../../../shared/physics/core/math.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type Path, StageError } from "../../../../shared/physics/core/types.ts";
import { BALL, CRATE, YARD } from "../scenes/yard.ts";

/** A slab 4 m wide. Its top is 0.25 m above the path. */
function slab(path: Path) {
  return archetype({
    name: "slab",
    body: { fixtures: [{ shape: { box: [2, 0.25] }, friction: 0.9 }], path },
    fields: { open: "u8", at: "f32" },
  });
}

function stageWith(...archetypes: (typeof CRATE | typeof BALL | ReturnType<typeof slab>)[]) {
  return new Stage({ ...YARD, archetypes: [CRATE, BALL, ...archetypes] });
}

function tick(stage: Pick<Stage, "advance" | "endTick">, ticks = 1): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

Deno.test("path: at the end of every tick the body is exactly where its path says (SPEC 9.8, 9.20)", () => {
  const path: Path = (tick) => ({ x: 3 * sin(tick / 7), y: 4 + sin(tick / 5), angle: tick / 3 });
  const SLAB = slab(path);
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  assertEquals([body.x, body.y], [0, 4]);
  for (let i = 0; i < 40; i++) stage.spawn(CRATE, { x: i % 4, y: 5 + i * 0.5 });
  stage.endTick();

  for (let n = 2; n <= 4000; n++) {
    const { x: before } = body;
    tick(stage);
    const { x, y } = path(n, {});
    assertEquals([body.x, body.y, stage.tick], [Math.fround(x), Math.fround(y), n]);
    assertEquals(body.vx, Math.fround((body.x - before) * 20));
  }

  assertEquals(body.teleports, 0);
  const turns = (4000 / 3 - body.angle) / (2 * Math.PI);
  assertAlmostEquals(turns, Math.round(turns), 1e-4);
  assert(Math.abs(body.angle) <= 1024);
});

Deno.test("path: carries the bodies on it, which stay awake while it moves", () => {
  const SLAB = slab((tick) => ({ x: -8 + tick * 0.1, y: 2 }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  const rider = stage.spawn(CRATE, { x: -8, y: 2.66 });
  tick(stage, 20);
  const offset = rider.x - body.x;
  for (let i = 0; i < 60; i++) {
    tick(stage);
    assert(rider.awake && stage.isSupported(rider), `tick ${i}`);
  }
  assertAlmostEquals(rider.vx, 2, 1e-3);
  assertAlmostEquals(rider.x - body.x, offset, 0.01);
});

Deno.test("path: while it stands still all may sleep; they wake when it moves on", () => {
  const SLAB = slab((_, fields) => ({ x: 0, y: 2 + fields["at"]! }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  const rider = stage.spawn(CRATE, { x: 0, y: 2.66 });
  tick(stage, 60);
  assert(!rider.awake && !body.awake);
  for (let i = 1; i <= 20; i++) {
    body.fields.at = i / 20;
    tick(stage);
  }
  assert(rider.awake);
  assertAlmostEquals(body.y, 3, 1e-6);
  assertAlmostEquals(rider.y, 3.66, 0.03);
});

Deno.test("path: pushes the bodies in its way, and nothing pushes it", () => {
  const SLAB = slab((tick) => ({ x: Math.min(0, -6 + tick * 0.2), y: 0.5 }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  const crate = stage.spawn(CRATE, { x: -2, y: 0.4 });
  const heavy = stage.spawn(BALL, { x: 0, y: 9, vy: -30 });
  tick(stage, 80);
  assertEquals([body.x, body.y], [0, 0.5]);
  assert(crate.x > 2.35 && heavy.y > 0, `${crate.x}`);
});

Deno.test("path: fast bodies do not pass through it", () => {
  const SLAB = slab((tick) => ({ x: 0, y: 3 + (tick % 2) * 0.1 }));
  const stage = stageWith(SLAB);
  stage.spawn(SLAB);
  const ball = stage.spawn(BALL, { x: 0, y: 30, vy: -70 });
  for (let i = 0; i < 40; i++) {
    tick(stage);
    assert(ball.y > 3.4, `tick ${i}: ${ball.y}`);
  }
});

Deno.test("path: a leap is a teleport without velocity that pushes nothing (SPEC 9.5, 9.24)", () => {
  const SLAB = slab((_, fields) => ({ x: fields["open"] === 1 ? 6 : -6, y: 2 }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  const rider = stage.spawn(CRATE, { x: -6, y: 2.66 });
  const between = stage.spawn(CRATE, { x: 0, y: 0.4 });
  tick(stage, 60);
  assert(!rider.awake);
  body.fields.open = 1;
  tick(stage);
  assertEquals([body.x, body.teleports, body.vx], [6, 1, 0]);
  assert(rider.awake, "what lay on it wakes");
  tick(stage, 40);
  assertAlmostEquals(rider.y, 0.4, 0.05);
  assertAlmostEquals(rider.x, -6, 0.01);
  assertAlmostEquals(between.x, 0, 1e-6);
});

Deno.test("path: fields that the rules change after advance count from the next tick on", () => {
  const SLAB = slab((_, fields) => ({ x: fields["at"]!, y: 2 }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  stage.advance();
  body.fields.at = 1;
  stage.endTick();
  assertEquals([body.x, body.vx], [0, 0]);
  tick(stage);
  assertEquals([body.x, body.vx], [1, 20]);
});

Deno.test("path: an entity spawns on its path, before and after advance; a tick without advance moves it", () => {
  const SLAB = slab((tick, fields) => ({ x: tick + fields["at"]!, y: 2 }));
  const stage = stageWith(SLAB);
  tick(stage, 3);
  const early = stage.spawn(SLAB, { fields: { at: 0.5 } });
  assertEquals(early.x, 3.5);
  stage.advance();
  const late = stage.spawn(SLAB);
  assertEquals(late.x, 4);
  stage.endTick();
  assertEquals([early.x, late.x, early.teleports + late.teleports], [4.5, 4, 0]);
  stage.endTick();
  assertEquals([early.x, late.x], [5.5, 5]);
});

Deno.test("path: the error names a value that is no pose, and nothing has changed", () => {
  let answer: unknown = { x: 0, y: 2 };
  const SLAB = slab(() => answer as { x: number; y: number });
  const stage = stageWith(SLAB);
  const snapshot = new Snapshot();
  const body = stage.spawn(SLAB);
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  stage.endTick();
  const wrong: [unknown, string][] = [
    [{ x: NaN, y: 0 }, "x is NaN"],
    [{ x: "3", y: 0 }, "x is 3"],
    [{ x: 0 }, "y is undefined"],
    [{ x: 0, y: 0, angle: NaN }, "angle is NaN"],
    [undefined, "its path at tick 2 is undefined"],
  ];

  for (const [pose, message] of wrong) {
    answer = pose;
    assertThrows(() => stage.advance(), StageError, `entity 1 slab`);
    assertThrows(() => stage.advance(), StageError, message);
    assertThrows(() => stage.spawn(SLAB), StageError, "entity 3 slab");
  }

  stage.save(snapshot); // the stage is still closed
  answer = { x: 0, y: 2 };
  tick(stage);
  assertEquals([body.y, stage.entityCount], [2, 2]);
  assert(crate.y < 5);
});

Deno.test("path: one that leads out of the world ends at its edge (SPEC 9.65)", () => {
  let answer = { x: 0, y: 2 };
  const SLAB = slab(() => answer);
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  stage.endTick();
  for (const [x, y] of [[2e5, 0], [-Infinity, 2e9]] as const) {
    answer = { x, y };
    tick(stage);
    assertEquals([body.x, body.y], [Math.sign(x) * 1e5, Math.min(y, 1e5)]);
  }
});

Deno.test("path: no call moves a body on a path", () => {
  const SLAB = slab(() => ({ x: 0, y: 2 }));
  const stage = stageWith(SLAB);
  const body = stage.spawn(SLAB);
  assertThrows(() => stage.teleport(body, 0, 0), StageError, "entity 1 slab is on a path");
  assertThrows(() => stage.setVelocity(body, 0, 0), StageError, "is on a path");
  assertThrows(() => stage.setSpin(body, 0), StageError, "is on a path");
  const anywhere = { x: 1, y: 2 } as object;
  assertThrows(() => stage.spawn(SLAB, anywhere), StageError, "is on a path, which gives its x");
  const wrong = slab("up" as unknown as Path);
  assertThrows(() => stageWith(wrong), StageError, "slab.path is no function");
});
