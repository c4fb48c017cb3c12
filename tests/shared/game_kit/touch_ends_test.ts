/** The ends of touches in rules, what touches now, and the lists that belong to a tick. */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import {
  axis,
  defineGame,
  GameError,
  JOINTS,
  PROPERTIES,
  TOUCHES,
} from "../../../shared/game_kit/game_kit.ts";
import { TwinCheck } from "../../../shared/netcode/twin_check.ts";
import { hashOf } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf } from "./small_game.ts";

/** Heroes and balls run through zones, which count them. Rules part them in every way. */
const zones = defineGame({
  ...BASE,
  command: { dx: axis() },
  player: "hero",
  features: [TOUCHES, JOINTS, PROPERTIES],
  match: { begins: "u32", ends: "u32", goneEnds: "u32", passes: "u32", swept: "u32" },
  things: {
    hero: BALL,
    ball: { body: { ...BALL.body, gravityScale: 0, mutable: ["mask"], bullet: true } },
    stone: { body: { ...BALL.body, gravityScale: 0 } },
    zone: {
      body: {
        type: "static",
        fixtures: [{ shape: { box: [2, 2] }, sensor: true }, {
          shape: { box: [0.5, 3] },
          sensor: true,
        }],
      },
      fields: { inside: "i32" },
    },
    gate: { body: { type: "static", fixtures: [{ shape: { box: [0.05, 3] }, sensor: true }] } },
  },
  joints: { tie: { type: "weld" } },
}, {
  start(world) {
    for (const x of [-6, 0, 6]) world.spawn("zone", { x, y: 5 });
    world.spawn("gate", { x: 3, y: 5 });
  },
  enter: (_world, seat) => ({ x: seat - 4, y: 4 }),
  drive(world, me, { dx }) {
    world.setVelocity(me, 20 * dx, me.vy);
    const draw = hashOf(world.tick, me.seat);
    const [ball] = world.all("ball");
    if (draw % 4 === 0) {
      world.spawn("ball", { x: draw % 20 - 10, y: 5, vx: (draw >>> 8) % 140 - 70 });
    }
    if (draw % 13 === 0) world.teleport(me, draw % 16 - 8, 5);
    if (ball !== undefined && draw % 7 === 0) world.despawn(ball);
  },
  touch: {
    zone: {
      hero: (_world, zone) => zone.fields.inside++,
      ball(world, zone) {
        zone.fields.inside++;
        world.match.begins++;
      },
      stone: (_world, zone) => zone.fields.inside++,
    },
    gate: {
      ball(world, _gate, _ball, { swept }) {
        world.match.passes++;
        if (swept) world.match.swept++;
      },
    },
  },
  touchEnd: {
    zone: {
      hero: (_world, zone) => zone.isHere && zone.fields.inside--,
      ball(world, zone, ball) {
        if (zone.isHere) zone.fields.inside--;
        if (!ball.isHere) world.match.goneEnds++;
        world.match.ends++;
      },
      stone: (_world, zone) => zone.isHere && zone.fields.inside--,
    },
    gate: { ball: (world) => world.match.passes-- },
  },
  tick(world) {
    // The counts are those of what touches now, before the rules below part some of them.
    for (const zone of world.all("zone")) {
      const now = world.touchingNow(zone);
      if (now.length !== zone.fields.inside) {
        throw new Error(`${zone.fields.inside} counted, ${now.length} are there`);
      }
      if (now.some(({ name }) => name === "ground")) {
        throw new Error("sensors of static bodies do not touch the ground");
      }
    }

    const inGate = world.touchingNow(world.one("gate")!).filter(({ name }) => name === "ball");
    if (world.match.passes !== inGate.length) {
      throw new Error(`${world.match.passes} passes, ${inGate.length} balls`);
    }
    const draw = hashOf(world.tick, 99);
    const [first, second, third] = world.all("ball");
    const [zone] = world.all("zone");
    if (draw % 3 === 0 && first !== undefined) world.despawn(first);
    if (draw % 5 === 0 && second !== undefined) world.become(second, "stone");
    if (draw % 5 === 1 && third !== undefined) world.setProperties(third, { mask: 0 });
    if (draw % 5 === 2 && third !== undefined) {
      world.joints.add("tie", world.ground, third, { x: third.x, y: third.y });
    }
    if (draw % 11 === 0) world.teleport(zone!, draw % 12 - 6, 5);
    if (world.all("ball").length > 20) world.despawn(world.all("ball")[10]!);
    for (const stone of world.all("stone")) if (world.all("stone").length > 5) world.despawn(stone);
  },
});

