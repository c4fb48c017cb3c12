/** Puck: two teams of cars knock a heavy puck into each other's goal. Metres, seconds, seen from above. */
import type { AnyThingOf, ReadonlyThingOf, WorldOf } from "../../game_kit/game_kit.ts";
import { atan2, cos, directionOf, hypot, sin } from "../../game_kit/game_kit.ts";
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
} from "../../game_kit/game_kit.ts";

/** Half of the rink's length and width, the radius of its corners, half of a goal's width, and a goal's depth. */
export const LONG = 13, WIDE = 7, CORNER = 3, MOUTH = 2, DEPTH = 1.7;
/** A boost adds so much speed, and comes back after so many seconds. */
const BOOST = 8;
export const BOOST_SECONDS = 2.5;
const THRUST = 16;
const MATCH_SECONDS = 180;
/** Categories of fixtures: boards with goals stop the puck and the ball, plain ones stop cars. */
const LOOSE = 1, CAR = 2;
const SIDE = { blue: -1, orange: 1 } as const;
const TEAMS = ["blue", "orange"] as const;

type Team = typeof TEAMS[number];

const corner = (y: number, quarter: number) =>
  Array.from({ length: 9 }, (_, i) => directionOf((quarter + i / 8) * Math.PI / 2))
    .map((to) => [LONG - CORNER + CORNER * to.x, y + CORNER * to.y] as const);

/** The boards, with or without room for the puck in the goals. */
export function boards(hasGoals: boolean): (readonly [x: number, y: number])[] {
  const goal = [[LONG, -MOUTH], [LONG + DEPTH, -MOUTH], [LONG + DEPTH, MOUTH], [LONG, MOUTH]] as const;
  const right = [...corner(CORNER - WIDE, -1), ...(hasGoals ? goal : []), ...corner(WIDE - CORNER, 0)];
  return [...right, ...right.map(([x, y]) => [-x, -y] as const)];
}

const declaration = declareGame({
  ...{ id: "puck-1", title: "Puck", gravity: 0, features: [CHAINS, JOINTS], restitutionThreshold: 0.1, speedMax: 30 },
  ground: [
    { shape: { chain: boards(true), loop: true }, friction: 0.1, restitution: 0.8, mask: LOOSE },
    { shape: { chain: boards(false), loop: true }, friction: 0.1, mask: CAR },
  ],
  command: { dx: axis({ steps: 8 }), dy: axis({ steps: 8, up: true }), boost: press({ label: "Boost" }) },
  match: {
    ...{ phase: choice("kickOff", "play", "goal", "result"), pause: clock(), left: "u16", round: "u16" },
    ...{ blue: "u8", orange: "u8" },
  },
  join: { team: choice("auto", "blue", "orange") },
  options: { goals: choice("5", "3", "9"), rink: choice("wrecker", "bumpers", "open") },
  things: {
    goal: {
      body: { type: "static", fixtures: [{ shape: { box: [0.25, MOUTH] }, sensor: true }] },
      fields: { team: choice(...TEAMS) },
    },
    bumper: { body: { type: "static", fixtures: [{ shape: { circle: 0.5 }, restitution: 1, mask: LOOSE | CAR }] } },
    hub: { body: { fixtures: [{ shape: { circle: 0.8 }, density: 4, mask: 0 }] } },
    ball: { body: { fixtures: [{ shape: { circle: 0.7 }, density: 4, restitution: 0.6 }], bullet: true } },
    puck: {
      body: {
        fixtures: [{ shape: { circle: 0.6 }, density: 1.2, friction: 0.1, restitution: 0.6 }],
        ...{ bullet: true, linearDamping: 0.35, angularDamping: 1 },
      },
      fields: { by: reference("car"), still: clock() },
    },
    car: {
      body: {
        fixtures: [{ shape: { box: [0.75, 0.45] }, density: 1.5, friction: 0.1, restitution: 0.3, category: CAR }],
        ...{ linearDamping: 1.5, angularDamping: 4 },
      },
      fields: { team: choice(...TEAMS), wait: clock(), goals: "u8" },
    },
  },
  player: "car",
  joints: { shaft: { type: "revolute", motor: { speed: 2.6, torqueMax: 400 } }, chain: { type: "rope" } },
  events: {
    goal: "certain",
    result: "certain",
    whistle: "at once",
    boost: "at once",
    hit: "at once",
    bump: "at once",
    wreck: "at once",
  },
  teams: { blue: "#3fa7ff", orange: "#ff8a3c" },
});

