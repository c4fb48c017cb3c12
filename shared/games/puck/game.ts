/**
 * Puck: two teams of cars push a heavy puck into each other's goal. Metres and seconds, seen from
 * above.
 */
import {
  atan2,
  axis,
  CHAINS,
  choice,
  clock,
  declareGame,
  defineGame,
  directionOf,
} from "../../game_kit/game_kit.ts";
import { hypot, JOINTS, press, reference, type WorldOf } from "../../game_kit/game_kit.ts";
/** Half of the rink's length and width, half of a goal's width, and its end; ticks of kick-off. */
export const LONG = 13;
export const WIDE = 7;
export const MOUTH = 1.6;
export const BACK = 14.7;
export const KICK_OFF = 30;
const SIDE = { blue: -1, orange: 1 } as const;
const OTHER = { blue: "orange", orange: "blue" } as const;
const root = (value: number) => Math.sign(value) * Math.sqrt(Math.abs(value));
/**
 * The boards: |x / LONG|⁴ + |y / WIDE|⁴ = 1, but where a goal is they are farther out.
 * @param end the goals' |x|
 */
export const boards = (end: number) =>
  Array.from({ length: 120 }, (_, i) => directionOf(i * Math.PI / 60))
    .map(({ x, y }) => [(Math.abs(y) < 0.06 ? end : LONG) * root(x), WIDE * root(y)] as const);
const SKIN = { friction: 0.1, restitution: 0.6 };
const team = choice("blue", "orange");
const BOX = [{
  ...SKIN,
  restitution: 0.1,
  shape: { box: [0.75, 0.45] },
  density: 2.5,
  category: 2,
}] as const;
const disc = (circle: number, density: number) => [{ ...SKIN, shape: { circle }, density }];
const declaration = declareGame({
  id: "puck-2",
  title: "Puck",
  gravity: 0,
  features: [CHAINS, JOINTS],
  restitutionThreshold: 0.1,
  speedMax: 30,
  limits: { entities: 64, contacts: 1024 },
  ground: [1, 2].map((mask) => ({
    ...SKIN,
    shape: { chain: boards(mask === 1 ? BACK : LONG), loop: true },
    mask,
  })),
  command: {
    dx: axis({ steps: 8 }),
    dy: axis({ steps: 8, up: true }),
    boost: press({ label: "Boost" }),
  },
  match: { pause: clock(), left: "u16", round: "u16", blue: "u8", orange: "u8" },
  join: { team: choice("auto", "blue", "orange") },
  options: { goals: choice("5", "3", "9"), rink: choice("wrecker", "open") },
  things: {
    goal: {
      body: { type: "static", fixtures: [{ shape: { box: [0.25, MOUTH] }, sensor: true }] },
      fields: { team },
    },
    hub: { body: { fixtures: [{ shape: { box: [1, 0.2], x: 0.8 }, density: 4, mask: 0 }] } },
    ball: { body: { fixtures: disc(0.7, 5), bullet: true } },
    puck: {
      body: { fixtures: disc(0.6, 1.2), bullet: true, linearDamping: 0.35 },
      fields: { by: reference("car") },
    },
    car: {
      body: { fixtures: BOX, linearDamping: 1.2, angularDamping: 5 },
      fields: { team, rest: clock() },
    },
  },
  player: "car",
  joints: {
    shaft: { type: "revolute", motor: { speed: 2, torqueMax: 400 } },
    chain: { type: "rope" },
  },
  events: {
    goal: "certain",
    whistle: "certain",
    boost: "at once",
    hit: "at once",
    wreck: "at once",
  },
  teams: { blue: "#3fa7ff", orange: "#ff8a3c" },
});
const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));
const orangeLead = (w: WorldOf<typeof declaration>) =>
  w.all("car").reduce((a, b) => a + SIDE[b.fields.team], 0);
const kickOffSpot = (team: keyof typeof SIDE, seat: number) => (
  {
    x: SIDE[team] * (5 + (seat >> 3)),
    y: [2.5, -2.5, 5, -5][seat >> 1 & 3]!,
    angle: team === "blue" ? 0 : Math.PI,
  }
);

