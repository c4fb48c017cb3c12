/**
 * Puck: two teams of cars push a heavy puck into each other's goal, while a wrecking ball turns in
 * the middle. Seen from above. Metres, seconds and kilograms; blue defends the left goal.
 *
 * The file has the rink, the declaration, the phases of a match, the rules, and the NPCs.
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
  jointsOf,
  type Place,
  press,
  type ReadonlyThingOf,
  reference,
  REVOLUTE,
  ROPE,
  type WorldOf,
  type WorldViewOf,
} from "../../game_kit/game_kit.ts";

/** From the middle of the rink to its boards. */
export const HALF_LENGTH = 13;
export const HALF_WIDTH = 7;
/** From the middle of the rink to the back of a goal. */
export const GOAL_BACK = 14.7;
/** Half of a goal's width, and of the depth of the sensor at its back. */
const GOAL_HALF_WIDTH = 1.6;
const GOAL_HALF_DEPTH = 0.25;

/** Before the whistle cars stand still for so many ticks: 1.5 s. */
export const KICK_OFF_TICKS = 30;
const CELEBRATION_SECONDS = 2.5;
const RESULT_SECONDS = 8;
/** A match ends after so much play if no team has enough goals before. */
const MATCH_SECONDS = 180;

/** Newtons for each kilogram of a car. */
const ENGINE = 12;
/** The share of its speed to the side that a car loses in each tick. */
const GRIP = 0.4;
/** How fast a car turns for each radian that its nose is off, and at most. Radians per second. */
const SPIN_PER_RADIAN = 7;
const SPIN_MAX = 7;
/** The most by which its spin changes in a tick. */
const SPIN_CHANGE_MAX = 4;
/** Metres per second that a boost adds. */
const BOOST_SPEED = 8;
const BOOST_REST_SECONDS = 2.5;

/** Pages sound and show what hits faster than this, metres per second. */
const PUCK_HIT_SPEED = 2;
const CAR_HIT_SPEED = 4;

/** Bits of `category` and `mask`. Only cars have a category of their own. */
const ALL_BUT_CARS = 1;
const CARS = 2;

/** This seat and those above belong to NPCs. */
const FIRST_NPC_SEAT = 16;

/** The sign of x in a team's half of the rink. */
const SIDE = { blue: -1, orange: 1 } as const;
const RIVAL = { blue: "orange", orange: "blue" } as const;

type Team = keyof typeof SIDE;

/**
 * The boards as 120 corners of |x / HALF_LENGTH|⁴ + |y / HALF_WIDTH|⁴ = 1, a rink whose corners are
 * round, so that the puck rests in none.
 * @param goalEnd |x| of the boards between the posts of a goal
 */
export function boards(goalEnd: number) {
  return Array.from({ length: 120 }, (_, i) => {
    const { x, y } = directionOf(i * Math.PI / 60);
    const isBetweenPosts = Math.abs(y) < 0.06;
    const end = isBetweenPosts ? goalEnd : HALF_LENGTH;
    return [end * signedRoot(x), HALF_WIDTH * signedRoot(y)] as const;
  });
}

/** The square root of |value|, with the sign of the value. */
function signedRoot(value: number): number {
  return Math.sign(value) * Math.sqrt(Math.abs(value));
}

const SURFACE = { friction: 0.1, restitution: 0.6 };
const team = choice("blue", "orange");

