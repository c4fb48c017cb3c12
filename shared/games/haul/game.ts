/**
 * Haul: trucks race over hills, and each pulls a trailer on a rope through crates. Metres and
 * seconds; y points up, and the race goes to the right.
 *
 * The file has the road, the declaration, trucks and races, and the rules.
 */
import {
  axis,
  CHAINS,
  choice,
  clock,
  declareGame,
  defineGame,
  jointsOf,
  type Place,
  press,
  reference,
  REVOLUTE,
  ROPE,
  type Shape,
  sin,
  type ThingOf,
  WHEEL,
  type WorldOf,
} from "../../game_kit/game_kit.ts";

/** A race ends after so many ticks, 90 s, if not all trucks have arrived before. */
export const RACE_TICKS = 1800;
const COUNTDOWN_SECONDS = 3;
const RESULT_SECONDS = 8;
/** When the first truck has arrived, the others have so long. */
const LAST_CALL_SECONDS = 25;

/** Along the road, as x: both ends, the depots where trucks get new trailers, and the finish. */
const ROAD_START = -34;
const ROAD_END = 436;
const DEPOTS = [105, 290];
export const FINISH = 400;

/** The middle of a gorge, and the bridge over it. */
const GORGE = 200;
const BRIDGE_START = 187.65;
const PLANK_LENGTH = 1.3;
const PLANKS = 19;

/** Each stack has so many crates, or one less. */
const STACK_MOST = { none: 0, some: 3, many: 5 } as const;

/** Radians per second. */
const WHEEL_SPEED = 30;
/** Newton metres: what a player leans with, and what rights a truck by itself. */
const LEAN_TORQUE = 90;
const RIGHTING_TORQUE = 25;
/** Metres per second that a hop adds. */
const HOP_SPEED = 9;
const HOP_REST_SECONDS = 2;
/** A truck is stuck if it drives and is no faster than this for so long. */
const STUCK_SPEED = 1.5;
const STUCK_SECONDS = 2;
/** Pages sound and show what hits faster than this, metres per second. */
const HIT_SPEED = 6;

/** Bits of `category` and `mask`. All parts of trucks and trailers have a category of their own. */
const TRUCKS = 2;
const ALL_BUT_TRUCKS = 0xfffd;

/** This seat and those above belong to NPCs. */
const FIRST_NPC_SEAT = 16;

/**
 * The height of the road. It is level at the start, around the gorge and before the finish. Within
 * 20 m from there the hills reach their full height.
 */
export function heightAt(x: number): number {
  const fromGorge = Math.abs(x - GORGE);
  const hilly = Math.max(0, Math.min(20, x - 12, FINISH - 5 - x, fromGorge - 16)) / 20;
  const hills = 3.2 * sin(x / 9) + 2.2 * sin(x / 23 + 1);
  const gorge = 9 * Math.max(0, 1 - fromGorge / 9);
  return hilly * hills - gorge;
}

/** A corner every 2 m. */
export const ROAD = Array.from({ length: 231 }, (_, i) => {
  const x = 2 * i - 30;
  return [x, heightAt(x)] as const;
});

/** The place on the bridge that is so many planks from its start. */
function onBridge(planks: number): Place {
  return { x: BRIDGE_START + PLANK_LENGTH * planks, y: -0.15 };
}

/**
 * A part of a truck or a trailer. These pass through each other, because the road has one lane.
 * Crates are in everybody's way.
 */
function part(shape: Shape, density = 1, friction = 0.4) {
  return { shape, density, friction, category: TRUCKS, mask: ALL_BUT_TRUCKS };
}

