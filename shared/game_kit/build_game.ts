/**
 * Builds the game that netcode runs from a declaration and its rules. `define_game.ts` gives it its
 * types.
 */
import { checkCodecOnce } from "../netcode/codec_check.ts";
import {
  type Game,
  type GameDescription,
  type GameOptions,
  type GameRounds,
  PLAYER_COUNTS,
  PLAYER_SEATS,
  type PlayerCounts,
} from "../netcode/game.ts";
import type { Archetype } from "../physics/core/types.ts";
import { snapshotLabels } from "../physics/snapshot/labels.ts";
import { adoptBodies, bodySchemasOf, fillBodies } from "../physics/stage/body_stream.ts";
import { checkDeclaration } from "./checks/check_declaration.ts";
import { checkPlans } from "./checks/check_plans.ts";
import { checkRules } from "./checks/check_rules.ts";
import { CommandGuesser } from "./command/command_guesser.ts";
import type { LooseInput } from "./command/inputs.ts";
import type { Command } from "./command/parts.ts";
import {
  type CompiledGame,
  compileGame,
  NPC_KINDS_FIELD,
  SEAT_FIELD,
  ticksOf,
} from "./compiled_game.ts";
import type { Declaration } from "./declaration.ts";
import type { GameTypes } from "./game_types.ts";
import { npcNameOf } from "./npc_name.ts";
import { type LooseRules, StageSimulation } from "./simulation/declared_simulation.ts";
import { TUNE_PART } from "./tune/tune.ts";

/**
 * For how long a command's held parts repeat while commands are missing. Longer than a late packet
 * takes to come again, and shorter than a car drives on by itself.
 */
const ASSUME_HELD_SECONDS = 0.2;

/** `KitGame` from `define_game.ts` without the game's types. */
interface LooseGame extends Game<Command, StageSimulation> {
  readonly declaration: Declaration<GameTypes>;
  commandOf(input: LooseInput, before: Command): Command;
  tuneCommand(command: Command, name: string, value: number): Command;
}

/**
 * Builds a game.
 * @throws GameError, or StageError for what the stage refuses; both name what is wrong
 */
export function buildGame(declaration: Declaration<GameTypes>, rules: LooseRules): LooseGame {
  checkDeclaration(declaration);
  checkPlans(rules.plans ?? {}, declaration.command);
  const game = compileGame(declaration, rules.plans);
  checkRules(rules, game);

  // The stage and the codec check their parts of the declaration on construction.
  const { commands, inputs, tuning, stageDef, clocks } = game;
  const start = (options: GameOptions, seed: number) =>
    new StageSimulation(game, rules, options, seed);
  start({ npcs: 0 }, 0);
  checkCodecOnce(commands.codec);

  const { neutral } = commands.codec;
  const heldTicks = ticksOf(ASSUME_HELD_SECONDS, game.tickHz);
  return {
    declaration,
    id: declaration.id,
    ...(game.options.length > 0 && { choices: game.options.map(({ words }) => words.length) }),
    players: playerCountsOf(declaration.players ?? {}),
    ...declaration.authority !== undefined && { authority: declaration.authority },
    tickHz: game.tickHz,
    command: commands.codec,
    commandOf: (input, before) => inputs.quantize(input, before),
    tuneCommand: (command, name, value) =>
      commands.changed(command, { [TUNE_PART]: tuning.numberOf(name, value) }),
    ...tuning.hasConstants && {
      withoutTuning: (command: Command) =>
        command[TUNE_PART] === 0 ? command : commands.changed(command, { [TUNE_PART]: 0 }),
    },
    assume(last, ticksMissing) {
      if (last === undefined) return neutral;
      return ticksMissing <= heldTicks ? last : commands.release(last);
    },
    newGuesser: (report) => new CommandGuesser(commands, game.tickHz, report),
    isUrgent: (command, before) => inputs.isUrgent(command, before),
    bodies: {
      ...bodySchemasOf(stageDef, clocks),
      fill: (simulation, out) =>
        fillBodies(simulation.stage, (entity) => simulation.seatOf(entity), out),
      adopt: (simulation, from) => simulation.adopt((stage) => adoptBodies(stage, from)),
    },
    ...(rules.round !== undefined && { rounds: roundsOf(rules.round, declaration) }),
    description: descriptionOf(game),
    stateLabels: ({ stage }, state) => snapshotLabels(stage, state),
    start,
  };
}

function playerCountsOf(players: Partial<PlayerCounts>): PlayerCounts {
  const { max = PLAYER_COUNTS.max } = players;
  const playNow = Math.min(PLAYER_COUNTS.playNow, max);
  return { ...PLAYER_COUNTS, playNow, ...players };
}

function descriptionOf(
  { declaration: { ground, npcs = {}, npcNames }, schema, things, player, options, tickHz }:
    CompiledGame,
): GameDescription {
  const hasScore = Object.hasOwn(player.fields.kinds, "score");
  const words = Object.values<string>(npcs);
  return {
    command: schema,
    assume: { heldTicks: ticksOf(ASSUME_HELD_SECONDS, tickHz) },
    shapes: Object.fromEntries(
      [...things].map(([name, { archetype }]) => [name, shapesOf(archetype)]),
    ),
    ownBody: { kind: player.name, seatField: SEAT_FIELD, ...(hasScore && { scoreField: "score" }) },
    arena: { ground: ground.map(({ shape }) => shape) },
    ...(words.length > 0 && {
      npcNames: {
        firstSeat: PLAYER_SEATS,
        field: NPC_KINDS_FIELD,
        words,
        ...(npcNames !== undefined && { names: npcNames }),
      },
    }),
    ...(options.length > 0 &&
      { choices: options.map(({ name, words }) => ({ name, names: words })) }),
  };
}

/** Circles by radius, boxes by half width and half height. */
function shapesOf({ body, projectile }: Archetype): readonly unknown[] {
  return projectile === undefined
    ? body!.fixtures.map(({ shape }) => shape)
    : [{ circle: projectile.radius }];
}

/** Turns the rule `round` into netcode's interface. */
function roundsOf(
  roundOf: NonNullable<LooseRules["round"]>,
  declaration: Declaration<GameTypes>,
): GameRounds<StageSimulation> {
  const { player, teams } = declaration;
  const isTeam = (team: unknown) => teams !== undefined && Object.hasOwn(teams, team as string);
  return {
    isOver({ world }) {
      const { number, isOver } = roundOf(world);
      return isOver && number > 0;
    },
    result({ world }) {
      const { number, score, total, set } = roundOf(world);
      return {
        round: number,
        scores: world.all(player).map((thing) => {
          const { seat } = thing;
          const isNpc = seat >= PLAYER_SEATS;
          const { team } = thing.fields as { readonly team?: unknown };
          return {
            seat,
            score: score(thing),
            ...isNpc && { npcName: npcNameOf(declaration, { kind: world.npcKind(seat), seat }) },
            ...isTeam(team) && { team: team as string },
            ...total !== undefined && { total: total(thing) },
            ...set !== undefined && { wins: set.wins(thing) },
          };
        }),
        ...set !== undefined && { set: { round: set.round, of: set.of, isOver: set.isOver } },
      };
    },
  };
}