export const game = defineGame(declaration, {
  start(world) {
    world.match.pause = KICK_OFF;
    world.spawn("goal", { x: 0.25 - BACK, angle: Math.PI });
    world.spawn("goal", { x: BACK - 0.25, fields: { team: "orange" } });
    if (world.options.rink === "open") return;
    const hub = world.spawn("hub");
    const ball = world.spawn("ball", { x: 3 });
    world.joints.add("shaft", world.ground, hub, { x: 0, y: 0 });
    world.joints.add("chain", hub, ball, { x: 1.7, y: 0, bx: 3, by: 0 });
  },
  enter(world, seat, join) {
    const team = join.team !== "auto" ? join.team : orangeLead(world) > 0 ? "blue" : "orange";
    return { ...kickOffSpot(team, seat), fields: { team } };
  },
  drive(world, me, { dx, dy, boost }) {
    const { mass } = me;
    const nose = directionOf(me.angle);
    const skid = 0.4 * mass * (nose.x * me.vy - nose.y * me.vx);
    world.applyImpulse(me, nose.y * skid, -nose.x * skid);
    const off = atan2(nose.x * dy - nose.y * dx, nose.x * dx + nose.y * dy);
    const push = hypot(dx, dy);
    world.setSpin(me, me.spin + clamp(clamp(7 * off, 7) - me.spin, 4 * push));
    if (world.match.pause > 0 && world.match.pause <= KICK_OFF) return world.setVelocity(me, 0, 0);
    world.applyForce(me, 12 * mass * dx / Math.max(1, push), 12 * mass * dy / Math.max(1, push));
    if (boost === 0 || me.fields.rest > 0) return;
    me.fields.rest = world.ticks(2.5);
    world.applyImpulse(me, 8 * mass * nose.x, 8 * mass * nose.y);
    world.emit("boost", me);
  },
  touch: {
    puck: {
      goal(world, puck, goal) {
        const { match } = world;
        const { by } = puck.fields;
        const team = OTHER[goal.fields.team];
        if (match.pause > 0) return;
        world.setVelocity(puck, puck.vx / 4, puck.vy / 4);
        world.emit("goal", puck, by?.fields.team === team ? by : undefined);
        if (++match[team] >= Number(world.options.goals)) match.left = 0;
        match.pause = KICK_OFF + world.ticks(match.left > 0 ? 2.5 : 8);
      },
      car: (_world, puck, car) => puck.fields.by = car,
      ground: (world, puck, _ground, { speed }) => speed > 2 && world.emit("hit", puck),
    },
    car: {
      puck: (world, car, puck, { speed }) => speed > 2 && world.emit("hit", puck, car),
      car: (world, car, other, { speed }) => speed > 4 && world.emit("hit", car, other),
      ball: (world, car, _ball, { speed }) => speed > 4 && world.emit("wreck", car),
    },
  },
  /**
   * Kick-off: NPCs change sides if teams are uneven, and all go to their spots; after a match for a
   * new one.
   */
  tick(world) {
    const { match } = world;
    if (match.pause === 1) world.emit("whistle", world.ground);
    if (match.pause === 0 && --match.left === 0) match.pause = KICK_OFF + world.ticks(8);
    if (match.pause !== KICK_OFF) return;
    if (match.left === 0) {
      Object.assign(match, { round: match.round + 1, left: world.ticks(180), blue: 0, orange: 0 });
    }
    for (const car of world.all("car")) {
      if (car.seat >= 16 && orangeLead(world) * SIDE[car.fields.team] > 1) {
        car.fields.team = OTHER[car.fields.team];
      }
      const { x, y, angle } = kickOffSpot(car.fields.team, car.seat);
      world.teleport(car, x, y, angle);
    }
    for (const puck of world.all("puck")) world.despawn(puck);
    world.spawn("puck", { vy: (world.random(13) - 6) / 6 });
  },
  round: ({ match }) => ({
    number: match.round,
    isOver: match.left === 0,
    score: (car) => match[car.fields.team],
  }),
  /**
   * The last of several mates keeps the goal; the others get behind the puck and push it to the
   * other goal.
   */
  think(world, me, aheadTicks) {
    const puck = world.one("puck") ?? me;
    const side = SIDE[me.fields.team];
    const ahead = (aheadTicks + 3) / 20;
    const x = clamp(puck.x + puck.vx * ahead, LONG - 1);
    const y = clamp(puck.y + puck.vy * ahead, WIDE - 0.6);
    const mates = world.all("car").filter(({ id, fields }) =>
      id !== me.id && fields.team === me.fields.team
    );
    const go = (toX: number, toY: number, boost = 0) => {
      const dx = toX - me.x - me.vx / 4;
      const dy = toY - me.y - me.vy / 4;
      const far = Math.max(1, hypot(dx, dy));
      return { dx: dx / far, dy: dy / far, boost };
    };
    const isKeeper = mates.length > 0 && mates.every(({ seat }) => seat < me.seat);
    const far = hypot(x - me.x, y - me.y);
    if (isKeeper && x * side < 6) return go(side * (LONG - 1.5), clamp(y / 2, 1.6));
    if (mates.some((m) => hypot(x - m.x, y - m.y) < far - 1)) {
      return go(clamp(x + side * 4, 11), y > 0 ? y - 5 : y + 5);
    }
    const toX = -side * 14 - x;
    const to = directionOf(atan2((Math.abs(toX) > 9 ? y / 2 : 0) - y, toX));
    const behind = (x - me.x) * to.x + (y - me.y) * to.y;
    const beside = (x - me.x) * to.y - (y - me.y) * to.x;
    const off = Math.abs(beside);
    const round = behind < 0.5 && off < 1.8 ? (beside < 0 ? -2 : 2) : 0;
    if (behind > 0.5 && off < 0.6 + behind / 3) {
      return go(x + 4 * to.x, y + 4 * to.y, behind < 5 && off < 0.8 ? 1 : 0);
    }
    return go(
      clamp(x - 2 * to.x - to.y * round, LONG - 1),
      clamp(y - 2 * to.y + to.x * round, WIDE - 0.8),
    );
  },
});