const declaration = declareGame({
  id: "haul-3",
  title: "Haul",
  gravity: 14,
  features: [CHAINS, jointsOf(REVOLUTE, ROPE, WHEEL)],
  limits: { entities: 512 },

  // The road, and a cliff with a high plain beyond each end.
  ground: [{
    shape: { chain: [[-400, 14], [ROAD_START, 14], ...ROAD, [ROAD_END, 14], [900, 14]] },
    friction: 0.9,
  }],

  command: {
    drive: axis({ steps: 8, label: "Go" }),
    lean: axis({ steps: 8, up: true, label: "Lean" }),
    hop: press(),
  },
  options: { crates: choice("some", "many", "none") },

  match: {
    phase: choice("result", "playing"),
    // Ticks until the phase is over. A race begins with a countdown: see `isCountdown`.
    left: clock(),
    round: "u16",
    // Trucks that have arrived in this race.
    finished: "u8",
  },

  things: {
    gate: { body: { type: "static", fixtures: [{ shape: { box: [0.3, 12] }, sensor: true }] } },
    crate: { body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 0.12, friction: 0.4 }] } },

    // Planks meet trucks and nothing else, so that the outer ones can turn within the road.
    plank: {
      body: {
        fixtures: [{
          shape: { box: [PLANK_LENGTH / 2, 0.15] },
          density: 4,
          friction: 0.9,
          mask: TRUCKS,
        }],
      },
    },

    // Two runners, and above them a log that weighs nothing.
    trailer: {
      body: {
        fixtures: [
          part({ circle: 0.5, x: -0.8, y: 0 }, 0.64, 0),
          part({ circle: 0.5, x: 0, y: 0.9 }, 0, 0),
          part({ circle: 0.5, x: 0.8, y: 0 }, 0.64, 0),
        ],
      },
    },

    wheel: { body: { fixtures: [part({ circle: 0.55 }, 0.7, 1.7)] } },

    // A frame and a cabin.
    truck: {
      body: {
        angularDamping: 3,
        fixtures: [part({ box: [1.6, 0.35] }), part({ box: [0.6, 0.4], x: 0.6, y: 0.75 }, 0.3)],
      },
      fields: {
        trailer: reference("trailer"),
        // Until the next hop.
        wait: clock(),
        // Until it is set back on the road, if it does not move.
        stuck: clock(),
        // In this race; 0 before it has arrived.
        place: "u8",
        // In this race, and in those before it.
        points: "u8",
        earlierPoints: "u16",
      },
    },
  },
  player: "truck",

  joints: {
    axle: {
      type: "wheel",
      spring: { frequencyHz: 3.5, dampingRatio: 0.7 },
      motor: { speed: 0, torqueMax: 28 },
    },
    rope: { type: "rope", breakForce: 420 },
    hinge: { type: "revolute" },
  },
  events: { hop: "at once", crash: "at once", land: "at once", lost: "certain", finish: "certain" },
});

type World = WorldOf<typeof declaration>;
type Truck = ThingOf<typeof declaration, "truck">;

/** Whether trucks still wait for their race to begin. @param left the match's clock */
export function isCountdown(left: number): boolean {
  return left > RACE_TICKS;
}

function isOnRoad({ x }: Truck): boolean {
  return x > ROAD_START && x < ROAD_END;
}

/** Where a seat's truck starts, as x. NPCs stand between players. */
function startOf(seat: number): number {
  const isNpc = seat >= FIRST_NPC_SEAT;
  return 8 - seat % 16 * 1.6 - (isNpc ? 0.8 : 0);
}

/** Sets a truck on the road, with new wheels and a new trailer. */
function build(world: World, me: Truck, x: number): void {
  unbuild(world, me);
  world.teleport(me, x, heightAt(x) + 2.5, 0);
  world.setVelocity(me, 0, 0);

  for (const wheelX of [x - 1.15, x + 1.15]) {
    const at = { x: wheelX, y: me.y - 0.5 };
    const wheel = world.spawn("wheel", at);
    world.joints.add("axle", me, wheel, { ...at, axis: { x: 0, y: 1 } });
  }
  hitch(world, me);

  me.fields.stuck = world.ticks(STUCK_SECONDS);
  me.fields.place = 0;
}

/** Removes all that hangs on a truck: wheels and trailer. */
function unbuild(world: World, me: Truck): void {
  for (const { b } of world.joints.of(me)) world.despawn(world.get(b.id)!);
}

/** Hangs a new trailer on a truck's rope, above the road behind it. */
function hitch(world: World, me: Truck): void {
  const x = me.x - 3.7;
  const y = Math.max(me.y, heightAt(x) + 0.6);
  const trailer = world.spawn("trailer", { x, y, vx: me.vx });
  const ends = { x: me.x - 1.5, y: me.y, bx: x + 1.2, by: trailer.y };
  world.joints.add("rope", me, trailer, { ...ends, length: 1.3 });
  me.fields.trailer = trailer;
}

/** Begins a race: new crates on the road, and all trucks at the start. */
function beginRace(world: World): void {
  const { match } = world;
  match.phase = "playing";
  match.left = RACE_TICKS + world.ticks(COUNTDOWN_SECONDS);
  match.round++;
  match.finished = 0;

  for (const crate of world.all("crate")) world.despawn(crate);
  for (const trailer of world.all("trailer")) world.despawn(trailer);
  stackCrates(world);
  for (const truck of world.all("truck")) {
    truck.fields.earlierPoints += truck.fields.points;
    truck.fields.points = 0;
    build(world, truck, startOf(truck.seat));
  }
}

