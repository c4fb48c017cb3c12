/**
 * Tumble: marbles roll over hills and a seesaw for gems, and through stacks of blocks. Metres and
 * seconds; y points up.
 */
import { axis, defineGame, jointsOf, press, REVOLUTE, sin } from "wyvern";

/** Half of the yard's width. */
export const HALF_WIDTH = 22;
export const MARBLE_RADIUS = 0.6;
export const BLOCK_HALF = 0.6;
export const SEESAW = { x: 9, y: 1.6, halfLength: 3.6, halfHeight: 0.16 } as const;

const GEMS = 5;
/** Towers of blocks: where, and how many in each row from below. */
const TOWERS = [
  { x: -2.4, rows: [3, 2, 1] },
  { x: 15, rows: [2, 2, 1] },
  { x: -17, rows: [2, 1] },
] as const;

/** N·m for a kilogram, and metres per second. */
const TORQUE = 9;
const PUSH = 9;
const JUMP_SPEED = 10;
/** Pages show what hits faster than this, metres per second. */
const KNOCK_SPEED = 5;

/** The height of the yard's floor, metres. */
export function heightAt(x: number): number {
  const fromHill = Math.abs(x + 9);
  const hill = 2.6 * Math.max(0, 1 - fromHill * fromHill / 25);
  const edge = Math.max(0, Math.abs(x) - HALF_WIDTH + 3);
  return hill + 0.55 * edge * edge;
}

/** The floor's corners, from the left to the right. */
export const FLOOR = Array.from({ length: 2 * HALF_WIDTH + 1 }, (_, i) => {
  const x = i - HALF_WIDTH;
  return [x, heightAt(x)] as const;
});

/** A wall at an end of the yard. */
function wall(x: number) {
  return { shape: { box: [0.5, 12] as const, x, y: 10 }, friction: 0 };
}

export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "tumble-1",
  title: "Tumble",
  players: { npcs: 5 },
  gravity: 20,
  solverSteps: 4, // stacks and hinges hold more with it (docs/rates.md)
  features: [jointsOf(REVOLUTE)],

  ground: [
    ...FLOOR.slice(1).map(([x, y], i) => ({
      shape: { edge: [...FLOOR[i]!, x, y] as const },
      friction: 0.9,
    })),
    wall(-HALF_WIDTH - 0.5),
    wall(HALF_WIDTH + 0.5),
  ],

  command: { dx: axis(), jump: press() },

  things: {
    marble: {
      body: {
        fixtures: [{ shape: { circle: MARBLE_RADIUS }, friction: 1, restitution: 0.25 }],
        angularDamping: 0.8,
      },
      fields: { score: "u16" },
    },
    block: {
      body: {
        fixtures: [{ shape: { box: [BLOCK_HALF, BLOCK_HALF] }, density: 0.25, friction: 0.6 }],
      },
    },
    seesaw: {
      body: {
        fixtures: [{
          shape: { box: [SEESAW.halfLength, SEESAW.halfHeight] },
          density: 1,
          friction: 1,
        }],
        angularDamping: 0.4,
      },
    },
    gem: { body: { type: "static", fixtures: [{ shape: { circle: 0.6 }, sensor: true }] } },
  },
  player: "marble",
  joints: { hinge: { type: "revolute", limits: { lower: -0.4, upper: 0.4 } } },

  // What pages show. "likely" waits a few ticks, so that fewer are taken back.
  events: { gem: "likely", knock: "likely" },
}, {
  start(world) {
    const { x, y } = SEESAW;
    world.joints.add("hinge", world.ground, world.spawn("seesaw", { x, y }), { x, y });

    for (const tower of TOWERS) {
      tower.rows.forEach((blocks, row) => {
        for (let i = 0; i < blocks; i++) {
          const blockX = tower.x + (i - (blocks - 1) / 2) * 2.05 * BLOCK_HALF;
          const blockY = heightAt(tower.x) + (2.02 * row + 1.02) * BLOCK_HALF;
          world.spawn("block", { x: blockX, y: blockY });
        }
      });
    }
    for (let i = 0; i < GEMS; i++) world.spawn("gem", gemAt(8 * i + 3, i % 3));
  },

  enter: (_world, seat) => ({ x: seat * 6.7 % 36 - 18, y: 7 }),

  /** A marble rolls by itself, is pushed a little, and jumps from whatever carries it. */
  drive(world, me, { dx, jump }) {
    world.applyTorque(me, -TORQUE * me.mass * dx);
    world.applyForce(me, PUSH * me.mass * dx, 0);
    if (jump > 0 && world.isSupported(me)) world.setVelocity(me, me.vx, JUMP_SPEED);
  },

  touch: {
    marble: {
      /** A marble takes the gem, which appears elsewhere. */
      gem(world, marble, gem) {
        marble.fields.score++;
        world.emit("gem", gem, marble);
        const { x, y } = gemAt(world.random(39), world.random(3));
        world.teleport(gem, x, y);
      },

      marble(world, marble, other, { speed }) {
        if (speed > KNOCK_SPEED) world.emit("knock", marble, other, speed);
      },

      block(world, marble, block, { speed }) {
        if (speed > KNOCK_SPEED) world.emit("knock", block, marble, speed);
      },
    },
  },

  /** An NPC rolls to a gem, and jumps below it or where it does not get on. */
  think(world, me) {
    const gems = world.all("gem");
    const target = gems[me.seat % gems.length] ?? me;
    const dx = target.x - me.x;
    const isBelow = Math.abs(dx) < 1.5 && target.y > me.y + 0.5;
    const isStuck = Math.abs(me.vx) < 0.6 && Math.abs(dx) > 1.5;
    return {
      dx: Math.max(-1, Math.min(1, dx / 2)) * (0.7 + 0.3 * sin(me.seat)),
      jump: isBelow || isStuck ? 1 : 0,
    };
  },
});

/** A place for a gem above the floor. @param column 0 … 38 @param storey 0 … 2 */
function gemAt(column: number, storey: number): { readonly x: number; readonly y: number } {
  const x = column - 19;
  return { x, y: heightAt(x) + 1.1 + 1.4 * storey };
}
