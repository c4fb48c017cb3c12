/**
 * Puck: two teams of cars push a heavy puck into each other's goal. In the middle a wrecking ball
 * turns. Metres and seconds, seen from above.
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
  hypot,
  JOINTS,
  press,
  reference,
  type ThingOf,
  type WorldOf,
} from "../../game_kit/game_kit.ts";

/** Half of the rink's length. */
export const LONG = 13;
/** Half of its width. */
export const WIDE = 7;
/** Half of a goal's width. */
export const MOUTH = 1.6;
/** The goals' back, as |x|. */
export const BACK = 14.7;
/** Before a kick-off everybody stands still for so many ticks. */
export const KICK_OFF = 30;

/** Players celebrate a goal for so long, s. */
const CELEBRATION = 2.5;
/** They look at a match's result for so long, s. */
const RESULT = 8;
/** A match ends after so long, s, if no team has the goals before. */
const MATCH = 180;
/** A boost can be repeated after so long, s. */
const BOOST_REST = 2.5;
/** From this seat on seats belong to NPCs. */
const FIRST_NPC_SEAT = 16;

const SIDE = { blue: -1, orange: 1 } as const;
const OTHER = { blue: "orange", orange: "blue" } as const;

/** The square root with the sign of its value. */
const root = (value: number) => Math.sign(value) * Math.sqrt(Math.abs(value));

/**
 * The boards as 120 corners: |x / LONG|⁴ + |y / WIDE|⁴ = 1, but where a goal is they are farther
 * out.
 * @param end the goals' |x|
 */
export const boards = (end: number) =>
  Array.from({ length: 120 }, (_, i) => directionOf(i * Math.PI / 60))
    .map(({ x, y }) => [(Math.abs(y) < 0.06 ? end : LONG) * root(x), WIDE * root(y)] as const);

const SKIN = { friction: 0.1, restitution: 0.6 };

const disc = (circle: number, density: number) => [{ ...SKIN, shape: { circle }, density }];

/** Cars have a category of their own, because only they are kept out of the goals. */
const CAR = [{
  ...SKIN,
  restitution: 0.1,
  shape: { box: [0.75, 0.45] },
  density: 2.5,
  category: 2,
}] as const;

const team = choice("blue", "orange");

