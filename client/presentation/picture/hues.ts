/**
 * Bodies' colours as CSS text, for all games. A screen shows few saturated hues: the player's own,
 * orange and gold for rivals, and grey for NPCs. Patterns distinguish bodies with the same hue.
 *
 * Every own hue is at least 29 apart from rivals' and NPCs' hues in CIE Lab, even under simulated
 * protanopia, deuteranopia and tritanopia (matrices from Machado, Oliveira and Fernandes 2009).
 */

export interface Hue {
  /** The colour itself. */
  readonly fill: string;
  /** The same hue in shadow. */
  readonly shade: string;
  /** The lit side. */
  readonly light: string;
  /** A pattern's marks. */
  readonly mark: string;
}

/** Marks on a body, which tell it from others of its colour. */
export type Pattern = "plain" | "stripes" | "dots" | "chevrons";

export const PATTERNS: readonly Pattern[] = ["plain", "stripes", "dots", "chevrons"];

export const SKY: Hue = { fill: "#4db5f5", shade: "#2678b8", light: "#a9e0ff", mark: "#0d4a80" };
export const MINT: Hue = { fill: "#5ee0a0", shade: "#2c9a66", light: "#b9f7d8", mark: "#0f5c38" };
export const SNOW: Hue = { fill: "#ffffff", shade: "#a4adc2", light: "#ffffff", mark: "#4b5675" };
export const RIVAL_HUES: readonly Hue[] = [
  { fill: "#e0532a", shade: "#9a3615", light: "#ffb590", mark: "#6e1f08" },
  { fill: "#f7cf52", shade: "#ad8318", light: "#ffeaa0", mark: "#6b4a02" },
];
export const NPC_HUE: Hue = {
  fill: "#808996",
  shade: "#545c68",
  light: "#c6ccd5",
  mark: "#3f4650",
};

/** Eight successive player seats differ in hue or pattern, and four NPC seats. */
export function patternOf(
  { seat, npc }: { readonly seat: number; readonly npc: boolean },
): Pattern {
  return PATTERNS[(npc ? seat : seat >> 1) % PATTERNS.length]!;
}