/** Puts a stack of crates on the road every 40 to 51 m. */
function stackCrates(world: World): void {
  const most = STACK_MOST[world.options.crates];
  for (let x = 50; x < 380; x += 40 + world.random(12)) {
    const crates = most - world.random(2);
    for (let i = crates; i > 0; i--) world.spawn("crate", { x, y: heightAt(x) + 1.02 * i });
  }
}

export const game = defineGame(declaration, {
  start(world) {
    // The bridge: a row of planks, each hinged to the one before it, and the outer ones to the road.
    const planks = Array.from(
      { length: PLANKS },
      (_, i) => world.spawn("plank", onBridge(i + 0.5)),
    );
    const row = [world.ground, ...planks, world.ground];
    for (let i = 0; i <= PLANKS; i++) {
      world.joints.add("hinge", row[i]!, row[i + 1]!, onBridge(i));
    }

    for (const x of [...DEPOTS, FINISH]) world.spawn("gate", { x, y: heightAt(x) });
  },

  // A new truck has no wheels yet. Its clock `stuck` is 0, so its first `drive` builds it.
  enter: (_world, seat) => ({ x: startOf(seat), y: 2.5 }),

  leave: unbuild,

  drive(world, me, { drive, lean, hop }) {
    const { fields } = me;
    const { joints } = world;
    const isWaiting = isCountdown(world.match.left);

    // A truck that has left the road starts again. One that is stuck is set on its wheels.
    if (!isOnRoad(me)) build(world, me, startOf(me.seat));
    else if (fields.stuck === 0) build(world, me, me.x + 2);

    // It is not stuck while it moves, or has a reason to stand.
    const isMoving = Math.abs(me.vx) > STUCK_SPEED;
    const hasArrived = fields.place > 0;
    if (isMoving || isWaiting || hasArrived || drive === 0) {
      fields.stuck = world.ticks(STUCK_SECONDS);
    }

    // Both wheels are driven. To go to the right they turn clockwise.
    const speed = isWaiting ? 0 : -WHEEL_SPEED * drive;
    for (const axle of joints.of(me, "axle")) joints.setMotor(axle, { speed });

    // Players lean forwards and back, and a truck rights itself a little.
    world.applyTorque(me, -LEAN_TORQUE * lean - RIGHTING_TORQUE * sin(me.angle));

    if (hop > 0 && !isWaiting && fields.wait === 0) {
      world.applyImpulse(me, 0, HOP_SPEED * me.mass);
      fields.wait = world.ticks(HOP_REST_SECONDS);
      world.emit("hop", me);
    }

    // Too strong a pull has broken the rope: the trailer is lost.
    if (fields.trailer !== undefined && joints.of(me, "rope").length === 0) {
      fields.trailer = undefined;
      world.emit("lost", me);
    }
  },

  touch: {
    wheel: {
      ground(world, wheel, _ground, { speed }) {
        if (speed > HIT_SPEED) world.emit("land", wheel);
      },
    },

    truck: {
      crate(world, me, _crate, { speed }) {
        if (speed > HIT_SPEED) world.emit("crash", me);
      },

      gate(world, me, gate) {
        const { match } = world;
        const { fields } = me;
        const hasTrailer = fields.trailer !== undefined;

        // At a depot a truck without a trailer gets a new one.
        if (gate.x < FINISH) {
          if (!hasTrailer && isOnRoad(me)) hitch(world, me);
          return;
        }

        // At the finish a truck arrives, once in each race.
        if (fields.place > 0 || match.phase === "result") return;
        match.finished++;
        fields.place = match.finished;
        world.emit("finish", me);

        // The first place has six points, each one after it has one less, and at least two. A truck
        // without its trailer gets one.
        fields.points = hasTrailer ? Math.max(2, 7 - fields.place) : 1;

        // The race is over when all have arrived. Until then the others have a last call.
        const isLast = match.finished >= world.all("truck").length;
        match.left = isLast ? 0 : Math.min(match.left, world.ticks(LAST_CALL_SECONDS));
      },
    },
  },

  tick(world) {
    const { match } = world;
    if (match.left > 0) return;

    if (match.phase === "result") {
      beginRace(world);
    } else {
      match.phase = "result";
      match.left = world.ticks(RESULT_SECONDS);
    }
  },

  round: ({ match }) => ({
    number: match.round,
    isOver: match.phase === "result",
    score: ({ fields }) => fields.points,
    total: ({ fields }) => fields.earlierPoints + fields.points,
  }),

  /** NPCs differ a little in speed, lean against their tilt, and hop where they do not move. */
  think: (_world, me) => ({
    drive: 1 - me.seat % 5 / 24,
    lean: sin(me.angle),
    hop: Math.abs(me.vx) < 2 ? 1 : 0,
  }),
});
