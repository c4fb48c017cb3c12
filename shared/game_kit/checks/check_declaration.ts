/**
 * Checks what the types and the stage do not, so that a wrong game is refused in one sentence when
 * it is defined.
 */
import { PLAYER_COUNTS, PLAYER_SEATS, type PlayerCounts, SEATS } from "../../netcode/game.ts";
import type { Declaration } from "../declaration.ts";
import type { Choice, Choices, FieldKind, FieldKinds } from "../fields/kinds.ts";
import { GameError, listed } from "../game_error.ts";
import type { GameTypes } from "../game_types.ts";
import { NPC_KINDS_MAX, SEAT_FIELD } from "../compiled_game.ts";
import { checkCommand } from "./check_command.ts";
import { checkTune } from "./check_tune.ts";
import { checkName, checkNumber } from "./check_values.ts";

const ID = /^[a-z0-9][a-z0-9_-]{0,31}$/;
/** A choice's word fits in one byte. */
const WORDS_MAX = 256;
/** As many as a hello can carry. */
const OPTIONS_MAX = 8;
const NPC_SEATS = SEATS - PLAYER_SEATS;
const LIST_LENGTH_MAX = 64;
const TICK_HZ_MAX = 120;
/** Values of `FieldType`. */
const FIELD_TYPES: readonly string[] = ["u8", "u16", "u32", "i32", "f32"];
/** Values of `EventTiming`. */
const EVENT_TIMINGS: readonly string[] = ["certain", "likely", "at once"];
/** A declaration's members, listed because a misspelt one would go unnoticed. */
const MEMBERS: Readonly<Record<keyof Declaration<GameTypes>, 1>> = {
  id: 1,
  title: 1,
  players: 1,
  authority: 1,
  tickHz: 1,
  substeps: 1,
  command: 1,
  match: 1,
  join: 1,
  options: 1,
  things: 1,
  player: 1,
  joints: 1,
  events: 1,
  teams: 1,
  npcs: 1,
  npcMix: 1,
  npcNames: 1,
  tune: 1,
  gravity: 1,
  mutable: 1,
  ground: 1,
  features: 1,
  restitutions: 1,
  frictions: 1,
  solverSteps: 1,
  velocityIterations: 1,
  positionIterations: 1,
  restitutionThreshold: 1,
  speedMax: 1,
  spinMax: 1,
  onSpeedMax: 1,
  limits: 1,
  shouldCollide: 1,
  landsOn: 1,
};

/** @throws GameError that names the part, thing or field */
export function checkDeclaration(declaration: Declaration<GameTypes>): void {
  const {
    id,
    title,
    players = {},
    authority = "full",
    tickHz = 1,
    command,
    match = {},
    join = {},
    options = {},
    things,
    player,
    teams = {},
    npcs = {},
    npcMix = [],
    npcNames = [],
    tune = {},
  } = declaration;

  // The game itself
  for (const member in declaration) {
    if (!Object.hasOwn(MEMBERS, member)) throw new GameError(`a game has no option "${member}"`);
  }
  if (!ID.test(id)) {
    throw new GameError(`the id "${id}" is not 1 to 32 characters of a–z, 0–9, "_" and "-"`);
  }
  if (typeof title !== "string" || title === "") throw new GameError(`the game ${id} has no title`);
  checkNumber("tickHz", tickHz, 1, TICK_HZ_MAX);
  checkPlayers(players);
  if (authority !== "full" && authority !== "order") {
    throw new GameError(`the authority "${authority}" is neither "full" nor "order"`);
  }

  // What players do and choose
  checkCommand(command, join);
  checkChoices(join, "join");
  checkChoices(options, "options");
  if (Object.keys(options).length > OPTIONS_MAX) {
    throw new GameError(`a game has at most ${OPTIONS_MAX} options`);
  }

  // What a match contains
  checkThings(things, player);
  checkFields(match, "match", things);
  checkTune(tune);
  for (const name in declaration.joints) checkName(name, "joint");
  for (const [name, timing] of Object.entries(declaration.events ?? {})) checkEvent(name, timing);
  for (const [name, colour] of Object.entries(teams)) {
    checkName(name, "team");
    if (typeof colour !== "string") throw new GameError(`the colour of team ${name} is no text`);
  }
  checkNpcs(npcs);
  checkNpcMix(npcMix, Object.keys(npcs));
  checkNpcNames(npcNames, Object.keys(npcs));
}

function checkNpcs(npcs: Readonly<Record<string, string>>): void {
  const kinds = Object.entries(npcs);
  if (kinds.length > NPC_KINDS_MAX) {
    throw new GameError(
      `${kinds.length} kinds of NPCs are declared; at most ${NPC_KINDS_MAX} are allowed`,
    );
  }
  for (const [name, word] of kinds) {
    checkName(name, "kind of NPC");
    if (typeof word !== "string" || word === "") {
      throw new GameError(`the word for the NPC ${name} is no text`);
    }
  }
}

