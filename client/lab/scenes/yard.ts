/**
 * Two scenes in a yard seen from above, which exist for the lab alone. In one, eight cars push a
 * heap of crates, so every body leans on another. In the other, cars pull a heavy anvil by ropes,
 * so what one player does is felt by the other at once. Metres and seconds.
 */
import {
  atan2,
  axis,
  declareGame,
  defineGame,
  directionOf,
  flag,
  hypot,
  jointsOf,
  type ReadonlyThingOf,
  ROPE,
  type WorldViewOf,
} from "../../../shared/game_kit/game_kit.ts";

/** From the middle of the yard to its walls. */
const HALF_LENGTH = 14;
const HALF_WIDTH = 7.5;
/** Newtons for each kilogram of a car. */
const ENGINE = 13;
/** The share of its speed to the side that a car loses in each tick. */
const GRIP = 0.4;
/** How fast a car turns for each radian that its nose is off, and at most, radians per second. */
const SPIN_PER_RADIAN = 7;
const SPIN_MAX = 6;
/** The heap: rows of crates, and how far their middles are apart. */
const HEAP_ROWS = 4;
const CRATE_PITCH = 1.06;
const ROPE_METRES = 4;
/** For how long a driver goes for one crate, or pulls to one side, ticks. */
const ERRAND_TICKS = 45;

const wall = (x: number, y: number, halfWidth: number, halfHeight: number) => ({
  shape: { box: [halfWidth, halfHeight], x, y },
  friction: 0.2,
} as const);

function declareYard<const Id extends string>(id: Id, title: string) {
  return declareGame({
    id,
    title,
    gravity: 0,
    features: [jointsOf(ROPE)],
    speedMax: 25,
    limits: { entities: 64, contacts: 1024 },
    ground: [
      wall(0, HALF_WIDTH + 0.5, HALF_LENGTH + 1, 0.5),
      wall(0, -HALF_WIDTH - 0.5, HALF_LENGTH + 1, 0.5),
      wall(HALF_LENGTH + 0.5, 0, 0.5, HALF_WIDTH),
      wall(-HALF_LENGTH - 0.5, 0, 0.5, HALF_WIDTH),
    ],
    command: { dx: axis({ steps: 8 }), dy: axis({ steps: 8, up: true }) },
    match: {},
    things: {
      crate: {
        body: {
          fixtures: [{ shape: { box: [0.5, 0.5] }, density: 1, friction: 0.4 }],
          linearDamping: 2.5,
          angularDamping: 3,
        },
      },
      anvil: {
        body: {
          fixtures: [{ shape: { circle: 0.9 }, density: 3, friction: 0.3 }],
          linearDamping: 1.5,
          angularDamping: 3,
        },
      },
      car: {
        body: {
          fixtures: [{ shape: { box: [0.75, 0.45] }, density: 2.5, friction: 0.2 }],
          linearDamping: 1.2,
          angularDamping: 5,
        },
        // Whether its rope is there.
        fields: { tied: flag() },
      },
    },
    player: "car",
    joints: { rope: { type: "rope" } },
  });
}

type Yard = ReturnType<typeof declareYard>;
type WorldView = WorldViewOf<Yard>;
type Car = ReadonlyThingOf<Yard, "car">;

/** @param hasRopes whether each car pulls the anvil; otherwise there is a heap of crates */
function yardGame(declaration: Yard, hasRopes: boolean) {
  return defineGame(declaration, {
    start(world) {
      if (hasRopes) world.spawn("anvil");
      for (let row = 0; row < HEAP_ROWS; row++) {
        for (let column = 0; column < HEAP_ROWS && !hasRopes; column++) {
          const middle = (HEAP_ROWS - 1) / 2;
          world.spawn("crate", {
            x: (column - middle) * CRATE_PITCH,
            y: (row - middle) * CRATE_PITCH,
          });
        }
      }
    },

    /** Around the middle, with the nose to it. */
    enter(_world, seat) {
      const angle = (seat % 8) * Math.PI / 4 + (seat >= 8 ? Math.PI / 8 : 0);
      const { x, y } = directionOf(angle);
      const radius = hasRopes ? ROPE_METRES - 0.5 : 5.5;
      return { x: radius * x, y: radius * y, angle: angle + Math.PI };
    },

    drive(world, me, { dx, dy }) {
      const nose = directionOf(me.angle);
      const skid = GRIP * me.mass * (nose.x * me.vy - nose.y * me.vx);
      world.applyImpulse(me, nose.y * skid, -nose.x * skid);
      const push = hypot(dx, dy);
      const off = atan2(nose.x * dy - nose.y * dx, nose.x * dx + nose.y * dy);
      const spin = Math.max(-SPIN_MAX, Math.min(SPIN_MAX, SPIN_PER_RADIAN * off));
      if (push > 0) world.setSpin(me, spin);
      const most = Math.max(1, push);
      world.applyForce(me, ENGINE * me.mass * dx / most, ENGINE * me.mass * dy / most);
    },

    tick(world) {
      const anvil = world.one("anvil");
      if (anvil === undefined) return;
      for (const car of world.all("car")) {
        if (car.fields.tied) continue;
        car.fields.tied = true;
        const ends = { x: car.x, y: car.y, bx: anvil.x, by: anvil.y };
        world.joints.add("rope", car, anvil, ends);
      }
    },

    think: (world, me, aheadTicks) => {
      const errand = Math.floor((world.tick + aheadTicks + 9 * me.seat) / ERRAND_TICKS);
      return hasRopes ? pull(me, errand) : heap(world, me, errand);
    },
  });
}

/** Pulls to a place that changes with each errand. */
function pull(me: Car, errand: number) {
  const angle = 2.4 * (errand + 3 * me.seat);
  const { x, y } = directionOf(angle);
  return goTo(me, x * (HALF_LENGTH - 2), y * (HALF_WIDTH - 1.5));
}

/** Pushes a crate to the middle: first gets behind it, and then goes through it. */
function heap(world: WorldView, me: Car, errand: number) {
  const crates = world.all("crate");
  const crate = crates[(errand * 5 + me.seat * 3) % Math.max(1, crates.length)] ?? me;
  const metres = Math.max(0.5, hypot(crate.x, crate.y));
  const outX = crate.x / metres;
  const outY = crate.y / metres;
  const isBehind = (me.x - crate.x) * outX + (me.y - crate.y) * outY > 0.6;
  return isBehind
    ? goTo(me, crate.x - 2 * outX, crate.y - 2 * outY)
    : goTo(me, crate.x + 2 * outX - outY, crate.y + 2 * outY + outX);
}

function goTo(me: Car, x: number, y: number) {
  const dx = x - me.x - me.vx / 4;
  const dy = y - me.y - me.vy / 4;
  const metres = Math.max(1, hypot(dx, dy));
  return { dx: dx / metres, dy: dy / metres };
}

export const heapGame = yardGame(declareYard("lab-heap-1", "Eight cars and a heap"), false);
export const ropeGame = yardGame(declareYard("lab-rope-1", "A rope that two pull"), true);