type World = WorldOf<typeof declaration>;
type Car = ReadonlyThingOf<typeof declaration, "car">;

const mates = (cars: readonly Car[], team: Team) => cars.filter((car) => car.fields.team === team);
const smaller = (cars: readonly Car[]): Team =>
  mates(cars, "blue").length > mates(cars, "orange").length ? "orange" : "blue";
const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));

/** Where the car with this number in its team kicks off. */
function spot(team: Team, number: number) {
  const side = SIDE[team], row = number >> 2;
  return { x: side * (6 + row), y: [2.5, -2.5, 5, -5][number & 3]!, angle: side > 0 ? Math.PI : 0 };
}

/** NPCs change sides until the teams are even; then all stand at their spots. */
function kickOff(world: World): void {
  const { match } = world, puck = world.one("puck")!, cars = world.all("car");
  for (const car of cars) {
    const team = smaller(cars), uneven = mates(cars, car.fields.team).length - mates(cars, team).length;
    if (car.seat >= 16 && uneven > 1) car.fields.team = team;
  }
  for (const team of TEAMS) {
    for (const [i, car] of mates(cars, team).entries()) {
      const { x, y, angle } = spot(team, i);
      place(world, world.player(car.seat)!, x, y, angle);
    }
  }
  place(world, puck, 0, 0, 0);
  puck.fields.by = undefined;
  match.phase = "kickOff";
  match.pause = world.ticks(1.5);
}

function place(world: World, thing: AnyThingOf<typeof declaration>, x: number, y: number, angle: number): void {
  world.teleport(thing, x, y, angle);
  world.setVelocity(thing, 0, 0);
  world.setSpin(thing, 0);
}

function end(world: World): void {
  world.match.phase = "result";
  world.match.pause = world.ticks(8);
  world.emit("result", world.one("puck")!);
}

function begin(world: World): void {
  const { match } = world;
  match.round++;
  match.left = world.ticks(MATCH_SECONDS);
  match.blue = match.orange = 0;
  for (const car of world.all("car")) car.fields.goals = 0;
  kickOff(world);
}

/** Full speed to a place, with the nose ahead. */
function towards(me: Car, x: number, y: number) {
  const dx = x - me.x - me.vx / 4, dy = y - me.y - me.vy / 4, far = Math.max(1, hypot(dx, dy));
  return { dx: dx / far, dy: dy / far };
}

