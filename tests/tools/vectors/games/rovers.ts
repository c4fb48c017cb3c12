/**
 * A third game for the vectors, whose command has whole numbers of a range: an axis, an angle, a
 * dial and a choice. A room of it has options.
 */
import type { Codec, CommandFieldSchema } from "../../../../shared/netcode/game.ts";
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import { fieldCoderOf } from "../../../../shared/netcode/wire/command_fields.ts";
import { dragons } from "./dragons.ts";
import { type CommandValues, modelOf, type VectorGame } from "./vector_game.ts";

const COMMAND: readonly CommandFieldSchema[] = [
  {
    name: "throttle",
    type: "number",
    least: -8,
    greatest: 8,
    wraps: false,
    perOne: 8,
    neutral: 0,
    held: true,
    unchanged: 1500,
  },
  {
    name: "aim",
    type: "number",
    least: 0,
    greatest: 255,
    wraps: true,
    perTurn: 256,
    neutral: 64,
    held: false,
    unchanged: 900,
  },
  {
    name: "honks",
    type: "presses",
    values: [0, 1, 2, 3],
    neutral: 0,
    held: false,
    unchanged: 3000,
    onePress: 3800,
  },
  {
    name: "gear",
    type: "number",
    least: 1,
    greatest: 5,
    wraps: false,
    neutral: 2,
    held: false,
    unchanged: 3900,
  },
  {
    name: "hour",
    type: "number",
    least: -5,
    greatest: 5,
    wraps: true,
    perTurn: 11,
    neutral: 0,
    held: false,
    unchanged: 2048,
  },
  {
    name: "team",
    type: "number",
    least: 0,
    greatest: 2,
    wraps: false,
    names: ["auto", "red", "blue"],
    neutral: 0,
    held: false,
    unchanged: 4090,
    constant: true,
  },
];

const schema: GameSchema = {
  id: "rovers-1",
  protocol: dragons.schema.protocol,
  socketPath: dragons.schema.socketPath,
  tickHz: 60,
  worldStepsPerTick: 1,
  seats: dragons.schema.seats,
  units: dragons.schema.units,
  command: COMMAND,
  assume: { heldTicks: 4 },
  kinds: [
    {
      name: "match",
      projectile: false,
      joint: false,
      moves: false,
      turns: false,
      gravity: 0,
      fields: [],
    },
    {
      name: "rover",
      projectile: false,
      joint: false,
      moves: true,
      turns: true,
      gravity: 128,
      fields: [{ name: "seat", type: "u8", clock: 0 }, { name: "score", type: "u16", clock: 0 }],
    },
  ],
  shapes: { rover: [{ box: [1, 0.5] }] },
  ownBody: { kind: "rover", seatField: "seat", scoreField: "score" },
  arena: undefined,
  npcNames: undefined,
  choices: [{ name: "map", names: ["crater", "dunes", "rift"], values: 3 }, { values: 256 }],
};

const CODERS = COMMAND.map(fieldCoderOf);

const codec: Codec<CommandValues> = {
  neutral: COMMAND.map(({ neutral }) => neutral),
  code: (command, references, coder) =>
    CODERS.map((codeField, i) => codeField(command[i]!, references[i]!, coder)),
  same: (a, b) => a.every((value, i) => value === b[i]),
};

export const rovers: VectorGame = { schema, codec, model: modelOf(schema) };
