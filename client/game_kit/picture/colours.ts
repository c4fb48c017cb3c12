/** Shades a colour, and chooses colours for things to which a view gives none. CSS text. */
import { type Hue, MINT, SKY, SNOW } from "../../presentation/picture/hues.ts";

/** The hues that a player may choose, by name; the first is the default. */
export const OWN_HUES: Readonly<Record<string, Hue>> = {
  sky: SKY,
  mint: MINT,
  snow: SNOW,
  violet: { fill: "#b83df5", shade: "#7a1fac", light: "#e3b5ff", mark: "#4d0f70" },
  pink: { fill: "#f76ef7", shade: "#ab3bab", light: "#ffcaff", mark: "#701a70" },
};

/** Static bodies and the ground. */
export const STONE: Hue = { fill: "#3d4566", shade: "#262b46", light: "#a3aecb", mark: "#262b46" };

/** For things that no seat drives, in declared order. */
const THING_HUES: readonly Hue[] = [
  { fill: "#e6eaf4", shade: "#9aa3ba", light: "#ffffff", mark: "#5b6480" },
  { fill: "#b07d4f", shade: "#70492a", light: "#e0b585", mark: "#543519" },
  { fill: "#ef7fa6", shade: "#a9466b", light: "#ffc4d8", mark: "#7c2848" },
  { fill: "#4fc3b5", shade: "#267d73", light: "#abefe6", mark: "#14524b" },
  { fill: "#c7d36b", shade: "#7f8a2e", light: "#eef5b5", mark: "#525a14" },
];

export function hueOfThing(index: number): Hue {
  return THING_HUES[index % THING_HUES.length]!;
}

/** More colours than a page shows; beyond that, all hues are made anew. */
const HUES_MAX = 256;
const hues = new Map<string, Hue>();

/**
 * Makes a hue from its fill. A colour that is not "#rgb" or "#rrggbb" is shaded by darker and
 * lighter veils.
 */
export function hueOf(fill: string): Hue {
  let hue = hues.get(fill);
  if (hue === undefined) {
    if (hues.size >= HUES_MAX) hues.clear();
    hues.set(fill, hue = newHue(fill));
  }
  return hue;
}

function newHue(fill: string): Hue {
  const rgb = channelsOf(fill);
  if (rgb === undefined) {
    return {
      fill,
      shade: "rgb(13 16 32 / 55%)",
      light: "rgb(255 255 255 / 55%)",
      mark: "rgb(13 16 32 / 70%)",
    };
  }
  return {
    fill,
    shade: mixed(rgb, 0, 0.45),
    light: mixed(rgb, 255, 0.55),
    mark: mixed(rgb, 0, 0.65),
  };
}

/** Red, green and blue, 0 … 255. */
function channelsOf(colour: string): readonly number[] | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour)?.[1];
  if (digits === undefined) return undefined;
  const size = digits.length / 3;
  return [0, 1, 2].map((i) =>
    parseInt(digits.slice(i * size, (i + 1) * size).repeat(3 - size), 16)
  );
}

/** @param share 0 … 1: how much black (0) or white (255) to mix in */
function mixed(rgb: readonly number[], towards: number, share: number): string {
  const [red, green, blue] = rgb.map((value) => Math.round(value + (towards - value) * share));
  return `rgb(${red} ${green} ${blue})`;
}
