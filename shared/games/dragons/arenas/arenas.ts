/** All arenas, and the order in which rounds go through them. */
import type { Arena } from "../arena.ts";
import { CAVERN } from "./cavern.ts";
import { FOUNDRY } from "./foundry.ts";
import { LEDGES } from "./ledges.ts";
import { SKY_WELLS } from "./sky_wells.ts";

/** The words of the arenas, in the order of the rounds. */
export const ARENA_WORDS = ["ledges", "foundry", "sky_wells", "cavern"] as const;

export type ArenaWord = typeof ARENA_WORDS[number];

/** An arena for each word. */
export type Arenas = Readonly<Record<ArenaWord, Arena>>;

export const ARENAS: Arenas = {
  ledges: LEDGES,
  foundry: FOUNDRY,
  sky_wells: SKY_WELLS,
  cavern: CAVERN,
};
