/** A game whose ground, platforms and coins come from a map of Tiled. */
import {
  axis,
  CHAINS,
  clock,
  defineGame,
  press,
  tiledMap,
} from "../../../shared/game_kit/game_kit.ts";
import text from "./cave.tmj" with { type: "text" };

export const cave = tiledMap(text, { ground: ["rock"], oneWay: ["planks"] });

const [start] = cave.places("start");

export const game = defineGame({
  id: "cave-1",
  title: "Cave",
  gravity: 30,
  features: [CHAINS],
  ground: cave.ground,
  command: { dx: axis(), jump: press() },
  things: {
    coin: { body: { type: "static", fixtures: [{ shape: { circle: 0.35 }, sensor: true }] } },
    runner: {
      body: { fixtures: [{ shape: { circle: 0.5 } }], fixedRotation: true },
      fields: { coins: "u8", landed: clock() },
    },
  },
  player: "runner",
  events: { coin: "certain", jump: "at once", thud: "at once" },
}, {
  start(world) {
    for (const { x, y } of cave.places("coin")) world.spawn("coin", { x, y });
  },
  enter: (_world, seat) => ({ x: start!.x + seat % 4, y: start!.y }),
  drive(world, me, { dx, jump }) {
    const isJumping = jump > 0 && world.isSupported(me);
    world.setVelocity(me, 7 * dx, isJumping ? 15 : me.vy);
    if (isJumping) world.emit("jump", me);
  },
  touch: {
    coin: {
      runner(world, coin, runner) {
        runner.fields.coins++;
        world.emit("coin", coin, runner);
        world.despawn(coin);
      },
    },
    runner: {
      ground(world, runner, _ground, { speed }) {
        if (speed > 6) world.emit("thud", runner);
      },
    },
  },
  think: (world) => ({ dx: world.tick % 100 < 50 ? 1 : -1, jump: world.tick % 30 === 0 ? 1 : 0 }),
});
