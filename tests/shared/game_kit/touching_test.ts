/** What rules read about touches: each tick of them, where, how hard, and what carries a thing. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  axis,
  type Contact,
  defineGame,
  GameError,
  StageError,
  TOUCHES,
} from "../../../shared/game_kit/game_kit.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf } from "./small_game.ts";

const GRAVITY = 10;
const TICK_SECONDS = 1 / 20;

/** Heroes fall onto crates and the floor, through a zone, and sum up what the contacts say. */
const fallers = defineGame({
  ...BASE,
  gravity: GRAVITY,
  command: { dx: axis() },
  player: "hero",
  features: [TOUCHES],
  match: { impulse: "f32", friction: "f32", x: "f32", y: "f32", runs: "u32" },
  things: {
    hero: {
      body: { fixtures: [{ shape: { box: [0.5, 0.5] }, friction: 0.8 }], fixedRotation: true },
    },
    crate: { body: { fixtures: [{ shape: { box: [2, 0.5] }, friction: 0.8 }] } },
    zone: { body: { type: "static", fixtures: [{ shape: { box: [4, 4] }, sensor: true }] } },
  },
}, {
  start(world) {
    world.spawn("crate", { x: 0, y: 0.5 });
    world.spawn("zone", { x: 0, y: 3 });
  },
  enter: (_world, seat) => ({ x: seat, y: 4 }),
  drive: (world, me, { dx }) => world.setVelocity(me, 4 * dx, me.vy),
  touching: {
    hero: {
      crate: (world, _hero, _crate, contact) => add(world.match, contact),
      ground: (world, _hero, _ground, contact) => add(world.match, contact),
      zone: (world, _hero, _zone, contact) => add(world.match, contact),
    },
  },
});

function add(
  match: { impulse: number; friction: number; x: number; y: number; runs: number },
  { impulse, frictionImpulse, x, y }: Contact,
): void {
  match.impulse += impulse;
  match.friction += frictionImpulse;
  match.x += x;
  match.y += y;
  match.runs++;
}

