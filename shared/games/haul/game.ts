/** Haul: trucks race over hills and pull a trailer on a rope through crates. Metres, seconds; y points up. */
import type { ReadonlyThingOf, ThingOf, WorldOf } from "../../game_kit/game_kit.ts";
import { axis, CHAINS, choice, clock, cos, declareGame, defineGame, flag } from "../../game_kit/game_kit.ts";
import { JOINTS, POLYGONS, press, reference } from "../../game_kit/game_kit.ts";

/** Metres along the road. At a station, trucks get a new trailer for a lost one. */
export const FINISH = 400, STATIONS = [100, 200, 300];
const PILES = [45, 130, 160, 240, 270, 345, 370], RACE_SECONDS = 90;
/** rad/s and N·m of a driven wheel, N·m of a lean, m/s of a hop, m/s of a crash. */
const DRIVE = 27, TORQUE = 70, LEAN = 130, HOP = 7, CRASH = 6;
/** Trucks pass each other, because a road has one lane. Crates are in everybody's way. */
const PASSING = { category: 2, mask: 0xffff - 2 };

const heights = (text: string) => text.split(" ").map(Number);
/** Heights every 10 m from x = 10 on. Between them a road is smooth, and level before and after. */
const ROADS = {
  hills: heights("0 0 1 3 1.5 0 0 2.5 5 4.5 1 0 -1 1 4 2 .5 2.5 1 0 1.5 0 1 4 7 6 8 5 2 2 0 -1.5 0 3 1 3 1 0 0"),
  canyon: heights("0 0 4 4.5 -2 -6 -6 -5 -8 -3 -3 1 -4 -5.5 -2 3 3 -1 -2 -6 -9 -9 -12 -7 -7 -3 -8 -4 0 2 5 5 1 -2 0 3"),
};
function heightAt(road: keyof typeof ROADS, x: number): number {
  const i = Math.floor(x / 10) - 1, share = x / 10 - 1 - i, from = ROADS[road][i] ?? 0, to = ROADS[road][i + 1] ?? 0;
  return from + (to - from) * share * share * (3 - 2 * share);
}
/** A point every 2 m, between two walls. */
export function roadOf(road: keyof typeof ROADS): (readonly [x: number, y: number])[] {
  const points = Array.from({ length: 214 }, (_, i) => [2 * i, heightAt(road, 2 * i)] as const);
  return [[-14, 14], [-12, 0], ...points, [428, 14]];
}
const ground = (road: keyof typeof ROADS) => (
  { body: { type: "static", fixtures: [{ shape: { chain: roadOf(road) }, friction: 0.9 }] } } as const
);
const GATE = { type: "static", fixtures: [{ shape: { box: [0.3, 12], y: 8 }, sensor: true }] } as const;
const CABIN = [[0, 0.3], [1.5, 0.3], [1.45, 0.7], [1, 1.25], [0.1, 1.25]] as const;
export const TRAY = [[-1.3, 0.9], [-1.1, -0.25], [1.1, -0.25], [1.3, 0.9]] as const;
const skid = (x: number) => ({ shape: { circle: 0.4, x, y: -0.3 }, density: 0.3, friction: 0.05, ...PASSING });

const declaration = declareGame({
  ...{ id: "haul-1", title: "Haul", gravity: 14, ground: [], features: [CHAINS, JOINTS, POLYGONS] },
  command: { drive: axis({ steps: 8 }), lean: axis({ up: true }), hop: press({ label: "Hop" }) },
  match: { phase: choice("ready", "race", "result"), left: clock(), round: "u16", finished: "u8" },
  options: { road: choice("hills", "canyon") },
  things: {
    ...{ hills: ground("hills"), canyon: ground("canyon"), station: { body: GATE }, finish: { body: GATE } },
    crate: { body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 0.16, friction: 0.4 }] } },
    trailer: { body: { fixtures: [{ shape: { polygon: TRAY }, density: 0.25, ...PASSING }, skid(-0.8), skid(0.8)] } },
    wheel: { body: { fixtures: [{ shape: { circle: 0.55 }, density: 0.7, friction: 1.6, ...PASSING }] } },
    truck: {
      body: {
        ...{ angularDamping: 1, allowSleep: false },
        fixtures: [
          { shape: { box: [1.6, 0.3] }, density: 1, friction: 0.3, ...PASSING },
          { shape: { polygon: CABIN }, density: 0.3, friction: 0.3, ...PASSING },
        ],
      },
      fields: {
        ...{ back: reference("wheel"), front: reference("wheel"), trailer: reference("trailer"), wait: clock() },
        ...{ still: "u8", place: "u8", points: "u16", hauls: flag(), isDone: flag() },
      },
    },
  },
  player: "truck",
  joints: {
    axle: { type: "wheel", spring: { frequencyHz: 3.5, dampingRatio: 0.7 }, motor: { speed: 0, torqueMax: TORQUE } },
    rope: { type: "rope", breakForce: 420 },
  },
  events: { hop: "at once", crash: "at once", hitch: "certain", lost: "certain", finish: "certain" },
});

type World = WorldOf<typeof declaration>;
type Truck = ThingOf<typeof declaration, "truck">;

