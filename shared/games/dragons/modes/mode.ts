/** The words of the modes, in the order of the rounds. */
export const MODE_WORDS = ["melee", "egg_rush", "capture", "storm_walls"] as const;

export type ModeWord = typeof MODE_WORDS[number];

/** A place that an NPC wants to reach. Metres. */
export interface Goal {
  readonly x: number;
  readonly height: number;
  /** Whether something is there to touch, which may lie on a platform. */
  readonly isThing?: boolean;
}
