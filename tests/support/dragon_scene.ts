/** A frame of the dragons' page as plain values: what the page draws, for tests and instruments. */
import type { DragonFrame } from "../../client/games/dragons/presenters/presenter.ts";
import { type Sprites, spritesOf } from "../../client/games/dragons/presenters/presenters.ts";
import type { KitFrame } from "../../client/game_kit/kit_frame.ts";

export type DragonScene = Sprites;

export function sceneOf(frame: KitFrame): DragonScene {
  return spritesOf(frame as unknown as DragonFrame);
}
