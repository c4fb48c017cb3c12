/**
 * Template: who touches the coin has it. A and D run, Space jumps. Metres and seconds; y points up.
 */
import { axis, defineGame, press } from "../game_kit.ts";
const block = (x: number, y: number, w: number, h: number) => ({
  shape: { box: [w, h] as const, x, y },
});

export const game = defineGame({
  id: "template-1",
  title: "Template",
  gravity: 30, // the id grows with each change of the rules
  ground: [block(0, -1, 12, 1), block(-12, 6, 1, 7), block(12, 6, 1, 7), block(0, 2.5, 4, 0.2)],
  command: { dx: axis(), jump: press() }, // what a player controls
  things: { // all that may be in the world, with its state
    hero: {
      body: { fixtures: [{ shape: { circle: 0.5 }, friction: 0 }] },
      fields: { score: "u16" },
    },
    coin: { body: { type: "static", fixtures: [{ shape: { circle: 0.4 }, sensor: true }] } },
  },
  player: "hero",
  events: { coin: "certain" }, // the page may show it, and make a sound
}, {
  start: (world) => world.spawn("coin", { x: 0, y: 4 }), // before the first tick
  enter: (_world, seat) => ({ x: seat % 8 * 2 - 7, y: 1 }), // where a player's hero begins
  drive: (world, me, ask) =>
    world.setVelocity(me, 8 * ask.dx, ask.jump > 0 && world.isSupported(me) ? 14 : me.vy),
  touch: {
    hero: {
      coin(world, hero, coin) { // when a hero begins to touch a coin
        hero.fields.score++;
        world.emit("coin", hero);
        world.teleport(coin, world.random(21) - 10, 1 + world.random(5));
      },
    },
  },
  think: (world, me) => ({ dx: Math.sign((world.one("coin") ?? me).x - me.x), jump: 1 }), // what an NPC asks for
});
