/** The scenes in the yard. Their drivers are bots, which change their minds every two seconds. */
import { NpcBot } from "../../bots/npc_bot.ts";
import type { LooseGame } from "../../game_kit/loose_types.ts";
import type { Scene } from "../engine/scene.ts";
import { heapGame, ropeGame } from "./yard.ts";
import { YARD_GLYPHS } from "./yard_glyphs.ts";

const WINDOW = { x: -15.5, y: -8.7, width: 31, height: 17.4 } as const;

function yardScene(
  given: Pick<Scene, "name" | "title" | "players" | "npcs" | "tether"> & {
    readonly game: LooseGame;
  },
): Scene {
  const { game } = given;
  return {
    ...given,
    window: WINDOW,
    glyphs: YARD_GLYPHS,
    person: () => new NpcBot(game) as ReturnType<Scene["person"]>,
  };
}

export const heap = yardScene({
  name: "heap",
  title: "Heap",
  game: heapGame as unknown as LooseGame,
  players: 3,
  npcs: 5,
});

export const rope = yardScene({
  name: "rope",
  title: "Rope",
  game: ropeGame as unknown as LooseGame,
  players: 2,
  npcs: 0,
  tether: { from: "car", to: "anvil" },
});
