/** The games of the vectors by their ids. `games.json` has their schemas. */
import { dragons } from "./dragons.ts";
import { marbles } from "./marbles.ts";
import { rovers } from "./rovers.ts";
import type { VectorGame } from "./vector_game.ts";

export const GAMES: readonly VectorGame[] = [dragons, marbles, rovers];

/** @throws RangeError for an id that no game has */
export function gameOf(id: string): VectorGame {
  const game = GAMES.find(({ schema }) => schema.id === id);
  if (game === undefined) throw new RangeError(`no game of the vectors has the id ${id}`);
  return game;
}
