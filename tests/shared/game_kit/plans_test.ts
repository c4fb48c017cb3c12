/** What NPCs plan for: tables in commands that were announced long before. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  aim,
  axis,
  clock,
  defineGame,
  dial,
  GameError,
  hold,
  press,
} from "../../../shared/game_kit/game_kit.ts";
import { CodeReader, CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf } from "./small_game.ts";

/** Ticks that the NPC decides ahead. */
const AHEAD = 10;
const STRUCK_TICKS = 3;

/** A car that is struck when a player presses `go`; the newest input is in its fields. */
function bumperOf(table: { now: Readonly<Record<string, string>> | undefined }) {
  return defineGame({
    ...BASE,
    command: { dx: axis(), go: press(), brake: hold() },
    things: {
      car: { ...BALL, fields: { struck: clock(), right: "u8", gone: "u16", braked: "u8" } },
    },
    player: "car",
  }, {
    enter: (_world, seat) => ({ x: seat, y: 3 }),
    drive(world, { seat, fields }, { dx, go, brake }) {
      fields.right = dx + 1;
      fields.gone += go;
      fields.braked = Number(brake);
      const npc = world.player(16);
      if (seat === 0 && go > 0 && npc !== undefined) npc.fields.struck = STRUCK_TICKS + 1;
    },
    plans: {
      struck: {
        when: (_world, { fields }) => fields.struck > 0,
        answers: { left: { dx: -1 }, away: { dx: 1, go: 1, brake: true } },
      },
      late: { when: (world) => world.tick > 30, answers: { left: { dx: -1 } } },
    },
    think: () => (table.now === undefined ? {} : { if: table.now }),
    reactionTicks: AHEAD,
  });
}

type Bumper = ReturnType<ReturnType<typeof bumperOf>["start"]>;

/** Steps a match whose NPC has a queue. */
class Queue {
  readonly commands: ReturnType<Bumper["npcCommand"]>[] = [];
  readonly simulation: Bumper;

  constructor(simulation: Bumper) {
    this.simulation = simulation;
  }

  step(player?: ReturnType<Bumper["npcCommand"]>): { right: number; gone: number; braked: number } {
    while (this.commands.length < AHEAD) {
      this.commands.push(this.simulation.npcCommand(16, this.commands));
    }
    this.simulation.step(commandsOf({ 16: this.commands.shift()!, ...player && { 0: player } }));
    const { right, gone, braked } = this.simulation.world.player(16)!.fields;
    return { right, gone, braked };
  }
}

const STILL = { right: 1, gone: 0, braked: 0 };

Deno.test("Kit: a command announced before the blow answers it at once, and only while it lasts (SPEC 8.180, 8.181)", () => {
  const game = bumperOf({ now: { struck: "away" } });
  const { neutral } = game.command;
  const queue = new Queue(game.start({ npcs: 1 }, 0));
  for (let tick = 0; tick < 2 * AHEAD; tick++) assertEquals(queue.step(neutral), STILL);
  const known = [...queue.commands];
  const press = { ...neutral, go: 1 };
  assertEquals(queue.step(press), STILL, "all conditions are of the state before the tick");
  for (let gone = 1; gone <= STRUCK_TICKS; gone++) {
    assertEquals(queue.step(press), { right: 2, gone, braked: 1 });
  }
  assertEquals(queue.step(press), { right: 1, gone: STRUCK_TICKS, braked: 0 });
  assertEquals(new Set(known).size, 1, "none of those commands knew of it");
});

Deno.test("Kit: of two plans that hold the first one counts; a command without a table has no answer (SPEC 8.181)", () => {
  const table: { now: Record<string, string> | undefined } = {
    now: { late: "left", struck: "away" },
  };
  const game = bumperOf(table);
  const queue = new Queue(game.start({ npcs: 1 }, 0));
  const { neutral } = game.command;
  const press = { ...neutral, go: 1 };
  for (let tick = 0; tick < 40; tick++) queue.step(neutral);
  assertEquals(queue.step(press).right, 0);
  assertEquals(queue.step(press).right, 2);
  table.now = undefined;
  for (let tick = 0; tick < 2 * AHEAD; tick++) queue.step(press);
  assertEquals([queue.simulation.tick > 31, queue.step(press).right], [true, 1]);
});

Deno.test("Kit: the table travels in the command, and its names are in the game's description (SPEC 8.180)", () => {
  const game = bumperOf({ now: { struck: "away" } });
  const simulation = game.start({ npcs: 1 }, 0);
  simulation.step(commandsOf({ 16: game.command.neutral }));
  const command = simulation.npcCommand(16, []);
  const writer = new CodeWriter();
  game.command.code(command, game.command.neutral, writer);
  const decoded = game.command.code(
    game.command.neutral,
    game.command.neutral,
    new CodeReader(writer.finish()),
  );
  assert(game.command.same(decoded, command));
  assert(!game.command.same(decoded, game.command.neutral));
  const part = game.description!.command!.find(({ name }) => name === "if struck")!;
  assertEquals("names" in part && part.names, ["", "left", "away"]);
  const released = game.assume(command, 1_000);
  assert(
    game.command.same(released, game.command.neutral),
    "a command that is missing plans nothing",
  );
});

