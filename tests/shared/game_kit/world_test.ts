/** The world of rules: fields, the order of a tick, touches, events, joints, queries, options. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  axis,
  choice,
  clock,
  defineGame,
  DESCRIPTIONS,
  flag,
  GameError,
  JOINTS,
  list,
  PROPERTIES,
  QUERIES,
  reference,
  ROUNDED,
  stopwatch,
} from "../../../shared/game_kit/game_kit.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf, countingGame, FLOOR } from "./small_game.ts";

/** Verbs that a view has no type for. */
interface MatchVerbs {
  setVelocity(thing: unknown, vx: number, vy: number): void;
  player(seat: number): unknown;
}

const COMMAND = { command: { dx: axis() } };

Deno.test("Kit: fields are numbers, flags, words, clocks, references and lists (SPEC 13.8)", () => {
  const log: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    match: { rest: clock(), last: reference("egg") },
    things: {
      car: {
        ...BALL,
        fields: {
          egg: reference("egg"),
          team: choice("red", "blue"),
          ok: flag(),
          laps: list("u8", 3),
          wait: clock(),
        },
      },
      egg: { ...BALL, fields: { n: "f32" } },
      nest: BALL,
    },
  }, {
    start(world) {
      world.match.rest = world.ticks(0.1);
      world.match.last = world.spawn("egg", { x: 4, y: 4, fields: { n: 0.5 } });
    },
    enter: () => ({ x: 0, y: 4, fields: { team: "blue", laps: [7, 8] } }),
    drive(world, { fields }) {
      log.push([
        fields.team,
        fields.ok,
        [...fields.laps],
        fields.wait,
        fields.egg?.id,
        world.match.rest,
      ]);
      if (world.tick === 0) {
        Object.assign(fields, { team: "red", ok: true, egg: world.match.last, wait: 2 });
        fields.laps[2] = 255;
        fields.laps[0]!++;
      } else if (world.tick === 2) {
        world.become(world.match.last!, "nest");
      }
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  for (let i = 0; i < 4; i++) simulation.step(commandsOf({ 0: game.command.neutral }));
  assertEquals(log, [
    ["blue", false, [7, 8, 0], 0, undefined, 2],
    ["red", true, [8, 8, 255], 1, 1, 1],
    ["red", true, [8, 8, 255], 0, 1, 0],
    // A thing that has become another one is no egg any more.
    ["red", true, [8, 8, 255], 0, undefined, 0],
  ]);
  const { world } = simulation;
  const car = world.player(0)!;
  assert(
    world.one("car") === car && world.all("car") === world.all("car") &&
      car.fields === world.one("car")!.fields,
  );
});

Deno.test("Kit: a value that a field cannot hold is refused by thing and field (SPEC 13.8)", () => {
  type Fields = Record<string, unknown> & { laps: Record<number, number> };
  const refusals: readonly [(fields: Fields) => void, new () => Error, string][] = [
    [
      (fields) => fields["team"] = "green",
      GameError,
      'car.team is "green", which is none of red, blue',
    ],
    [(fields) => fields["ok"] = 1, GameError, "car.ok is 1, which is neither true nor false"],
    [
      (fields) => fields["egg"] = { id: 1, name: "car" },
      GameError,
      'car.egg refers to "egg", not to "car"',
    ],
    [(fields) => fields["speed"] = 1, TypeError, "speed"],
    [(fields) => fields.laps[3] = 1, TypeError, "3"],
    [
      (fields) => fields.laps[1] = 0.5,
      GameError,
      "car.laps[1] is 0.5 in car 1; a u8 holds whole numbers, 0 … 255",
    ],
    [
      (fields) => fields["wait"] = 1.5,
      GameError,
      "car.wait is 1.5 in car 1; a u16 holds whole numbers, 0 … 65535",
    ],
    [(fields) => fields["n"] = NaN, GameError, "car.n is NaN in car 1; a f32 holds "],
    [(fields) => fields["n"] = "7", GameError, "car.n is 7 in car 1; a f32 holds "],
  ];

  for (const [spoil, error, message] of refusals) {
    const game = defineGame({
      ...BASE,
      ...COMMAND,
      player: "car",
      things: {
        car: {
          ...BALL,
          fields: {
            egg: reference("egg"),
            team: choice("red", "blue"),
            ok: flag(),
            laps: list("u8", 3),
            wait: clock(),
            n: "f32",
          },
        },
        egg: BALL,
      },
    }, {
      enter: () => ({ y: 2 }),
      drive: (_world, { fields }) => spoil(fields as unknown as Fields),
    });
    const simulation = game.start({ npcs: 0 }, 0);
    assertThrows(() => simulation.step(commandsOf({ 0: game.command.neutral })), error, message);
  }
});

Deno.test("Kit: a number beyond its type is held where rules write it, and told with thing, range and line (SPEC 13.8)", () => {
  const read: number[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    match: { goals: "u16" },
    things: { car: { ...BALL, fields: { n: "u8", laps: list("i32", 2) } }, egg: BALL },
  }, {
    enter: () => ({ y: 2, fields: { n: 256 } }),
    drive(world, { fields }) {
      if (world.tick !== 1) return;
      fields.n -= 300;
      read.push(fields.n);
      fields.laps[1] = 2 ** 40;
      world.match.goals = 65536;
      for (let i = 0; i < 20; i++) world.match.goals = 1e9 + i;
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const commands = commandsOf({ 0: game.command.neutral });
  const place = "tests/shared/game_kit/world_test.ts:";
  const toldOf = () => simulation.limited!.map((text) => text.replace(/(\.ts:)\d+$/, "$1"));

  simulation.step(commands);
  // `enter` has returned when its fields are read, so that the line is that of the step.
  assertEquals(toldOf(), [
    `car.n is 256; a u8 holds whole numbers, 0 … 255, so it stays 255, written in ${place}`,
  ]);
  assertEquals(simulation.world.one("car")!.fields.n, 255);
  simulation.step(commands);
  assertEquals(read, [0]);
  assertEquals(toldOf().slice(0, 3), [
    `car.n is -45 in car 1; a u8 holds whole numbers, 0 … 255, so it stays 0, written in ${place}`,
    `car.laps[1] is 1099511627776 in car 1; a i32 holds whole numbers, -2147483648 … 2147483647, so it stays 2147483647, written in ${place}`,
    `match.goals is 65536; a u16 holds whole numbers, 0 … 65535, so it stays 65535, written in ${place}`,
  ]);
  assertEquals(toldOf().length, 8);
  simulation.step(commands);
  assertEquals(simulation.limited, []);
});

Deno.test("Kit: a stopwatch counts up before rules, stays at 255, and the body stream expects it (SPEC 13.90)", () => {
  const read: number[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    match: { sinceGoal: stopwatch() },
    things: { car: { ...BALL, fields: { age: stopwatch(), wait: clock() } } },
  }, {
    enter: () => ({ y: 2, fields: { age: 250 } }),
    drive(world, { fields }) {
      read.push(fields.age, world.match.sinceGoal);
      if (world.tick === 2) world.match.sinceGoal = 0;
      if (world.tick === 3) fields.age = 300;
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const commands = commandsOf({ 0: game.command.neutral });
  // The thing enters after the first count, and the match was there before.
  for (let tick = 1; tick <= 7; tick++) simulation.step(commands);
  assertEquals(read, [250, 1, 251, 2, 252, 3, 253, 1, 255, 2, 255, 3, 255, 4]);

  const { schemas } = game.bodies!;
  const driftsOf = (name: string) =>
    schemas.find((schema) => schema.name === name)!.fields
      .filter(({ drift }) => drift !== 0).map(({ name, type, drift }) => [name, type, drift]);
  assertEquals(driftsOf("match"), [["sinceGoal", "u8", 1]]);
  assertEquals(driftsOf("car"), [["age", "u8", 1], ["wait", "u16", -1]]);
});

Deno.test("Kit: a tick is countDown, start, enter, entered and leave, drive, physics, touch, tick; seats ascend (SPEC 13.9, 13.96)", () => {
  let log: string[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    gravity: 10,
    player: "car",
    things: { car: { ...BALL, fields: { wait: clock() } } },
  }, {
    start: ({ tick }) => void log.push(`start ${tick}`),
    enter: (
      _world,
      seat,
    ) => (log.push(`enter ${seat}`), { x: 2 * seat, y: 0.55, fields: { wait: 3 } }),
    entered: (world, { seat, fields }) =>
      void log.push(`entered ${seat} ${fields.wait} of ${world.all("car").length}`),
    leave: (_world, { seat, fields }) => void log.push(`leave ${seat} ${fields.wait}`),
    drive: (_world, { seat, y, fields }) =>
      void log.push(`drive ${seat} ${fields.wait} ${y > 0.54}`),
    touch: { car: { ground: (_world, { seat, y }) => void log.push(`touch ${seat} ${y > 0.54}`) } },
    tick: () => void log.push("tick"),
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  const ticks = [{ 5: neutral }, { 3: neutral, 5: neutral }, { 3: neutral }].map((bySeat) => {
    log = [];
    simulation.step(commandsOf(bySeat));
    return log;
  });
  assertEquals(ticks, [
    ["start 0", "enter 5", "entered 5 3 of 1", "drive 5 3 true", "tick"],
    ["enter 3", "entered 3 3 of 2", "drive 3 3 true", "drive 5 2 false", "touch 5 false", "tick"],
    ["leave 5 1", "drive 3 2 false", "touch 3 false", "tick"],
  ]);
});

Deno.test("Kit: a player's thing that rules remove enters anew in the next tick; what it became stays (SPEC 13.20)", () => {
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    things: { car: BALL, wreck: BALL },
    player: "car",
  }, {
    enter: (world) => ({ x: 3 * world.tick, y: 4 }),
    drive(world, me, { dx }) {
      if (dx > 0) world.despawn(me);
      if (dx < 0) world.become(me, "wreck");
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { world } = simulation;
  const { neutral } = game.command;
  const step = (dx: number) => {
    simulation.step(commandsOf({ 7: game.commandOf({ dx }, neutral) }));
    return [world.player(7)?.id, world.all("wreck").map(({ id, seat }) => [id, seat])];
  };
  assertEquals([0, 1, 0, -1, 0].map(step), [
    [1, []],
    [undefined, []],
    [2, []],
    [undefined, [[2, -1]]],
    [3, [[2, -1]]],
  ]);
});

Deno.test("Kit: a thing that becomes another keeps fields of equal names, as far as they fit (SPEC 13.20)", () => {
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    things: {
      car: BALL,
      egg: { ...BALL, fields: { n: "u8", mood: choice("calm", "angry", "wild"), age: "u8" } },
      bird: { ...BALL, fields: { n: "u16", mood: choice("calm", "angry"), size: "f32" } },
    },
  }, {
    start(world) {
      const eggs = (["angry", "wild", "wild"] as const).map((mood, n) =>
        world.spawn("egg", { y: 3, fields: { n, mood } })
      );
      for (const [i, egg] of eggs.entries()) {
        world.become(egg, "bird", i === 2 ? { mood: "angry", size: 2 } : {});
      }
    },
    enter: () => ({ y: 9 }),
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const state = new Snapshot();
  simulation.step(commandsOf({}));
  simulation.save(state);
  simulation.load(state);
  const birds = simulation.world.all("bird").map((
    { id, fields: { n, mood, size } },
  ) => [id, n, mood, size]);
  assertEquals(birds, [[1, 0, "angry", 0], [2, 1, "calm", 0], [3, 2, "angry", 2]]);
});

Deno.test("Kit: the rule of a touch has both things, seen from the first; hits of projectiles are touches (SPEC 13.10)", () => {
  const log: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    things: {
      car: BALL,
      egg: BALL,
      shot: { projectile: { radius: 0.1, lifeTicks: 40, mass: 0.1 } },
    },
  }, {
    start(world) {
      world.spawn("egg", { x: 3, y: 4, vx: -8 });
      world.spawn("shot", { x: 0, y: 7, vy: -20 });
    },
    enter: (_world, seat) =>
      [{ x: 0, y: 4 }, { x: 10, y: 4, vx: -12 }, { x: 0, y: 12 }, { x: 1.2, y: 12, vx: -4 }][seat]!,
    touch: {
      egg: {
        car: (_world, egg, car, { nx, speed }) =>
          log.push([egg.name, car.seat, Math.round(nx), speed > 6]),
      },
      car: {
        egg: (_world, car, egg, { nx, ax, bx }) =>
          log.push([car.name, egg.name, Math.round(nx), ax < bx]),
        car: (_world, a, b) => log.push([a.seat, b.seat]),
        shot: (_world, car, shot, { ny }) => log.push([car.seat, shot.name, Math.round(ny)]),
      },
      shot: {
        car: (_world, shot, car, { ny, speed }) =>
          log.push([shot.name, car.name, Math.round(ny), speed > 15]),
      },
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  for (let i = 0; i < 20; i++) simulation.step(commandsOf([neutral, neutral, neutral, neutral]));
  assertEquals(log.slice(0, 7), [
    [2, 3],
    ["shot", "car", -1, true],
    [0, "shot", 1],
    ["egg", 0, -1, true],
    ["car", "egg", 1, true],
    ["egg", 1, 1, true],
    ["car", "egg", -1, false],
  ]);
  assertEquals(log.filter((entry) => String(entry) === "2,3").length, 1);
});

Deno.test("Kit: a rule may remove what it touches; no later rule of the tick sees it (SPEC 13.10)", () => {
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    match: { taken: "u8" },
    things: { car: { ...BALL, fields: { got: "u8" } }, egg: BALL },
    events: { take: "at once" },
  }, {
    start: (world) => world.spawn("egg", { x: 0, y: 4 }),
    enter: (_world, seat) => ({ x: seat - 0.5, y: 4 }),
    touch: {
      car: {
        egg(world, car, egg) {
          car.fields.got++;
          world.match.taken++;
          world.emit("take", car, egg);
          world.emit("take", car);
          world.despawn(egg);
        },
      },
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  simulation.step(commandsOf({ 0: neutral, 1: neutral }));
  assertEquals([simulation.world.match.taken, simulation.world.all("egg").length], [1, 0]);

  // A second event with the same name, thing and tick is dropped (SPEC 13.11).
  assertEquals(
    simulation.events.map(({ tick, kind, entity, other }) => [tick, kind, entity, other]),
    [[
      1,
      "take",
      2,
      1,
    ]],
  );
  simulation.step(commandsOf({ 0: neutral, 1: neutral }));
  assertEquals(simulation.events, []);
});

Deno.test("Kit: one event for each name, thing and tick; an event that is not declared is refused (SPEC 13.11)", () => {
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    things: { car: BALL },
    player: "car",
    events: { go: "certain" },
  }, {
    enter: () => ({ y: 3 }),
    drive: (world, me) => world.emit(world.tick === 0 ? "go" : "went" as "go", me),
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  simulation.step(commandsOf({ 0: neutral, 4: neutral }));
  assertEquals(simulation.events.map(({ kind, entity, other }) => [kind, entity, other]), [
    ["go", 1, undefined],
    ["go", 2, undefined],
  ]);
  assertThrows(
    () => simulation.step(commandsOf({ 0: neutral })),
    GameError,
    '"went" is no event of this game: it has go',
  );
});

Deno.test("Kit: an event has the amount that rules give, which is a finite number (SPEC 13.94)", () => {
  const given = { amount: 2.5 };
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    things: { car: BALL },
    events: { hit: "likely", land: "at once" },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    tick(world) {
      const car = world.one("car")!;
      world.emit("hit", car, undefined, given.amount);
      world.emit("land", car, world.ground);
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const commands = commandsOf({ 0: game.command.neutral });
  simulation.step(commands);
  assertEquals(simulation.events, [
    { tick: 1, kind: "hit", entity: 1, x: 0, y: 4, amount: 2.5 },
    { tick: 1, kind: "land", entity: 1, x: 0, y: 4, other: 0 },
  ]);
  given.amount = NaN;
  assertThrows(
    () => simulation.step(commands),
    GameError,
    'the amount of the event "hit" is NaN: it is a finite number',
  );
});

Deno.test("Kit: rules may take verbs, queries and joints out of the world (SPEC 13.21)", () => {
  const log: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    features: [JOINTS, QUERIES],
    events: { seen: "at once" },
    things: { car: BALL, egg: BALL },
    joints: { rope: { type: "rope" } },
  }, {
    start: ({ spawn }) => spawn("egg", { x: 3, y: 4 }),
    enter: () => ({ x: 0, y: 4 }),
    drive({ tick, one, joints: { add, of }, queries: { rayCast }, setVelocity, emit, player }, me) {
      const egg = one("egg")!;
      const seen = rayCast(me, egg, { except: me });
      if (tick === 0) add("rope", me, egg, { x: me.x, y: me.y, bx: egg.x, by: egg.y });
      setVelocity(me, -1, 0);
      emit("seen", egg);
      log.push([seen?.thing.name, of(me, "rope").length, player(me.seat)?.id === me.id]);
    },
  });
  const simulation = game.start({ npcs: 0 }, 1);
  simulation.step(commandsOf({ 0: game.command.neutral }));
  assertEquals(log, [["egg", 1, true]]);
  assertEquals(simulation.events.map(({ kind }) => kind), ["seen"]);
  const { setVelocity, player } = simulation.world as unknown as MatchVerbs;
  assertThrows(() => setVelocity(player(0), 1, 1), GameError, "only rules change the world");
});

Deno.test("Kit: a thing takes points and vectors from its frame to the world and back (SPEC 9.49)", () => {
  const log: unknown[] = [];
  const game = defineGame({ ...BASE, ...COMMAND, player: "car", things: { car: BALL } }, {
    enter: () => ({ x: 1, y: 4, angle: Math.PI / 2 }),
    drive(world, me) {
      for (const thing of [me, world.ground]) {
        log.push(
          thing.worldPoint(2, 1),
          thing.localPoint(2, 1),
          thing.worldVector(2, 1),
          thing.localVector(2, 1),
        );
      }
    },
  });
  const simulation = game.start({ npcs: 0 }, 1);
  simulation.step(commandsOf([{ dx: 0 }]));
  const rounded = (log as { x: number; y: number }[]).map(({ x, y }) => [
    Math.round(x),
    Math.round(y),
  ]);
  assertEquals(rounded, [[0, 6], [-3, -1], [-1, 2], [1, -2], ...Array(4).fill([2, 1])]);
});

Deno.test("Kit: joints by name, queries and properties give and take things (SPEC 13.16)", () => {
  const found: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    features: [JOINTS, QUERIES, PROPERTIES],
    things: { car: BALL, egg: { body: { ...BALL.body, mutable: ["friction"] } } },
    joints: {
      rope: { type: "rope", fields: { n: "u8" } },
      pin: { type: "revolute" },
      thread: { type: "rope", breakForce: 1 },
    },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    drive(world, me) {
      const egg = world.spawn("egg", { x: 3, y: 4 });
      const rope = world.joints.add("rope", me, egg, {
        x: 0,
        y: 4,
        bx: 3,
        by: 4,
        fields: { n: 7 },
      });
      world.joints.add("pin", world.ground, egg, { x: 3, y: 4 });
      world.setProperties(egg, { friction: 0.25 });
      const hit = world.queries.rayCast({ x: 0, y: 4 }, { x: 9, y: 4 }, { except: me });
      const floor = world.queries.rayCast({ x: 8, y: 4 }, { x: 8, y: -4 });
      const near = world.queries.overlap({ circle: 9 }, me, {
        where: (thing) => thing.name !== "ground",
      });
      const nearest = world.queries.closest({ x: 3, y: 6 }, 4);
      found.push(
        [nearest?.thing === egg, nearest?.distance, nearest?.y],
        [hit?.thing === egg, floor?.thing === world.ground, near.map(({ thing }) => thing.name)],
        [world.joints.of(egg).length, world.joints.of(egg, "rope")[0] === rope, rope.fields.n],
        [
          world.get(rope.a.id) === me,
          world.property(egg, "friction"),
          world.joints.of(world.ground).length,
        ],
      );
      world.joints.remove(rope);
      found.push(world.joints.all("rope").length);
      world.joints.add("thread", world.ground, me, { x: 0, y: 6, bx: 0, by: 4 });
      world.applyForce(me, 0, -100);
    },
    tick: (world) => found.push(world.joints.broken.map(({ joint }) => joint.definition.name)),
  });
  game.start({ npcs: 0 }, 0).step(commandsOf({ 0: game.command.neutral }));
  assertEquals(found, [
    [true, 1.5, 4.5],
    [true, true, ["car", "egg"]],
    [2, true, 7],
    [true, 0.25, 1],
    0,
    ["thread"],
  ]);
});

Deno.test("Kit: rules turn the gravity, freeze things, take parts off and keep a pair apart (SPEC 13.16, 9.100, 9.101, 9.102, 9.105)", () => {
  const found: unknown[] = [];
  const arm = { shape: { circle: 0.2, x: 1 }, enabled: false };
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    gravity: 10,
    mutable: ["gravity"],
    features: [JOINTS, PROPERTIES],
    things: {
      car: {
        body: { fixtures: [...BALL.body.fixtures, arm], mutable: ["type", "enabled"] },
      },
      egg: BALL,
    },
    joints: { apart: { type: "filter", fields: { n: "u8" } } },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    drive(world, me) {
      const egg = world.spawn("egg", { x: 0, y: 4.2 });
      const filter = world.joints.addFilter("apart", me, egg, { n: 5 });
      world.setProperties(me, { type: "static" });
      world.setProperties(me, { enabled: true }, 1);
      world.setGravity({ x: 20, y: 0 });
      found.push(
        [world.gravity.x, world.gravity.y, filter.fields.n],
        [world.property(me, "type"), world.property(me, "enabled", 1), me.mass],
      );
    },
    tick(world) {
      const egg = world.one("egg")!;
      found.push([egg.vx, egg.vy, world.touchingNow(egg).length]);
    },
  });
  game.start({ npcs: 0 }, 0).step(commandsOf({ 0: game.command.neutral }));
  assertEquals(found, [[20, 0, 5], ["static", true, 0], [1, 0, 0]]);
});

Deno.test("Kit: rules see what sleeps, wake it, and find what is at a point (SPEC 13.27)", () => {
  const slept: boolean[] = [];
  const found: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    gravity: 10,
    player: "car",
    features: [QUERIES],
    ground: [FLOOR],
    things: {
      car: BALL,
      egg: { body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] } },
      shelf: { body: { type: "static", fixtures: [{ shape: { box: [1, 0.25] } }] } },
    },
  }, {
    enter: () => ({ x: -8, y: 0.5 }),
    start(world) {
      const shelf = world.spawn("shelf", { x: 4, y: 3 });
      world.spawn("egg", { x: shelf.x, y: 3.77 });
    },
    drive(world) {
      slept.push(!world.one("egg")!.awake);
      if (slept.at(-2)) world.wake(world.one("shelf")!);
    },
    tick(world) {
      const at = (x: number, y: number) =>
        world.queries.at({ x, y }).map(({ thing, fixture }) => `${thing.name} ${fixture}`);
      if (slept.at(-2)) found.push(world.one("egg")!.awake, at(4, 3.2), at(4, 3.4), at(6, 3));
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  while (found.length === 0 && slept.length < 100) {
    simulation.step(commandsOf({ 0: game.command.neutral }));
  }
  // The egg fell asleep, was seen so, and woke when what it lies on was woken.
  assertEquals(found, [true, ["shelf 0"], ["egg 0"], []]);
});

Deno.test("Kit: an explosion gives the things that it pushes, and two things have a distance (SPEC 13.27)", () => {
  const found: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    features: [QUERIES, ROUNDED],
    ground: [FLOOR],
    things: {
      car: BALL,
      pill: { body: { fixtures: [{ shape: { capsule: [-1, 0, 1, 0], radius: 0.5 } }] } },
    },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    drive(world, me) {
      const pill = world.spawn("pill", { x: 5, y: 4 });
      const { distance, ax, bx } = world.queries.distance(me, pill)!;
      found.push([distance, ax, bx], world.queries.distance(world.ground, pill)!.distance);
      const pushed = world.explode(3, 4, { radius: 1, falloff: 9, impulse: 2 });
      found.push(pushed.map(({ name }) => name), me.vx < 0 && pill.vx > 0);
      const others = world.explode(3, 4, { radius: 9, impulse: 2, except: me });
      found.push(others.map(({ name }) => name));
    },
  });
  game.start({ npcs: 0 }, 0).step(commandsOf({ 0: game.command.neutral }));
  assertEquals(found, [[3, 0.5, 3.5], 3.5, ["car", "pill"], true, ["pill"]]);
});

Deno.test("Kit: a list of things teleports as one piece with its joints, which also hold what a thing becomes (SPEC 13.16, 9.75)", () => {
  const found: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    player: "car",
    features: [JOINTS],
    things: { car: BALL, egg: BALL, bird: BALL },
    joints: { pin: { type: "revolute" } },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    drive(world, me) {
      const egg = world.spawn("egg", { x: 3, y: 4 });
      const pin = world.joints.add("pin", me, egg, { x: 2, y: 4 });
      const bird = world.become(egg, "bird");
      world.teleport([me, bird], 10, 6, Math.PI / 2);
      found.push([pin.b.id === bird.id, me.x, me.y, bird.x, bird.y, world.joints.of(bird).length]);
      world.teleport(bird, 0, 9);
      found.push([bird.x, bird.y, world.joints.all("pin").length]);
    },
  });
  game.start({ npcs: 0 }, 0).step(commandsOf({ 0: game.command.neutral }));
  assertEquals(found, [[true, 10, 6, 10, 9, 1], [0, 9, 0]]);
});

