/** Haul: trucks race over hills, and each pulls a trailer on a rope through crates. Metres, seconds; y points up. */
import type { ThingOf, WorldOf } from "../../game_kit/game_kit.ts";
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
  sin,
} from "../../game_kit/game_kit.ts";

/** Metres along the road. A station replaces a lost trailer. */
export const FINISH = 400, STATIONS = [100, 290];
const PILES = [50, 130, 165, 240, 275, 325, 375], BRIDGE = 187, PLANK = 1.3, PLANKS = 20, RACE_SECONDS = 90;
/** rad/s of a driven wheel, N·m of a lean, N·s of a hop for each kilogramme, m/s of a crash. */
const DRIVE = 28, LEAN = 90, HOP = 9, CRASH = 6;

const heights = (text: string) => text.split(" ").map(Number);
/** Heights every 10 m from x = 10 on. Between them a road is smooth, and level before and after. */
const ROADS = {
  hills: heights("0 0 1 3 1.5 0 0 2.5 5 4.5 1 0 -1 1 4 2 .5 2 2 -9 2 2 .5 1 4 7 6 8 5 2 2 0 -1.5 0 3 1 3 1 0 0"),
  canyon: heights(
    "0 0 4 4.5 -2 -6 -6 -5 -8 -3 -3 1 -4 -5.5 -2 3 3 0 2 -16 2 2 -3 -9 -12 -7 -7 -3 -8 -4 0 2 5 5 1 -2 0 3",
  ),
};
export function heightAt(road: keyof typeof ROADS, x: number): number {
  const i = Math.floor(x / 10) - 1, share = x / 10 - 1 - i, from = ROADS[road][i] ?? 0, to = ROADS[road][i + 1] ?? 0;
  return from + (to - from) * share * share * (3 - 2 * share);
}
/** A point every two metres, between two walls. */
export function roadOf(road: keyof typeof ROADS): (readonly [x: number, y: number])[] {
  const points = Array.from({ length: 231 }, (_, i) => [2 * i - 30, heightAt(road, 2 * i - 30)] as const);
  return [[-31, 14], ...points, [431, 14]];
}

/** Trucks pass each other, because a road has one lane. Crates are in everybody's way. */
const PASSING = { category: 2, mask: 0xffff - 2 }, ONLY_TRUCKS = { mask: 2 };
const box = (x: number, y: number, density: number, more = {}) => ({
  shape: { box: [x, y] as const },
  density,
  ...more,
});
const disc = (circle: number, density: number, more = {}) => ({ shape: { circle, ...more }, density, ...PASSING });
const road = (road: keyof typeof ROADS) =>
  ({ body: { type: "static", fixtures: [{ shape: { chain: roadOf(road) }, friction: 0.9 }] } }) as const;
const GATE = { body: { type: "static", fixtures: [{ ...box(0.3, 12, 0), sensor: true }] } } as const;

const declaration = declareGame({
  ...{ id: "haul-1", title: "Haul", gravity: 14, ground: [], features: [CHAINS, JOINTS] },
  command: { drive: axis({ steps: 8 }), lean: axis({ steps: 8, up: true }), hop: press({ label: "Hop" }) },
  match: { phase: choice("ready", "race", "result"), left: clock(), round: "u16", finished: "u8" },
  options: { road: choice("hills", "canyon") },
  things: {
    ...{ hills: road("hills"), canyon: road("canyon"), station: GATE, finish: GATE },
    plank: { body: { fixtures: [box(PLANK / 2, 0.15, 4, { friction: 0.9, ...ONLY_TRUCKS })] } },
    crate: { body: { fixtures: [box(0.5, 0.5, 0.16)] } },
    trailer: {
      body: {
        fixtures: [
          box(1.3, 0.3, 0.4, PASSING),
          ...[-0.8, 0.8].map((x) => ({ ...disc(0.4, 0.3, { x, y: -0.4 }), friction: 0 })),
        ],
      },
    },
    wheel: { body: { fixtures: [{ ...disc(0.55, 0.7), friction: 1.7 }] } },
    truck: {
      body: {
        ...{ angularDamping: 3, allowSleep: false },
        fixtures: [box(1.6, 0.3, 1, PASSING), {
          shape: { box: [0.6, 0.35], x: 0.6, y: 0.65 },
          density: 0.3,
          ...PASSING,
        }],
      },
      fields: { trailer: reference("trailer"), wait: clock(), stuck: clock(), place: "u8", points: "u16" },
    },
  },
  player: "truck",
  joints: {
    axle: { type: "wheel", spring: { frequencyHz: 3.5, dampingRatio: 0.7 }, motor: { speed: 0, torqueMax: 32 } },
    ...{ rope: { type: "rope", breakForce: 420 }, hinge: { type: "revolute" } },
  },
  events: {
    ...{ hop: "at once", crash: "at once", land: "at once" },
    hitch: "certain",
    lost: "certain",
    finish: "certain",
  },
});

type World = WorldOf<typeof declaration>;
type Truck = ThingOf<typeof declaration, "truck">;

const roadAt = ({ options }: World, x: number) => heightAt(options.road, x);
const startOf = (seat: number) => 8 - seat % 16 * 1.6 - (seat >> 4) * 0.8;

