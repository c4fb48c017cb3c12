/** Kinds of NPCs, which seats have one, and what `think` knows of the ticks before its own. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  axis,
  declareGame,
  defineGame,
  dial,
  GameError,
  press,
  type WorldOf,
} from "../../../shared/game_kit/game_kit.ts";
import { snapshotLabels } from "../../../shared/physics/snapshot/labels.ts";
import { Snapshot, SnapshotError } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf } from "./small_game.ts";

const declaration = declareGame({
  ...BASE,
  command: { dx: axis(), go: press() },
  npcs: { drifter: "Drifter", hunter: "Hunter" },
  things: { car: { ...BALL, fields: { gone: "u8" } } },
  player: "car",
});

type World = WorldOf<typeof declaration>;

/** A match whose rules do in one tick what a test says. */
function newMatch(npcs: number) {
  const script: { next: ((world: World) => void) | undefined } = { next: undefined };
  const game = defineGame(declaration, {
    enter: (_world, seat) => ({ x: seat - 16, y: 3 }),
    drive: (_world, { fields }, { go }) => void (fields.gone += go),
    tick(world) {
      script.next?.(world);
      script.next = undefined;
    },
    think: {
      drifter: () => ({ dx: -1 }),
      hunter: (_world, _me, aheadTicks) => ({ dx: 1, go: aheadTicks % 2 }),
    },
    reactionTicks: { drifter: 20, hunter: 12 },
  });
  const simulation = game.start({ npcs }, 0);
  const { neutral } = game.command;
  return {
    simulation,
    description: game.description!,
    step(seats: readonly number[], next?: (world: World) => void) {
      script.next = next;
      simulation.step(commandsOf(Object.fromEntries(seats.map((seat) => [seat, neutral]))));
    },
  };
}

Deno.test("Kit: rules add and remove NPCs, each on the lowest free seat and of a kind that thinks its own way (SPEC 13.91, 13.92)", () => {
  const { simulation, step } = newMatch(1);
  const { world } = simulation;
  const added: unknown[] = [];
  step([16], (world) => added.push(world.addNpc("hunter"), world.addNpc("drifter")));
  assertEquals([added, simulation.npcSeats, world.npcSeats], [[17, 18], [16, 17, 18], [
    16,
    17,
    18,
  ]]);
  assertEquals([3, 16, 17, 18].map((seat) => world.npcKind(seat)), [
    undefined,
    "drifter",
    "hunter",
    "drifter",
  ]);
  assertEquals([3, 16, 17, 18].map((seat) => simulation.reactionTicks(seat)), [20, 20, 12, 20]);

  // A lost player's seat is of the first kind.
  step([3, 16, 17, 18]);
  const commands = [3, 16, 17, 18].map((seat) => simulation.npcCommand(seat, []));
  assertEquals(commands.map(({ dx, go }) => [dx, go]), [[-1, 0], [-1, 0], [1, 1], [-1, 0]]);

  // The seat that the room asked for stays, and a removed one is not free before its thing has left.
  step([3, 16, 17, 18], (world) => [16, 17, 3].forEach((seat) => world.removeNpc(seat)));
  assertEquals(simulation.npcSeats, [16, 18]);
  step([3, 16, 17, 18], (world) => added.push(world.addNpc("drifter")));
  assertEquals([added.at(-1), world.npcKind(17), world.player(17)?.seat], [19, "hunter", 17]);
  step([16, 18, 19]);
  step([16, 18, 19], (world) => added.push(world.addNpc("drifter")));
  assertEquals([added.at(-1), world.npcKind(17)], [17, "drifter"]);
});

Deno.test("Kit: up to four kinds are told apart on each seat, and the room's NPCs are mixed from the start (SPEC 26.1, 26.2)", () => {
  const added: unknown[] = [];
  const game = defineGame({
    ...BASE,
    command: { dx: axis(), go: press() },
    things: { car: BALL },
    player: "car",
    npcs: { a: "A", b: "B", c: "C", d: "D" },
    npcMix: ["a", "c", "d"],
    npcNames: ["Moss", "Ash"],
  }, {
    enter: (_world, seat) => ({ x: seat - 16, y: 3 }),
    tick(world) {
      if (world.tick === 1) added.push(world.addNpc("d"), world.addNpc("b"), world.addNpc("a"));
    },
    reactionTicks: { a: 5, b: 6, c: 7, d: 8 },
  });
  const simulation = game.start({ npcs: 13 }, 0);
  const kinds = () => [16, 17, 18, 19, 28, 29, 30, 31].map(simulation.world.npcKind).join("");
  assertEquals(kinds(), "acdaacda", "before the first tick, because NPCs decide before it");
  assertEquals([16, 17, 18].map((seat) => simulation.reactionTicks(seat)), [5, 7, 8]);

  simulation.step(commandsOf({}));
  simulation.step(commandsOf({}));
  assertEquals([added, kinds()], [[29, 30, 31], "acdaadba"]);
  assertEquals(game.description!.npcNames!.names, ["Moss", "Ash"]);
});

Deno.test("Kit: nothing enters for a removed NPC, and no seat is free when all have NPCs (SPEC 13.91)", () => {
  const { simulation, step } = newMatch(14);
  const added: unknown[] = [];
  step([], (world) => {
    for (let i = 0; i < 3; i++) added.push(world.addNpc("hunter"));
  });
  assertEquals(added, [30, 31, undefined]);
  step([30], (world) => world.removeNpc(30));
  step([30], (world) => world.despawn(world.player(30)!));
  step([30, 31]);
  assertEquals([30, 31].map((seat) => simulation.world.player(seat)?.seat), [undefined, 31]);
});

