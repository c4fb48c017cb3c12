/** Template: discs that players push about. Metres and seconds; y points up. */
import { axis, defineGame } from "wyvern";

/** Metres per second, squared. */
const PUSH = 20;

// The first argument declares what there is; the second gives the rules.
export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "template-1",
  title: "Template",
  gravity: 0,
  solverSteps: 4, // joints and heaps hold more with it (docs/rates.md)
  ground: [],

  // What a player controls.
  command: { dx: axis(), dy: axis() },

  // Everything that can be in the world.
  things: {
    disc: { body: { fixtures: [{ shape: { circle: 0.5 } }], linearDamping: 2 } },
  },
  player: "disc",
}, {
  /** Says where a new player's disc begins. */
  enter(_world, seat) {
    return { x: 2 * (seat % 8) - 7, y: 0 };
  },

  /** Runs in each tick for each disc. */
  drive(world, me, { dx, dy }) {
    world.applyForce(me, PUSH * me.mass * dx, PUSH * me.mass * dy);
  },

  /** Decides for an NPC, which circles around the middle. */
  think(_world, me) {
    return { dx: Math.sign(-me.y - me.x / 2), dy: Math.sign(me.x - me.y / 2) };
  },
});
