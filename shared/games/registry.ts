/**
 * All games, a line each, in the order of the list of games. A game's module exports `game`, and is
 * loaded when the game is hosted or played. Names are as `shared/game_names.ts` says.
 */
import type { Game } from "../netcode/game.ts";

/** A game's module as far as hosts and tools need it. */
export interface GameModule {
  readonly game: Game<unknown>;
}

/** Loads the modules of games, by the games' names. */
export type GameRegistry = Readonly<Record<string, () => Promise<GameModule>>>;

export const GAMES: GameRegistry = {
  dragons: () => import("./dragons/game.ts"),
  puck: () => import("./puck/game.ts"),
  haul: () => import("./haul/game.ts"),
};