Deno.test("Kit: touching runs in each tick of a touch, from its begin to its end, with the weight that presses (SPEC 13.25)", () => {
  const log: string[] = [];
  const impulses: number[] = [];
  const points: (readonly [number, number])[] = [];
  const normals: number[] = [];
  const game = defineGame({
    ...BASE,
    gravity: GRAVITY,
    command: { dx: axis() },
    player: "hero",
    features: [TOUCHES],
    things: { hero: BALL },
  }, {
    enter: () => ({ x: 2, y: 1 }),
    touch: {
      hero: {
        ground: (world, _hero, _ground, { speed }) => log.push(`${world.tick} ${speed > 1}`),
      },
    },
    touching: {
      hero: {
        ground(world, hero, _ground, { began, speed, impulse, x, y, ny }) {
          log.push(`${world.tick} on ${began} ${speed > 1}`);
          impulses.push(impulse / hero.mass);
          points.push([x, y]);
          normals.push(ny);
        },
      },
    },
    touchEnd: { hero: { ground: (world) => log.push(`${world.tick} end`) } },
    tick(world) {
      const [hero] = world.all("hero");
      if (world.tick === 12) world.teleport(hero!, 2, 9);
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const commands = commandsOf({ 0: game.command.neutral });
  for (let tick = 0; tick < 14; tick++) simulation.step(commands);

  const begin = Number(log[0]!.split(" ")[0]);
  const after = Array.from({ length: 12 - begin }, (_, i) => `${begin + 1 + i} on false false`);
  assertEquals(log, [`${begin} true`, `${begin} on true true`, ...after, "13 end"]);

  // The blow stops the fall, later the ground carries the weight.
  assert(impulses[0]! > 2);
  assertAlmostEquals(impulses.at(-1)!, GRAVITY * TICK_SECONDS, 1e-3);
  for (const [x, y] of points) {
    assertAlmostEquals(x, 2, 1e-3);
    assertAlmostEquals(y, 0, 0.02);
  }
  assertEquals(normals.map((ny) => Math.round(ny)), normals.map(() => -1));
});

Deno.test("Kit: afterPhysics runs in each tick between physics and touches, which leave out what it despawned (SPEC 13.9, 13.126)", () => {
  const log: string[] = [];
  const game = defineGame({
    ...BASE,
    gravity: GRAVITY,
    command: { dx: axis() },
    player: "hero",
    match: { air: "u8" },
    things: { hero: BALL, crate: BALL },
  }, {
    start: (world) => world.spawn("crate", { x: 9, y: 0.55 }),
    enter: () => ({ x: 2, y: 0.55 }),
    drive: ({ tick }) => log.push(`${tick} drive`),
    afterPhysics(world) {
      log.push(`${world.tick} after`);
      world.match.air = world.isSupported(world.player(0)!) ? 0 : 1;
      for (const crate of world.all("crate")) if (world.isSupported(crate)) world.despawn(crate);
    },
    touch: {
      hero: { ground: ({ tick, match }) => log.push(`${tick} touch ${match.air}`) },
      crate: { ground: () => log.push("a crate that is gone") },
    },
    tick: ({ tick }) => log.push(`${tick} tick`),
  });
  const simulation = game.start({ npcs: 0 }, 0);
  for (let tick = 0; tick < 6; tick++) simulation.step(commandsOf({ 0: game.command.neutral }));

  assertEquals(simulation.world.all("crate"), []);
  const touched = log.find((line) => line.includes("touch"))!;
  const [tick] = touched.split(" ");
  const from = log.indexOf(touched);
  assertEquals(log.slice(from - 2, from + 2), [
    `${tick} drive`,
    `${tick} after`,
    `${tick} touch 0`,
    `${tick} tick`,
  ]);
  assertEquals(log.filter((line) => line.endsWith("after")).length, 6);
});

Deno.test("Kit: what contacts say is the same after rollbacks (SPEC 13.6, 13.25)", () => {
  const straight = fallers.start({ npcs: 0 }, 5);
  const rolled = fallers.start({ npcs: 0 }, 1);
  const before = new Snapshot();
  const after = new Snapshot();
  const own = new Snapshot();
  const { neutral } = fallers.command;
  for (let tick = 0; tick < 120; tick++) {
    const dx = Math.floor(tick / 20) % 3 - 1;
    const commands = commandsOf({ 0: fallers.commandOf({ dx }, neutral), 3: neutral });
    straight.save(before);
    straight.step(commands);
    straight.save(after);
    rolled.step(commandsOf({ 0: neutral }));
    rolled.load(before);
    rolled.step(commands);
    rolled.save(own);
    assert(own.equals(after), `tick ${tick}`);
  }
  const { match } = straight.world;
  assert(match.runs > 200 && match.impulse > 10 && match.friction > 1);
});

Deno.test("Kit: both orders of names read one contact, each from its side; a hit has the projectile's place (SPEC 13.25)", () => {
  const seen: Record<string, number[]> = {};
  const game = defineGame({
    ...BASE,
    command: { dx: axis() },
    player: "hero",
    features: [TOUCHES],
    things: {
      hero: BALL,
      egg: BALL,
      shot: { projectile: { radius: 0.1, lifeTicks: 20, gravityScale: 0 } },
    },
  }, {
    start(world) {
      world.spawn("egg", { x: 3, y: 4, vx: -6 });
      world.spawn("shot", { x: -3, y: 4, vx: 20 });
    },
    enter: () => ({ x: 0, y: 4 }),
    touch: {
      hero: {
        egg: (_world, _hero, _egg, { nx, x, impulse }) => void (seen["hero"] = [nx, x, impulse]),
        shot: (_world, _hero, _shot, { nx, x, y, impulse, began }) =>
          void (seen["shot"] = [nx, x, y, impulse, Number(began)]),
      },
      egg: {
        hero: (_world, _egg, _hero, { nx, x, impulse }) => void (seen["egg"] = [nx, x, impulse]),
      },
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  let contacts = 0;
  for (let i = 0; i < 20; i++) {
    simulation.step(commandsOf({ 0: game.command.neutral }));
    // Bots count them.
    contacts += (simulation as { contactsBegun?: number }).contactsBegun!;
  }
  assertEquals(contacts, 2);
  const [nx, x, impulse] = seen["hero"]!;
  assertEquals(seen["egg"], [-nx!, x, impulse]);
  assertEquals(nx, 1);
  assert(impulse! > 0);
  const [shotNx, shotX, shotY, shotImpulse, began] = seen["shot"]!;
  assertAlmostEquals(shotNx!, -1, 1e-6);
  assertAlmostEquals(shotX!, -0.6, 0.02);
  assertAlmostEquals(shotY!, 4, 0.02);
  assertEquals([shotImpulse, began], [0, 1]);
});

Deno.test("Kit: without the feature touching runs, and a contact's point and impulses are refused in words (SPEC 13.25)", () => {
  let runs = 0;
  const game = defineGame({
    ...BASE,
    gravity: GRAVITY,
    command: { dx: axis() },
    player: "hero",
    things: { hero: BALL },
  }, {
    enter: () => ({ x: 0, y: 0.5 }),
    touching: {
      hero: {
        ground(world, _hero, _ground, contact) {
          runs++;
          if (world.tick === 3) void contact.impulse;
        },
      },
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const commands = commandsOf({ 0: game.command.neutral });
  for (let i = 0; i < 3; i++) simulation.step(commands);
  assertThrows(
    () => simulation.step(commands),
    GameError,
    "contact.impulse needs the feature touches: add TOUCHES to the game's features",
  );
  assertEquals(runs, 4);
});

Deno.test("Kit: supportOf says what pushes a thing up, the ground first; `all` lists things of several names by id (SPEC 9.79, 13.26, 13.29)", () => {
  const supports: (string | undefined)[] = [];
  const game = defineGame({
    ...BASE,
    gravity: GRAVITY,
    command: { dx: axis() },
    player: "hero",
    things: {
      hero: { body: { fixtures: [{ shape: { box: [0.5, 0.5] } }], fixedRotation: true } },
      crate: { body: { fixtures: [{ shape: { box: [1, 0.5] } }] } },
      zone: { body: { type: "static", fixtures: [{ shape: { box: [9, 9] }, sensor: true }] } },
      shot: { projectile: { radius: 0.1, lifeTicks: 20 } },
    },
  }, {
    start(world) {
      world.spawn("crate", { x: 0, y: 0.51 });
      world.spawn("zone");
      world.spawn("crate", { x: 2.1, y: 0.51 });
    },
    // Above both crates.
    enter: () => ({ x: 1.05, y: 2 }),
    tick(world) {
      const [hero] = world.all("hero");
      supports.push(world.supportOf(hero!)?.toString());
      if (world.supportOf(hero!) !== undefined !== world.isSupported(hero!)) throw new Error();
      if (world.tick === 20) world.teleport(hero!, -4, 0.55);
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { world } = simulation;
  for (let i = 0; i < 30; i++) simulation.step(commandsOf({ 0: game.command.neutral }));
  assertEquals([...new Set(supports)], [undefined, "crate 1", "ground 0"]);

  assertEquals(world.all("hero", "crate").map(({ id }) => id), [1, 3, 4]);
  assertEquals(world.all("crate", "crate"), world.all("crate"));
  const listed = world.all("hero", "crate");
  const names: ("hero" | "crate")[] = listed.map(({ name }) => name);
  assertEquals(names, ["crate", "crate", "hero"]);
  assertThrows(
    () => world.all("hero", "crat" as "crate"),
    GameError,
    '"crat" is no thing of this game: it has hero, crate, zone, shot',
  );
  assertThrows(() => simulation.stage.supportOf(simulation.stage.ground), StageError);
});
