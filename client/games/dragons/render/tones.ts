/** The colours of each arena's backdrop. All are dark and dull, so that sprites stand out. */
import type { ArenaWord } from "../../../../shared/games/dragons/arenas/arenas.ts";

/** From far to near: base height and ruggedness in metres, colour. */
type Range = readonly [base: number, rugged: number, colour: string];

export interface Tones {
  /** From the top to the bottom. */
  readonly sky: readonly (readonly [at: number, colour: string])[];
  readonly ranges: readonly Range[];
  /** Whether stars and the moon shine. */
  readonly isOpen: boolean;
  readonly stone: string;
  readonly stoneDark: string;
  readonly stoneLit: string;
}

const DUSK: Tones = {
  sky: [
    [0, "#0f1329"],
    [0.45, "#24254a"],
    [0.75, "#43335c"],
    [0.92, "#6a4460"],
    [1, "#6f4a5c"],
  ],
  ranges: [[7.2, 3.4, "#3a3157"], [5, 2.6, "#2c284a"], [3, 1.6, "#20203c"]],
  isOpen: true,
  stone: "#39405f",
  stoneDark: "#272c47",
  stoneLit: "#a3aecb",
};

export const TONES: Readonly<Record<ArenaWord, Tones>> = {
  ledges: DUSK,
  // A hall full of smoke, with the furnaces' light from below
  foundry: {
    sky: [[0, "#15161c"], [0.5, "#24232a"], [0.85, "#3d302c"], [1, "#5a3d2c"]],
    ranges: [[9, 0.9, "#2d2a2e"], [6, 0.7, "#262327"], [3.4, 0.5, "#1d1b20"]],
    isOpen: false,
    stone: "#45464d",
    stoneDark: "#2c2c32",
    stoneLit: "#b3a99c",
  },
  // Above the clouds, before sunrise
  sky_wells: {
    sky: [[0, "#101c33"], [0.5, "#1f3a52"], [0.8, "#3b5a66"], [1, "#6d7a73"]],
    ranges: [[2.6, 1.2, "#3a5563"], [1.9, 0.9, "#2c4656"], [1.2, 0.6, "#203747"]],
    isOpen: true,
    stone: "#3a5058",
    stoneDark: "#263a42",
    stoneLit: "#b4cfcb",
  },
  cavern: {
    sky: [[0, "#120c12"], [0.5, "#22141a"], [0.8, "#3f1d1a"], [1, "#6b2c18"]],
    ranges: [[10, 4, "#2a181d"], [6, 3, "#22141a"], [3.4, 1.8, "#1a0f15"]],
    isOpen: false,
    stone: "#43343a",
    stoneDark: "#2a1f25",
    stoneLit: "#b59a8f",
  },
};