Deno.test("Kit: a player's table counts for nothing, and a lost player's seat gets none (SPEC 8.182)", () => {
  const game = bumperOf({ now: { struck: "away" } });
  const simulation = game.start({ npcs: 1 }, 0);
  const planned = { ...game.command.neutral, "if late": 1 };
  for (let tick = 0; tick < 40; tick++) {
    simulation.step(commandsOf({ 0: planned, 16: planned }));
  }
  const { world } = simulation;
  assertEquals([world.player(0)!.fields.right, world.player(16)!.fields.right], [1, 0]);
  assert(game.command.same(simulation.npcCommand(0, []), game.command.neutral));
});

Deno.test("Kit: a condition reads the world, and no more (SPEC 8.181, 13.12)", () => {
  const game = defineGame({
    ...BASE,
    command: { dx: axis() },
    things: { car: BALL },
    player: "car",
  }, {
    enter: () => ({ x: 0, y: 3 }),
    plans: {
      spoil: {
        when(world, me) {
          (world as unknown as { setSpin(thing: unknown, spin: number): void }).setSpin(me, 1);
          return true;
        },
        answers: { stay: { dx: 0 } },
      },
    },
    think: () => ({ if: { spoil: "stay" } }),
  });
  const simulation = game.start({ npcs: 1 }, 0);
  simulation.step(commandsOf({ 16: game.command.neutral }));
  const command = simulation.npcCommand(16, []);
  assertThrows(() => simulation.step(commandsOf({ 16: command })), GameError, "only rules change");
});

Deno.test("Kit: a rollback takes the same branches (SPEC 8.181, 9.1)", () => {
  const game = bumperOf({ now: { struck: "away", late: "left" } });
  const { neutral } = game.command;
  const queue = new Queue(game.start({ npcs: 1 }, 0));
  const before = new Snapshot();
  const after = new Snapshot();
  const again = new Snapshot();
  for (let tick = 0; tick < 25; tick++) queue.step(neutral);
  queue.simulation.save(before);
  const used: ReturnType<Bumper["npcCommand"]>[] = [];
  for (let tick = 0; tick < 12; tick++) {
    used.push(queue.commands[0]!);
    queue.step({ ...neutral, go: tick >> 2 & 1 });
  }
  queue.simulation.save(after);
  queue.simulation.load(before);
  used.forEach((command, tick) =>
    queue.simulation.step(commandsOf({ 0: { ...neutral, go: tick >> 2 & 1 }, 16: command }))
  );
  queue.simulation.save(again);
  assert(after.equals(again));
});

Deno.test("Kit: plans that cannot be obeyed are refused, and so is an answer that the game lacks (SPEC 8.183)", () => {
  const when = () => true;
  const define = (plans: object, command: object = {}) =>
    defineGame({
      ...BASE,
      command: {
        dx: axis(),
        go: press(),
        up: hold(),
        turn: aim(),
        gear: dial({ values: 3 }),
        ...command,
      },
      things: { car: BALL },
      player: "car",
    }, { enter: () => ({ x: 0, y: 3 }), plans: plans as Record<string, never> });
  const answered = (answer: object) => ({ hit: { when, answers: { flee: answer } } });
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`a${i}`, { dx: 1 }]));
  const cases: [object, string][] = [
    [
      Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`p${i}`, answered({}).hit])),
      "5 plans; a game has at most 4",
    ],
    [{ hit: { when, answers: {} } }, "plans.hit has 0 answers; 1 to 7 are allowed"],
    [{ hit: { when, answers: many } }, "plans.hit has 8 answers; 1 to 7 are allowed"],
    [{ hit: { when: 3, answers: { flee: {} } } }, "plans.hit.when is no function"],
    [answered({ dy: 1 }), 'plans.hit.answers.flee: "dy" is no part of the command'],
    [answered({ dx: 2 }), "plans.hit.answers.flee: dx is 2, which no command could carry"],
    [answered({ dx: NaN }), "plans.hit.answers.flee: dx is NaN, which no command could carry"],
    [answered({ go: 4 }), "plans.hit.answers.flee: go is 4, which no command could carry"],
    [answered({ up: 1 }), "plans.hit.answers.flee: up is 1, which no command could carry"],
    [answered({ turn: 1 }), "plans.hit.answers.flee: turn is an aim, which stays"],
  ];
  for (const [plans, message] of cases) assertThrows(() => define(plans), GameError, message);
  assertThrows(
    () => define(answered({ dx: 1 }), { if: axis() }),
    GameError,
    '"if" is a part of the command',
  );

  const table: { now: Record<string, string> } = { now: {} };
  const game = bumperOf(table);
  const simulation = game.start({ npcs: 1 }, 0);
  simulation.step(commandsOf({ 16: game.command.neutral }));
  table.now = { hit: "away" };
  assertThrows(() => simulation.npcCommand(16, []), GameError, "returns if.hit, which is no plan");
  table.now = { struck: "up" };
  assertThrows(() => simulation.npcCommand(16, []), GameError, 'returns if.struck: "up"');
});
