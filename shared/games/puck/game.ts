/** Puck: two teams of cars knock a heavy puck into each other's goal. Metres and seconds, seen from above. */
import type { ReadonlyThingOf, WorldOf } from "../../game_kit/game_kit.ts";
import { atan2, axis, CHAINS, choice, clock, declareGame, defineGame } from "../../game_kit/game_kit.ts";
import { directionOf, hypot, JOINTS, press, reference } from "../../game_kit/game_kit.ts";

/** Half of the rink's length and width, half of a goal's width, and where it ends; the time until the next boost. */
export const LONG = 13, WIDE = 7, MOUTH = 2, BACK = 14.7, BOOST_SECONDS = 2.5;
const SIDE = { blue: -1, orange: 1 } as const, OTHER = { blue: "orange", orange: "blue" } as const;

/** The boards: |x / LONG|⁴ + |y / WIDE|⁴ = 1, with goals for the puck, without for cars. */
export const boards = (hasGoals: boolean) =>
  Array.from({ length: 72 }, (_, i) => directionOf(i * Math.PI / 36)).flatMap(({ x, y }, i) => {
    const s = Math.sign(x), goal = [[LONG, -MOUTH], [BACK, -MOUTH], [BACK, MOUTH], [LONG, MOUTH]] as const;
    if (hasGoals && i % 36 === 0) return goal.map(([x, y]) => [s * x, s * y] as const);
    return [[LONG * s * Math.sqrt(Math.abs(x)), WIDE * Math.sign(y) * Math.sqrt(Math.abs(y))] as const];
  });

const SKIN = { friction: 0.1, restitution: 0.6 }, team = choice("blue", "orange");
const declaration = declareGame({
  ...{ id: "puck-1", title: "Puck", gravity: 0, features: [CHAINS, JOINTS], restitutionThreshold: 0.1, speedMax: 30 },
  ground: [1, 2].map((mask) => ({ ...SKIN, shape: { chain: boards(mask === 1), loop: true }, mask })),
  command: { dx: axis({ steps: 8 }), dy: axis({ steps: 8, up: true }), boost: press({ label: "Boost" }) },
  match: {
    phase: choice("over", "ready", "play", "goal"),
    pause: clock(),
    left: "u16",
    round: "u16",
    blue: "u8",
    orange: "u8",
  },
  join: { team: choice("auto", "blue", "orange") },
  options: { goals: choice("5", "3", "9"), rink: choice("wrecker", "open") },
  things: {
    goal: { body: { type: "static", fixtures: [{ shape: { box: [0.25, MOUTH] }, sensor: true }] }, fields: { team } },
    hub: { body: { fixtures: [{ shape: { circle: 0.8 }, density: 4, mask: 0 }] } },
    ball: { body: { bullet: true, fixtures: [{ ...SKIN, shape: { circle: 0.7 }, density: 4 }] } },
    puck: {
      body: { bullet: true, fixtures: [{ ...SKIN, shape: { circle: 0.6 }, density: 1.2 }], linearDamping: 0.35 },
      fields: { by: reference("car"), still: clock() },
    },
    car: {
      body: { fixtures: [{ ...SKIN, shape: { box: [0.75, 0.45] }, density: 1.5, category: 2 }], linearDamping: 1.5 },
      fields: { team, wait: clock(), goals: "u8" },
    },
  },
  player: "car",
  joints: { shaft: { type: "revolute", motor: { speed: 2.6, torqueMax: 400 } }, chain: { type: "rope" } },
  events: { goal: "certain", whistle: "certain", boost: "at once", hit: "at once", wreck: "at once" },
  teams: { blue: "#3fa7ff", orange: "#ff8a3c" },
});
type World = WorldOf<typeof declaration>;
type Car = ReadonlyThingOf<typeof declaration, "car">;
type Team = keyof typeof SIDE;

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));
const mates = (cars: readonly Car[], team: Team) => cars.filter(({ fields }) => fields.team === team);
const spot = (team: Team, i: number) => (
  { x: SIDE[team] * (6 + (i >> 2)), y: [2.5, -2.5, 5, -5][i & 3]!, angle: team === "blue" ? 0 : Math.PI }
);

/** All go to their spots. NPCs change sides until the teams are even. A new match counts from 0. */
function kickOff(world: World, isNew: boolean): void {
  const { match } = world, cars = world.all("car");
  if (isNew) Object.assign(match, { round: match.round + 1, left: world.ticks(180), blue: 0, orange: 0 });
  for (const { seat, fields } of cars) {
    if (isNew) fields.goals = 0;
    const more = mates(cars, fields.team).length - mates(cars, OTHER[fields.team]).length;
    if (seat >= 16 && more > 1) fields.team = OTHER[fields.team];
  }
  for (const car of cars) {
    const { x, y, angle } = spot(car.fields.team, mates(cars, car.fields.team).findIndex(({ id }) => id === car.id));
    world.teleport(car, x, y, angle);
    world.setVelocity(car, 0, 0);
    world.setSpin(car, 0);
  }
  for (const puck of world.all("puck")) world.despawn(puck);
  world.spawn("puck");
  [match.phase, match.pause] = ["ready", world.ticks(1.5)];
}