function checkNpcMix(npcMix: readonly string[], kinds: readonly string[]): void {
  if (npcMix.length > NPC_SEATS) {
    throw new GameError(`npcMix has ${npcMix.length} kinds for ${NPC_SEATS} seats of NPCs`);
  }
  const unknown = npcMix.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined) {
    throw new GameError(`npcMix: "${unknown}" is no kind of NPC of this game: ${listed(kinds)}`);
  }
}

function checkNpcNames(names: readonly string[], kinds: readonly string[]): void {
  if (names.length > 0 && kinds.length === 0) {
    throw new GameError("npcNames needs kinds of NPCs: a name follows the word of a kind");
  }
  if (names.length > NPC_SEATS) {
    throw new GameError(`${names.length} names for ${NPC_SEATS} seats of NPCs`);
  }
  for (const [i, name] of names.entries()) {
    if (typeof name !== "string" || name === "") {
      throw new GameError(`name ${i} of the NPCs is no text`);
    }
    if (names.indexOf(name) !== i) throw new GameError(`two NPCs are named "${name}"`);
  }
}

function checkEvent(name: string, timing: string): void {
  checkName(name, "event");
  if (!EVENT_TIMINGS.includes(timing)) {
    throw new GameError(
      `the event ${name} is shown "${timing}", which is none of ${EVENT_TIMINGS.join(", ")}`,
    );
  }
}

function checkChoices(choices: Choices, owner: string): void {
  for (const [name, kind] of Object.entries(choices)) {
    checkName(name, `choice of ${owner}`);
    if (kind.kind !== "choice") throw new GameError(`${owner}.${name} is no choice`);
    checkWords(kind, `${owner}.${name}`, 2);
  }
}

function checkWords({ words }: Choice, owner: string, least: number): void {
  if (words.length < least || words.length > WORDS_MAX) {
    throw new GameError(
      `${owner} has ${words.length} words to choose from; ${least} to ${WORDS_MAX} are allowed`,
    );
  }
  const twice = words.find((word, i) => words.indexOf(word) !== i);
  if (twice !== undefined) throw new GameError(`${owner} has the word "${twice}" twice`);
}

function checkThings(things: Declaration<GameTypes>["things"], player: string): void {
  for (const [name, thing] of Object.entries(things)) {
    checkName(name, "thing");
    if (name === "ground") {
      throw new GameError('"ground" is the ground: no thing may have that name');
    }

    const unknown = Object.keys(thing).find((key) =>
      !["body", "projectile", "fields"].includes(key)
    );
    if (unknown !== undefined) throw new GameError(`the thing ${name} has no option "${unknown}"`);
    if ((thing.body === undefined) === (thing.projectile === undefined)) {
      throw new GameError(`the thing ${name} needs either a body or a projectile`);
    }
    checkFields((thing.fields ?? {}) as FieldKinds, name, things);
  }

  if (!Object.hasOwn(things, player)) {
    throw new GameError(
      `the player "${player}" is no thing of this game: ${listed(Object.keys(things))}`,
    );
  }
  const { body, fields = {} } = things[player]!;
  if (body === undefined) throw new GameError(`the player ${player} needs a body`);
  if (Object.hasOwn(fields, SEAT_FIELD)) {
    throw new GameError(`${player}.${SEAT_FIELD} is the kit's own field: every player has a seat`);
  }
}

function checkFields(fields: FieldKinds, owner: string, things: object): void {
  for (const [name, kind] of Object.entries(fields)) {
    checkName(name, `field of ${owner}`);
    checkField(kind, `${owner}.${name}`, things);
  }
}

function checkField(kind: FieldKind, field: string, things: object): void {
  if (typeof kind === "string") return checkType(kind, field);
  switch (kind.kind) {
    case "choice":
      return checkWords(kind, field, 1);
    case "reference":
      if (Object.hasOwn(things, kind.to)) return;
      throw new GameError(
        `${field} refers to "${kind.to}", which is no thing of this game: ${
          listed(Object.keys(things))
        }`,
      );
    case "list":
      checkNumber(`the length of ${field}`, kind.length, 1, LIST_LENGTH_MAX);
      return checkType(kind.of, field);
    case "flag":
    case "clock":
    case "stopwatch":
      return;
    default:
      throw new GameError(`${field} is of no kind that a field may have`);
  }
}

function checkType(type: string, field: string): void {
  if (!FIELD_TYPES.includes(type)) {
    throw new GameError(
      `${field} is declared as "${type}", which is no type: it may be ${FIELD_TYPES.join(", ")}`,
    );
  }
}

/** @throws GameError if a count is unknown or out of range */
function checkPlayers(players: Partial<PlayerCounts>): void {
  for (const name in players) {
    if (!Object.hasOwn(PLAYER_COUNTS, name)) throw new GameError(`players has no "${name}"`);
  }
  const { max = PLAYER_SEATS, min = 0, playNow = 1, npcs = 0 } = players;
  checkNumber("players.max", max, 1, PLAYER_SEATS);
  checkNumber("players.min", min, 0, max);
  checkNumber("players.playNow", playNow, 1, max);
  checkNumber("players.npcs", npcs, 0, SEATS - PLAYER_SEATS);
}