Deno.test("Kit: touchEnd runs once for each touch, whatever ends it, so that counts are what touches now (SPEC 13.22, 13.23)", () => {
  const simulation = zones.start({ npcs: 0 }, 5);
  const { match } = simulation.world;
  const quiet = commandsOf([
    zones.commandOf({ dx: 1 }, zones.command.neutral),
    zones.command.neutral,
  ]);
  for (let tick = 0; tick < 400; tick++) simulation.step(quiet);
  assertGreater(Math.min(match.begins, match.ends, match.goneEnds), 100, JSON.stringify(match));
  assertGreater(match.swept, 3);
});

Deno.test("Kit: ends are the same after rollbacks, also in the twin's words (SPEC 13.6, 13.22)", () => {
  const straight = zones.start({ npcs: 0 }, 5);
  const rolled = zones.start({ npcs: 0 }, 1);
  const other = zones.start({ npcs: 0 }, 9);
  const twin = new TwinCheck(zones, { simulation: straight, options: { npcs: 0 }, seed: 5 });
  const { neutral } = zones.command;
  const before = new Snapshot();
  const after = new Snapshot();
  const own = new Snapshot();
  let loads = 0;

  for (let tick = 0; tick < 300; tick++) {
    const commands = commandsOf([
      zones.commandOf({ dx: hashOf(tick, 7) % 3 - 1 }, neutral),
      neutral,
    ]);
    straight.save(before);
    assertEquals(twin.beforeStep(), undefined);
    straight.step(commands);
    straight.save(after);
    assertEquals(twin.afterStep(commands, after), undefined);
    if (tick % 4 === 0) {
      rolled.step(commandsOf([neutral]));
      rolled.load(before);
      loads++;
    }
    other.load(before);
    for (const simulation of [rolled, other]) {
      simulation.step(commands);
      simulation.save(own);
      assert(own.equals(after), `tick ${tick}`);
    }
  }

  assertEquals(loads, 75);
});

