/**
 * A game with all that the kit has: every part of a command, every kind of field, joints,
 * references, sensors, projectiles, choices, and NPCs.
 */
import {
  aim,
  axis,
  choice,
  clock,
  declareGame,
  defineGame,
  dial,
  directionOf,
  flag,
  hold,
  JOINTS,
  list,
  press,
  QUERIES,
  reference,
  type ThingOf,
  type WorldOf,
} from "../../../shared/game_kit/game_kit.ts";

const wall = (x: number, y: number, w: number, h: number) => ({
  shape: { box: [w, h] as const, x, y },
});

const declaration = declareGame({
  id: "yard-1",
  title: "Yard",
  gravity: 0,
  features: [JOINTS, QUERIES],
  ground: [wall(-12, 0, 1, 9), wall(12, 0, 1, 9), wall(0, -8, 12, 1), wall(0, 8, 12, 1)],
  command: {
    dx: axis(),
    dy: axis({ steps: 8, up: true }),
    aim: aim({ steps: 64 }),
    gear: dial({ values: 4, start: 1 }),
    tie: press(),
    fire: press(),
    brake: hold(),
  },
  match: { goals: list("u8", 2), rest: clock(), last: reference("car"), isOpen: flag() },
  join: { team: choice("auto", "blue", "orange") },
  options: { size: choice("small", "large"), balls: choice("one", "three") },
  things: {
    car: {
      body: {
        fixtures: [{ shape: { box: [0.6, 0.4] }, restitution: 0.3 }],
        linearDamping: 1,
        angularDamping: 3,
      },
      fields: {
        team: choice("blue", "orange"),
        hook: reference("ball"),
        charge: clock(),
        isReady: flag(),
        laps: list("u16", 3),
        presses: "u32",
        shots: "u32",
        fuel: "f32",
      },
    },
    ball: {
      body: {
        fixtures: [{ shape: { circle: 0.5 }, density: 0.5, restitution: 0.7 }],
        linearDamping: 0.2,
      },
    },
    goal: {
      body: { type: "static", fixtures: [{ shape: { box: [0.5, 2] }, sensor: true }] },
      fields: { team: choice("blue", "orange") },
    },
    shot: { projectile: { radius: 0.1, lifeTicks: 20, mass: 0.2 }, fields: { by: "u8" } },
  },
  player: "car",
  joints: { chain: { type: "rope", fields: { age: "u16" }, collide: true } },
  events: { goal: "certain", shot: "at once", hit: "at once" },
  teams: { blue: "#4af", orange: "#f84" },
});

type World = WorldOf<typeof declaration>;
type Car = ThingOf<typeof declaration, "car">;
type Ball = ThingOf<typeof declaration, "ball">;

function nearestBall(world: World, { x, y }: Car): Ball | undefined {
  let nearest: Ball | undefined;
  let least = 6;
  for (const ball of world.all("ball")) {
    const distance = Math.sqrt((ball.x - x) * (ball.x - x) + (ball.y - y) * (ball.y - y));
    if (distance >= least) continue;
    nearest = ball;
    least = distance;
  }
  return nearest;
}

function tie(world: World, car: Car): void {
  const tied = world.joints.of(car, "chain");
  for (const joint of tied) world.joints.remove(joint);
  car.fields.hook = tied.length === 0 ? nearestBall(world, car) : undefined;
  const { hook } = car.fields;
  if (hook === undefined) return;
  world.joints.add("chain", car, hook, { x: car.x, y: car.y, bx: hook.x, by: hook.y, length: 4 });
}

function fire(world: World, car: Car, angle: number): void {
  if (car.fields.charge > 0) return;
  const { x, y } = directionOf(angle);
  const shot = world.spawn("shot", {
    x: car.x + x,
    y: car.y + y,
    vx: 15 * x,
    vy: 15 * y,
    fields: { by: car.seat },
  });
  car.fields.charge = world.ticks(0.4);
  car.fields.shots++;
  world.emit("shot", car, shot);
}

export const yardGame = defineGame(declaration, {
  start(world) {
    for (let i = 0; i < (world.options.balls === "one" ? 1 : 3); i++) {
      world.spawn("ball", { x: 2 * i - 2, y: 0 });
    }
    world.spawn("goal", { x: -10.5, y: 0, fields: { team: "blue" } });
    world.spawn("goal", { x: 10.5, y: 0, fields: { team: "orange" } });
    world.match.rest = world.ticks(1);
  },
  enter: (world, seat, { team }) => ({
    x: seat % 8 * 2 - 7,
    y: seat < 8 ? 4 : -4,
    fields: {
      team: team !== "auto" ? team : world.random(2) === 0 ? "blue" : "orange",
      laps: [seat, 0, 1],
      fuel: 100,
    },
  }),
  leave: (world, me) => world.match.last = world.all("car").find(({ id }) => id !== me.id),
  drive(world, me, ask) {
    const { fields } = me;
    const push = 4 * (1 + ask.gear);
    fields.presses += ask.tie + ask.fire;
    fields.isReady = ask.brake;
    fields.fuel -= 0.1 * Math.abs(ask.dx);
    if (fields.fuel < 1) fields.fuel = 100;
    if (ask.brake) world.setVelocity(me, me.vx / 2, me.vy / 2);
    else world.applyForce(me, ask.dx * push, ask.dy * push);
    if (ask.tie % 2 === 1) tie(world, me);
    if (ask.fire > 0) fire(world, me, ask.aim);
  },
  touch: {
    ball: {
      goal(world, ball, goal) {
        if (world.match.rest > 0) return;
        world.match.goals[goal.fields.team === "blue" ? 1 : 0]!++;
        world.match.isOpen = !world.match.isOpen;
        world.match.rest = world.ticks(2);
        world.emit("goal", goal, ball);
        world.despawn(ball);
        world.spawn("ball", { x: world.random(5) - 2, y: world.random(5) - 2 });
      },
      car: (world, _ball, car) => world.match.last = car,
    },
    shot: {
      car(world, shot, car, { speed }) {
        if (speed < 1) return;
        car.fields.laps[shot.fields.by % 3]!++;
        world.emit("hit", car, shot);
      },
    },
  },
  tick(world) {
    for (const joint of world.joints.all("chain")) {
      joint.fields.age++;
      if (joint.length > 2) world.joints.setLength(joint, joint.length - 0.02);
    }
  },
  think(world, me, aheadTicks) {
    const ball = world.one("ball");
    const tick = world.tick + aheadTicks;
    return {
      dx: ball === undefined ? 0 : ball.x > me.x ? 1 : -1,
      dy: ball === undefined ? 0 : (ball.y - me.y) / 8,
      aim: tick / 10,
      gear: tick >> 5 & 3,
      fire: (tick + me.id) % 16 === 0 ? 1 : 0,
      tie: (tick + me.id) % 64 === 0 ? 1 : 0,
    };
  },
  reactionTicks: 6,
});
