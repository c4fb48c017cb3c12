/**
 * A game that is wrong is refused when it is defined, in one sentence that names the part, thing or
 * field.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  aim,
  axis,
  choice,
  defineGame,
  dial,
  flag,
  GameError,
  hold,
  list,
  press,
  reference,
  StageError,
} from "../../../shared/game_kit/game_kit.ts";
import { BALL, BASE } from "./small_game.ts";

const GAME = { ...BASE, command: { dx: axis() }, things: { car: BALL }, player: "car" };
const RULES = { enter: () => ({ x: 0 }) };

/** As a JavaScript author may write it. */
function define(game: object, rules: object = {}): void {
  defineGame({ ...GAME, ...game } as unknown as typeof GAME & { player: "car" }, {
    ...RULES,
    ...rules,
  });
}

const carOf = (fields: object) => ({ things: { car: { ...BALL, fields } } });
const commandOf = (part: object) => ({ command: { dx: axis(), part } });

const REFUSALS: readonly [sentence: string, game: object, rules?: object][] = [
  ['the id "Puck 1" is not 1 to 32 characters of a–z, 0–9, "_" and "-"', { id: "Puck 1" }],
  ["the game small-1 has no title", { title: "" }],
  ['a game has no option "gravitee"', { gravitee: 1 }],
  ['players has no "most"', { players: { most: 2 } }],
  ["players.max is 17; whole numbers from 1 to 16 are allowed", { players: { max: 17 } }],
  ["players.min is 3; whole numbers from 0 to 2 are allowed", { players: { min: 3, max: 2 } }],
  ["players.playNow is 0; whole numbers from 1 to 16 are allowed", { players: { playNow: 0 } }],
  ["players.npcs is 1.5; whole numbers from 0 to 16 are allowed", { players: { npcs: 1.5 } }],
  ["tickHz is 0.5; whole numbers from 1 to 120 are allowed", { tickHz: 0.5 }],
  ['the player "cart" is no thing of this game: it has car', { player: "cart" }],
  ["the player car needs a body", { things: { car: { projectile: { radius: 1, lifeTicks: 1 } } } }],
  ["car.seat is the kit's own field: every player has a seat", carOf({ seat: "u8" })],
  ['"ground" is the ground: no thing may have that name', { things: { car: BALL, ground: BALL } }],
  ['the thing "my car" is not named by 1 to 32 letters, digits and "_"', {
    things: { "my car": BALL, car: BALL },
  }],
  ['the thing car has no option "feilds"', { things: { car: { ...BALL, feilds: {} } } }],
  ["the thing car needs either a body or a projectile", { things: { car: {} } }],
  [
    'the field of car "a b" is not named by 1 to 32 letters, digits and "_"',
    carOf({ "a b": "u8" }),
  ],
  [
    'car.n is declared as "u9", which is no type: it may be u8, u16, u32, i32, f32',
    carOf({ n: "u9" }),
  ],
  [
    'car.hook refers to "bal", which is no thing of this game: it has car',
    carOf({ hook: reference("bal") }),
  ],
  ['car.team has the word "red" twice', carOf({ team: choice("red", "red") })],
  [
    "the length of car.laps is 65; whole numbers from 1 to 64 are allowed",
    carOf({ laps: list("u8", 65) }),
  ],
  [
    'car.laps is declared as "u7", which is no type: it may be u8, u16, u32, i32, f32',
    carOf({ laps: list("u7" as "u8", 6) }),
  ],
  ["car.x is of no kind that a field may have", carOf({ x: { kind: "map" } })],
  ['match.last refers to "bal", which is no thing of this game: it has car', {
    match: { last: reference("bal") },
  }],
  ["a command has 1 to 16 parts, not 0", { command: {} }],
  ["dx.steps is 128; whole numbers from 1 to 127 are allowed", {
    command: { dx: axis({ steps: 128 }) },
  }],
  ["part.steps is 2; whole numbers from 4 to 1024 are allowed", commandOf(aim({ steps: 2 }))],
  ["part.values is 1; whole numbers from 2 to 256 are allowed", commandOf(dial({ values: 1 }))],
  [
    "part.start is 4; whole numbers from 0 to 3 are allowed",
    commandOf(dial({ values: 4, start: 4 })),
  ],
  ['the part part holds "dx", which is no press', commandOf(hold({ of: "dx" }))],
  ['the part part fires "dx", which is no press', commandOf(aim({ fires: "dx" }))],
  ["the guess of the part part is no function", commandOf({ ...hold(), guess: "assumed" })],
  ['the part part has no option "guess"', commandOf({ ...press(), guess: () => 1 })],
  ['the part part has no option "key"', commandOf({ ...press(), key: "Space" })],
  ["the part part is none of axis, aim, dial, press, hold", commandOf({ kind: "stick" })],
  ["join.team has 1 words to choose from; 2 to 256 are allowed", { join: { team: choice("red") } }],
  ['"dx" is a part of the command and a choice of join', { join: { dx: choice("a", "b") } }],
  ["options.map is no choice", { options: { map: flag() } }],
  ['the event goal is shown "soon", which is none of certain, likely, at once', {
    events: { goal: "soon" },
  }],
  ["the colour of team red is no text", { teams: { red: 0xff0000 } }],
  ["the rule enter is missing: it places a player's thing", {}, { enter: undefined }],
  [
    'no rule is called "ticks": a game has start, enter, entered, leave, drive, afterPhysics, touch, touching, ' +
    "touchEnd, tick, think, plans, round, reach, reactionTicks",
    {},
    { ticks() {} },
  ],
  ['touch.cart: "cart" is no thing of this game: it has car', {}, { touch: { cart: {} } }],
  ['touch.car.bal: "bal" is no thing of this game: it has car', {}, {
    touch: { car: { bal() {} } },
  }],
  ['touching.cart: "cart" is no thing of this game: it has car', {}, { touching: { cart: {} } }],
  ["reactionTicks is 41; whole numbers from 1 to 40 are allowed", {}, { reactionTicks: 41 }],
];

