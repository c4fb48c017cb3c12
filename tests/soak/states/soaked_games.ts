/** The games of which the soak makes hostile states: those of the list of games, and the template of new ones. */
import { GAMES } from "../../../shared/games/registry.ts";
import type { SoakedGame } from "./match_states.ts";

export const SOAKED_GAMES: Readonly<Record<string, () => Promise<{ readonly game: SoakedGame }>>> = {
  ...GAMES,
  template: async () => {
    const { game } = await import("../../../shared/game_kit/template/game.ts");
    return { game: game as SoakedGame };
  },
};
