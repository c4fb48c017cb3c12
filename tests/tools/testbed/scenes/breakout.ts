/**
 * Breakout: touches and the tags of fixtures decide what breaks, also if a ball bounces several
 * times in a tick.
 */
import { archetype } from "../../../../shared/physics/core/types.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, LEFT, RIGHT, scene } from "../scene.ts";

/** Metres. */
const HALF_WIDTH = 10;
const TOP = 10.8;
const RADIUS = 0.22;
const PADDLE_HALF_WIDTH = 1.4;
const COLUMNS = 10;
const ROWS = 5;
const HARD_ROWS = 2;
const BALLS_MAX = 6;
/** m/s. Each hit of the paddle makes a ball faster. */
const PADDLE_SPEED = 24;
const BALL_SPEED = 18;
const BALL_SPEED_MAX = 28;
const FASTER = 1.05;
const TICKS_PER_S = 20;
/**
 * The share of its speed by which a bounce off a wall or a brick may change it: the rounding of
 * 32-bit floats.
 */
const SPEED_CHANGE_MAX = 1e-6;

const PADDLE = archetype({
  name: "paddle",
  body: {
    type: "kinematic",
    fixtures: [{ shape: { box: [PADDLE_HALF_WIDTH, 0.2] }, friction: 0, tag: "paddle" }],
  },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: {
    fixtures: [{ shape: { circle: RADIUS }, friction: 0, restitution: 1 }],
    fixedRotation: true,
  },
  fields: { speed: "f32" },
});
/** A hit makes a hard brick a plain one, and breaks that. */
const HARD_BRICK = archetype({
  name: "hard brick",
  body: { type: "static", fixtures: [{ shape: { box: [0.88, 0.28] }, friction: 0, tag: "hard" }] },
  fields: {},
});
const BRICK = archetype({
  name: "brick",
  body: { type: "static", fixtures: [{ shape: { box: [0.88, 0.28] }, friction: 0, tag: "brick" }] },
  fields: {},
});

function addBall(stage: Stage, x: number, y: number): void {
  stage.spawn(BALL, {
    x,
    y,
    vx: 0.6 * BALL_SPEED,
    vy: 0.8 * BALL_SPEED,
    fields: { speed: BALL_SPEED },
  });
}

function addBricks(stage: Stage): void {
  for (let i = 0; i < ROWS * COLUMNS; i++) {
    const row = Math.floor(i / COLUMNS);
    const x = (i % COLUMNS - (COLUMNS - 1) / 2) * 1.96;
    stage.spawn(row < ROWS - HARD_ROWS ? BRICK : HARD_BRICK, { x, y: 7 + 0.72 * row });
  }
}

/** The speed that brings the paddle to where the next ball comes down. */
function speedToBall(stage: Stage, paddle: Entity): number {
  const secondsTo = ({ y, vy }: Entity) => vy < 0 && y > paddle.y ? (y - paddle.y) / -vy : Infinity;
  let [next, ...others] = stage.all(BALL);
  for (const other of others) if (secondsTo(other) < secondsTo(next!)) next = other;
  const seconds = secondsTo(next!);
  if (seconds === Infinity) return (next!.x - paddle.x) * 4;
  // The walls fold the ball's way: it comes down where the straight way, folded, ends.
  const room = HALF_WIDTH - RADIUS;
  const way = next!.x + next!.vx * seconds - room;
  const x = Math.abs(way - 4 * room * Math.floor(way / (4 * room)) - 2 * room) - room;
  // It hits the paddle beside the middle, and so flies off at an angle.
  return (x + (stage.fields.broken! % 5 - 2) * 0.4 - paddle.x) * TICKS_PER_S;
}

function movePaddle(stage: Stage, keys: number): void {
  const [paddle] = stage.all(PADDLE);
  const room = HALF_WIDTH - PADDLE_HALF_WIDTH;
  if (keys & (LEFT | RIGHT)) stage.fields.isPlayed = 1;
  const byKeys = (keys & RIGHT ? PADDLE_SPEED : 0) - (keys & LEFT ? PADDLE_SPEED : 0);
  const wanted = stage.fields.isPlayed ? byKeys : speedToBall(stage, paddle!);
  // At these speeds it reaches the wall at the end of the tick.
  const slowest = Math.max(-PADDLE_SPEED, (-room - paddle!.x) * TICKS_PER_S);
  const fastest = Math.min(PADDLE_SPEED, (room - paddle!.x) * TICKS_PER_S);
  stage.setVelocity(paddle!, Math.max(slowest, Math.min(fastest, wanted)), 0);
}

/** Acts on what a ball has hit. */
function hit(stage: Stage, ball: Entity, other: Entity, tag: string | undefined): void {
  if (tag === "hard") stage.become(other, BRICK);
  if (tag === "brick") {
    stage.despawn(other);
    stage.fields.broken!++;
  }
  if (tag === "pit") {
    stage.despawn(ball);
    stage.fields.lost!++;
  }
  if (tag === "paddle") {
    ball.fields.speed = Math.min(BALL_SPEED_MAX, ball.fields.speed! * FASTER);
    stage.setVelocity(ball, (ball.x - other.x) / PADDLE_HALF_WIDTH * 20, 20);
  }
}

/**
 * Compares the speed of each ball that bounced with its own, before the rules act. The paddle and
 * other balls move, so they may change it.
 */
