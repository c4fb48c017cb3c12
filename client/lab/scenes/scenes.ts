/** The lab's scenes, in the order of its menu. */
import type { Scene } from "../engine/scene.ts";
import { dragons } from "./dragons.ts";
import { puck } from "./puck.ts";
import { heap, rope } from "./yard_scenes.ts";

export const SCENES: readonly Scene[] = [dragons, puck, heap, rope];

/** @returns the first scene for an unknown name */
export function sceneOf(name: string): Scene {
  return SCENES.find((scene) => scene.name === name) ?? SCENES[0]!;
}
