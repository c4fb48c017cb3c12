/** Dragons: up to four riders and two NPCs between the ledges. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { LooseGame } from "../../game_kit/loose_types.ts";
import type { Scene } from "../engine/scene.ts";
import { RiderControls } from "../people/dragons/rider_controls.ts";
import { FITTED, styleAt } from "../people/dragons/styles.ts";
import { DRAGON_GLYPHS } from "./dragon_glyphs.ts";

export const dragons: Scene = {
  name: "dragons",
  title: "Dragons",
  game: dragonGame as unknown as LooseGame,
  players: 3,
  npcs: 2,
  window: { x: 0, y: 0, width: 32, height: 18 },
  glyphs: DRAGON_GLYPHS,
  person: (index, seed) =>
    new RiderControls(styleAt(FITTED, index), seed) as unknown as ReturnType<Scene["person"]>,
};
