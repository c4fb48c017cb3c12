/** The games of servers with traps, as the registry has those of others. */
import { type GameRegistry, GAMES } from "../../../shared/games/registry.ts";
import { trapGame, trapped } from "./trap_game.ts";

export const TRAPPED_GAMES: GameRegistry = {
  dragons: async () => ({ game: trapped((await GAMES["dragons"]!()).game) }),
  trap: () => Promise.resolve({ game: trapGame as never }),
};
