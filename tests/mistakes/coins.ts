/**
 * A small game of the kit that keeps every rule: hoppers collect coins. `mistakes.ts` plants one
 * mistake after another.
 */
import {
  axis,
  choice,
  clock,
  defineGame,
  press,
  reference,
} from "../../shared/game_kit/game_kit.ts";

export const game = defineGame({
  id: "coins-1",
  title: "Coins",
  gravity: 12,
  ground: [{ shape: { box: [12, 0.5], y: -0.5 } }],
  command: { dx: axis(), jump: press() },
  things: {
    hopper: {
      body: { fixtures: [{ shape: { circle: 0.5 }, restitution: 0.3 }] },
      fields: {
        score: "u8",
        wait: clock(),
        mood: choice("calm", "proud"),
        wants: reference("coin"),
      },
    },
    coin: {
      body: { type: "static", fixtures: [{ shape: { circle: 0.3 }, sensor: true }] },
      fields: { worth: "u8" },
    },
  },
  player: "hopper",
  events: { hop: "at once", coin: "certain" },
}, {
  start(world) {
    for (let i = 0; i < 5; i++) {
      world.spawn("coin", { x: 4 * i - 8, y: 1, fields: { worth: 1 + i } });
    }
  },
  enter(world, seat) {
    return { x: 2 * (seat % 8) - 7, y: 2, fields: { wants: world.one("coin") } };
  },
  drive(world, me, input) {
    world.applyForce(me, 8 * input.dx, 0);
    if (input.jump === 0 || me.fields.wait > 0) return;
    me.fields.wait = world.ticks(0.5);
    world.applyImpulse(me, 0, 4);
    world.emit("hop", me);
  },
  touch: {
    hopper: {
      coin(world, hopper, coin) {
        hopper.fields.score = Math.min(255, hopper.fields.score + coin.fields.worth);
        hopper.fields.mood = "proud";
        world.emit("coin", hopper, coin);
        world.despawn(coin);
      },
    },
  },
  tick(world) {
    if (world.tick % 40 === 0) {
      world.spawn("coin", { x: world.random(20) - 10, y: 1, fields: { worth: 1 } });
    }
  },
  think(world, me) {
    const coin = world.one("coin");
    return coin === undefined ? {} : { dx: Math.sign(coin.x - me.x), jump: 1 };
  },
});
