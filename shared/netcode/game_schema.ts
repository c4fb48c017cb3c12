/**
 * A game's schema: everything that a client in another language needs to play the game by the body
 * stream. The server publishes it as JSON at `/api/games/ID`, with the keys in this order (SPEC
 * 8.14, WIRE 2).
 */
import {
  type BodySchema,
  type Drift,
  type FieldType,
  GRAVITY_UNITS_PER_MPS2,
} from "../body_list.ts";
import {
  type ChoiceWords,
  type Game,
  type GameDescription,
  PLAYER_SEATS,
  playersOf,
  SEATS,
} from "./game.ts";
import { SOCKET_PATH } from "./link.ts";
import { PROTOCOL_VERSION } from "./wire/messages.ts";
import {
  ANGLE_UNITS_PER_TURN,
  POSITION_UNITS_PER_METRE,
  SPEED_UNITS_PER_MPS,
  SPIN_UNITS_PER_TURN_PER_SECOND,
} from "./wire/quantized_body.ts";

/** Parts are undefined if the game lacks a body stream or a description; JSON leaves them out. */
export interface GameSchema {
  readonly id: string;
  readonly protocol: number;
  readonly socketPath: string;
  readonly tickHz: number;
  /** This part, `units` and `kinds` belong to the body stream. */
  readonly worldStepsPerTick: number | undefined;
  readonly seats: { readonly players: number; readonly npcs: number };
  readonly units: typeof UNITS | undefined;
  readonly command: GameDescription["command"] | undefined;
  readonly assume: GameDescription["assume"] | undefined;
  /** The kinds of bodies. A kind's number is its position in this list. */
  readonly kinds: readonly BodyKind[] | undefined;
  readonly shapes: GameDescription["shapes"];
  readonly ownBody: GameDescription["ownBody"];
  readonly arena: GameDescription["arena"];
  readonly npcNames: GameDescription["npcNames"];
  /** The room options, in the order of a hello's choices. */
  readonly choices: readonly RoomOption[] | undefined;
}

/** One room option: how many values it offers, and their names if the game gives any. */
interface RoomOption extends Partial<ChoiceWords> {
  readonly values: number;
}

interface BodyKind {
  readonly name: string;
  readonly projectile: boolean;
  readonly joint: boolean;
  readonly moves: boolean;
  readonly turns: boolean;
  /** Downward acceleration, in `units.perMetrePerSecondSquared`. */
  readonly gravity: number;
  readonly fields: readonly {
    readonly name: string;
    readonly type: FieldType;
    readonly clock: Drift;
  }[];
}

/** How many units of the body stream's whole numbers make up each named size. */
const UNITS = {
  perMetre: POSITION_UNITS_PER_METRE,
  perMetrePerSecond: SPEED_UNITS_PER_MPS,
  perTurn: ANGLE_UNITS_PER_TURN,
  perTurnPerSecond: SPIN_UNITS_PER_TURN_PER_SECOND,
  perMetrePerSecondSquared: GRAVITY_UNITS_PER_MPS2,
};

/** Builds a game's schema. */
export function gameSchemaOf<Command>(
  game: Game<Command>,
): GameSchema {
  const { id, tickHz, bodies, description, choices } = game;
  return {
    id,
    protocol: PROTOCOL_VERSION,
    socketPath: SOCKET_PATH,
    tickHz,
    worldStepsPerTick: bodies?.substeps,
    seats: { players: playersOf(game).max, npcs: SEATS - PLAYER_SEATS },
    units: bodies && UNITS,
    command: description?.command,
    assume: description?.assume,
    kinds: bodies?.schemas.map(kindOf),
    shapes: description?.shapes,
    ownBody: description?.ownBody,
    arena: description?.arena,
    npcNames: description?.npcNames,
    choices: choices?.map((values, i) => ({ ...description?.choices?.[i], values })),
  };
}

function kindOf(
  { name, isProjectile, isJoint = false, moves, turns, gravityUnits, fields }: BodySchema,
): BodyKind {
  return {
    name,
    projectile: isProjectile,
    joint: isJoint,
    moves,
    turns,
    gravity: gravityUnits,
    fields: fields.map(({ name, type, drift }) => ({ name, type, clock: drift })),
  };
}
