/**
 * The description of the dragon game suffices: code that reads nothing else does the same as the
 * game.
 */
import type { Dragon, DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { commandOf, npcNameOf } from "../../../../support/dragons.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { ARENAS } from "../../../../../shared/games/dragons/arenas/arenas.ts";
import { type GameSchema, gameSchemaOf } from "../../../../../shared/netcode/game_schema.ts";
import { BodyList } from "../../../../../shared/body_list.ts";
import { type ListedFieldSchema, PLAYER_SEATS, SEATS } from "../../../../../shared/netcode/game.ts";
import { type Coder, CodeWriter } from "../../../../../shared/netcode/wire/range_coder.ts";

/** A command as a client in another language has it: numbers by the names of the fields. */
type PlainCommand = Readonly<Record<string, number>>;

const { command, assume, kinds, ownBody, npcNames, arena, shapes } = JSON.parse(
  JSON.stringify(gameSchemaOf(dragonGame)),
) as GameSchema;
/** Without the table of plans, which NPCs alone have (8.180); it is coded behind all others. */
const fields = command!.filter(({ name }) =>
  !name.startsWith("if ")
) as readonly ListedFieldSchema[];
const plans = command!.slice(fields.length) as readonly { readonly unchanged: number }[];

/** Every combination of the fields' values. */
function allPlainCommands(): PlainCommand[] {
  return fields.reduce<PlainCommand[]>(
    (commands, { name, values }) =>
      commands.flatMap((command) => values.map((value) => ({ ...command, [name]: value }))),
    [{}],
  );
}

function dragonCommandOf(plain: PlainCommand): DragonCommand {
  const { dir, flapHeld, flaps, fires } = plain;
  return commandOf({
    dir: dir as -1 | 0 | 1,
    flapHeld: flapHeld!,
    flaps: flaps!,
    fires: fires!,
  });
}

/** Writes one field as WIRE 5 says. */
function writeField(
  field: ListedFieldSchema,
  value: number,
  reference: number,
  coder: Coder,
): void {
  const { type, values, unchanged, onePress } = field;
  if (type === "presses") {
    const presses = (value - reference) & 3;
    if (coder.flag(presses === 0, unchanged) || coder.flag(presses === 1, onePress)) return;
    coder.flag(presses === 2);
  } else if (!coder.flag(value === reference, unchanged) && type === "direction") {
    coder.flag(value === Math.max(...values.filter((other) => other !== reference)));
  }
}

Deno.test("dragonGame: the fields' table codes every command against every other as the game does", () => {
  const commands = allPlainCommands();
  const ours = new CodeWriter();
  const described = new CodeWriter();
  assertEquals(commands.length, 96);
  for (const value of commands) {
    for (const reference of commands) {
      ours.reset();
      dragonGame.command.code(dragonCommandOf(value), dragonCommandOf(reference), ours);
      described.reset();
      for (const field of fields) {
        writeField(field, value[field.name]!, reference[field.name]!, described);
      }
      for (const { unchanged } of plans) described.flag(true, unchanged);
      assertEquals(described.finish(), ours.finish());
    }
  }
});

Deno.test("dragonGame: heldTicks and the held fields assume as the game does", () => {
  for (const last of allPlainCommands()) {
    for (let ticksMissing = 1; ticksMissing <= assume!.heldTicks + 2; ticksMissing++) {
      const isReleased = ticksMissing > assume!.heldTicks;
      const assumed = fields.map((
        { name, neutral, held },
      ) => [name, isReleased && held ? neutral : last[name]]);
      assertEquals(
        dragonCommandOf(Object.fromEntries(assumed)),
        dragonGame.assume(dragonCommandOf(last), ticksMissing),
      );
    }
  }
  const neutral = Object.fromEntries(fields.map(({ name, neutral }) => [name, neutral]));
  assertEquals(dragonCommandOf(neutral), dragonGame.assume(undefined, 1));
});

Deno.test("dragonGame: the fields of seat and score are those of the dragons, and no other body has a seat", () => {
  const simulation = dragonGame.start({ npcs: 2 }, 1);
  const bodies = new BodyList();
  const commands = new Array<DragonCommand | undefined>(SEATS).fill(undefined);
  for (const seat of [3, 16, 17]) commands[seat] = dragonGame.assume(undefined, 1);
  simulation.step(commands);
  (simulation.world.player(3) as Dragon).fields.score = 7;
  dragonGame.bodies!.fill(simulation, bodies);
  const kind = kinds!.findIndex(({ name }) => name === ownBody!.kind);
  const positionOf = (field: string) =>
    kinds![kind]!.fields.findIndex(({ name }) => name === field);
  const seats = [];
  for (let i = 0; i < bodies.count; i++) {
    const { schemaIndex, seat, fieldBits } = bodies.at(i);
    assertEquals(seat, schemaIndex === kind ? fieldBits[positionOf(ownBody!.seatField)] : -1);
    if (schemaIndex === kind) seats.push([seat, fieldBits[positionOf(ownBody!.scoreField!)]]);
  }

  assertEquals(seats.sort(), [[16, 0], [17, 0], [3, 7]]);
  assertGreater(bodies.count, 10, "crates, too");
});

Deno.test("dragonGame: the rule of names gives each NPC the game's name", () => {
  const simulation = dragonGame.start({ npcs: 16 }, 1);
  const { firstSeat, field, words, names } = npcNames!;
  assert(kinds![0]!.fields.some(({ name }) => name === field), "a field of the match");
  simulation.stage.fields[field] = 0b1001_0000_0000_0000_0000_0000_0001_1000;
  const mask = simulation.stage.fields[field]!;
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    const index = seat - firstSeat;
    const word = words[mask >>> 2 * index & 3]!;
    assertEquals(`${word} ${names![index]}`, npcNameOf(simulation, seat));
  }
  assertEquals([17, 18, 30, 31].map((seat) => npcNameOf(simulation, seat)), [
    "Shadow Briar",
    "Hunter Coal",
    "Hunter Onyx",
    "Shadow Pine",
  ]);
});

Deno.test("dragonGame: each arena is the shapes of a kind, with the platforms first (SPEC 26.5)", () => {
  assertEquals(arena, { ground: [] });
  for (const [word, { platforms, wraps }] of Object.entries(ARENAS)) {
    const boxes = shapes![word] as readonly { box: readonly number[] }[];
    assertEquals(boxes.length, platforms.length + (wraps ? 1 : 3), word);
    assertEquals(
      boxes.slice(0, platforms.length).map(({ box: [width] }) => 2 * width!),
      platforms.map(({ width }) => width),
    );
  }
});
