/**
 * Hop: heroes run and jump for coins, push crates, and hop on each other's heads. Metres and
 * seconds; y points up.
 */
import { axis, clock, defineGame, press } from "wyvern";
import { BLOCKS, COIN_SPOTS, COLUMNS } from "./level.ts";

const COINS = 8;
const CRATES = 10;
/** Metres per second. */
const RUN_SPEED = 8;
const JUMP_SPEED = 15.5;
const BOUNCE_SPEED = 11;
/** The share of the wished speed that a hero gains in each tick. */
const GRIP = 0.5;
/** How long a hero sits dizzy whom another one has hopped on. */
const DIZZY_SECONDS = 1.2;
/** A hop on a head: the touch's normal points down at least this much. */
const ON_HEAD = 0.7;

export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "hop-1",
  title: "Hop",
  players: { npcs: 5 },
  gravity: 32,
  solverSteps: 4, // stacks hold more with it (docs/rates.md)

  ground: BLOCKS.map(({ x, y, halfWidth }) => ({
    shape: { box: [halfWidth, 0.5] as const, x, y },
    friction: 0.6,
  })),

  command: { dx: axis(), jump: press() },

  things: {
    hero: {
      body: { fixtures: [{ shape: { circle: 0.45 }, friction: 0 }], fixedRotation: true },
      fields: { score: "u16", dizzy: clock() },
    },
    crate: {
      body: { fixtures: [{ shape: { box: [0.45, 0.45] }, density: 0.3, friction: 0.6 }] },
    },
    coin: { body: { type: "static", fixtures: [{ shape: { circle: 0.4 }, sensor: true }] } },
  },
  player: "hero",

  // What pages show. "at once" is as soon as a page predicts it.
  events: { coin: "likely", jump: "at once", stomp: "likely" },
}, {
  start(world) {
    for (let i = 0; i < COINS; i++) world.spawn("coin", COIN_SPOTS[2 * i % COIN_SPOTS.length]!);
    for (let i = 0; i < CRATES; i++) {
      const column = i % 5;
      world.spawn("crate", { x: 8.5 + 7.5 * column, y: 2.5 + Math.floor(i / 5) });
    }
  },

  enter: (_world, seat) => ({ x: 3 + seat * 5.3 % (COLUMNS - 6), y: 4 }),

  drive(world, me, { dx, jump }) {
    const { fields } = me;
    const isDizzy = fields.dizzy > 0;
    const wished = isDizzy ? 0 : RUN_SPEED * dx;
    const isJumping = jump > 0 && !isDizzy && world.isSupported(me);
    world.setVelocity(me, me.vx + GRIP * (wished - me.vx), isJumping ? JUMP_SPEED : me.vy);
    if (isJumping) world.emit("jump", me);
  },

  touch: {
    hero: {
      /** A hero takes the coin, which goes to a place that has none. */
      coin(world, hero, coin) {
        hero.fields.score++;
        world.emit("coin", coin, hero);
        const coins = world.all("coin");
        const free = COIN_SPOTS.filter(({ x, y }) => !coins.some((c) => c.x === x && c.y === y));
        const { x, y } = free[world.random(free.length)]!;
        world.teleport(coin, x, y);
      },

      /** The upper hero bounces and gets a point; the lower one is dizzy. */
      hero(world, a, b, { ny }) {
        if (Math.abs(ny) < ON_HEAD) return;
        const [upper, lower] = ny < 0 ? [a, b] : [b, a];
        world.setVelocity(upper, upper.vx, BOUNCE_SPEED);
        if (lower.fields.dizzy > 0) return;
        lower.fields.dizzy = world.ticks(DIZZY_SECONDS);
        upper.fields.score++;
        world.emit("stomp", lower, upper);
      },
    },
  },

  /** An NPC runs to a coin of its own choice, and jumps when the coin is higher or it stands still. */
  think(world, me) {
    const coins = world.all("coin");
    const target = coins[me.seat % coins.length] ?? me;
    const dx = target.x - me.x;
    const isBlocked = Math.abs(me.vx) < 1;
    const wander = (world.tick >> 5) + me.seat & 3;
    return {
      dx: wander === 0 ? -Math.sign(dx) : Math.sign(dx),
      jump: target.y > me.y + 1 || isBlocked ? 1 : 0,
    };
  },
});
