/**
 * Conveyor belts that are solid from above alone: goods ride down on them, and a springboard throws
 * them up again.
 */
import { archetype } from "../../../../shared/physics/core/types.ts";
import { type Touch, touches } from "../../../../shared/physics/events/touches.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, scene, UP } from "../scene.ts";

/** m/s. */
const BELT_SPEED = 3;
const THROW_X = 6.5;
const THROW_Y = 16.5;
const JUMP = 10.5;
const GOODS = 14;

/** Its solid side turns with it: the side on which a crate lies, also of a belt that climbs. */
const beltBody = (surfaceSpeed: number) => ({
  type: "static",
  fixtures: [{
    shape: { box: [6.5, 0.15] },
    surfaceSpeed,
    oneWay: { x: 0, y: 1 },
    friction: 0.9,
    tag: "belt",
  }],
} as const);
/**
 * Both directions are archetypes: a belt that turns round becomes the other one, and keeps its id.
 */
const TO_LEFT = archetype({ name: "belt to the left", body: beltBody(-BELT_SPEED), fields: {} });
const TO_RIGHT = archetype({ name: "belt to the right", body: beltBody(BELT_SPEED), fields: {} });

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] }, friction: 0.8 }] },
  fields: {},
});
const SACK = archetype({
  name: "sack",
  body: { fixtures: [{ shape: { box: [0.6, 0.25] }, friction: 0.9 }] },
  fields: {},
});

function isGoods({ archetype }: Entity): boolean {
  return archetype === CRATE || archetype === SACK;
}

function turnBelts(stage: Stage): void {
  const toRight = stage.all(TO_LEFT);
  const toLeft = stage.all(TO_RIGHT);
  for (const belt of toRight) stage.become(belt, TO_RIGHT);
  for (const belt of toLeft) stage.become(belt, TO_LEFT);
}

/** The speed of the belt below, if the goods move with it within 1 %; otherwise 0. */
function carriedAt({ a, b, fixtureA, tagA, normalImpulse }: Touch): number {
  if (tagA !== "belt" || normalImpulse === 0) return 0;
  const { surfaceSpeed } = a.archetype.body!.fixtures[fixtureA]!;
  const along = a.localVector(b.vx, b.vy).x;
  return Math.abs(along - surfaceSpeed!) < 0.01 * BELT_SPEED ? surfaceSpeed! : 0;
}

export const belts = scene({
  name: "belts",
  title: "Belts",
  hint:
    "Space turns the belts round, up makes all jump: the belts let through what comes from below.",
  keys: UP | ACTION,
  view: { x: 0, y: 6.3, height: 14.6 },
  colours: { "belt to the left": "sky", "belt to the right": "mint", crate: "wood", sack: "gold" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 3,
    features: [touches],
    ground: [
      {
        shape: { box: [10.5, 0.5], x: 2.5, y: -0.5 },
        surfaceSpeed: -BELT_SPEED,
        friction: 0.9,
        tag: "belt",
      },
      { shape: { box: [2, 0.5], x: -10, y: -0.5 }, tag: "springboard" },
      { shape: { box: [0.5, 10], x: -12.5, y: 9 }, friction: 0 },
      { shape: { box: [0.5, 10], x: 13.5, y: 9 }, friction: 0 },
    ],
    archetypes: [TO_LEFT, TO_RIGHT, CRATE, SACK],
    fields: { keys: "u8", thrown: "u32", passed: "u32", toLeft: "u8", toRight: "u8" },
  },
  start(stage) {
    stage.spawn(TO_LEFT, { x: 3, y: 8.8 });
    stage.spawn(TO_RIGHT, { x: -2.5, y: 4.2, angle: 0.1 });
    for (let i = 0; i < GOODS; i++) {
      stage.spawn(i % 3 === 0 ? SACK : CRATE, { x: 11 - 1.5 * i, y: i < 8 ? 0.5 : 6.5 });
    }
  },
  tick(stage, { keys }) {
    const begun = keys & ~stage.fields.keys;
    stage.fields.keys = keys;
    if (begun & ACTION) turnBelts(stage);
    for (const goods of stage.entities().filter(isGoods)) {
      if (begun & UP && stage.isSupported(goods)) stage.setVelocity(goods, goods.vx, JUMP);
    }
  },
  afterStep(stage) {
    const speeds = stage.touches.map(carriedAt);
    stage.fields.toLeft = speeds.filter((speed) => speed < 0).length;
    stage.fields.toRight = speeds.filter((speed) => speed > 0).length;
    for (const { a, b, tagA, tagB, began, normalImpulse } of stage.touches) {
      // The belts and the ground have smaller ids than all goods.
      if (!began || !isGoods(b) || tagB !== undefined) continue;
      if (tagA === "springboard" && b.isOnStage) {
        stage.setVelocity(b, THROW_X, THROW_Y);
        stage.setSpin(b, 0);
        stage.fields.thrown++;
      }
      // What passes a belt touches it without an impulse.
      if (tagA === "belt" && a !== stage.ground && b.vy > 0 && normalImpulse === 0) {
        stage.fields.passed++;
      }
    }
  },
  marks(stage, draw) {
    for (const belt of [...stage.all(TO_LEFT), ...stage.all(TO_RIGHT)]) {
      const way = belt.archetype === TO_LEFT ? -0.5 : 0.5;
      const { x, y } = belt;
      draw.arrow(x - way, y, x + way, y, "snow");
    }
    const { thrown, passed } = stage.fields;
    draw.text(0, 12.6, `${thrown} throws, ${passed} times through a belt from below`, "snow");
  },
  proof: {
    claim: "belts carry goods at their own speed, and let them through from below",
    check(stage) {
      const { thrown, passed, toLeft, toRight } = stage.fields;
      const figures =
        `${toLeft} ride to the left, ${toRight} to the right; ${thrown} throws, ${passed} times through`;
      if (toLeft! < 3 || toRight! < 2 || thrown! < 10 || passed! < 10) throw new Error(figures);
      return figures;
    },
  },
});
