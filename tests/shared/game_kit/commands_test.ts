/** Commands of the kit: their codec, quantizing, presses, and what is assumed. */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { checkCodec } from "../../../shared/netcode/codec_check.ts";
import { CodeReader, CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import { axis, defineGame, GameError } from "../../../shared/game_kit/game_kit.ts";
import { Random } from "../../../shared/random.ts";
import { RandomAsks, type YardCommand } from "./random_asks.ts";
import { BALL, BASE, commandsOf, countingGame } from "./small_game.ts";
import { yardGame } from "./yard_game.ts";

const { neutral } = yardGame.command;

Deno.test("Kit: a command is decoded exactly, and equal ones mostly share one object (SPEC 13.4) [seed 261]", () => {
  const source = new RandomAsks(261);
  const writer = new CodeWriter();
  const random = new Random(261);
  const commands = Array.from({ length: 500 }, (_, tick) => source.next(tick, neutral));
  checkCodec(yardGame.command, commands.slice(0, 20));
  let shared = 0;
  for (const command of commands) {
    const reference = commands[random.below(commands.length)]!;
    writer.reset();
    yardGame.command.code(command, reference, writer);
    const decoded = yardGame.command.code(neutral, reference, new CodeReader(writer.finish()));
    assertEquals(decoded, command);
    assert(yardGame.command.same(decoded, command));
    shared += Number(decoded === command);
  }
  assertGreater(shared, 400);
});

Deno.test("Kit: what devices have is rounded to the steps of the parts before it is simulated (SPEC 13.4)", () => {
  const command = yardGame.commandOf({
    dx: 0.4,
    dy: -0.55,
    aim: -Math.PI / 2,
    gear: 2.6,
    brake: true,
  }, neutral);
  assertEquals(command, { dx: 0, dy: -4, aim: 48, gear: 3, tie: 0, fire: 0, brake: 1, team: 0 });
  const far = yardGame.commandOf(
    { dx: 9, dy: -Infinity, aim: 7 * Math.PI, gear: 99, fire: 7, team: "orange" },
    command,
  );
  assertEquals(far, { dx: 1, dy: 0, aim: 32, gear: 3, tie: 0, fire: 3, brake: 0, team: 2 });
  // An aim, a dial and a choice stay; the rest becomes neutral, and counters go on.
  assertEquals(yardGame.commandOf({ fire: 2, dx: NaN }, far), { ...far, dx: 0, fire: 1 });
  assert(yardGame.commandOf({}, command) === yardGame.commandOf({}, command));
  assertEquals(yardGame.commandOf({ aim: 2 * Math.PI - 1e-9 }, neutral).aim, 0);
});

Deno.test("Kit: a part or a word that is none is refused by name (SPEC 13.2)", () => {
  const ask = (loose: unknown) => () => yardGame.commandOf(loose as { dx: number }, neutral);
  assertThrows(ask({ jump: 1 }), GameError, '"jump" is no part of the command');
  assertThrows(
    ask({ team: "green" }),
    GameError,
    '"green" is none of auto, blue, orange, the words of team',
  );
});

Deno.test("Kit: axes and holds repeat for 0.2 s, then they are neutral; all else stays (SPEC 13.5)", () => {
  const last = yardGame.commandOf({
    dx: 1,
    dy: 0.5,
    aim: 1,
    gear: 3,
    fire: 2,
    brake: true,
    team: "blue",
  }, neutral);
  assert(yardGame.assume(undefined, 1) === neutral);
  assert(yardGame.assume(last, 4) === last);
  assertEquals(yardGame.assume(last, 5), { ...last, dx: 0, dy: 0, brake: 0 });
  assert(yardGame.assume(last, 400) === yardGame.assume(last, 5));
});

Deno.test("Kit: a missing command is held, and NPCs decide ahead, for 0.2 s at any rate (SPEC 13.5, 13.7)", () => {
  for (const [tickHz, ticks] of [[1, 1], [10, 2], [20, 4], [30, 6], [60, 12], [120, 24]] as const) {
    const game = defineGame({
      ...BASE,
      tickHz,
      command: { dx: axis() },
      things: { car: BALL },
      player: "car",
    }, { enter: (_world, seat) => ({ x: seat, y: 2 }) });
    const right = game.commandOf({ dx: 1 }, game.command.neutral);
    assert(game.assume(right, ticks) === right);
    assert(game.assume(right, ticks + 1) === game.command.neutral);
    assertEquals(game.description!.assume.heldTicks, ticks);
    assertEquals(game.start({ npcs: 1 }, 0).reactionTicks(16), ticks);
  }
});

Deno.test("Kit: presses and turns of an axis are urgent (SPEC 13.15)", () => {
  const of = (ask: Parameters<typeof yardGame.commandOf>[0], before: YardCommand = neutral) =>
    yardGame.commandOf(ask, before);
  const right = of({ dx: 1 });
  const urgent = [of({ fire: 1 }), of({ dx: -1 }), right, of({ aim: 3, gear: 3, brake: true })];
  assertEquals(urgent.map((command) => yardGame.isUrgent!(command, right)), [
    true,
    true,
    false,
    false,
  ]);
  const up = of({ dy: 0.5 });
  const sticks = [-0.25, -0.5, -1, 0].map((dy) => yardGame.isUrgent!(of({ dy }), up));
  assertEquals(sticks, [false, true, true, false]);
});

Deno.test("Kit: each press counts once, however late its command is, and the first command presses nothing (SPEC 13.3)", () => {
  const { commandOf, command: { neutral } } = countingGame;
  const simulation = countingGame.start({ npcs: 0 }, 0);
  const go = (presses: number, before: typeof neutral) =>
    commandOf({ go: presses, team: "blue" }, before);
  const step = (command: typeof neutral | undefined) => {
    simulation.step(commandsOf(command === undefined ? {} : { 2: command }));
    return simulation.world.player(2)?.fields.gone;
  };
  const a = go(2, neutral);
  const b = go(1, a);
  const c = go(3, b);
  assertEquals([step(a), step(b), step(b)], [0, 1, 1]);
  // Two commands are lost; the counter of the third has the presses of all.
  const d = go(0, c);
  assertEquals([step(d), step(d)], [4, 4]);
  assertEquals(step(undefined), undefined);
  assertEquals([simulation.world.match.left, step(go(1, d))], [1, 0]);
});

Deno.test("Kit: a choice of join is constant: rules have it as a word, whatever later commands say (SPEC 13.13)", () => {
  const { commandOf, command: { neutral } } = countingGame;
  const simulation = countingGame.start({ npcs: 1 }, 0);
  const auto = commandOf({}, neutral);
  const blue = commandOf({ team: "blue" }, neutral);
  simulation.step(commandsOf({ 0: blue, 1: auto, 16: simulation.npcCommand(16, []) }));
  simulation.step(commandsOf({ 0: auto, 1: blue, 16: simulation.npcCommand(16, []) }));
  assertEquals(simulation.world.all("car").map(({ fields }) => fields.team), [
    "blue",
    "auto",
    "auto",
  ]);
  // An NPC that takes the seat over keeps the choice.
  assertEquals(simulation.npcCommand(0, []).team, blue.team);
});