const heightIn = ({ options: { road } }: World, x: number) => heightAt(road, x);
const gridOf = (seat: number) => 6 - seat % 16 * 0.9 - (seat >> 4) * 0.4;

function hitch(world: World, me: Truck): void {
  if (me.fields.trailer !== undefined) world.despawn(me.fields.trailer);
  const x = me.x - 3.6, y = Math.max(heightIn(world, x) + 0.9, me.y - 0.2);
  const trailer = world.spawn("trailer", { x, y, vx: me.vx });
  world.joints.add("rope", me, trailer, { x: me.x - 1.5, y: me.y, bx: x + 1.2, by: y, length: 1.3 });
  Object.assign(me.fields, { trailer, hauls: true });
}

function unbuild(world: World, { fields: { back, front, trailer } }: Truck): void {
  for (const part of [back, front, trailer]) if (part !== undefined) world.despawn(part);
}

/** Puts a truck with new wheels and a new trailer on the road. */
function build(world: World, me: Truck, x: number): void {
  const y = heightIn(world, x) + 1.6;
  unbuild(world, me);
  world.teleport(me, x, y, 0);
  world.setVelocity(me, 0, 0);
  world.setSpin(me, 0);
  const [back, front] = [-1.05, 1.05].map((dx) => {
    const place = { x: x + dx, y: y - 0.55 }, wheel = world.spawn("wheel", place);
    world.joints.add("axle", me, wheel, { ...place, axis: { x: 0, y: 1 } });
    return wheel;
  });
  Object.assign(me.fields, { back, front, still: 0 });
  hitch(world, me);
}

function begin(world: World): void {
  Object.assign(world.match, { phase: "ready", left: world.ticks(3), round: world.match.round + 1, finished: 0 });
  for (const crate of world.all("crate")) world.despawn(crate);
  for (const x of PILES) {
    for (let i = world.random(4) + 3; i > 0; i--) world.spawn("crate", { x, y: heightIn(world, x) + 1.02 * i });
  }
  for (const truck of world.all("truck")) {
    Object.assign(truck.fields, { place: 0, isDone: false });
    build(world, truck, gridOf(truck.seat));
  }
}

export const game = defineGame(declaration, {
  start(world) {
    world.spawn(world.options.road);
    for (const x of STATIONS) world.spawn("station", { x, y: heightIn(world, x) });
    world.spawn("finish", { x: FINISH });
    begin(world);
  },
  enter: (world, seat) => ({ x: gridOf(seat), y: heightIn(world, gridOf(seat)) + 1.6 }),
  leave: unbuild,
  drive(world, me, { drive, lean, hop }) {
    const { fields } = me, { joints, match: { phase } } = world;
    if (fields.back === undefined) build(world, me, me.x);
    const isHeld = phase === "ready" || fields.isDone, speed = isHeld ? 0 : -DRIVE * drive; // clockwise to the right
    for (const axle of joints.of(me, "axle")) joints.setMotor(axle, { on: drive !== 0 || isHeld, speed });
    world.applyTorque(me, -LEAN * lean);
    if (hop > 0 && !isHeld && fields.wait === 0) {
      for (const part of [me, fields.back!, fields.front!]) world.setVelocity(part, part.vx, part.vy + HOP);
      fields.wait = world.ticks(2);
      world.emit("hop", me);
    }
    fields.still = cos(me.angle) < 0.4 && Math.abs(me.vx) < 1 ? fields.still + 1 : 0;
    if (fields.still > world.ticks(1.5)) build(world, me, me.x); // it lay on its roof
    if (!fields.hauls || joints.of(me, "rope").length > 0) return;
    fields.hauls = false;
    world.emit("lost", me);
  },
  touch: {
    truck: {
      crate: (world, me, _crate, { speed }) => speed > CRASH && world.emit("crash", me),
      station(world, me) {
        if (me.fields.hauls) return;
        hitch(world, me);
        world.emit("hitch", me);
      },
      finish(world, { fields }) {
        if (fields.isDone || world.match.phase !== "race") return;
        fields.place = ++world.match.finished;
        fields.points += fields.hauls ? Math.max(2, 7 - fields.place) : 1; // a truck that hauls nothing has only arrived
        fields.isDone = true;
      },
    },
  },
  tick(world) {
    const { match } = world, trucks = world.all("truck"), isOver = trucks.every(({ fields }) => fields.isDone);
    const [next, seconds] = match.phase === "race" ? ["result", 7] as const : ["race", RACE_SECONDS] as const;
    if (match.left > 0 && !(match.phase === "race" && isOver && trucks.length > 0)) return;
    if (match.phase === "result") return begin(world);
    Object.assign(match, { phase: next, left: world.ticks(seconds) });
  },
  think(world, me: ReadonlyThingOf<typeof declaration, "truck">, aheadTicks) {
    const isSlow = Math.abs(me.vx) < 1.5 && world.match.phase === "race";
    const backs = isSlow && (world.tick + aheadTicks + 7 * me.seat) % 60 > 45, lean = Math.sign(me.angle);
    return { drive: backs ? -1 : 1 - me.seat % 4 / 8, lean: Math.abs(me.angle) < 0.3 ? 0 : lean, hop: Number(isSlow) };
  },
});
