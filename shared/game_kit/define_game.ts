/** Turns an author's declaration and rules into a game that netcode can run. */
import type { Game, Simulation } from "../netcode/game.ts";
import type { Stage } from "../physics/stage/stage.ts";
import type { Reach } from "../reach.ts";
import type { CommandParts } from "./command/parts.ts";
import type { Declaration, GameCommand, Input, WrongNames } from "./declaration.ts";
import { buildGame } from "./build_game.ts";
import type { Choices, FieldKinds } from "./fields/kinds.ts";
import type { EventTiming, GameTypes, None } from "./game_types.ts";
import type { Rules } from "./rules.ts";
import type { TunedConstants } from "./tune/tune.ts";
import type { LooseRules } from "./simulation/declared_simulation.ts";
import type { AnyThing, Name, ReadonlyThing, Thing } from "./world/thing.ts";
import type { World, WorldView } from "./world/world.ts";

/** The simulation behind a declaration. */
export interface DeclaredSimulation<G extends GameTypes> extends Simulation<GameCommand<G>> {
  /** The world at `tick`, for views, bots and tests. */
  readonly world: WorldView<G>;
  /** The physics below the world. */
  readonly stage: Stage;
  /**
   * How many pairs of things began to touch in the newest tick, with hits and the ground. Not part of
   * the state.
   */
  readonly contactsBegun: number;
  /** How far a deed reaches now, as `Rules.reach` says; undefined if it may reach anywhere. */
  readonly reach: Reach | undefined;
}

/** A kit game as netcode runs it, with the declaration for views and tools. */
export interface KitGame<G extends GameTypes> extends Game<GameCommand<G>, DeclaredSimulation<G>> {
  /** The author's declaration. */
  readonly declaration: Declaration<G>;
  /**
   * Quantizes what devices give into a command, exactly the one that others will decode.
   * @param input parts that it leaves out are neutral, but a dial, an aim and a choice stay as
   * before. A press counts the presses since `before`, 0 … 3
   * @param before the same player's newest command
   */
  commandOf(input: Partial<Input<G>>, before: GameCommand<G>): GameCommand<G>;
  /**
   * Makes a command that also sets a constant. A server in development obeys it.
   * @param value becomes the nearest one that the slider has
   * @throws RangeError for a name that no constant has
   */
  tuneCommand(
    command: GameCommand<G>,
    name: keyof G["tune"] & string,
    value: number,
  ): GameCommand<G>;
}

/** A game's or a declaration's types: `TypesOf<typeof game>`. */
export type TypesOf<Of> = Of extends { readonly declaration: Declaration<infer G> } ? G
  : Of extends Declaration<infer G> ? G
  : never;

/** The world's type in helper functions for rules: `WorldOf<typeof declaration>`. */
export type WorldOf<Of> = World<TypesOf<Of>>;
/** As `WorldOf`, for helper functions of `think` and of views. */
export type WorldViewOf<Of> = WorldView<TypesOf<Of>>;
/** A game's input, for helper functions of `drive`. */
export type InputOf<Of> = Input<TypesOf<Of>>;
/** A game's thing by its name: `ThingOf<typeof declaration, "car">`. */
export type ThingOf<Of, ThingName extends Name<TypesOf<Of>>> = Thing<TypesOf<Of>, ThingName>;
/** As `ThingOf`, for helper functions of `think` and of views. */
export type ReadonlyThingOf<Of, ThingName extends Name<TypesOf<Of>>> = ReadonlyThing<
  TypesOf<Of>,
  ThingName
>;
/** Any of a game's things. */
export type AnyThingOf<Of> = AnyThing<TypesOf<Of>>;

/** Bundles a game's types. */
interface Types<C, M, J, O, T, P, K, E, W, N, U> {
  readonly command: C;
  readonly match: M;
  readonly join: J;
  readonly options: O;
  readonly things: T;
  readonly player: P;
  readonly joints: K;
  readonly events: E;
  readonly teams: W;
  readonly npcs: N;
  readonly tune: U;
}

/**
 * Gives a declaration its exact types, so that rules can use functions that stand elsewhere:
 * `WorldOf<typeof declaration>`.
 * @returns the declaration as it is
 */
export function declareGame<
  const C extends CommandParts,
  const T extends Readonly<Record<string, unknown>>,
  const P extends keyof T & string,
  const M extends FieldKinds = None,
  const J extends Choices = None,
  const O extends Choices = None,
  const K extends Readonly<Record<string, unknown>> = None,
  const E extends Readonly<Record<string, EventTiming>> = None,
  const W extends Readonly<Record<string, string>> = None,
  const N extends Readonly<Record<string, string>> = None,
  const U extends TunedConstants = None,
>(
  declaration: Declaration<Types<C, M, J, O, T, P, K, E, W, N, U>>,
): Declaration<Types<C, M, J, O, T, P, K, E, W, N, U>> {
  return declaration;
}

/**
 * Defines a game, and checks everything at once.
 * @throws GameError that names what is wrong, in one sentence
 */
export function defineGame<
  const C extends CommandParts,
  const T extends Readonly<Record<string, unknown>>,
  const P extends keyof T & string,
  const M extends FieldKinds = None,
  const J extends Choices = None,
  const O extends Choices = None,
  const K extends Readonly<Record<string, unknown>> = None,
  const E extends Readonly<Record<string, EventTiming>> = None,
  const W extends Readonly<Record<string, string>> = None,
  const N extends Readonly<Record<string, string>> = None,
  const U extends TunedConstants = None,
>(
  declaration: Declaration<Types<C, M, J, O, T, P, K, E, W, N, U>>,
  rules:
    & Rules<Types<C, M, J, O, T, P, K, E, W, N, U>>
    & WrongNames<Types<C, M, J, O, T, P, K, E, W, N, U>>,
): KitGame<Types<C, M, J, O, T, P, K, E, W, N, U>> {
  return buildGame(
    declaration as unknown as Declaration<GameTypes>,
    rules as unknown as LooseRules,
  ) as unknown as KitGame<
    Types<C, M, J, O, T, P, K, E, W, N, U>
  >;
}
