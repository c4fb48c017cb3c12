/** The colours of the page as CSS. Those of bodies are the product's, and three more. */
import type { Colour } from "../scene.ts";

export interface Paint {
  readonly fill: string;
  readonly shade: string;
  readonly light: string;
}

export const PAINTS: Readonly<Record<Colour, Paint>> = {
  sky: { fill: "#4db5f5", shade: "#2678b8", light: "#a9e0ff" },
  gold: { fill: "#f7cf52", shade: "#ad8318", light: "#ffeaa0" },
  ember: { fill: "#e0532a", shade: "#9a3615", light: "#ffb590" },
  mint: { fill: "#5ee0a0", shade: "#2c9a66", light: "#b9f7d8" },
  violet: { fill: "#9d86e9", shade: "#5f4bab", light: "#d5c9ff" },
  rose: { fill: "#ef7fa6", shade: "#a9466b", light: "#ffc4d8" },
  snow: { fill: "#e6eaf4", shade: "#a4adc2", light: "#ffffff" },
  wood: { fill: "#b07d4f", shade: "#70492a", light: "#e0b585" },
  slate: { fill: "#808996", shade: "#545c68", light: "#c6ccd5" },
};

/** The colours of archetypes to which a scene gives none, by their order. */
export const COLOUR_ORDER = [
  "sky",
  "gold",
  "ember",
  "mint",
  "violet",
  "rose",
  "snow",
  "wood",
] as const;

/** All that never moves. */
export const STONE: Paint = { fill: "#39405f", shade: "#272c47", light: "#a3aecb" };

export const OUTLINE = "#0d1020";
export const HALO = "#0b0e1c";
/** The night behind the stage, from top to bottom. */
export const SKY: readonly (readonly [at: number, colour: string])[] = [
  [0, "#0f1329"],
  [0.55, "#1f2145"],
  [0.85, "#352b52"],
  [1, "#43335c"],
];
export const GRID = "rgb(163 174 203 / 7%)";
export const GRID_BOLD = "rgb(163 174 203 / 14%)";
