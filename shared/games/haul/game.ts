/**
 * Haul: trucks race over hills, and each pulls a trailer on a rope through crates. Metres, seconds;
 * y points up.
 */
import {
  axis,
  CHAINS,
  choice,
  clock,
  declareGame,
  defineGame,
  JOINTS,
  press,
  reference,
  type Shape,
  sin,
  type ThingOf,
  type WorldOf,
} from "../../game_kit/game_kit.ts";

/** A race lasts so many ticks after its start. */
export const RACE = 1800;
/** Where it ends, as x. */
export const FINISH = 400;
/** The middle of the gorge. */
export const GORGE = 200;
/** The length of a plank of the bridge over it. */
export const PLANK = 1.3;
export const PLANKS = 19;
/** Where the bridge begins. */
export const BRIDGE = 187.65;

/** Before a race trucks are held for so long, s. */
const START_HOLD = 3;
/** Its result is shown for so long, s. */
const RESULT = 8;
/** When a truck has arrived, others have so long, s. */
const LAST_CALL = 25;
/** A truck that drives and does not move is set back on the road after so long, s. */
const STUCK = 2;
/** A hop can be repeated after so long, s. */
const HOP_REST = 2;

/** Two gates give a truck without a trailer a new one. The last one is the finish. */
const GATES = [105, 290, FINISH];
/** Crates in one pile at most. */
const PILE = { none: 0, some: 3, many: 5 } as const;

/**
 * Hills between level ground: at the start, at a gorge with a bridge of planks, and before the
 * finish.
 */
export function heightAt(x: number): number {
  const far = Math.abs(x - GORGE);
  const hilly = Math.max(0, Math.min(20, x - 12, FINISH - 5 - x, far - 16)) / 20;
  return hilly * (3.2 * sin(x / 9) + 2.2 * sin(x / 23 + 1)) - 9 * Math.max(0, 1 - far / 9);
}

export const ROAD = Array.from(
  { length: 231 },
  (_, i) => [2 * i - 30, heightAt(2 * i - 30)] as const,
);

/**
 * A part of a truck. Trucks pass each other, because the road has one lane. Crates are in
 * everybody's way.
 */
const part = (shape: Shape, density = 1, friction = 0.4) => ({
  shape,
  density,
  friction,
  category: 2,
  mask: 0xfffd,
});