const declaration = declareGame({
  id: "puck-2",
  title: "Puck",
  gravity: 0,
  features: [CHAINS, JOINTS],
  restitutionThreshold: 0.1,
  speedMax: 30,
  limits: { entities: 64, contacts: 1024 },
  // Two rinks: the puck may be in a goal, and cars, of category 2, may not.
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
  join: { team: choice("auto", "blue", "orange") },
  options: { goals: choice("5", "3", "9"), rink: choice("wrecker", "open") },

  match: {
    // Ticks until play goes on: a celebration or a result, and then the kick-off.
    pause: clock(),
    // Ticks of play until the match is over; 0 while its result is shown.
    left: "u16",
    round: "u16",
    blue: "u8",
    orange: "u8",
  },
  things: {
    goal: {
      body: { type: "static", fixtures: [{ shape: { box: [0.25, MOUTH] }, sensor: true }] },
      fields: { team },
    },
    // The wrecking ball hangs on a hub that a motor turns.
    hub: { body: { fixtures: [{ shape: { box: [1, 0.2], x: 0.8 }, density: 4, mask: 0 }] } },
    ball: { body: { fixtures: disc(0.7, 5), bullet: true } },
    puck: {
      body: { fixtures: disc(0.6, 1.2), bullet: true, linearDamping: 0.35 },
      // The car that touched it last.
      fields: { by: reference("car") },
    },
    car: {
      body: { fixtures: CAR, linearDamping: 1.2, angularDamping: 5 },
      // `rest` counts down until the next boost.
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

type World = WorldOf<typeof declaration>;
type Car = ThingOf<typeof declaration, "car">;
type Team = keyof typeof SIDE;

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value));

/** Whether cars stand still for a kick-off. Before it, after a goal, they still drive. */
function isKickOff({ match: { pause } }: Pick<World, "match">): boolean {
  return pause > 0 && pause <= KICK_OFF;
}

/** How many more cars orange has than blue. */
function orangeLead(world: World): number {
  return world.all("car").reduce((lead, car) => lead + SIDE[car.fields.team], 0);
}

/** Where a car waits for the kick-off, with its nose to the other goal. */
function kickOffSpot(team: Team, seat: number) {
  return {
    x: SIDE[team] * (5 + (seat >> 3)),
    y: [2.5, -2.5, 5, -5][seat >> 1 & 3]!,
    angle: team === "blue" ? 0 : Math.PI,
  };
}

/** The input that drives a car towards a point, and stops it there. */
function goTo(me: Pick<Car, "x" | "y" | "vx" | "vy">, x: number, y: number, boost = 0) {
  const dx = x - me.x - me.vx / 4;
  const dy = y - me.y - me.vy / 4;
  const far = Math.max(1, hypot(dx, dy));
  return { dx: dx / far, dy: dy / far, boost };
}

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

  /** Players who choose no team join the smaller one. */
  enter(world, seat, join) {
    const smaller = orangeLead(world) > 0 ? "blue" : "orange";
    const team = join.team === "auto" ? smaller : join.team;
    return { ...kickOffSpot(team, seat), fields: { team } };
  },

  drive(world, me, { dx, dy, boost }) {
    const { mass } = me;
    const nose = directionOf(me.angle);

    // Tyres hold sideways: each tick takes 40 % of the skid.
    const skid = 0.4 * mass * (nose.x * me.vy - nose.y * me.vx);
    world.applyImpulse(me, nose.y * skid, -nose.x * skid);

    // Turn towards the stick, the faster the farther it is pushed.
    const off = atan2(nose.x * dy - nose.y * dx, nose.x * dx + nose.y * dy);
    const push = hypot(dx, dy);
    world.setSpin(me, me.spin + clamp(clamp(7 * off, 7) - me.spin, 4 * push));
    if (isKickOff(world)) return world.setVelocity(me, 0, 0);

    // Go where the stick points.
    world.applyForce(me, 12 * mass * dx / Math.max(1, push), 12 * mass * dy / Math.max(1, push));

    if (boost === 0 || me.fields.rest > 0) return;
    me.fields.rest = world.ticks(BOOST_REST);
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

        // An own goal counts for the other team, and no car gets the credit.
        world.setVelocity(puck, puck.vx / 4, puck.vy / 4);
        world.emit("goal", puck, by?.fields.team === team ? by : undefined);

        match[team]++;
        if (match[team] >= Number(world.options.goals)) match.left = 0;
        match.pause = KICK_OFF + world.ticks(match.left > 0 ? CELEBRATION : RESULT);
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

  tick(world) {
    const { match } = world;
    if (match.pause === 1) world.emit("whistle", world.ground);

    // Time passes only while the puck is in play. Without any left the match is over.
    if (match.pause === 0) {
      match.left--;
      if (match.left === 0) match.pause = KICK_OFF + world.ticks(RESULT);
    }
    if (match.pause !== KICK_OFF) return;

    // The kick-off, after a result that of a new match.
    if (match.left === 0) {
      match.round++;
      match.left = world.ticks(MATCH);
      match.blue = 0;
      match.orange = 0;
    }

    // NPCs change sides if teams are uneven, and all go to their spots.
    for (const car of world.all("car")) {
      const isNpc = car.seat >= FIRST_NPC_SEAT;
      if (isNpc && orangeLead(world) * SIDE[car.fields.team] > 1) {
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

  /** An NPC keeps the goal, makes room for a mate who is nearer, or pushes the puck. */
  think(world, me, aheadTicks) {
    const side = SIDE[me.fields.team];
    const mates = world.all("car").filter(({ id, fields }) =>
      id !== me.id && fields.team === me.fields.team
    );

    // Where the puck will be when the input counts.
    const puck = world.one("puck") ?? me;
    const ahead = (aheadTicks + 3) / 20;
    const x = clamp(puck.x + puck.vx * ahead, LONG - 1);
    const y = clamp(puck.y + puck.vy * ahead, WIDE - 0.6);

    // The last of several mates keeps the goal.
    const isKeeper = mates.length > 0 && mates.every(({ seat }) => seat < me.seat);
    if (isKeeper && x * side < 6) return goTo(me, side * (LONG - 1.5), clamp(y / 2, 1.6));

    // A mate is nearer by more than a metre: wait for a pass beside the puck.
    const far = hypot(x - me.x, y - me.y);
    if (mates.some((mate) => hypot(x - mate.x, y - mate.y) < far - 1)) {
      return goTo(me, clamp(x + side * 4, 11), y > 0 ? y - 5 : y + 5);
    }

    // The direction of the shot: into the other goal, from afar rather along the rink.
    const toX = -side * 14 - x;
    const shot = directionOf(atan2((Math.abs(toX) > 9 ? y / 2 : 0) - y, toX));
    const behind = (x - me.x) * shot.x + (y - me.y) * shot.y;
    const beside = (x - me.x) * shot.y - (y - me.y) * shot.x;
    const off = Math.abs(beside);

    // Behind the puck: push it, and boost if it is near and straight ahead.
    if (behind > 0.5 && off < 0.6 + behind / 3) {
      return goTo(me, x + 4 * shot.x, y + 4 * shot.y, behind < 5 && off < 0.8 ? 1 : 0);
    }

    // Get behind it, and not through it.
    const isInTheWay = behind < 0.5 && off < 1.8;
    const detour = beside < 0 ? -2 : 2;
    const round = isInTheWay ? detour : 0;
    return goTo(
      me,
      clamp(x - 2 * shot.x - shot.y * round, LONG - 1),
      clamp(y - 2 * shot.y + shot.x * round, WIDE - 0.8),
    );
  },
});
