/**
 * A game that shows what the kit draws by itself: every shape, every joint, teams, events, a banner
 * and choices.
 */
import {
  axis,
  CHAINS,
  choice,
  clock,
  defineGame,
  JOINTS,
  press,
} from "../../../shared/game_kit/game_kit.ts";

/** Half the width and height of the arena, metres. */
export const HALF = [14, 8] as const;

export const game = defineGame({
  id: "yard-1",
  title: "Yard",
  gravity: 0,
  features: [CHAINS, JOINTS],
  ground: [
    { shape: { chain: [[-14, -8], [14, -8], [14, 8], [-14, 8]], loop: true }, restitution: 0.6 },
    { shape: { box: [0.8, 2], x: 9, y: 0 } },
    { shape: { edge: [-11, -5, -8, -7] } },
    { shape: { box: [1.5, 1], x: -9, y: 5 }, sensor: true },
  ],
  command: { dx: axis(), dy: axis({ up: true }), kick: press({ label: "Kick" }) },
  match: { blue: "u8", orange: "u8", shout: clock() },
  join: { side: choice("auto", "blue", "orange") },
  options: { field: choice("wide", "narrow") },
  things: {
    post: { body: { type: "static", fixtures: [{ shape: { circle: 0.4 } }] } },
    gate: {
      body: { type: "static", fixtures: [{ shape: { box: [0.5, 2] }, sensor: true }] },
      fields: { team: choice("blue", "orange") },
    },
    crate: {
      body: { fixtures: [{ shape: { box: [0.6, 0.6] } }], linearDamping: 1, angularDamping: 1 },
    },
    gem: {
      body: {
        fixtures: [{
          shape: { polygon: [[0.7, 0], [0.2, 0.7], [-0.6, 0.4], [-0.6, -0.4], [0.2, -0.7]] },
        }],
      },
    },
    dumbbell: {
      body: {
        fixtures: [
          { shape: { circle: 0.45, x: -0.8 } },
          { shape: { circle: 0.45, x: 0.8 } },
          { shape: { box: [0.8, 0.14] } },
        ],
        linearDamping: 1,
      },
    },
    ball: {
      body: { fixtures: [{ shape: { circle: 0.6 }, restitution: 0.8 }], linearDamping: 0.4 },
    },
    drone: {
      body: {
        fixtures: [{ shape: { circle: 0.5 }, restitution: 0.5 }],
        linearDamping: 2,
        angularDamping: 2,
      },
      fields: { team: choice("blue", "orange"), kicks: "u16" },
    },
    spark: { projectile: { radius: 0.1, lifeTicks: 40 } },
  },
  player: "drone",
  joints: {
    rope: { type: "rope" },
    spring: { type: "distance", spring: { frequencyHz: 2, dampingRatio: 0.3 } },
  },
  events: { goal: "certain", kick: "at once" },
  teams: { blue: "#4af", orange: "#f84" },
}, {
  start(world) {
    for (const [x, y] of [[-5, 4], [5, 4], [5, -4]] as const) world.spawn("post", { x, y });
    world.spawn("gate", { x: -13.5, fields: { team: "blue" } });
    world.spawn("gate", { x: 13.5, fields: { team: "orange" } });
    const post = world.one("post")!;
    const crate = world.spawn("crate", { x: -3, y: 2, angle: 0.3 });
    world.spawn("gem", { x: 3, y: -3 });
    const dumbbell = world.spawn("dumbbell", { x: 5, y: 2, angle: 0.5 });
    world.spawn("ball", { x: 0, y: 0 });
    world.joints.add("rope", post, crate, {
      x: post.x,
      y: post.y,
      bx: crate.x,
      by: crate.y,
      length: 3.5,
    });
    const other = world.all("post")[1]!;
    world.joints.add("spring", other, dumbbell, {
      x: other.x,
      y: other.y,
      bx: dumbbell.x,
      by: dumbbell.y,
    });
  },
  enter(_world, seat, { side }) {
    const team = side === "auto" ? (seat % 2 === 0 ? "blue" : "orange") : side;
    const away = seat < 16 ? 6 : 9;
    return { x: team === "blue" ? -away : away, y: (seat % 8) - 3.5, fields: { team } };
  },
  drive(world, me, { dx, dy, kick }) {
    world.applyForce(me, dx * 14, dy * 14);
    if (kick === 0) return;
    me.fields.kicks += kick;
    world.spawn("spark", { x: me.x, y: me.y + 0.8, vx: me.vx, vy: 9 });
    world.emit("kick", me);
  },
  touch: {
    ball: {
      gate(world, ball, gate) {
        if (gate.fields.team === "blue") world.match.orange++;
        else world.match.blue++;
        world.match.shout = world.ticks(2);
        world.emit("goal", ball);
        world.teleport(ball, 0, 0);
        world.setVelocity(ball, 0, 0);
      },
    },
  },
  think(world, me) {
    const ball = world.one("ball")!;
    return {
      dx: Math.sign(ball.x - me.x),
      dy: Math.sign(ball.y - me.y),
      kick: world.tick % 40 === 0 ? 1 : 0,
    };
  },
});
