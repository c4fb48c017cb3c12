/**
 * How a seat looks. Three saturated hues at most are on the screen: blue is always the player's own, orange and gold are
 * everyone else's (and fire's), NPCs are grey. Patterns tell apart who shares a hue. The fills stay at least 29 apart in CIE
 * Lab under simulated protanopia, deuteranopia and tritanopia (matrices of Machado, Oliveira and Fernandes 2009); who sees no
 * colour at all tells orange from an NPC's grey by the name above it, and the own dragon by its thick light outline.
 */

export type Pattern = "plain" | "stripes" | "dots" | "chevrons";

const PATTERNS: readonly Pattern[] = ["plain", "stripes", "dots", "chevrons"];

/** Colours as CSS text. */
export interface Look {
  readonly fill: string;
  /** Legs, wing bones, the rider: the same hue in shadow. */
  readonly shade: string;
  /** Belly, wing membrane in light. */
  readonly light: string;
  /** The pattern's marks, the far wing. */
  readonly mark: string;
  readonly pattern: Pattern;
}

type Hue = Omit<Look, "pattern">;

const OWN: Hue = { fill: "#4db5f5", shade: "#2678b8", light: "#a9e0ff", mark: "#0d4a80" };
const OTHERS: readonly Hue[] = [
  { fill: "#e0532a", shade: "#9a3615", light: "#ffb590", mark: "#6e1f08" },
  { fill: "#f7cf52", shade: "#ad8318", light: "#ffeaa0", mark: "#6b4a02" },
];
const NPC: Hue = { fill: "#808996", shade: "#545c68", light: "#c6ccd5", mark: "#3f4650" };
const DEAD: Hue = { fill: "#666b76", shade: "#484d58", light: "#878c96", mark: "#3a3e48" };
/** Pale, and still the only blue: who was unseated looks for it. */
const DEAD_OWN: Hue = { fill: "#7fa3c4", shade: "#54789a", light: "#b6cfe4", mark: "#35536f" };

const LOOKS = new Map<Hue, readonly Look[]>(
  [OWN, ...OTHERS, NPC, DEAD, DEAD_OWN].map((hue) => [hue, PATTERNS.map((pattern) => ({ ...hue, pattern }))]),
);

/** What tells one dragon from another. */
export interface Wearer {
  readonly seat: number;
  readonly own: boolean;
  readonly npc: boolean;
  readonly dead?: boolean;
}

/** The look of a seat, the same object each time. Eight players in turn differ in hue or pattern. */
export function lookOf(wearer: Wearer): Look {
  const seat = Math.max(0, wearer.seat);
  const looks = LOOKS.get(hueOf(wearer))!;
  return looks[(seat >> 1) % looks.length]!;
}

function hueOf({ seat, own, npc, dead }: Wearer): Hue {
  if (dead) return own ? DEAD_OWN : DEAD;
  return own ? OWN : npc ? NPC : OTHERS[Math.max(0, seat) % OTHERS.length]!;
}
