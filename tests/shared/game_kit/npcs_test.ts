/** NPCs of the kit: what `think` asks for becomes commands that are queued ahead. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  aim,
  axis,
  defineGame,
  dial,
  GameError,
  hold,
  press,
} from "../../../shared/game_kit/game_kit.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf, countingGame } from "./small_game.ts";

Deno.test("Kit: an NPC's commands are queued ahead, and each of its presses counts once (SPEC 13.7)", () => {
  const simulation = countingGame.start({ npcs: 2 }, 0);
  const queue = [simulation.npcCommand(17, [])];
  assertEquals([simulation.npcSeats, simulation.reactionTicks(17)], [[16, 17], 3]);
  simulation.step(commandsOf({ 17: queue.shift()! }));
  while (queue.length < 4) queue.push(simulation.npcCommand(17, queue));
  // `aheadTicks` is 1, 2, 3, 4.
  assertEquals(queue.map(({ go }) => go), [1, 1, 2, 2]);
  for (const command of queue) simulation.step(commandsOf({ 17: command }));
  const { gone, right } = simulation.world.player(17)!.fields;
  assertEquals([gone, right], [2, 4]);
  assertEquals(simulation.npcCommand(17, []).go, 3);
});

Deno.test("Kit: an NPC takes over a lost player's seat with the counters and the dials of its thing (SPEC 13.7)", () => {
  const game = defineGame({
    ...BASE,
    command: { dx: axis(), gear: dial({ values: 6, start: 2 }), go: press() },
    things: { car: { ...BALL, fields: { gear: "u8", gone: "u8" } } },
    player: "car",
  }, {
    enter: () => ({ x: 0, y: 3 }),
    drive(_world, { fields }, ask) {
      fields.gear = ask.gear;
      fields.gone += ask.go;
    },
  });
  const simulation = game.start({ npcs: 0 }, 0);
  const { neutral } = game.command;
  assertEquals(simulation.npcCommand(3, []), { dx: 0, gear: 2, go: 0 });
  const own = game.commandOf({ dx: 1, gear: 5, go: 3 }, neutral);
  simulation.step(commandsOf({ 3: neutral }));
  simulation.step(commandsOf({ 3: own }));
  simulation.step(commandsOf({ 3: simulation.npcCommand(3, []) }));
  const { gear, gone } = simulation.world.player(3)!.fields;
  assertEquals([gear, gone, simulation.npcCommand(3, [])], [5, 3, { dx: 0, gear: 5, go: 3 }]);
});

Deno.test("Kit: an input of think that is no number, or of no part, is refused with thing and part (SPEC 13.37)", () => {
  const thought: { now: object } = { now: {} };
  const game = defineGame({
    ...BASE,
    command: { dx: axis(), turn: aim(), up: hold() },
    things: { car: BALL },
    player: "car",
  }, { enter: () => ({ x: 0, y: 3 }), think: () => thought.now });
  const simulation = game.start({ npcs: 1 }, 0);
  simulation.step(commandsOf({ 16: game.command.neutral }));
  const cases = [
    [{ dx: NaN }, "think of car 1 returns dx: NaN; an axis is a finite number"],
    [{ turn: "left" }, "think of car 1 returns turn: left; an aim is a finite number"],
    [{ up: "yes" }, "think of car 1 returns up: yes; a hold is true or false"],
    [
      { dy: 1 },
      'think of car 1 returns "dy", which is no part of the command: it has dx, turn, up',
    ],
  ] as const;
  for (const [now, message] of cases) {
    thought.now = now;
    assertThrows(() => simulation.npcCommand(16, []), GameError, message);
  }
  thought.now = { dx: 3, turn: undefined, up: true };
  assertEquals(simulation.npcCommand(16, []), { dx: 1, turn: 0, up: 1 });
});

Deno.test("Kit: think reads the world, and no more (SPEC 13.12)", () => {
  const spoil = { on: false };
  const game = defineGame({
    ...BASE,
    command: { dx: axis() },
    things: { car: BALL, egg: BALL },
    player: "car",
  }, {
    enter: () => ({ x: 0, y: 3 }),
    think(world) {
      if (spoil.on) (world as unknown as { spawn(name: string): void }).spawn("egg");
      return {};
    },
  });
  const simulation = game.start({ npcs: 1 }, 0);
  const before = new Snapshot();
  const after = new Snapshot();
  simulation.step(commandsOf({ 16: simulation.npcCommand(16, []) }));
  simulation.save(before);
  simulation.npcCommand(16, []);
  simulation.save(after);
  assertEquals(after.equals(before), true);
  spoil.on = true;
  assertThrows(() => simulation.npcCommand(16, []), GameError, "only rules change the world");
});