const declaration = declareGame({
  id: "puck-2",
  title: "Puck",
  gravity: 0,
  features: [CHAINS, jointsOf(REVOLUTE, ROPE)],
  restitutionThreshold: 0.1,
  speedMax: 30,
  limits: { entities: 64, contacts: 1024 },

  // Two rinks: the puck may enter the goals, and cars meet boards that close them.
  ground: [
    { ...SURFACE, shape: { chain: boards(GOAL_BACK), loop: true }, mask: ALL_BUT_CARS },
    { ...SURFACE, shape: { chain: boards(HALF_LENGTH), loop: true }, mask: CARS },
  ],

  command: {
    dx: axis({ steps: 8 }),
    dy: axis({ steps: 8, up: true }),
    boost: press({ label: "Boost" }),
  },
  join: { team: choice("auto", "blue", "orange") },
  options: { goals: choice("5", "3", "9"), rink: choice("wrecker", "open") },

  match: {
    // Ticks until the puck is free; `phaseOf` says what happens until then.
    pause: clock(),
    // Ticks of play until the match is over; 0 while its result is shown.
    left: "u16",
    round: "u16",
    // Goals.
    blue: "u8",
    orange: "u8",
  },

  things: {
    goal: {
      body: {
        type: "static",
        fixtures: [{ shape: { box: [GOAL_HALF_DEPTH, GOAL_HALF_WIDTH] }, sensor: true }],
      },
      // The team that defends it.
      fields: { team },
    },

    // The wrecking ball hangs on the arm of a hub that a motor turns. Cars pass below the arm.
    hub: { body: { fixtures: [{ shape: { box: [1, 0.2], x: 0.8 }, density: 4, mask: 0 }] } },
    ball: {
      body: { fixtures: [{ ...SURFACE, shape: { circle: 0.7 }, density: 5 }], bullet: true },
    },

    puck: {
      body: {
        fixtures: [{ ...SURFACE, shape: { circle: 0.6 }, density: 1.2 }],
        bullet: true,
        linearDamping: 0.35,
      },
      // The car that touched it last.
      fields: { by: reference("car") },
    },

    car: {
      body: {
        fixtures: [{
          ...SURFACE,
          restitution: 0.1,
          shape: { box: [0.75, 0.45] },
          density: 2.5,
          category: CARS,
        }],
        linearDamping: 1.2,
        angularDamping: 5,
      },
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
  // One is darker, so that they differ without their hues.
  teams: { blue: "#2f7fe6", orange: "#ffa64d" },
});

type World = WorldOf<typeof declaration>;
type WorldView = WorldViewOf<typeof declaration>;
type Car = ReadonlyThingOf<typeof declaration, "car">;

/** Ticks until the puck is free, and ticks of play until the match is over. */
export interface Clocks {
  readonly pause: number;
  readonly left: number;
}

/**
 * What happens now. `pause` counts down to 0 through a celebration, or through the result of a
 * match, and then through the kick-off.
 */
export function phaseOf(
  { pause, left }: Clocks,
): "celebration" | "result" | "kick-off" | "play" {
  if (pause === 0) return "play";
  if (pause <= KICK_OFF_TICKS) return "kick-off";
  return left > 0 ? "celebration" : "result";
}

/** Stops play after a goal, or at the end of a match. A kick-off follows. */
function stopPlay(world: World): void {
  const { match } = world;
  const seconds = match.left > 0 ? CELEBRATION_SECONDS : RESULT_SECONDS;
  match.pause = KICK_OFF_TICKS + world.ticks(seconds);
}

/** Brings all cars to their spots, and a new puck to the middle. */
function kickOff(world: World): void {
  const { match } = world;

  // After a result a new match begins.
  if (match.left === 0) {
    match.round++;
    match.left = world.ticks(MATCH_SECONDS);
    match.blue = 0;
    match.orange = 0;
  }

  evenTeams(world);
  for (const car of world.all("car")) {
    const { x, y, angle } = kickOffSpot(car.fields.team, car.seat);
    world.teleport(car, x, y, angle);
  }

  // The puck drifts to one side, at up to 1 m/s, so that kick-offs differ.
  for (const puck of world.all("puck")) world.despawn(puck);
  world.spawn("puck", { vy: (world.random(13) - 6) / 6 });
}

/** NPCs change sides while a team has two cars more than the other. Players stay where they are. */
function evenTeams(world: World): void {
  for (const { seat, fields } of world.all("car")) {
    const isNpc = seat >= FIRST_NPC_SEAT;
    const lead = orangeLead(world) * SIDE[fields.team];
    if (isNpc && lead > 1) fields.team = RIVAL[fields.team];
  }
}

/** How many more cars orange has than blue. */
function orangeLead(world: World): number {
  return world.all("car").reduce((lead, { fields }) => lead + SIDE[fields.team], 0);
}

/**
 * Where a car waits for the kick-off, with its nose to the rivals' goal. Eight seats share a row.
 * Two neighbours share a spot in it, because they usually play for different teams.
 */
function kickOffSpot(team: Team, seat: number) {
  const row = Math.floor(seat / 8);
  const spot = Math.floor(seat / 2) % 4;
  return {
    x: SIDE[team] * (5 + row),
    y: [2.5, -2.5, 5, -5][spot]!,
    angle: team === "blue" ? 0 : Math.PI,
  };
}

/** The number in −most … most that is nearest to `value`. */
function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

export const game = defineGame(declaration, {
  start(world) {
    world.match.pause = KICK_OFF_TICKS;
    const goalX = GOAL_BACK - GOAL_HALF_DEPTH;
    world.spawn("goal", { x: -goalX, angle: Math.PI, fields: { team: "blue" } });
    world.spawn("goal", { x: goalX, fields: { team: "orange" } });

    if (world.options.rink === "wrecker") {
      const hub = world.spawn("hub");
      const ball = world.spawn("ball", { x: 3 });
      world.joints.add("shaft", world.ground, hub, { x: 0, y: 0 });
      world.joints.add("chain", hub, ball, { x: 1.7, y: 0, bx: 3, by: 0 });
    }
  },

  /** Players who choose no team join the smaller one. */
  enter(world, seat, join) {
    const smallerTeam = orangeLead(world) > 0 ? "blue" : "orange";
    const team = join.team === "auto" ? smallerTeam : join.team;
    return { ...kickOffSpot(team, seat), fields: { team } };
  },

  drive(world, me, { dx, dy, boost }) {
    const { mass } = me;
    const nose = directionOf(me.angle);

    // Tyres roll forwards and hold sideways.
    const skid = GRIP * mass * (nose.x * me.vy - nose.y * me.vx);
    world.applyImpulse(me, nose.y * skid, -nose.x * skid);

    // The nose turns to where the stick points, the faster the farther the stick is pushed.
    const push = hypot(dx, dy);
    const off = atan2(nose.x * dy - nose.y * dx, nose.x * dx + nose.y * dy);
    const wantedSpin = clamp(SPIN_PER_RADIAN * off, SPIN_MAX);
    world.setSpin(me, me.spin + clamp(wantedSpin - me.spin, SPIN_CHANGE_MAX * push));

    // Until the whistle cars turn, and do nothing else.
    if (phaseOf(world.match) === "kick-off") {
      world.setVelocity(me, 0, 0);
      return;
    }

    // The engine pulls where the stick points. Two keys together pull no harder than one.
    const most = Math.max(1, push);
    world.applyForce(me, ENGINE * mass * dx / most, ENGINE * mass * dy / most);

    // A boost pushes along the nose. The next one has to wait.
    if (boost > 0 && me.fields.rest === 0) {
      me.fields.rest = world.ticks(BOOST_REST_SECONDS);
      world.applyImpulse(me, BOOST_SPEED * mass * nose.x, BOOST_SPEED * mass * nose.y);
      world.emit("boost", me);
    }
  },

  touch: {
    puck: {
      goal(world, puck, goal) {
        const { match } = world;
        const team = RIVAL[goal.fields.team];
        const { by } = puck.fields;

        // A puck that rolls about in the goal does not score again.
        if (phaseOf(match) !== "play") return;

        // The net slows the puck down.
        world.setVelocity(puck, puck.vx / 4, puck.vy / 4);

        // The car that touched the puck last has scored, unless that was an own goal.
        world.emit("goal", puck, by?.fields.team === team ? by : undefined);
        match[team]++;

        // Enough goals end the match.
        if (match[team] >= Number(world.options.goals)) match.left = 0;
        stopPlay(world);
      },

      car(_world, puck, car) {
        puck.fields.by = car;
      },

      ground(world, puck, _ground, { speed }) {
        if (speed > PUCK_HIT_SPEED) world.emit("hit", puck);
      },
    },

    car: {
      puck(world, car, puck, { speed }) {
        if (speed > PUCK_HIT_SPEED) world.emit("hit", puck, car);
      },

      car(world, car, other, { speed }) {
        if (speed > CAR_HIT_SPEED) world.emit("hit", car, other);
      },

      ball(world, car, _ball, { speed }) {
        if (speed > CAR_HIT_SPEED) world.emit("wreck", car);
      },
    },
  },

  tick(world) {
    const { match } = world;
    if (match.pause === KICK_OFF_TICKS) kickOff(world);
    if (match.pause === 1) world.emit("whistle", world.ground);

    // Time passes only in play. Without any left the match is over.
    if (phaseOf(match) === "play") {
      match.left--;
      if (match.left === 0) stopPlay(world);
    }
  },

  round: ({ match }) => ({
    number: match.round,
    isOver: match.left === 0,
    score: (car) => match[car.fields.team],
  }),

  think,
});

/**
 * Decides for an NPC. One of several mates keeps the goal. Of the others, the nearest one gets
 * behind the puck and pushes it towards the rivals' goal.
 * @param aheadTicks ticks until the input counts
 */
function think(world: WorldView, me: Car, aheadTicks: number) {
  const side = SIDE[me.fields.team];
  const mates = world.all("car").filter(({ id, fields }) =>
    id !== me.id && fields.team === me.fields.team
  );

  // Where the puck will be a little after the input counts.
  const puck = world.one("puck") ?? me;
  const seconds = world.seconds(aheadTicks + 3);
  const x = clamp(puck.x + puck.vx * seconds, HALF_LENGTH - 1);
  const y = clamp(puck.y + puck.vy * seconds, HALF_WIDTH - 0.6);

  // The mate with the highest seat keeps the goal, until the puck comes near.
  const isKeeper = mates.length > 0 && mates.every(({ seat }) => seat < me.seat);
  if (isKeeper && x * side < 6) {
    return goTo(me, { x: side * (HALF_LENGTH - 1.5), y: clamp(y / 2, GOAL_HALF_WIDTH) });
  }

  // A mate is nearer by more than a metre: wait farther back, and to the side.
  const distance = hypot(x - me.x, y - me.y);
  if (mates.some((mate) => hypot(x - mate.x, y - mate.y) < distance - 1)) {
    return goTo(me, { x: clamp(x + side * 4, 11), y: y > 0 ? y - 5 : y + 5 });
  }

  // The direction of the shot: into the goal, or from far away rather along the rink.
  const toGoalX = -side * 14 - x;
  const aimY = Math.abs(toGoalX) > 9 ? y / 2 : 0;
  const shot = directionOf(atan2(aimY - y, toGoalX));

  // How far the puck is in front of the car along the shot, and to the side of it.
  const inFront = (x - me.x) * shot.x + (y - me.y) * shot.y;
  const beside = (x - me.x) * shot.y - (y - me.y) * shot.x;
  const off = Math.abs(beside);

  // Behind the puck, push it. If it is near and straight ahead, boost.
  if (inFront > 0.5 && off < 0.6 + inFront / 3) {
    const boost = inFront < 5 && off < 0.8 ? 1 : 0;
    return goTo(me, { x: x + 4 * shot.x, y: y + 4 * shot.y, boost });
  }

  // Get behind the puck, and go around it where it is in the way.
  const isInTheWay = inFront < 0.5 && off < 1.8;
  let detour = 0;
  if (isInTheWay) detour = beside < 0 ? -2 : 2;
  return goTo(me, {
    x: clamp(x - 2 * shot.x - shot.y * detour, HALF_LENGTH - 1),
    y: clamp(y - 2 * shot.y + shot.x * detour, HALF_WIDTH - 0.8),
  });
}

/** Steers to a place, and brakes where the car would roll past it in a quarter of a second. */
function goTo(me: Car, { x, y, boost = 0 }: Place & { readonly boost?: number }) {
  const dx = x - me.x - me.vx / 4;
  const dy = y - me.y - me.vy / 4;
  const distance = Math.max(1, hypot(dx, dy));
  return { dx: dx / distance, dy: dy / distance, boost };
}