export const game = defineGame(declaration, {
  start(world) {
    for (const team of TEAMS) {
      world.spawn("goal", { x: SIDE[team] * (LONG + DEPTH - 0.25), fields: { team } });
    }
    world.spawn("puck");
    const { rink } = world.options;
    for (const x of rink === "bumpers" ? [-3, 3] : []) for (const y of [-3, 3]) world.spawn("bumper", { x, y });
    if (rink === "wrecker") {
      const hub = world.spawn("hub"), ball = world.spawn("ball", { x: 3 });
      world.joints.add("shaft", world.ground, hub, { x: 0, y: 0 });
      world.joints.add("chain", hub, ball, { x: 0.6, y: 0, bx: 3, by: 0 });
    }
    begin(world);
  },

  enter(world, _seat, join) {
    const cars = world.all("car"), team = join.team === "auto" ? smaller(cars) : join.team;
    return { ...spot(team, mates(cars, team).length), fields: { team } };
  },

  drive(world, me, { dx, dy, boost }) {
    const push = Math.min(1, hypot(dx, dy)), c = cos(me.angle), s = sin(me.angle), { mass, fields } = me;
    const skid = (c * me.vy - s * me.vx) * mass * 0.4;
    world.applyImpulse(me, s * skid, -c * skid);
    if (world.match.phase === "kickOff") return;
    if (push > 0.1) {
      const off = atan2(c * dy - s * dx, c * dx + s * dy);
      world.setSpin(me, me.spin + clamp(clamp(off * 8, 9) * push - me.spin, 4));
      world.applyForce(me, dx * mass * THRUST, dy * mass * THRUST);
    }
    if (boost === 0 || fields.wait > 0) return;
    fields.wait = world.ticks(BOOST_SECONDS);
    world.applyImpulse(me, c * BOOST * mass, s * BOOST * mass);
    world.emit("boost", me);
  },

  touch: {
    puck: {
      goal(world, puck, goal) {
        const { match } = world, { by } = puck.fields, team = goal.fields.team === "blue" ? "orange" : "blue";
        if (match.phase !== "play") return;
        match[team]++;
        match.phase = "goal";
        match.pause = world.ticks(2.5);
        if (by?.fields.team === team) by.fields.goals++;
        world.emit("goal", puck, by);
        if (match[team] >= Number(world.options.goals)) end(world);
      },
      car(world, puck, car, { speed }) {
        puck.fields.by = car;
        if (speed > 2) world.emit("hit", puck, car);
      },
      ground: (world, puck, _ground, { speed }) => speed > 2 && world.emit("hit", puck),
    },
    car: {
      car: (world, car, other, { speed }) => speed > 4 && world.emit("bump", car, other),
      ball: (world, car, _ball, { speed }) => speed > 4 && world.emit("wreck", car),
    },
  },

  tick(world) {
    const { match } = world, puck = world.one("puck")!;
    if (match.phase === "play") {
      if (--match.left === 0) end(world);
      if (hypot(puck.vx, puck.vy) > 1) puck.fields.still = world.ticks(3);
      if (puck.fields.still === 1) world.applyImpulse(puck, -puck.x, -puck.y);
    } else if (match.pause > 0) return;
    else if (match.phase === "goal") kickOff(world);
    else if (match.phase === "result") begin(world);
    else {
      match.phase = "play";
      world.emit("whistle", puck);
    }
  },

  /** The last of several mates keeps the goal; the others get behind the puck and push it to the other goal. */
  think(world, me, aheadTicks) {
    const puck = world.one("puck")!, side = SIDE[me.fields.team], t = (aheadTicks + 3) / 20;
    const x = clamp(puck.x + puck.vx * t, LONG - 1), y = clamp(puck.y + puck.vy * t, WIDE - 0.6);
    const others = mates(world.all("car"), me.fields.team).filter(({ id }) => id !== me.id);
    const isKeeper = others.length > 0 && others.every(({ seat }) => seat < me.seat);
    if (isKeeper && x * side < 6) return towards(me, side * (LONG - 1.5), clamp(y * 0.5, MOUTH - 0.4));
    const wayX = -side * (LONG + 1) - x, wayY = (Math.abs(wayX) > 9 ? y / 2 : 0) - y, way = hypot(wayX, wayY);
    const ux = wayX / way, uy = wayY / way;
    const behind = (x - me.x) * ux + (y - me.y) * uy, beside = (x - me.x) * uy - (y - me.y) * ux;
    if (behind > 0.5 && Math.abs(beside) < 0.6 + behind / 3) {
      return { ...towards(me, x + ux * 4, y + uy * 4), boost: behind < 5 && Math.abs(beside) < 0.8 ? 1 : 0 };
    }
    const round = behind < 0.5 && Math.abs(beside) < 1.8 ? (beside < 0 ? -2 : 2) : 0;
    return towards(
      me,
      clamp(x - ux * 2 - uy * round, LONG - 1),
      clamp(y - uy * 2 + ux * round, WIDE - 0.8),
    );
  },
  reactionTicks: 4,
});