Deno.test("Kit: added NPCs are state; one that is added twice is refused (SPEC 13.91)", () => {
  const { simulation, step, description } = newMatch(2);
  const state = new Snapshot();
  step([16], (world) => world.addNpc("hunter"));
  simulation.save(state);
  step([16], (world) => world.removeNpc(18));
  assertEquals(simulation.npcSeats, [16, 17]);
  simulation.load(state);
  assertEquals([simulation.npcSeats, simulation.world.npcKind(18)], [[16, 17, 18], "hunter"]);

  const { npcNames } = description;
  assertEquals<unknown>(npcNames, {
    firstSeat: 16,
    field: "kit npc kinds",
    words: ["Drifter", "Hunter"],
  });
  assertEquals(simulation.stage.fields[npcNames!.field], 0b01_00_00);

  const word = snapshotLabels(simulation.stage, state).indexOf("stage field kit added npcs");
  const added = state.words[word]!;
  state.words[word] = 0b101;
  assertThrows(() => simulation.load(state), SnapshotError, "an NPC's seat was added twice");

  state.words[word] = added;
  state.words[snapshotLabels(simulation.stage, state).indexOf("stage field kit npc kinds")] =
    0b1000;
  assertThrows(() => simulation.load(state), SnapshotError, "the NPC on seat 17 is of kind 2 of 2");
});

Deno.test("Kit: think sees the inputs of the ticks before, and draws by a number of its own (SPEC 13.93)", () => {
  const seen: unknown[] = [];
  const game = defineGame({
    ...BASE,
    command: { dx: axis({ steps: 4 }), gear: dial({ values: 4 }), go: press() },
    things: { car: { ...BALL, fields: { gone: "u8" } } },
    player: "car",
  }, {
    enter: () => ({ x: 0, y: 3 }),
    drive: (_world, { fields }, { go }) => void (fields.gone += go),
    think(_world, _me, aheadTicks, _random, { queued, draw }) {
      seen.push(queued.map(({ dx, gear, go }) => [dx, gear, go]), draw(7));
      return { dx: aheadTicks / 4, gear: aheadTicks, go: 2 };
    },
  });
  const npcRandom = (a: number, b: number) => (a * 100 + b) * 2 ** 20;
  const simulation = game.start({ npcs: 1, npcRandom }, 0);
  simulation.step(commandsOf({ 16: game.command.neutral }));
  const queue = [simulation.npcCommand(16, [])];
  queue.push(simulation.npcCommand(16, queue), simulation.npcCommand(16, queue));
  assertEquals(queue.map(({ go }) => go), [2, 0, 0]);
  simulation.npcCommand(16, queue.slice(0, 2));
  const draw = 1607 / 4096;
  assertEquals(seen, [
    [],
    draw,
    [[0.25, 1, 2]],
    draw,
    [[0.25, 1, 2]],
    draw,
    [[0.25, 1, 2], [0.5, 2, 2]],
    draw,
  ]);

  // Looking ahead has kept nothing.
  simulation.step(commandsOf({ 16: queue[0]! }));
  assertEquals(simulation.world.player(16)!.fields.gone, 2);

  // The first of them presses since what the thing has got.
  simulation.npcCommand(16, queue.slice(1, 2));
  assertEquals(seen.at(-2), [[0.5, 2, 2]]);
});

Deno.test("Kit: kinds of NPCs that do not fit together are refused (SPEC 13.2, 13.92)", () => {
  const rules = { enter: () => ({ x: 0, y: 3 }) };
  const refuse = (message: string, changes: object, more: object = {}) =>
    assertThrows(
      () => defineGame({ ...declaration, ...changes } as never, { ...rules, ...more } as never),
      GameError,
      message,
    );
  const think = () => ({});
  refuse("5 kinds of NPCs are declared; at most 4 are allowed", {
    npcs: { a: "A", b: "B", c: "C", d: "D", e: "E" },
  });
  refuse('npcMix: "ghost" is no kind of NPC of this game: it has drifter, hunter', {
    npcMix: ["drifter", "ghost"],
  });
  refuse("npcMix has 17 kinds for 16 seats of NPCs", { npcMix: Array(17).fill("drifter") });
  refuse('two NPCs are named "Moss"', { npcNames: ["Moss", "Ash", "Moss"] });
  refuse("name 1 of the NPCs is no text", { npcNames: ["Moss", ""] });
  refuse("npcNames needs kinds of NPCs: a name follows the word of a kind", {
    npcs: {},
    npcNames: ["Moss"],
  });
  refuse("the word for the NPC drifter is no text", { npcs: { drifter: "" } });
  refuse("think.hunter is missing", {}, { think: { drifter: think } });
  refuse(
    'think.hunte: "hunte" is no kind of NPC of this game: it has drifter, hunter',
    {},
    { think: { drifter: think, hunte: think } },
  );
  refuse("reactionTicks.hunter is 41; whole numbers from 1 to 40 are allowed", {}, {
    reactionTicks: { drifter: 4, hunter: 41 },
  });

  const { step } = newMatch(0);
  assertThrows(
    () => step([], (world) => world.addNpc("ghost" as "hunter")),
    GameError,
    '"ghost" is no kind of NPC of this game: it has drifter, hunter',
  );
});
