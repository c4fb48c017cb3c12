/** Puck: cars push a puck, and each other. */
import { game } from "../../../shared/games/puck/game.ts";
import type { LooseGame } from "../../game_kit/loose_types.ts";
import type { Scene } from "../engine/scene.ts";
import { DriverControls } from "../people/puck/driver_controls.ts";
import { FITTED_DRIVERS } from "../people/puck/styles.ts";
import { PUCK_GLYPHS } from "./puck_glyphs.ts";

export const puck: Scene = {
  name: "puck",
  title: "Puck",
  game: game as unknown as LooseGame,
  players: 3,
  npcs: 2,
  window: { x: -15.5, y: -8, width: 31, height: 16 },
  glyphs: PUCK_GLYPHS,
  person: (index, seed) =>
    new DriverControls(
      FITTED_DRIVERS[index % FITTED_DRIVERS.length]!,
      seed,
    ) as unknown as ReturnType<
      Scene["person"]
    >,
};