Deno.test("Kit: the room's options are words; a choice that an option does not have is the first (SPEC 13.13)", () => {
  const wordsOf = (choices?: readonly number[]) => {
    const options = { npcs: 0, ...(choices !== undefined && { choices }) };
    return { ...countingGame.start(options, 0).world.options };
  };
  assertEquals(wordsOf(), { map: "oval", laps: "1" });
  assertEquals([countingGame.choices, countingGame.description!.choices], [[2, 3], [
    { name: "map", names: ["oval", "cross"] },
    { name: "laps", names: ["1", "3", "5"] },
  ]]);
  assertEquals(wordsOf([1, 2]), { map: "cross", laps: "5" });
  assertEquals(wordsOf([9, 1, 7]), { map: "oval", laps: "3" });
  assertThrows(() => countingGame.start({ npcs: 17 }, 0), RangeError, "17 NPCs");
});

Deno.test("Kit: random numbers are a function of the match's seed and state, and all of a range occur (SPEC 13.14)", () => {
  const drawn: number[] = [];
  const game = defineGame({ ...BASE, ...COMMAND, things: { car: BALL }, player: "car" }, {
    enter: () => ({ y: 2 }),
    drive: (world) => drawn.push(world.random(6)),
    tick: (world) => void (world.tick === 99 && world.random(0)),
  });
  const draw = (seed: number) => {
    drawn.length = 0;
    const simulation = game.start({ npcs: 0 }, seed);
    for (let i = 0; i < 60; i++) simulation.step(commandsOf({ 0: game.command.neutral }));
    return [...drawn];
  };
  const first = draw(5);
  assertEquals([draw(5), new Set(first).size], [first, 6]);
  assert(draw(6).join() !== first.join());
  const simulation = game.start({ npcs: 0 }, 5);
  assertThrows(
    () => {
      for (let i = 0; i < 100; i++) simulation.step(commandsOf({ 0: game.command.neutral }));
    },
    GameError,
    "random(0)",
  );
});