function measureBounces({ touches, fields }: Stage): void {
  const moves = ({ archetype }: Entity) => archetype === BALL || archetype === PADDLE;
  const pushed = new Set(
    touches.filter(({ a, b }) => moves(a) && moves(b)).flatMap(({ a, b }) => [a, b]),
  );
  for (const { a, b, tagA, tagB, began } of touches) {
    const ball = a.archetype === BALL ? a : b;
    if (!began || pushed.has(ball) || (tagA ?? tagB) === "pit") continue;
    const { vx, vy, fields: { speed } } = ball;
    fields.bounces!++;
    fields.changeMax = Math.max(
      fields.changeMax!,
      Math.abs(Math.sqrt(vx * vx + vy * vy) / speed! - 1),
    );
  }
}

/** Gives a ball its own speed again, and keeps it from flying level for ever. */
function keepSpeed(stage: Stage, ball: Entity<typeof BALL.fields>): void {
  const { vx, vy, fields: { speed } } = ball;
  const length = Math.sqrt(vx * vx + vy * vy);
  const steep = Math.max(0.3 * speed, length > 0 ? Math.abs(vy) / length * speed : speed);
  const along = Math.sqrt(Math.max(0, speed * speed - steep * steep));
  stage.setVelocity(ball, vx < 0 ? -along : along, vy < 0 ? -steep : steep);
}

export const breakout = scene({
  name: "breakout",
  title: "Breakout",
  hint: "Left and right take the paddle, Space adds a ball. Hard bricks need two hits.",
  keys: LEFT | RIGHT | ACTION,
  view: { x: 0, y: 5.3, height: 12.4 },
  colours: { paddle: "snow", ball: "gold", "hard brick": "violet", brick: "ember" },
  stage: {
    gravity: 0,
    tickHz: TICKS_PER_S,
    substeps: 2,
    restitutionThreshold: 0,
    features: [touches],
    ground: [
      { shape: { box: [0.5, 7], x: -HALF_WIDTH - 0.5, y: 5 }, friction: 0 },
      { shape: { box: [0.5, 7], x: HALF_WIDTH + 0.5, y: 5 }, friction: 0 },
      { shape: { box: [HALF_WIDTH + 1, 0.5], y: TOP + 0.5 }, friction: 0 },
      { shape: { box: [HALF_WIDTH, 0.5], y: -1.2 }, sensor: true, tag: "pit" },
    ],
    archetypes: [PADDLE, BALL, HARD_BRICK, BRICK],
    fields: {
      broken: "u32",
      lost: "u32",
      bounces: "u32",
      bouncesMax: "u8",
      changeMax: "f32",
      isPlayed: "u8",
      keys: "u8",
    },
  },
  start(stage) {
    stage.spawn(PADDLE, { x: 0, y: 0 });
    addBricks(stage);
    addBall(stage, 0, 1.2);
    // One more ball begins in the slit above the bricks.
    addBall(stage, -6, TOP - 0.3);
  },
  tick(stage, { keys }) {
    movePaddle(stage, keys);
    const isNew = keys & ACTION & ~stage.fields.keys;
    if (isNew && stage.all(BALL).length < BALLS_MAX) addBall(stage, stage.all(PADDLE)[0]!.x, 1.2);
    stage.fields.keys = keys;
  },
  afterStep(stage) {
    measureBounces(stage);
    const bounces = new Map<Entity, number>();
    for (const { a, b, tagA, tagB, began } of stage.touches) {
      for (const [ball, other, tag] of [[a, b, tagB], [b, a, tagA]] as const) {
        if (!began || ball.archetype !== BALL) continue;
        bounces.set(ball, (bounces.get(ball) ?? 0) + 1);
        // At the second bounce off a brick within a tick, the brick is gone already.
        if (ball.isOnStage && other.isOnStage) hit(stage, ball, other, tag);
      }
    }
    stage.fields.bouncesMax = Math.max(stage.fields.bouncesMax, ...bounces.values());
    for (const ball of stage.all(BALL)) keepSpeed(stage, ball);
    if (stage.all(BALL).length === 0) addBall(stage, stage.all(PADDLE)[0]!.x, 1.2);
    if (stage.all(BRICK).length + stage.all(HARD_BRICK).length === 0) addBricks(stage);
  },
  marks({ fields: { broken, lost, bouncesMax } }, draw) {
    draw.text(0, 5, `bricks broken: ${broken}, balls lost: ${lost}`, "snow");
    draw.text(0, 4.2, `at most ${bouncesMax} bounces of a ball in one tick`, "slate");
  },
  proof: {
    claim:
      "balls break 40 bricks, bounce off walls and bricks at the same speed, and one thrice in a tick",
    keys: (tick) => tick % 40 === 0 ? ACTION : 0,
    check(stage) {
      const { broken, bounces, bouncesMax, changeMax } = stage.fields;
      const left = stage.all(BRICK).length + stage.all(HARD_BRICK).length;
      const figures =
        `${broken} bricks are broken, ${left} are left; a ball bounced ${bouncesMax} times in a tick; ` +
        `${bounces} bounces changed a speed by ${changeMax!.toExponential(1)} of it at most`;
      if (broken! < 40 || (broken! + left) % (ROWS * COLUMNS) !== 0 || bouncesMax! < 3) {
        throw new Error(figures);
      }
      if (bounces! < 100 || changeMax! > SPEED_CHANGE_MAX) throw new Error(figures);
      return figures;
    },
  },
});
