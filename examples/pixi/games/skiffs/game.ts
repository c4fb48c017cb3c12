/**
 * Skiffs: boats race for lanterns on a pond at night, between rocks and drifting logs. Metres and
 * seconds, seen from above; y points up.
 */
import { atan2, axis, cos, defineGame, hypot, sin } from "wyvern";

/** Half of the pond's width and height. */
export const HALF_WIDTH = 18;
export const HALF_HEIGHT = 11;

/** Rocks that never move: their middle, and their radius. */
export const ROCKS = [
  { x: -8, y: 3.5, radius: 1.6 },
  { x: 9, y: -3, radius: 1.9 },
  { x: 1, y: 7, radius: 1.1 },
  { x: -2, y: -6.5, radius: 1.3 },
] as const;

/** The boat's outline, with its bow to the right. */
export const HULL = [
  [1.05, 0],
  [0.55, 0.38],
  [-0.75, 0.42],
  [-0.95, 0.3],
  [-0.95, -0.3],
  [-0.75, -0.42],
  [0.55, -0.38],
] as const;
export const LOG = { halfLength: 1.3, radius: 0.28 } as const;

const LANTERNS = 6;
const LOGS = 9;

/** Metres per second, squared. */
const OARS = 19;
/** The share of a drift sideways that the keel takes away in each tick. */
const KEEL = 0.22;
/** Radians per second that a boat turns for each radian that its bow is off, and at most. */
const SPIN_PER_RADIAN = 6;
const SPIN_MAX = 6;
/** Pages show what hits faster than this, metres per second. */
const BUMP_SPEED = 3;

/** A wall around the pond: its centre, half its width and half its height. */
function shore(x: number, y: number, halfWidth: number, halfHeight: number) {
  return { shape: { box: [halfWidth, halfHeight] as const, x, y }, restitution: 0.4 };
}

export const game = defineGame({
  // Raise the number whenever you change the rules, so that an old page loads the new ones.
  id: "skiffs-1",
  title: "Skiffs",
  players: { npcs: 5 },
  gravity: 0,
  solverSteps: 4, // joints and heaps hold more with it (docs/rates.md)

  ground: [
    shore(0, HALF_HEIGHT + 1, HALF_WIDTH + 2, 1),
    shore(0, -HALF_HEIGHT - 1, HALF_WIDTH + 2, 1),
    shore(HALF_WIDTH + 1, 0, 1, HALF_HEIGHT),
    shore(-HALF_WIDTH - 1, 0, 1, HALF_HEIGHT),
    ...ROCKS.map(({ x, y, radius }) => ({ shape: { circle: radius, x, y }, restitution: 0.4 })),
  ],

  // What a player controls: where the boat should go.
  command: { dx: axis(), dy: axis({ up: true }) },

  things: {
    boat: {
      body: { fixtures: [{ shape: { polygon: HULL }, restitution: 0.3 }], linearDamping: 1.4 },
      fields: { score: "u16" },
    },
    log: {
      body: {
        fixtures: [{ shape: { box: [LOG.halfLength, LOG.radius] }, density: 0.5 }],
        linearDamping: 0.6,
        angularDamping: 0.6,
      },
    },
    lantern: { body: { type: "static", fixtures: [{ shape: { circle: 0.6 }, sensor: true }] } },
  },
  player: "boat",

  // What pages show. "likely" waits a few ticks, so that fewer are taken back.
  events: { lantern: "likely", bump: "at once" },
}, {
  start(world) {
    for (let i = 0; i < LANTERNS; i++) world.spawn("lantern", placeOf(world.random(1000), i));
    for (let i = 0; i < LOGS; i++) {
      const angle = i * 2 * Math.PI / LOGS;
      world.spawn("log", { x: 12 * cos(angle), y: 8 * sin(angle), angle: 2 * angle });
    }
  },

  /** New boats lie in a ring, with their bows to the middle. */
  enter(_world, seat) {
    const angle = seat * 2.4;
    return { x: 5 * cos(angle), y: 4 * sin(angle), angle: angle + Math.PI };
  },

  drive(world, me, { dx, dy }) {
    const bowX = cos(me.angle);
    const bowY = sin(me.angle);

    // The keel holds sideways.
    const drift = KEEL * me.mass * (bowX * me.vy - bowY * me.vx);
    world.applyImpulse(me, bowY * drift, -bowX * drift);

    // The bow turns to where the player points. Two keys together pull no harder than one.
    const pull = hypot(dx, dy);
    if (pull === 0) return;
    const off = atan2(bowX * dy - bowY * dx, bowX * dx + bowY * dy);
    world.setSpin(me, Math.max(-SPIN_MAX, Math.min(SPIN_MAX, SPIN_PER_RADIAN * off)));
    const force = OARS * me.mass / Math.max(1, pull);
    world.applyForce(me, force * dx, force * dy);
  },

  touch: {
    boat: {
      /** A boat that reaches a lantern takes it, and another one is lit elsewhere. */
      lantern(world, boat, lantern) {
        boat.fields.score++;
        world.emit("lantern", lantern, boat);
        const { x, y } = placeOf(world.random(1000), world.random(LANTERNS));
        world.teleport(lantern, x, y);
      },

      boat(world, boat, other, { speed }) {
        if (speed > BUMP_SPEED) world.emit("bump", boat, other, speed);
      },
    },
  },

  /** An NPC rows to the lantern that is nearest to it, each with a little turn of its own. */
  think(world, me) {
    let best = me.seat % 2 === 0 ? world.one("lantern") : undefined;
    for (const lantern of world.all("lantern")) {
      const isNearer = best === undefined ||
        hypot(lantern.x - me.x, lantern.y - me.y) < hypot(best.x - me.x, best.y - me.y);
      if (isNearer) best = lantern;
    }
    if (best === undefined) return {};

    const distance = Math.max(0.1, hypot(best.x - me.x, best.y - me.y));
    const turn = 0.35 * sin(world.tick / 20 + me.seat);
    const dx = (best.x - me.x) / distance;
    const dy = (best.y - me.y) / distance;
    return { dx: dx - turn * dy, dy: dy + turn * dx };
  },
});

/**
 * A place for a lantern on open water, in one of six parts of the pond.
 * @param draw 0 … 999, at random
 */
function placeOf(draw: number, part: number): { readonly x: number; readonly y: number } {
  const column = part % 3 - 1;
  const row = Math.floor(part / 3) - 0.5;
  const x = 11 * column + (draw % 32) / 31 * 8 - 4;
  const y = 9 * row + (draw >> 5) / 31 * 7 - 3.5;

  // Out of a rock, away from its middle
  for (const rock of ROCKS) {
    const distance = Math.max(0.01, hypot(x - rock.x, y - rock.y));
    const reach = (rock.radius + 1.2) / distance;
    if (reach > 1) return { x: rock.x + reach * (x - rock.x), y: rock.y + reach * (y - rock.y) };
  }
  return { x, y };
}
