/**
 * Template: two paddles and a ball. Who lets the ball pass gives the other one a point, and five
 * points win a round. Metres and seconds; y points up.
 */
import { axis, choice, clock, defineGame } from "wyvern";

/** Half of the court's width and height, and where the paddles stand. */
const HALF_WIDTH = 12;
const HALF_HEIGHT = 7;
const PADDLE_X = 10;

/** Metres per second. */
const PADDLE_SPEED = 14;
const SERVE_SPEED = 9;
/** Each hit makes the ball faster by this factor, up to the limit. */
const HIT_FACTOR = 1.06;
const BALL_SPEED_MAX = 24;

const POINTS_TO_WIN = 5;
const PAUSE_SECONDS = 1;
const RESULT_SECONDS = 5;

/** The sign of a side's x. */
const SIGN = { left: -1, right: 1 } as const;

// The first argument declares what there is; the second gives the rules.
export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "template-1",
  title: "Template",

  // A duel: a room has two seats and no NPCs, and waits for the second player.
  players: { min: 2, max: 2, npcs: 0 },
  gravity: 0,
  solverSteps: 4, // joints and heaps hold more with it (docs/rates.md)

  // A floor and a ceiling.
  ground: [1, -1].map((side) => ({
    shape: { box: [HALF_WIDTH, 0.5] as const, x: 0, y: side * (HALF_HEIGHT + 0.5) },
    friction: 0,
    restitution: 1,
  })),

  // What a player controls.
  command: { dy: axis() },

  // Everything that can be in the world, with its state.
  things: {
    paddle: {
      body: { type: "kinematic", fixtures: [{ shape: { box: [0.25, 1.2] }, friction: 0.4 }] },
      fields: { side: choice("left", "right"), score: "u8" },
    },
    ball: {
      body: {
        fixtures: [{ shape: { circle: 0.35 }, restitution: 1, friction: 0.1 }],
        bullet: true,
      },
    },
  },
  player: "paddle",

  // The match's own state. `pause` runs before a serve, and while a result is shown.
  match: { pause: clock(), round: "u16", isOver: "u8" },

  // What pages show and sound. "certain" waits until late commands can no longer undo it.
  events: { hit: "at once", point: "certain" },
}, {
  /** Builds the world, before the first tick. */
  start(world) {
    world.match.round = 1;
    world.match.pause = world.ticks(PAUSE_SECONDS);
    world.spawn("ball");
  },

  /** A new player takes the side that is free. */
  enter(world) {
    const isLeftTaken = world.all("paddle").some(({ fields }) => fields.side === "left");
    const side = isLeftTaken ? "right" : "left";
    return { x: SIGN[side] * PADDLE_X, y: 0, fields: { side } };
  },

  /** Runs in each tick for each paddle, which stays within the court. */
  drive(world, me, { dy }) {
    const limit = HALF_HEIGHT - 1.2;
    const isAtLimit = Math.abs(me.y) >= limit && me.y * dy > 0;
    world.setVelocity(me, 0, isAtLimit ? 0 : PADDLE_SPEED * dy);
  },

  touch: {
    ball: {
      /** The ball flies back, the steeper the farther from the paddle's middle it hits. */
      paddle(world, ball, paddle) {
        const { side } = paddle.fields;
        const speed = Math.min(
          BALL_SPEED_MAX,
          HIT_FACTOR * Math.max(SERVE_SPEED, Math.abs(ball.vx)),
        );
        world.setVelocity(ball, -SIGN[side] * speed, ball.vy + 4 * (ball.y - paddle.y));
        world.emit("hit", ball, paddle);
      },
    },
  },

  tick(world) {
    const { match } = world;
    const ball = world.one("ball");
    const paddles = world.all("paddle");
    if (ball === undefined) return;

    // The ball rests until both are here and the pause is over.
    if (paddles.length < 2) match.pause = world.ticks(PAUSE_SECONDS);
    if (match.pause > 0) {
      world.teleport(ball, 0, 0);
      world.setVelocity(ball, 0, 0);
      if (match.pause > 1) return;

      // A new round begins after a result.
      if (match.isOver === 1) {
        match.isOver = 0;
        match.round++;
        for (const { fields } of paddles) fields.score = 0;
      }
      const towards = world.random(2) === 0 ? -1 : 1;
      const up = world.random(2) === 0 ? -1 : 1;
      world.setVelocity(ball, towards * SERVE_SPEED, up * (3 + world.random(4)));
      return;
    }

    // A ball behind a paddle is a point for the other one.
    if (Math.abs(ball.x) < HALF_WIDTH) return;
    const winner = paddles.find(({ fields }) => SIGN[fields.side] * ball.x < 0);
    if (winner !== undefined) {
      winner.fields.score++;
      world.emit("point", ball, winner);
      if (winner.fields.score >= POINTS_TO_WIN) match.isOver = 1;
    }
    match.pause = world.ticks(match.isOver === 1 ? RESULT_SECONDS : PAUSE_SECONDS);
  },

  /** Each round has a result, which the server writes down. */
  round: ({ match }) => ({
    number: match.round,
    isOver: match.isOver === 1,
    score: (paddle) => paddle.fields.score,
  }),

  /** Decides for an NPC, which waits in the middle, and meets the ball with the paddle's edge. */
  think(world, me) {
    const ball = world.one("ball");
    const isComing = ball !== undefined && ball.vx * SIGN[me.fields.side] > 0;
    const target = isComing ? ball.y + 0.7 * Math.sign(ball.vy) : 0;
    return { dy: Math.max(-1, Math.min(1, target - me.y)) };
  },
});
