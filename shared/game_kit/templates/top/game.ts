/**
 * Template: cars in a walled yard, seen from above. A car that stands in the ring gets a point each
 * second, and others push it out. Metres and seconds.
 */
import { atan2, axis, clock, cos, defineGame, hypot, sin } from "wyvern";

/** Half of the yard's width and height. */
const HALF_WIDTH = 14;
const HALF_HEIGHT = 8;

/** Metres per second, squared. */
const ENGINE = 22;
/** The share of a skid that tyres take away in each tick. */
const GRIP = 0.3;
/** Radians per second that a car turns for each radian that its nose is off, and at most. */
const SPIN_PER_RADIAN = 8;
const SPIN_MAX = 9;

/** A wall that never moves: its centre, half its width and half its height. */
function wall(x: number, y: number, halfWidth: number, halfHeight: number) {
  return { shape: { box: [halfWidth, halfHeight] as const, x, y }, restitution: 0.4 };
}

// The first argument declares what there is; the second gives the rules.
export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "template-1",
  title: "Template",
  gravity: 0,
  solverSteps: 4, // joints and heaps hold more with it (docs/rates.md)

  // Four walls, and two posts.
  ground: [
    wall(0, HALF_HEIGHT + 1, HALF_WIDTH + 2, 1),
    wall(0, -HALF_HEIGHT - 1, HALF_WIDTH + 2, 1),
    wall(HALF_WIDTH + 1, 0, 1, HALF_HEIGHT),
    wall(-HALF_WIDTH - 1, 0, 1, HALF_HEIGHT),
    wall(-7, 0, 0.5, 2),
    wall(7, 0, 0.5, 2),
  ],

  // What a player controls: where the car should go.
  command: { dx: axis(), dy: axis() },

  // Everything that can be in the world, with its state.
  things: {
    car: {
      body: {
        fixtures: [{ shape: { box: [0.8, 0.45] }, restitution: 0.3 }],
        linearDamping: 1.2,
      },
      fields: { score: "u16", untilPoint: clock() },
    },
    ring: {
      body: { type: "static", fixtures: [{ shape: { circle: 2 }, sensor: true }] },
    },
  },
  player: "car",

  // What pages show and sound. "certain" waits until late commands can no longer undo it.
  events: { point: "certain", bump: "at once" },
}, {
  /** Builds the world, before the first tick. */
  start(world) {
    world.spawn("ring");
  },

  /** Says where a new player's car begins, with its nose to the ring. */
  enter(_world, seat) {
    const angle = seat * Math.PI / 8;
    return { x: 6 * cos(angle), y: 6 * sin(angle), angle: angle + Math.PI };
  },

  /** Runs in each tick for each car. */
  drive(world, me, { dx, dy }) {
    const noseX = cos(me.angle);
    const noseY = sin(me.angle);

    // Tyres roll forwards and hold sideways.
    const skid = GRIP * me.mass * (noseX * me.vy - noseY * me.vx);
    world.applyImpulse(me, noseY * skid, -noseX * skid);

    // The nose turns to where the stick points. Two keys together pull no harder than one.
    const push = hypot(dx, dy);
    if (push > 0) {
      const off = atan2(noseX * dy - noseY * dx, noseX * dx + noseY * dy);
      const spin = SPIN_PER_RADIAN * off;
      world.setSpin(me, Math.max(-SPIN_MAX, Math.min(SPIN_MAX, spin)));
      const force = ENGINE * me.mass / Math.max(1, push);
      world.applyForce(me, force * dx, force * dy);
    }

    // A car that stays in the ring gets a point each second.
    const ring = world.one("ring");
    const isInside = ring !== undefined && hypot(me.x - ring.x, me.y - ring.y) < 2;
    if (!isInside) {
      me.fields.untilPoint = world.ticks(1);
    } else if (me.fields.untilPoint === 0) {
      me.fields.score++;
      me.fields.untilPoint = world.ticks(1);
      world.emit("point", me);
    }
  },

  touch: {
    car: {
      /** Runs when two cars begin to touch. */
      car(world, car, other, { speed }) {
        if (speed > 3) world.emit("bump", car, other);
      },
    },
  },

  /** Decides for an NPC, which drives through the ring and comes back. */
  think(_world, me) {
    const distance = hypot(me.x, me.y);
    if (distance < 3) return { dx: cos(me.angle), dy: sin(me.angle) };
    return { dx: -me.x / distance, dy: -me.y / distance };
  },
});
