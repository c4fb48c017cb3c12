/**
 * All games, a line each, in the order of the list of games. A game's module exports `game`, and is
 * loaded when the game is hosted or played. A name has 1 to 16 small letters, digits and
 * underscores, and begins with a letter. It is part of addresses: `/NAME/play#CODE`.
 */
import type { Game } from "../netcode/game.ts";

/** A game's module as far as hosts and tools need it. */
export interface GameModule {
  readonly game: Game<unknown>;
}

/** Loads the modules of games, by the games' names. */
export type GameRegistry = Readonly<Record<string, () => Promise<GameModule>>>;

/** No game can have such a name: these are paths of the server. */
export const RESERVED_NAMES: readonly string[] = [
  "api",
  "dev",
  "healthz",
  "metrics",
  "play",
  "socket",
  "watch",
];

export const GAMES: GameRegistry = {
  dragons: () => import("./dragons/schema/described_game.ts"),
  puck: () => import("./puck/game.ts"),
  haul: () => import("./haul/game.ts"),
};
