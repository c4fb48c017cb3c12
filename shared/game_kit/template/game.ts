/**
 * Template: who touches the coin has it. A and D run, Space jumps. Metres and seconds; y points up.
 */
import { axis, defineGame, press } from "../game_kit.ts";

/** A wall or floor: its centre, then half of its width and height. */
const block = (x: number, y: number, w: number, h: number) => ({
  shape: { box: [w, h] as const, x, y },
});

export const game = defineGame({
  // The number grows with each change of the rules, so that an old page loads the new ones.
  id: "template-1",
  title: "Template",
  gravity: 30,
  // A floor, two walls and a ledge.
  ground: [block(0, -1, 12, 1), block(-12, 6, 1, 7), block(12, 6, 1, 7), block(0, 2.5, 4, 0.2)],
  // What a player controls.
  command: { dx: axis(), jump: press() },
  // All that can be in the world, with its state.
  things: {
    hero: {
      body: { fixtures: [{ shape: { circle: 0.5 }, friction: 0 }] },
      fields: { score: "u16" },
    },
    coin: { body: { type: "static", fixtures: [{ shape: { circle: 0.4 }, sensor: true }] } },
  },
  player: "hero",
  // What pages show and sound. "certain" waits until no late command can undo it.
  events: { coin: "certain" },
}, {
  // Before the first tick.
  start: (world) => world.spawn("coin", { x: 0, y: 4 }),

  // Where a player's hero begins.
  enter: (_world, seat) => ({ x: seat % 8 * 2 - 7, y: 1 }),

  // Each tick, for each hero: 8 m/s along the floor, and 14 m/s up from whatever carries it.
  drive: (world, me, input) =>
    world.setVelocity(me, 8 * input.dx, input.jump > 0 && world.isSupported(me) ? 14 : me.vy),

  touch: {
    hero: {
      // A hero begins to touch the coin, which goes to another place.
      coin(world, hero, coin) {
        hero.fields.score++;
        world.emit("coin", hero);
        world.teleport(coin, world.random(21) - 10, 1 + world.random(5));
      },
    },
  },

  // The input of an NPC: it runs towards the coin, and jumps whenever it can.
  think(world, me) {
    const coin = world.one("coin") ?? me;
    return { dx: Math.sign(coin.x - me.x), jump: 1 };
  },
});