Deno.test("Kit: a game that is wrong is refused when it is defined, in one sentence (SPEC 13.2)", () => {
  define({});
  for (const [sentence, game, rules] of REFUSALS) {
    assertEquals(assertThrows(() => define(game, rules), GameError).message, sentence);
  }
});

Deno.test("Kit: what the stage refuses is refused when the game is defined (SPEC 13.2)", () => {
  const refusals: readonly [part: string, game: object][] = [
    ["joint", { joints: { chain: { type: "rope" } } }],
    ["gravity", { gravity: NaN }],
    ["bounce", { things: { car: { body: { fixtures: [{ shape: { circle: 1 }, bounce: 1 }] } } } }],
    ["bal", { restitutions: [["car", "bal", 1]] }],
    ["car", { things: { car: { body: { fixtures: [{ shape: { circle: -1 } }] } } } }],
  ];
  for (const [part, game] of refusals) {
    const { message } = assertThrows(() => define(game), StageError);
    assert(message.includes(part), message);
  }
});

Deno.test("Kit: a command that has more values than a number can count is refused (SPEC 13.2)", () => {
  const command = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`a${i}`, aim({ steps: 1024 })]),
  );
  assertThrows(
    () => define({ command }),
    GameError,
    "the parts of the command have over 2^48 values together",
  );
});

Deno.test("defineGame: counts of players that are left out follow from the largest (SPEC 7.25)", () => {
  const counts = (players?: object) =>
    defineGame({ ...GAME, ...players && { players } } as typeof GAME & { player: "car" }, RULES)
      .players;
  assertEquals(counts(), { min: 0, max: 16, playNow: 8, npcs: 4 });
  assertEquals(counts({ max: 2, npcs: 0 }), { min: 0, max: 2, playNow: 2, npcs: 0 });
  assertEquals(counts({ min: 4, playNow: 12 }), { min: 4, max: 16, playNow: 12, npcs: 4 });
});
