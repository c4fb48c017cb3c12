/**
 * Billiards from above: no gravity, and a threshold so low that even a creeping ball leaves the
 * cushion again.
 */
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { archetype } from "../../../../shared/physics/core/types.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";
import { queries } from "../../../../shared/physics/stage/queries.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, DOWN, LEFT, RIGHT, scene, UP } from "../scene.ts";

/** Metres: a table of ten times the true size. */
const HALF_LENGTH = 11;
const HALF_WIDTH = 5;
const RADIUS = 0.3;
const WALL = 0.4;
const HOLE = 0.6;
const START_X = -6;
const RACK_X = 4;
const LANE_Y = HALF_WIDTH + 1.4;
const LANE_HALF_LENGTH = RADIUS + 0.1;
/** m/s. */
const CREEP = 0.05;
const THRESHOLD = 0.01;
const POWER_MAX = 24;
const CUSHION = { friction: 0.1, restitution: 0.85, tag: "cushion" };

const ball = { shape: { circle: RADIUS }, friction: 0.05, restitution: 0.95 } as const;
const CUE_BALL = archetype({
  name: "cue ball",
  body: { fixtures: [ball], linearDamping: 0.2, bullet: true },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [ball], linearDamping: 0.2 },
  fields: {},
});
const HOLE_OF_TABLE = archetype({
  name: "hole",
  body: { type: "static", fixtures: [{ shape: { circle: HOLE }, sensor: true, tag: "hole" }] },
  fields: {},
});
/** It goes to and fro in a lane of its own, and loses nothing. */
const CREEPER = archetype({
  name: "creeper",
  body: { fixtures: [{ ...ball, restitution: 1 }] },
  fields: { bounces: "u16" },
});

const cushion = (x: number, y: number, halfWidth: number, halfHeight: number) =>
  ({ shape: { box: [halfWidth, halfHeight], x, y }, ...CUSHION }) as const;

/** The cue's direction and strength. */
function aimOf({ fields: { angle, power } }: Stage): { x: number; y: number } {
  return { x: cos(angle!) * power!, y: sin(angle!) * power! };
}

function isMoving({ vx, vy }: Entity): boolean {
  return vx * vx + vy * vy > 0.01;
}

export const billiards = scene({
  name: "billiards",
  title: "Billiards",
  hint:
    "Left and right aim, up and down set the power, Space shoots. The ball in the lane creeps at 5 cm/s.",
  keys: LEFT | RIGHT | UP | DOWN | ACTION,
  view: { x: 0, y: 0.8, height: 15 },
  colours: { ground: "wood", "cue ball": "snow", ball: "ember", hole: "slate", creeper: "mint" },
  stage: {
    gravity: 0,
    tickHz: 20,
    substeps: 3,
    restitutionThreshold: THRESHOLD,
    features: [touches, queries],
    ground: [
      cushion(0, HALF_WIDTH + WALL, HALF_LENGTH + 2 * WALL, WALL),
      cushion(0, -HALF_WIDTH - WALL, HALF_LENGTH + 2 * WALL, WALL),
      cushion(HALF_LENGTH + WALL, 0, WALL, HALF_WIDTH),
      cushion(-HALF_LENGTH - WALL, 0, WALL, HALF_WIDTH),
      cushion(-LANE_HALF_LENGTH - 0.1, LANE_Y, 0.1, 0.4),
      cushion(LANE_HALF_LENGTH + 0.1, LANE_Y, 0.1, 0.4),
    ],
    archetypes: [CUE_BALL, BALL, HOLE_OF_TABLE, CREEPER],
    fields: { angle: "f32", power: "f32", keys: "u8", potted: "u8", fouls: "u8" },
  },
  start(stage) {
    const cue = stage.spawn(CUE_BALL, { x: START_X, y: 0 });
    for (let row = 0; row < 5; row++) {
      for (let i = 0; i <= row; i++) {
        stage.spawn(BALL, { x: RACK_X + row * 1.75 * RADIUS, y: (2 * i - row) * (RADIUS + 0.005) });
      }
    }
    for (const x of [-HALF_LENGTH, 0, HALF_LENGTH]) {
      for (const y of [-HALF_WIDTH, HALF_WIDTH]) stage.spawn(HOLE_OF_TABLE, { x, y });
    }
    stage.spawn(CREEPER, { x: 0, y: LANE_Y, vx: CREEP });
    stage.fields.power = POWER_MAX;
    stage.setVelocity(cue, POWER_MAX, 0.3);
  },
  tick(stage, { keys }) {
    const { fields } = stage;
    const [cue] = stage.all(CUE_BALL);
    const begun = keys & ~fields.keys;
    fields.keys = keys;
    fields.angle += (keys & LEFT ? 0.03 : 0) - (keys & RIGHT ? 0.03 : 0);
    fields.power += (keys & UP ? 0.5 : 0) - (keys & DOWN ? 0.5 : 0);
    fields.power = Math.max(1, Math.min(POWER_MAX, fields.power));
    if (begun & ACTION && !isMoving(cue!)) stage.setVelocity(cue!, aimOf(stage).x, aimOf(stage).y);
  },
  afterStep(stage) {
    for (const { a, b, tagA, tagB, began } of stage.touches) {
      for (const [ball, tag] of [[a, tagB], [b, tagA]] as const) {
        if (!began || !ball.isOnStage) continue;
        if (tag === "cushion" && ball.archetype === CREEPER) ball.fields.bounces!++;
        if (tag === "hole" && ball.archetype === BALL) {
          stage.despawn(ball);
          stage.fields.potted++;
        }
        if (tag === "hole" && ball.archetype === CUE_BALL) {
          stage.teleport(ball, START_X, 0);
          stage.setVelocity(ball, 0, 0);
          stage.fields.fouls++;
        }
      }
    }
  },
  marks(stage, draw) {
    const [cue] = stage.all(CUE_BALL);
    const [creeper] = stage.all(CREEPER);
    const { potted, fouls } = stage.fields;
    const speed = Math.abs(creeper!.vx) * 1000;
    const { bounces } = creeper!.fields;
    draw.text(0, LANE_Y + 1, `${speed.toFixed(1)} mm/s, ${bounces} bounces`, "mint");
    draw.text(-8, LANE_Y, `${potted} potted, ${fouls} fouls`, "snow");
    if (isMoving(cue!)) return;
    // The place at which the cue ball will meet something: the question is a moving circle.
    const aim = aimOf(stage);
    const { x, y } = cue!;
    const power = stage.fields.power / POWER_MAX;
    const to = { x: x + 2 * aim.x / power, y: y + 2 * aim.y / power };
    const hit = stage.queries.castShape({ circle: RADIUS }, cue!, to, { except: cue! });
    if (hit !== undefined) draw.circle(hit.x, hit.y, RADIUS, "snow");
    draw.line(x, y, hit?.x ?? to.x, hit?.y ?? to.y, "slate");
    draw.arrow(x, y, x + aim.x / 8, y + aim.y / 8, "gold");
  },
  proof: {
    claim: "a ball at 0.05 m/s bounces off the cushions and keeps its speed; the break pots a ball",
    check(stage) {
      const [creeper] = stage.all(CREEPER);
      const { bounces } = creeper!.fields;
      const speed = Math.abs(creeper!.vx);
      const figures = `${bounces} bounces, ${speed.toFixed(4)} m/s, ${stage.fields.potted} potted`;
      if (bounces! < 3 || Math.abs(speed / CREEP - 1) > 0.05 || stage.fields.potted! < 1) {
        throw new Error(figures);
      }
      return figures;
    },
  },
});
