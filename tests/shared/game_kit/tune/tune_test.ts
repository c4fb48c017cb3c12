/** Constants that an author tunes: what commands change, what the state keeps, what is refused. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  axis,
  defineGame,
  GameError,
  tune,
  type TunedConstant,
} from "../../../../shared/game_kit/game_kit.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { BALL, BASE, commandsOf, countingGame } from "../small_game.ts";
import { game as hillGame, type HillCommand } from "./hill_game.ts";

const { neutral } = hillGame.command;
const started = () => hillGame.start({ npcs: 0 }, 1);
type Hill = ReturnType<typeof started>;

function step(hill: Hill, bySeat: Readonly<Record<number, HillCommand>>): Hill["world"]["tune"] {
  hill.step(commandsOf(bySeat));
  return { ...hill.world.tune };
}

Deno.test("Kit: a constant has its declared value until a command sets it, from that tick on (SPEC 13.120)", () => {
  const hill = started();
  const go = hillGame.commandOf({ dx: 1 }, neutral);
  assertEquals(step(hill, { 0: go }), { speed: 4, wind: 0.25 });
  assertEquals(hill.world.player(0)!.vx, 4.25);

  const faster = hillGame.tuneCommand(go, "speed", 7);
  assertEquals(step(hill, { 0: faster }), { speed: 7, wind: 0.25 });
  assertEquals(hill.world.player(0)!.vx, 7.25, "rules read it in the same tick");
  assertEquals(step(hill, { 0: go }), { speed: 7, wind: 0.25 });

  // The player's other commands go on as before.
  assertEquals(hillGame.commandOf({ dx: 1 }, faster), go);
  const calm = hillGame.tuneCommand(neutral, "wind", 0.25);
  assertEquals(step(hill, { 0: hillGame.tuneCommand(go, "wind", -1) }).wind, -1);
  assertEquals(step(hill, { 0: calm }).wind, 0.25, "between two steps, but declared");
});

Deno.test("Kit: a constant gets the nearest of its values, and of two seats the higher one decides (SPEC 13.120)", () => {
  const hill = started();
  const ask = (value: number) => hillGame.tuneCommand(neutral, "wind", value);
  for (const [asked, gets] of [[-7, -1], [0.33, 0.3], [0.27, 0.25], [0.96, 1], [99, 1]] as const) {
    assertEquals(step(hill, { 0: ask(asked) }).wind, gets, `${asked}`);
  }
  assertEquals(step(hill, { 0: ask(0.1), 3: ask(0.2) }).wind, 0.2);
  assertThrows(
    () => hillGame.tuneCommand(neutral, "sped" as "speed", 1),
    RangeError,
    'no constant is named "sped"',
  );
});

Deno.test("Kit: a rollback takes a tuned constant back, and what was assumed sets it no more (SPEC 13.120)", () => {
  const hill = started();
  step(hill, { 0: neutral });
  const before = new Snapshot();
  hill.save(before);
  const set = hillGame.tuneCommand(neutral, "speed", 9.9);
  assertEquals(step(hill, { 0: set }).speed, 9.9);
  hill.load(before);
  assertEquals(hill.world.tune.speed, 4);
  assertEquals(hillGame.assume(set, 5), neutral);
});

Deno.test("Kit: a server outside development takes tuning out of a command, and nothing else (SPEC 13.121)", () => {
  const go = hillGame.commandOf({ dx: -1 }, neutral);
  assertEquals(hillGame.withoutTuning!(hillGame.tuneCommand(go, "speed", 9)), go);
  assert(hillGame.withoutTuning!(go) === go);
  assertEquals(countingGame.withoutTuning, undefined);
  assertEquals(Object.keys(countingGame.command.neutral), ["dx", "go", "team"]);
});

Deno.test("Kit: rules, think and views read constants and cannot write them", () => {
  const { world } = started();
  assertThrows(() => Object.assign(world.tune, { speed: 3 }), TypeError);
  // @ts-expect-error: a misspelt constant
  assertEquals(world.tune.sped, undefined);
});

Deno.test("Kit: a snapshot with a value that no slider has is refused by name (SPEC 13.18)", () => {
  const hill = started();
  const state = new Snapshot();
  hill.save(state);
  const at = hillGame.stateLabels!(hill, state).findIndex((label) => label.endsWith("tune wind"));
  state.words[at] = 22;
  assertThrows(() => started().load(state), SnapshotError, "match.tune wind is 22 of 22 values");
});

function define(constants: Record<string, TunedConstant>): void {
  defineGame({
    ...BASE,
    command: { dx: axis() },
    things: { car: BALL },
    player: "car",
    tune: constants,
  }, { enter: () => ({ x: 0 }) });
}

const REFUSALS: readonly [sentence: string, constants: Record<string, TunedConstant>][] = [
  ['the constant of tune "a b" is not named by', { "a b": tune(1, { min: 0, max: 2 }) }],
  ["tune.speed is no constant: write speed: tune(4, { min: 1, max: 9 })", {
    speed: 4 as unknown as TunedConstant,
  }],
  ["tune.speed goes from 2 to 2, which is no range", { speed: tune(2, { min: 2, max: 2 }) }],
  ["tune.speed is 3, which is not between 0 and 2", { speed: tune(3, { min: 0, max: 2 }) }],
  ["tune.speed is NaN, which is not between", { speed: tune(NaN, { min: 0, max: 2 }) }],
  [
    "tune.speed has steps of 3; 1 to 254 steps from 0 to 2 are allowed",
    { speed: tune(1, { min: 0, max: 2, step: 3 }) },
  ],
  ["tune.speed has steps of 0.001", { speed: tune(1, { min: 0, max: 2, step: 0.001 }) }],
  [
    "a game has at most 16 constants to tune, not 17",
    Object.fromEntries(
      Array.from({ length: 17 }, (_, i) => [`c${i}`, tune(1, { min: 0, max: 2 })]),
    ),
  ],
];

Deno.test("Kit: a constant that is wrong is refused by name (SPEC 13.2)", () => {
  for (const [sentence, constants] of REFUSALS) {
    assertThrows(() => define(constants), GameError, sentence);
  }
  // As many as there may be, with as many steps.
  const most = (i: number) => [`c${i}`, tune(0, { min: 0, max: 254, step: 1 })] as const;
  define(Object.fromEntries(Array.from({ length: 16 }, (_, i) => most(i))));
});
