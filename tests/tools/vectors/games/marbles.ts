/**
 * A second game for the vectors, of which there are only a schema and messages. It has other ticks
 * and world steps than the dragon game, another order of the command's fields, other chances and
 * neutral values, and other kinds.
 */
import type { Codec, CommandFieldSchema } from "../../../../shared/netcode/game.ts";
import type { GameSchema } from "../../../../shared/netcode/game_schema.ts";
import { fieldCoderOf } from "../../../../shared/netcode/wire/command_fields.ts";
import { dragons } from "./dragons.ts";
import { type CommandValues, modelOf, type VectorGame } from "./vector_game.ts";

/** The kinds by their numbers. */
export const MATCH = 0;
export const BALL = 1;
export const WHEEL = 2;
export const FLAG = 3;
export const ROPE = 4;
export const HINGE = 9;

const COMMAND: readonly CommandFieldSchema[] = [
  {
    name: "pushes",
    type: "presses",
    values: [0, 1, 2, 3],
    neutral: 0,
    held: false,
    unchanged: 1000,
    onePress: 2500,
  },
  { name: "brake", type: "button", values: [0, 1], neutral: 1, held: true, unchanged: 500 },
  { name: "turn", type: "direction", values: [-1, 0, 1], neutral: 0, held: true, unchanged: 3000 },
];

const JOINT = { projectile: false, joint: true, moves: false, turns: false, gravity: 0 } as const;
const ENDS = [
  { name: "entity A", type: "u32", clock: 0 },
  { name: "entity B", type: "u32", clock: 0 },
] as const;

const schema: GameSchema = {
  id: "marbles-1",
  protocol: dragons.schema.protocol,
  socketPath: dragons.schema.socketPath,
  tickHz: 30,
  worldStepsPerTick: 3,
  seats: dragons.schema.seats,
  units: dragons.schema.units,
  command: COMMAND,
  assume: { heldTicks: 6 },
  kinds: [
    {
      name: "match",
      projectile: false,
      joint: false,
      moves: false,
      turns: false,
      gravity: 0,
      fields: [
        { name: "elapsed", type: "u8", clock: 1 },
        { name: "left", type: "u16", clock: -1 },
        { name: "mood", type: "i32", clock: 0 },
      ],
    },
    {
      name: "ball",
      projectile: false,
      joint: false,
      moves: true,
      turns: false,
      gravity: 640,
      fields: [
        { name: "owner", type: "u32", clock: 0 },
        { name: "age", type: "u8", clock: 1 },
        { name: "fuse", type: "u32", clock: -1 },
        { name: "weight", type: "f32", clock: 0 },
      ],
    },
    {
      name: "wheel",
      projectile: false,
      joint: false,
      moves: true,
      turns: true,
      gravity: 0,
      fields: [],
    },
    {
      name: "flag",
      projectile: false,
      joint: false,
      moves: false,
      turns: false,
      gravity: 0,
      fields: [{ name: "seat", type: "u8", clock: 0 }],
    },
    {
      name: "rope",
      ...JOINT,
      fields: [...ENDS, { name: "length", type: "f32", clock: 0 }, {
        name: "age",
        type: "u8",
        clock: 1,
      }],
    },
    ...[5, 6, 7, 8].map((kind) => ({ name: `weld ${kind}`, ...JOINT, fields: ENDS })),
    { name: "hinge", ...JOINT, fields: [...ENDS, { name: "flags", type: "u32", clock: 0 }] },
  ],
  shapes: { ball: [{ circle: 0.25 }], wheel: [{ circle: 1 }], flag: [{ box: [0.1, 0.5] }] },
  ownBody: { kind: "ball", seatField: "owner", scoreField: "age" },
  arena: { width: 40, height: 20, platforms: [{ x: 20, y: 2, width: 10, height: 1 }] },
  npcNames: { firstSeat: 16, field: "mood", words: ["Calm", "Angry"], names: ["Agate"] },
  choices: undefined,
};

const CODERS = COMMAND.map(fieldCoderOf);

const codec: Codec<CommandValues> = {
  neutral: COMMAND.map(({ neutral }) => neutral),
  code: (command, references, coder) =>
    CODERS.map((codeField, i) => codeField(command[i]!, references[i]!, coder)),
  same: (a, b) => a.every((value, i) => value === b[i]),
};

export const marbles: VectorGame = { schema, codec, model: modelOf(schema) };