/** Full speed to a place. */
function towards(me: Car, x: number, y: number) {
  const dx = x - me.x - me.vx / 4, dy = y - me.y - me.vy / 4, far = Math.max(1, hypot(dx, dy));
  return { dx: dx / far, dy: dy / far };
}

export const game = defineGame(declaration, {
  start(world) {
    for (const team of [OTHER.orange, OTHER.blue]) {
      world.spawn("goal", { x: SIDE[team] * (BACK - 0.25), fields: { team } });
    }
    kickOff(world, true);
    if (world.options.rink === "open") return;
    const hub = world.spawn("hub"), ball = world.spawn("ball", { x: 3 });
    world.joints.add("shaft", world.ground, hub, { x: 0, y: 0 });
    world.joints.add("chain", hub, ball, { x: 0.6, y: 0, bx: 3, by: 0 });
  },
  enter(world, _seat, join) {
    const [blue, orange] = [mates(world.all("car"), "blue").length, mates(world.all("car"), "orange").length];
    const team = join.team !== "auto" ? join.team : blue > orange ? "orange" : "blue";
    return { ...spot(team, team === "blue" ? blue : orange), fields: { team } };
  },
  drive(world, me, { dx, dy, boost }) {
    const { mass } = me, nose = directionOf(me.angle), skid = 0.4 * mass * (nose.x * me.vy - nose.y * me.vx);
    world.applyImpulse(me, nose.y * skid, -nose.x * skid);
    if (world.match.phase === "ready") return;
    const off = atan2(nose.x * dy - nose.y * dx, nose.x * dx + nose.y * dy), push = hypot(dx, dy);
    world.setSpin(me, me.spin + clamp(Math.min(1, push) * clamp(8 * off, 9) - me.spin, push > 0 ? 4 : 0.8));
    const thrust = 16 * mass / Math.max(1, push);
    world.applyForce(me, thrust * dx, thrust * dy);
    if (boost === 0 || me.fields.wait > 0) return;
    me.fields.wait = world.ticks(BOOST_SECONDS);
    world.applyImpulse(me, 8 * mass * nose.x, 8 * mass * nose.y);
    world.emit("boost", me);
  },
  touch: {
    puck: {
      goal(world, puck, goal) {
        const { match } = world, team = OTHER[goal.fields.team], { by } = puck.fields;
        if (match.phase !== "play") return;
        if (by?.fields.team === team) by.fields.goals++;
        world.emit("goal", puck, by?.fields.team === team ? by : undefined);
        const isOver = ++match[team] >= Number(world.options.goals);
        [match.phase, match.pause] = [isOver ? "over" : "goal", world.ticks(isOver ? 8 : 2.5)];
      },
      car(world, puck, car, { speed }) {
        puck.fields.by = car;
        if (speed > 2) world.emit("hit", puck, car);
      },
      ground: (world, puck, _ground, { speed }) => speed > 2 && world.emit("hit", puck),
    },
    car: {
      car: (world, car, other, { speed }) => speed > 4 && world.emit("hit", car, other),
      ball: (world, car, _ball, { speed }) => speed > 4 && world.emit("wreck", car),
    },
  },
  tick(world) {
    const { match } = world, puck = world.one("puck")!;
    if (match.phase === "play") {
      if (hypot(puck.vx, puck.vy) > 1) puck.fields.still = world.ticks(3);
      if (puck.fields.still === 1) world.applyImpulse(puck, -puck.x, -puck.y);
      if (--match.left === 0) [match.phase, match.pause] = ["over", world.ticks(8)];
    } else if (match.pause === 0) {
      if (match.phase !== "ready") return kickOff(world, match.phase === "over");
      match.phase = "play";
      world.setVelocity(puck, 0, world.random(13) - 6);
      world.emit("whistle", puck);
    }
  },
  /** The last of several mates keeps the goal; the others get behind the puck and push it to the other goal. */
  think(world, me, aheadTicks) {
    const puck = world.one("puck")!, side = SIDE[me.fields.team], team = mates(world.all("car"), me.fields.team);
    const x = clamp(puck.x + puck.vx * (aheadTicks + 3) / 20, LONG - 1),
      isKeeper = team.length > 1 && team.every(({ seat }) => seat <= me.seat);
    const y = clamp(puck.y + puck.vy * (aheadTicks + 3) / 20, WIDE - 0.6);
    if (isKeeper && x * side < 6) return towards(me, side * (LONG - 1.5), clamp(y / 2, MOUTH - 0.4));
    const wayX = -side * (LONG + 1) - x, wayY = (Math.abs(wayX) > 9 ? y / 2 : 0) - y, way = hypot(wayX, wayY);
    const ux = wayX / way, uy = wayY / way, dx = x - me.x, dy = y - me.y;
    const behind = dx * ux + dy * uy, beside = dx * uy - dy * ux, off = Math.abs(beside);
    const push = { ...towards(me, x + 4 * ux, y + 4 * uy), boost: behind < 5 && off < 0.8 ? 1 : 0 };
    if (behind > 0.5 && off < 0.6 + behind / 3) return push;
    const round = behind < 0.5 && off < 1.8 ? (beside < 0 ? -2 : 2) : 0;
    return towards(me, clamp(x - 2 * ux - uy * round, LONG - 1), clamp(y - 2 * uy + ux * round, WIDE - 0.8));
  },
});
