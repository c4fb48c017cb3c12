/**
 * Template: heroes run and jump, and a hero who touches the coin gets a point. A and D run, Space
 * jumps. Metres and seconds; y points up.
 */
import { axis, defineGame, press } from "wyvern";

/** Metres per second. */
const RUN_SPEED = 8;
const JUMP_SPEED = 14;

/** A box that never moves: its centre, half its width and half its height. */
function block(x: number, y: number, halfWidth: number, halfHeight: number) {
  return { shape: { box: [halfWidth, halfHeight] as const, x, y } };
}

// The first argument declares what there is; the second gives the rules.
export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "template-1",
  title: "Template",
  gravity: 30,
  // Stacks, bridges and cars hold more with it (docs/rates.md).
  solverSteps: 4,

  // A floor, a wall on either side, and a ledge.
  ground: [block(0, -1, 12, 1), block(-12, 6, 1, 7), block(12, 6, 1, 7), block(0, 2.5, 4, 0.2)],

  // What a player controls.
  command: { dx: axis(), jump: press() },

  // Everything that can be in the world, with its state.
  things: {
    hero: {
      body: { fixtures: [{ shape: { circle: 0.5 }, friction: 0 }] },
      fields: { score: "u16" },
    },
    coin: {
      body: { type: "static", fixtures: [{ shape: { circle: 0.4 }, sensor: true }] },
    },
  },
  player: "hero",

  // What pages show and sound. "certain" waits until late commands can no longer undo it.
  events: { coin: "certain" },
}, {
  /** Builds the world, before the first tick. */
  start(world) {
    world.spawn("coin", { x: 0, y: 4 });
  },

  /** Says where a new player's hero begins. */
  enter(_world, seat) {
    return { x: 2 * (seat % 8) - 7, y: 1 };
  },

  /** Runs in each tick for each hero. A hero jumps only while something carries it. */
  drive(world, me, { dx, jump }) {
    const isJumping = jump > 0 && world.isSupported(me);
    world.setVelocity(me, RUN_SPEED * dx, isJumping ? JUMP_SPEED : me.vy);
  },

  touch: {
    hero: {
      /** Runs when a hero begins to touch the coin, which goes to another place. */
      coin(world, hero, coin) {
        hero.fields.score++;
        world.emit("coin", hero);
        world.teleport(coin, world.random(21) - 10, 1 + world.random(5));
      },
    },
  },

  /** Decides for an NPC, which runs towards the coin and jumps whenever it can. */
  think(world, me) {
    const target = world.one("coin") ?? me;
    return { dx: Math.sign(target.x - me.x), jump: 1 };
  },
});