Deno.test("Kit: pair rules see things by name, and never what is not declared (SPEC 13.17)", () => {
  const pairs = new Set<string>();
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    gravity: 10,
    ground: [FLOOR],
    things: { car: { ...BALL, fields: { team: choice("red", "blue") } }, egg: BALL },
    player: "car",
    shouldCollide(a, b) {
      pairs.add(`${a.name} ${b.name}`);
      return !(a.name === "car" && a.fields.team === "blue");
    },
  }, {
    start: (world) => world.spawn("egg", { x: 0.2, y: 0.5 }),
    enter: () => ({ x: 0, y: 0.5, fields: { team: "blue" } }),
  });
  const simulation = game.start({ npcs: 0 }, 0);
  for (let i = 0; i < 10; i++) simulation.step(commandsOf({ 0: game.command.neutral }));
  assertEquals([...pairs], ["egg car"]);
});

Deno.test("Kit: pair rules read a projectile's own fields: it flies through its shooter and friends (SPEC 13.17)", () => {
  const teams = choice("red", "blue");
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    ground: [{ shape: { box: [1, 1], x: 40 } }],
    things: {
      car: { ...BALL, fields: { team: teams, hits: "u8" } },
      shot: {
        projectile: { radius: 0.1, lifeTicks: 40 },
        fields: { team: teams, by: reference("car"), pierces: flag() },
      },
    },
    player: "car",
    shouldCollide(a, b) {
      const [shot, other] = a.name === "shot" ? [a, b] : [b, a];
      if (shot.name !== "shot" || other.name !== "car") return true;
      const { by, team, pierces } = shot.fields;
      return by !== other && (pierces || team !== other.fields.team);
    },
  }, {
    // The shooter at 0, a friend at 2 and an enemy at 4
    enter: (_world, seat) => ({ x: 2 * seat, y: 2, fields: { team: seat < 2 ? "red" : "blue" } }),
    drive(world, me, { dx }) {
      if (dx === 0) return;
      const { team } = me.fields;
      const fields = { team, by: me, pierces: dx < 0 };
      world.spawn("shot", { x: me.x - 1, y: me.y, vx: 30, fields });
    },
    touch: {
      shot: {
        car(world, shot, car) {
          car.fields.hits++;
          world.despawn(shot);
        },
      },
    },
  });
  const { neutral } = game.command;
  const simulation = game.start({ npcs: 0 }, 0);
  const hits = () => simulation.world.all("car").map(({ fields }) => fields.hits);
  const shoot = (dx: number) => {
    simulation.step(commandsOf({ 0: game.commandOf({ dx }, neutral), 1: neutral, 2: neutral }));
    // A state that was loaded decides as the one that was saved.
    const state = new Snapshot(0);
    simulation.save(state);
    simulation.load(state);
    for (let i = 0; i < 10; i++) {
      simulation.step(commandsOf({ 0: neutral, 1: neutral, 2: neutral }));
    }
  };
  for (let i = 0; i < 2; i++) simulation.step(commandsOf({ 0: neutral, 1: neutral, 2: neutral }));

  shoot(1);
  assertEquals(hits(), [0, 0, 1]);
  shoot(-1);
  assertEquals(hits(), [0, 1, 1]);
});

