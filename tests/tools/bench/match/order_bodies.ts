/** A game of balls that never rest, for `bench match --authority order`. */
import { axis, defineGame } from "../../../../shared/game_kit/game_kit.ts";

/** Half of the room's side, metres: the balls take a tenth of it. */
const HALF = 24;
const WALL = 1;

/** @param bodies how many balls there are */
export function gameOfBodies(bodies: number) {
  const side = Math.ceil(Math.sqrt(bodies));
  const wall = (x: number, y: number, halfWidth: number, halfHeight: number) => ({
    shape: { box: [halfWidth, halfHeight] as const, x, y },
    restitution: 1,
    friction: 0,
  });
  return defineGame({
    id: `bodies-${bodies}`,
    title: "Bodies",
    gravity: 0,
    ground: [
      wall(0, HALF + WALL, HALF + 2, WALL),
      wall(0, -HALF - WALL, HALF + 2, WALL),
      wall(HALF + WALL, 0, WALL, HALF),
      wall(-HALF - WALL, 0, WALL, HALF),
    ],
    command: { dx: axis(), dy: axis() },
    things: {
      ball: {
        body: { fixtures: [{ shape: { circle: 0.4 }, restitution: 1, friction: 0 }] },
      },
      pusher: { body: { fixtures: [{ shape: { circle: 0.5 } }], linearDamping: 1 } },
    },
    player: "pusher",
  }, {
    start(world) {
      const gap = 2 * HALF / (side + 1);
      for (let i = 0; i < bodies; i++) {
        const x = (i % side + 1) * gap - HALF;
        const y = (Math.floor(i / side) + 1) * gap - HALF;
        const ball = world.spawn("ball", { x, y });
        world.setVelocity(ball, world.random(7) - 3, world.random(7) - 3.5);
      }
    },
    enter(_world, seat) {
      return { x: 2 * seat - 15, y: 0 };
    },
    drive(world, me, { dx, dy }) {
      world.applyForce(me, 20 * me.mass * dx, 20 * me.mass * dy);
    },
    think(_world, me) {
      return { dx: Math.sign(-me.x), dy: Math.sign(-me.y) };
    },
  });
}