Deno.test("Kit: touches end and begin in the order of time; one that is gone has its id and name alone (SPEC 13.22)", () => {
  const log: string[] = [];
  const errors: string[] = [];
  const game = defineGame({
    ...BASE,
    command: { dx: axis() },
    player: "hero",
    features: [TOUCHES],
    gravity: 0,
    things: { hero: { ...BALL, fields: { score: "u8" } }, egg: BALL, nest: BALL },
  }, {
    enter: () => ({ x: 0, y: 4 }),
    start: (world) => world.spawn("egg", { x: 0.3, y: 4 }),
    touch: {
      hero: {
        egg: (_world, hero, egg) => log.push(`${hero.name} meets ${egg.name}`),
        nest: (_world, hero, nest) => log.push(`${hero.name} meets ${nest.name}`),
      },
    },
    touchEnd: {
      hero: {
        egg(_world, hero, egg) {
          log.push(`${hero.name} leaves ${egg.name} ${egg.id} ${egg.isHere}`);
          errors.push(assertThrows(() => (egg as unknown as { x: number }).x, Error).message);
        },
        nest: (_world, hero, nest) => log.push(`${hero.name} leaves ${nest.name} ${nest.isHere}`),
      },
      egg: {
        hero: (_world, egg, hero) =>
          log.push(`${egg.name} leaves ${hero.isHere && hero.fields.score}`),
      },
      nest: {
        hero: (_world, _nest, hero) =>
          log.push(`nest leaves ${hero.name} ${hero.id} ${hero.isHere}`),
      },
    },
    tick(world) {
      const [egg] = world.all("egg");
      if (egg !== undefined) world.become(egg, "nest");
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  simulation.step(commandsOf([neutral]));
  simulation.step(commandsOf([neutral]));
  assertEquals(log.splice(0), [
    "hero meets egg",
    "egg leaves 0",
    "hero leaves egg 1 false",
    "hero meets nest",
  ]);
  assertEquals(errors, [
    "entity 1 egg has left the stage: its ended touch has its id and archetype, and no x",
  ]);

  // The player leaves before physics.
  simulation.step(commandsOf([]));
  assertEquals(log, ["nest leaves hero 2 false", "hero leaves nest true"]);
});

Deno.test("Kit: touchEnd without the feature, or of a thing that is none, is refused in words (SPEC 13.2, 13.22)", () => {
  const declaration = {
    ...BASE,
    command: { dx: axis() },
    player: "car",
    things: { car: BALL },
  } as const;
  const rules = { enter: () => ({}) };
  assertThrows(
    () => defineGame(declaration, { ...rules, touchEnd: { car: { ground() {} } } }),
    GameError,
    "touchEnd needs the feature touches: add TOUCHES to the game's features",
  );
  const cases = [[{ cart: {} }, 'touchEnd.cart: "cart" is no'], [
    { car: { bal() {} } },
    'touchEnd.car.bal: "bal" is no',
  ]] as const;

  for (const [touchEnd, message] of cases) {
    const wrong = { ...rules, touchEnd } as typeof rules;
    assertThrows(
      () => defineGame({ ...declaration, features: [TOUCHES] }, wrong),
      GameError,
      message,
    );
  }
});

Deno.test("Kit: joints.broken is refused where a rollback could change it, with the rule to read it in (SPEC 13.24)", () => {
  const messages = new Map<string, string>();
  const read: string[] = [];
  const readIn = (rule: string, world: object) => {
    try {
      read.push(
        `${rule} ${(world as { joints: { broken: readonly unknown[] } }).joints.broken.length}`,
      );
    } catch (error) {
      assert(error instanceof GameError);
      messages.set(rule, error.message);
    }
  };
  const game = defineGame({
    ...BASE,
    command: { dx: axis() },
    player: "hero",
    features: [JOINTS, TOUCHES],
    things: { hero: BALL, egg: BALL },
    joints: { rope: { type: "distance", breakForce: 1 } },
  }, {
    start(world) {
      world.joints.add("rope", world.ground, world.spawn("egg", { x: 0, y: 5, vy: -20 }), {
        x: 0,
        y: 9,
        bx: 0,
        by: 5,
      });
      readIn("start", world);
    },
    enter(world) {
      readIn("enter", world);
      return { x: 0.5, y: 5 };
    },
    leave: (world) => readIn("leave", world),
    drive: (world) => readIn("drive", world),
    touch: { hero: { egg: (world) => readIn("touch", world) } },
    touchEnd: { hero: { egg: (world) => readIn("touchEnd", world) } },
    tick: (world) => readIn("tick", world),
    think(world) {
      readIn("think", world);
      return {};
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  simulation.step(commandsOf([neutral]));
  simulation.npcCommand(0, []);
  readIn("view", simulation.world);
  simulation.step(commandsOf([]));
  const where = "it belongs to one tick; read it in afterPhysics, touch, touchEnd or tick";
  const early = `joints.broken is read before physics, in start, enter, leave or drive: ${where}`;
  const between = `joints.broken is read between two ticks, by think, round or a view: ${where}`;
  assertEquals(Object.fromEntries(messages), {
    start: early,
    enter: early,
    drive: early,
    leave: early,
    think: between,
    view: between,
  });
  assertEquals(read, ["touch 1", "tick 1", "touchEnd 0", "tick 0"]);
});
