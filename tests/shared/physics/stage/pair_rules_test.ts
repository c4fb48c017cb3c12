/**
 * Which pairs collide: filters, bullets against moving bodies, sensors on a path, teleports into
 * and away from bodies.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type FixtureDef, StageError } from "../../../../shared/physics/core/types.ts";
import { YARD } from "../scenes/yard.ts";

function ball(name: string, fixture: Partial<FixtureDef>, bullet = false) {
  return archetype({
    name,
    body: { fixtures: [{ shape: { circle: 0.3 }, ...fixture }], gravityScale: 0, bullet },
    fields: {},
  });
}

const RED = ball("red", { category: 0b010, mask: 0b011 });
const BLUE = ball("blue", { category: 0b100, mask: 0b101 });
const DEAF = ball("deaf", { category: 0b010, mask: 0 });
const BULLET = ball("bullet", { shape: { circle: 0.05 } }, true);
const PELLET = ball("pellet", { shape: { circle: 0.05 } });
/** A thin board without gravity. */
const BOARD = archetype({
  name: "board",
  body: { fixtures: [{ shape: { box: [0.02, 1] }, density: 20 }], gravityScale: 0 },
  fields: {},
});
/** A sensor that moves along a path. */
const SWEEPER = archetype({
  name: "sweeper",
  body: {
    fixtures: [{ shape: { circle: 1 }, sensor: true }],
    path: (tick) => ({ x: -10 + tick * 0.5, y: 5 }),
  },
  fields: {},
});

function space() {
  return new Stage({
    ...YARD,
    gravity: 0,
    shouldCollide: () => true,
    archetypes: [RED, BLUE, DEAF, BULLET, PELLET, BOARD, SWEEPER],
  });
}

Deno.test("frictions: a pair's own value counts, in either order of names (SPEC 9.54)", () => {
  const ICE = archetype({
    name: "ice",
    body: { type: "static", fixtures: [{ shape: { box: [40, 0.5] } }] },
    fields: {},
  });
  const BOX = archetype({
    name: "box",
    body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
    fields: {},
  });

  for (
    const [frictions, friction] of [[[], 0.6], [[["ice", "box", 0]], 0], [
      [["box", "ice", 0.2]],
      0.2,
    ]] as const
  ) {
    const stage = new Stage({
      ...YARD,
      gravity: 10,
      ground: [],
      shouldCollide: () => true,
      archetypes: [ICE, BOX],
      frictions,
    });
    stage.spawn(ICE, { x: 0, y: -0.5 });
    const box = stage.spawn(BOX, { x: -20, y: 0.51, vx: 8 });
    for (let i = 0; i < 20; i++) {
      stage.advance();
      stage.endTick();
    }
    assertAlmostEquals(box.vx, 8 - 10 * friction, 0.15);
  }

  const declare = (frictions: readonly (readonly [string, string, number])[]) => () =>
    new Stage({ ...YARD, frictions });
  assertThrows(declare([["ball", "nobody", 1]]), StageError, "friction between ball and nobody");
  assertThrows(declare([["ball", "ground", -1]]), StageError, "friction -1: 0 to 100000");
});

function countContactEvents(
  stage: Pick<Stage, "advance" | "endTick" | "contactEvents">,
  ticks: number,
): number {
  let touches = 0;
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    touches += stage.contactEvents.length;
    stage.endTick();
  }
  return touches;
}

Deno.test("category, mask: two fixtures collide if each mask has a bit of the other's category; else they do not even touch", () => {
  for (
    const [one, other, meet] of [
      [RED, RED, true],
      [BLUE, BLUE, true],
      [RED, BLUE, false],
      [DEAF, RED, false],
      [DEAF, DEAF, false],
    ] as const
  ) {
    const stage = space();
    const still = stage.spawn(one, { x: 0, y: 5 });
    const fast = stage.spawn(other, { x: -2, y: 5, vx: 4 });
    const touches = countContactEvents(stage, 20);
    const name = `${one.name} and ${other.name}`;
    assertEquals(touches > 0, meet, name);
    assertEquals([still.vx > 1, fast.vx === 4], [meet, !meet], name);
  }
});

Deno.test("category, mask: the ground has category 1", () => {
  for (const [kind, stands] of [[RED, true], [BLUE, true], [DEAF, false]] as const) {
    const stage = space();
    const body = stage.spawn(kind, { x: 0, y: 2, vy: -4 });
    countContactEvents(stage, 20);
    assertEquals(body.y > 0, stands, kind.name);
  }
});

Deno.test("bullet: does not pass through a moving body thinner than its step; another body does", () => {
  for (const [kind, passes] of [[BULLET, false], [PELLET, true]] as const) {
    const stage = space();
    const board = stage.spawn(BOARD, { x: 0, y: 5, vx: -0.1 });
    const shot = stage.spawn(kind, { x: -3.3, y: 5, vx: 75 });
    countContactEvents(stage, 4);
    assertEquals(shot.x > board.x, passes, kind.name);
  }
});

Deno.test("sensor: on a path it touches the bodies in its way, but neither pushes nor wakes them", () => {
  const stage = space();
  const sweeper = stage.spawn(SWEEPER);
  const stone = stage.spawn(RED, { x: 0, y: 5 });
  for (let i = 0; i < 12; i++) countContactEvents(stage, 1);
  assert(!stone.awake);
  let felt = 0;
  for (let i = 0; i < 28; i++) {
    stage.advance();
    for (const { a, b } of stage.contactEvents) if (a === sweeper && b === stone) felt++;
    stage.endTick();
    assert(!stone.awake);
  }
  assert(felt >= 5 && felt <= 7, `${felt} ticks`);
  assertEquals([stone.x, stone.y, stone.vx], [0, 5, 0]);
});

Deno.test("teleport: into another body it is pushed out, not through; away from it the contact ends", () => {
  const stage = space();
  const stone = stage.spawn(RED, { x: 0, y: 5 });
  const other = stage.spawn(RED, { x: 4, y: 5 });
  stage.teleport(other, 0.2, 5);
  countContactEvents(stage, 40);
  assert(other.x - stone.x > 0.55, `${other.x - stone.x}`);
  assertEquals([other.teleports, stone.teleports], [1, 0]);
  stage.teleport(other, 0.3, 5);
  countContactEvents(stage, 1);
  stage.teleport(other, 4, 5);
  assertEquals(countContactEvents(stage, 1), 0);
  assertAlmostEquals(other.x, 4, 0.5);
});