const declaration = declareGame({
  id: "haul-2",
  title: "Haul",
  gravity: 14,
  features: [CHAINS, JOINTS],
  limits: { entities: 512 },
  // The road, and a high plain beyond each end.
  ground: [{
    shape: { chain: [[-400, 14], [-34, 14], ...ROAD, [436, 14], [900, 14]] },
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
    // Ticks until the phase is over. A race begins with more than `RACE`: trucks are held.
    left: clock(),
    round: "u16",
    // Trucks that have arrived.
    finished: "u8",
  },
  things: {
    gate: { body: { type: "static", fixtures: [{ shape: { box: [0.3, 12] }, sensor: true }] } },
    crate: { body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 0.12, friction: 0.4 }] } },
    plank: {
      body: {
        fixtures: [{ shape: { box: [PLANK / 2, 0.15] }, density: 4, friction: 0.9, mask: 2 }],
      },
    },
    // Two runners, and between them a log that weighs nothing.
    trailer: {
      body: {
        fixtures: [
          part({ circle: 0.5, x: -0.8, y: 0 }, 0.8 * 0.8, 0),
          part({ circle: 0.5, x: 0, y: 0.9 }, 0, 0),
          part({ circle: 0.5, x: 0.8, y: 0 }, 0.8 * 0.8, 0),
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
        points: "u16",
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

const isOnRoad = ({ x }: { readonly x: number }) => x > -34 && x < 436;

/** Where a seat's truck starts: two rows, one behind the other. */
const startOf = (seat: number) => 8 - seat % 16 * 1.6 - (seat >> 4) * 0.8;

/** Trucks stand before a race begins. */
const isHeld = ({ match }: Pick<World, "match">) => match.left > RACE;

/** Hangs a new trailer on a truck's rope, above the ground behind it. */
function hitch(world: World, me: Truck): void {
  const x = me.x - 3.7;
  const trailer = world.spawn("trailer", { x, y: Math.max(me.y, heightAt(x) + 0.6), vx: me.vx });
  world.joints.add("rope", me, trailer, {
    x: me.x - 1.5,
    y: me.y,
    bx: x + 1.2,
    by: trailer.y,
    length: 1.3,
  });
  me.fields.trailer = trailer;
}

/** Takes away all that hangs on a truck: wheels and trailer. */
function unbuild(world: World, me: Truck): void {
  for (const { b } of world.joints.of(me)) world.despawn(world.get(b.id)!);
}

/** Sets a truck on the road, with new wheels and a new trailer. */
function build(world: World, me: Truck, x: number): void {
  unbuild(world, me);
  world.teleport(me, x, heightAt(x) + 2.5, 0);
  world.setVelocity(me, 0, 0);

  for (const at of [{ x: x - 1.15, y: me.y - 0.5 }, { x: x + 1.15, y: me.y - 0.5 }]) {
    const wheel = world.spawn("wheel", at);
    world.joints.add("axle", me, wheel, { ...at, axis: { x: 0, y: 1 } });
  }
  hitch(world, me);

  me.fields.stuck = world.ticks(STUCK);
  me.fields.place = 0;
}

/** Begins a race: piles of crates on the road, and all trucks at the start. */
function begin(world: World): void {
  const { match } = world;
  match.phase = "playing";
  match.left = RACE + world.ticks(START_HOLD);
  match.round++;
  match.finished = 0;

  for (const thing of [...world.all("crate"), ...world.all("trailer")]) world.despawn(thing);
  for (let x = 50; x < 380; x += 40 + world.random(12)) {
    const count = PILE[world.options.crates] - world.random(2);
    for (let i = count; i > 0; i--) world.spawn("crate", { x, y: heightAt(x) + 1.02 * i });
  }

  for (const truck of world.all("truck")) build(world, truck, startOf(truck.seat));
}

export const game = defineGame(declaration, {
  start(world) {
    // The bridge: planks in a row, with a hinge at each end of each.
    const { ground, joints } = world;
    const at = (i: number) => ({ x: BRIDGE + PLANK * i, y: -0.15 });
    const planks = Array.from({ length: PLANKS }, (_, i) => world.spawn("plank", at(i + 0.5)));
    for (let i = 0; i <= PLANKS; i++) {
      joints.add("hinge", planks[i - 1] ?? ground, planks[i] ?? ground, at(i));
    }

    for (const x of GATES) world.spawn("gate", { x, y: heightAt(x) });
  },

  enter: (_world, seat) => ({ x: startOf(seat), y: 2.5 }),

  leave: unbuild,

  drive(world, me, { drive, lean, hop }) {
    const { fields } = me;
    const { joints } = world;
    const held = isHeld(world);

    // Back to the start from beyond the road, and two metres on from where it is stuck.
    if (!isOnRoad(me)) build(world, me, startOf(me.seat));
    else if (fields.stuck === 0) build(world, me, me.x + 2);
    if (held || drive === 0 || fields.place > 0 || Math.abs(me.vx) > 1.5) {
      fields.stuck = world.ticks(STUCK);
    }

    // Both wheels are driven. A truck that leans rights itself a little.
    for (const axle of joints.of(me, "axle")) {
      joints.setMotor(axle, { speed: held ? 0 : -30 * drive });
    }
    world.applyTorque(me, -90 * lean - 25 * sin(me.angle));

    if (hop > 0 && !held && fields.wait === 0) {
      world.applyImpulse(me, 0, 9 * me.mass);
      fields.wait = world.ticks(HOP_REST);
      world.emit("hop", me);
    }

    // Too strong a pull has broken the rope.
    if (fields.trailer === undefined || joints.of(me, "rope").length > 0) return;
    fields.trailer = undefined;
    world.emit("lost", me);
  },

  touch: {
    wheel: {
      ground: (world, wheel, _ground, { speed }) => speed > 6 && world.emit("land", wheel),
    },
    truck: {
      crate: (world, me, _crate, { speed }) => speed > 6 && world.emit("crash", me),

      gate(world, me, { x }) {
        const { match } = world;
        const { fields } = me;
        const isHauling = fields.trailer !== undefined;

        // On the way a truck without a trailer gets a new one.
        if (x < FINISH && !isHauling && isOnRoad(me)) hitch(world, me);
        if (x < FINISH || fields.place > 0 || match.phase === "result") return;

        // The truck has arrived: six points for the first one with a trailer, one point without.
        match.finished++;
        fields.place = match.finished;
        fields.points += isHauling ? Math.max(2, 7 - fields.place) : 1;
        const isLast = match.finished >= world.all("truck").length;
        match.left = isLast ? 0 : Math.min(match.left, world.ticks(LAST_CALL));
        world.emit("finish", me);
      },
    },
  },

  tick(world) {
    const { match } = world;
    if (match.left > 0) return;
    if (match.phase === "result") return begin(world);
    match.phase = "result";
    match.left = world.ticks(RESULT);
  },

  round: ({ match }) => ({
    number: match.round,
    isOver: match.phase === "result",
    score: ({ fields }) => fields.points,
  }),

  /** NPCs go ahead, each a little slower than the one before, and hop where they do not move. */
  think: (_world, me) => ({
    drive: 1 - me.seat % 5 / 24,
    lean: sin(me.angle),
    hop: Math.abs(me.vx) < 2 ? 1 : 0,
  }),
});
