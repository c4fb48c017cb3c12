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
} from "../../game_kit/game_kit.ts";
import { reference, type Shape, sin, type ThingOf, type WorldOf } from "../../game_kit/game_kit.ts";
export const RACE = 1800;
export const FINISH = 400;
export const GORGE = 200;
export const PLANK = 1.3;
export const PLANKS = 19;
export const BRIDGE = 187.65;
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
  player: "truck",
  limits: { entities: 512 },
  ground: [{
    shape: { chain: [[-400, 14], [-34, 14], ...ROAD, [436, 14], [900, 14]] },
    friction: 0.9,
  }],
  command: {
    drive: axis({ steps: 8, label: "Go" }),
    lean: axis({ steps: 8, up: true, label: "Lean" }),
    hop: press(),
  },
  match: { phase: choice("result", "playing"), left: clock(), round: "u16", finished: "u8" },
  options: { crates: choice("some", "many", "none") },
  things: {
    gate: { body: { type: "static", fixtures: [{ shape: { box: [0.3, 12] }, sensor: true }] } },
    crate: { body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 0.12, friction: 0.4 }] } },
    plank: {
      body: {
        fixtures: [{ shape: { box: [PLANK / 2, 0.15] }, density: 4, friction: 0.9, mask: 2 }],
      },
    },
    trailer: {
      body: {
        fixtures: [-0.8, 0, 0.8].map((x) => part({ circle: 0.5, x, y: x ? 0 : 0.9 }, x * x, 0)),
      },
    },
    wheel: { body: { fixtures: [part({ circle: 0.55 }, 0.7, 1.7)] } },
    truck: {
      body: {
        angularDamping: 3,
        fixtures: [part({ box: [1.6, 0.35] }), part({ box: [0.6, 0.4], x: 0.6, y: 0.75 }, 0.3)],
      },
      fields: {
        trailer: reference("trailer"),
        wait: clock(),
        stuck: clock(),
        place: "u8",
        points: "u16",
      },
    },
  },
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
const startOf = (seat: number) => 8 - seat % 16 * 1.6 - (seat >> 4) * 0.8;
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
const unbuild = (world: World, me: Truck) =>
  world.joints.of(me).forEach(({ b }) => world.despawn(world.get(b.id)!));
/** Sets a truck on the road, with new wheels and a new trailer. */
function build(world: World, me: Truck, x: number): void {
  unbuild(world, me);
  world.teleport(me, x, heightAt(x) + 2.5, 0);
  world.setVelocity(me, 0, 0);
  for (const at of [{ x: x - 1.15, y: me.y - 0.5 }, { x: x + 1.15, y: me.y - 0.5 }]) {
    world.joints.add("axle", me, world.spawn("wheel", at), { ...at, axis: { x: 0, y: 1 } });
  }
  hitch(world, me);
  Object.assign(me.fields, { stuck: world.ticks(2), place: 0 });
}
function begin(world: World): void {
  const { match } = world;
  const most = { none: 0, some: 3, many: 5 }[world.options.crates];
  Object.assign(match, {
    phase: "playing",
    left: RACE + world.ticks(3),
    round: match.round + 1,
    finished: 0,
  });
  for (const thing of [...world.all("crate"), ...world.all("trailer")]) world.despawn(thing);
  for (let x = 50; x < 380; x += 40 + world.random(12)) {
    for (let i = most - world.random(2); i > 0; i--) {
      world.spawn("crate", { x, y: heightAt(x) + 1.02 * i });
    }
  }
  for (const truck of world.all("truck")) build(world, truck, startOf(truck.seat));
}
export const game = defineGame(declaration, {
  start(world) {
    const { ground, joints } = world;
    const at = (i: number) => ({ x: BRIDGE + PLANK * i, y: -0.15 });
    const planks = Array.from({ length: PLANKS }, (_, i) => world.spawn("plank", at(i + 0.5)));
    for (let i = 0; i <= PLANKS; i++) {
      joints.add("hinge", planks[i - 1] ?? ground, planks[i] ?? ground, at(i));
    }
    for (const x of [105, 290, FINISH]) world.spawn("gate", { x, y: heightAt(x) });
  },
  enter: (_world, seat) => ({ x: startOf(seat), y: 2.5 }),
  leave: unbuild,
  drive(world, me, { drive, lean, hop }) {
    const { fields } = me;
    const { joints } = world;
    const isHeld = world.match.left > RACE;
    if (!isOnRoad(me)) build(world, me, startOf(me.seat));
    else if (fields.stuck === 0) build(world, me, me.x + 2);
    if (isHeld || drive === 0 || fields.place > 0 || Math.abs(me.vx) > 1.5) {
      fields.stuck = world.ticks(2);
    }
    for (const axle of joints.of(me, "axle")) {
      joints.setMotor(axle, { speed: isHeld ? 0 : -30 * drive });
    }
    world.applyTorque(me, -90 * lean - 25 * sin(me.angle)); // it rights itself a little
    if (hop > 0 && !isHeld && fields.wait === 0) {
      world.applyImpulse(me, 0, 9 * me.mass);
      fields.wait = world.ticks(2);
      world.emit("hop", me);
    }

    if (fields.trailer === undefined || joints.of(me, "rope").length > 0) return;
    fields.trailer = undefined;
    world.emit("lost", me);
  },
  touch: {
    wheel: { ground: (world, wheel, _ground, { speed }) => speed > 6 && world.emit("land", wheel) },
    truck: {
      crate: (world, me, _crate, { speed }) => speed > 6 && world.emit("crash", me),
      gate(world, me, { x }) {
        const { match } = world;
        const { fields } = me;
        const hauls = fields.trailer !== undefined;
        if (x < FINISH && !hauls && isOnRoad(me)) hitch(world, me);
        if (x < FINISH || fields.place > 0 || match.phase === "result") return;
        fields.place = ++match.finished;
        fields.points += hauls ? Math.max(2, 7 - fields.place) : 1;
        match.left = match.finished < world.all("truck").length
          ? Math.min(match.left, world.ticks(25))
          : 0;
        world.emit("finish", me);
      },
    },
  },
  tick(world) {
    if (world.match.left === 0 && world.match.phase === "result") begin(world);
    else if (world.match.left === 0) {
      Object.assign(world.match, { phase: "result", left: world.ticks(8) });
    }
  },
  round: ({ match: m }) => ({
    number: m.round,
    isOver: m.phase === "result",
    score: ({ fields }) => fields.points,
  }),
  think: (_world, me) => ({
    drive: 1 - me.seat % 5 / 24,
    lean: sin(me.angle),
    hop: Math.abs(me.vx) < 2 ? 1 : 0,
  }),
});