function hitch(world: World, me: Truck): void {
  const x = me.x - 3.7, trailer = world.spawn("trailer", { x, y: Math.max(me.y, roadAt(world, x) + 0.9), vx: me.vx });
  world.joints.add("rope", me, trailer, { x: me.x - 1.5, y: me.y, bx: x + 1.3, by: trailer.y, length: 1.3 });
  me.fields.trailer = trailer;
  world.emit("hitch", me);
}

function unhitch(world: World, me: Truck): void {
  for (const { b } of world.joints.of(me)) world.despawn(world.get(b.id)!); // its wheels and its trailer
}

/** Sets a truck on the road, with new wheels and a new trailer. */
function build(world: World, me: Truck, x: number): void {
  const y = roadAt(world, x) + 2.5;
  unhitch(world, me);
  me.fields.stuck = world.ticks(2);
  world.teleport(me, x, y, 0);
  world.setVelocity(me, 0, 0);
  world.setSpin(me, 0);
  for (const place of [{ x: x - 1.1, y: y - 0.5 }, { x: x + 1.1, y: y - 0.5 }]) {
    world.joints.add("axle", me, world.spawn("wheel", place), { ...place, axis: { x: 0, y: 1 } });
  }
  hitch(world, me);
}

function begin(world: World): void {
  Object.assign(world.match, { phase: "ready", left: world.ticks(3), round: world.match.round + 1, finished: 0 });
  for (const thing of [...world.all("crate"), ...world.all("trailer")]) world.despawn(thing);
  for (const x of PILES) {
    for (let i = world.random(4) + 3; i > 0; i--) world.spawn("crate", { x, y: roadAt(world, x) + 1.02 * i });
  }
  for (const truck of world.all("truck")) {
    truck.fields.place = 0;
    build(world, truck, startOf(truck.seat));
  }
}

function bridge(world: World): void {
  const y = roadAt(world, BRIDGE) - 0.15;
  const planks = Array.from({ length: PLANKS }, (_, i) => world.spawn("plank", { x: BRIDGE + PLANK * (i + 0.5), y }));
  for (let i = 0; i <= PLANKS; i++) {
    world.joints.add("hinge", planks[i - 1] ?? world.ground, planks[i] ?? world.ground, { x: BRIDGE + PLANK * i, y });
  }
}

const land = (
  world: World,
  wheel: ThingOf<typeof declaration, "wheel">,
  _road: unknown,
  { speed }: { speed: number },
) => speed > CRASH && world.emit("land", wheel);

export const game = defineGame(declaration, {
  start(world) {
    world.spawn(world.options.road);
    for (const x of STATIONS) world.spawn("station", { x, y: roadAt(world, x) });
    world.spawn("finish", { x: FINISH });
    bridge(world);
    begin(world);
  },
  enter: (world, seat) => ({ x: startOf(seat), y: roadAt(world, startOf(seat)) + 2.5 }),
  leave: unhitch,
  drive(world, me, { drive, lean, hop }) {
    const { fields } = me, { joints, match } = world, isHeld = match.phase === "ready";
    if (fields.stuck === 0) build(world, me, me.x + 2);
    if (isHeld || drive === 0 || fields.place > 0 || Math.abs(me.vx) > 1) fields.stuck = world.ticks(2);
    const on = isHeld || drive !== 0, speed = isHeld ? 0 : -DRIVE * drive; // clockwise is to the right
    for (const axle of joints.of(me, "axle")) joints.setMotor(axle, { on, speed });
    world.applyTorque(me, -LEAN * lean);
    if (hop > 0 && !isHeld && fields.wait === 0) {
      world.applyImpulse(me, 0, HOP * me.mass);
      fields.wait = world.ticks(2);
      world.emit("hop", me);
    }
    if (fields.trailer === undefined || joints.of(me, "rope").length > 0) return;
    fields.trailer = undefined;
    world.emit("lost", me);
  },
  touch: {
    wheel: { hills: land, canyon: land },
    truck: {
      crate: (world, me, _crate, { speed }) => speed > CRASH && world.emit("crash", me),
      station: (world, me) => me.fields.trailer === undefined && hitch(world, me),
      finish(world, me) {
        const { match } = world, { fields } = me;
        if (fields.place > 0 || match.phase !== "race") return;
        fields.place = ++match.finished;
        fields.points += fields.trailer === undefined ? 1 : Math.max(2, 7 - fields.place);
        match.left = Math.min(match.left, world.ticks(25));
        world.emit("finish", me);
      },
    },
  },
  tick(world) {
    const { match } = world, isOver = world.all("truck").every(({ fields }) => fields.place > 0);
    if (match.left > 0 && !(isOver && match.phase === "race")) return;
    if (match.phase === "result") return begin(world);
    match.left = world.ticks(match.phase === "ready" ? RACE_SECONDS : 8);
    match.phase = match.phase === "ready" ? "race" : "result";
  },
  /** Full throttle, wheels down, and a hop over what is in the way. */
  think: (world, me) => ({
    drive: 1 - me.seat % 5 / 12,
    lean: sin(me.angle),
    hop: Math.abs(me.vx) < 2 && world.match.phase === "race" ? 1 : 0,
  }),
});