Deno.test("Kit: seconds become ticks, and ticks seconds, at the game's own rate (SPEC 13.125)", () => {
  for (const tickHz of [20, 30, 120]) {
    const game = defineGame({
      ...BASE,
      tickHz,
      command: { dx: axis() },
      things: { car: BALL },
      player: "car",
    }, { enter: () => ({ x: 0 }) });
    const { world } = game.start({ npcs: 0 }, 1);
    assertEquals([world.ticks(0.4), world.seconds(world.ticks(2))], [0.4 * tickHz, 2]);
  }
});

Deno.test("Kit: describe() tells all of a thing as a plain object, with its fields as rules see them (SPEC 13.28)", () => {
  const told: unknown[] = [];
  const game = defineGame({
    ...BASE,
    ...COMMAND,
    features: [DESCRIPTIONS],
    player: "car",
    things: {
      car: {
        ...BALL,
        fields: {
          egg: reference("egg"),
          lost: reference("egg"),
          team: choice("red", "blue"),
          ok: flag(),
          laps: list("u8", 3),
          speed: "f32",
        },
      },
      egg: BALL,
    },
  }, {
    enter: (world) => ({
      x: 3,
      y: 0.5,
      fields: { team: "blue", laps: [7, 8], speed: 0.5, egg: world.spawn("egg", { x: 3, y: 1.4 }) },
    }),
    tick(world) {
      const { id, name, seat, fields, pose, contacts, joints } = world.describe(world.player(2)!);
      told.push({ id, name, seat, fields, x: pose.x, joints });
      told.push(contacts.map(({ other }) => other));
      told.push(world.describe(world.ground).contacts.map(({ other }) => other.archetype));
    },
  });
  game.start({ npcs: 0 }, 0).step(commandsOf({ 2: game.command.neutral }));
  const egg = { id: 1, archetype: "egg" };
  const fields = { egg: 1, lost: null, team: "blue", ok: false, laps: [7, 8, 0], speed: 0.5 };
  assertEquals(told, [
    { id: 2, name: "car", seat: 2, fields, x: 3, joints: [] },
    [{ id: 0, archetype: "ground" }, egg],
    ["car"],
  ]);
  assertEquals(JSON.parse(JSON.stringify(told)), told);
});
