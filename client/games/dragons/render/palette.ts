/**
 * How a seat looks. Three saturated hues at most are on the screen: one is always the player's own, orange and gold are
 * everyone else's (and fire's), NPCs are grey. Which one is his own a player chooses for his own screen; it is not sent, because
 * others see him in their rivals' hues, or the rule of three would be gone. Patterns tell apart who shares a hue. The fills stay at least 29 apart in CIE
 * Lab under simulated protanopia, deuteranopia and tritanopia (matrices of Machado, Oliveira and Fernandes 2009); who sees no
 * colour at all tells orange from an NPC's grey by the name above it, and the own dragon by its thick light outline.
 */
import { PLAYER_SEATS, type SeatId } from "../../../../shared/netcode/game.ts";

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

export const OWN_COLOURS = ["sky", "mint", "snow"] as const;
export type OwnColour = typeof OWN_COLOURS[number];

/** Each with itself unseated: pale, and still in no other's hue, because who fell looks for it. */
const OWN_HUES: Readonly<Record<OwnColour, { readonly alive: Hue; readonly dead: Hue }>> = {
  sky: {
    alive: { fill: "#4db5f5", shade: "#2678b8", light: "#a9e0ff", mark: "#0d4a80" },
    dead: { fill: "#7fa3c4", shade: "#54789a", light: "#b6cfe4", mark: "#35536f" },
  },
  mint: {
    alive: { fill: "#5ee0a0", shade: "#2c9a66", light: "#b9f7d8", mark: "#0f5c38" },
    dead: { fill: "#8fbda6", shade: "#5d8a74", light: "#c0dccf", mark: "#3a5f4d" },
  },
  snow: {
    alive: { fill: "#ffffff", shade: "#a4adc2", light: "#ffffff", mark: "#4b5675" },
    dead: { fill: "#c3c8d4", shade: "#8d94a5", light: "#dfe3ea", mark: "#596074" },
  },
};
const RIVAL_HUES: readonly Hue[] = [
  { fill: "#e0532a", shade: "#9a3615", light: "#ffb590", mark: "#6e1f08" },
  { fill: "#f7cf52", shade: "#ad8318", light: "#ffeaa0", mark: "#6b4a02" },
];
const NPC_HUE: Hue = { fill: "#808996", shade: "#545c68", light: "#c6ccd5", mark: "#3f4650" };
const DEAD_HUE: Hue = { fill: "#666b76", shade: "#484d58", light: "#878c96", mark: "#3a3e48" };

const LOOKS = new Map<Hue, readonly Look[]>(
  [...Object.values(OWN_HUES).flatMap(({ alive, dead }) => [alive, dead]), ...RIVAL_HUES, NPC_HUE, DEAD_HUE]
    .map((hue) => [hue, PATTERNS.map((pattern) => ({ ...hue, pattern }))]),
);

/** The one choice that a whole screen shares: picture, scores and lobby. */
let ownColour: OwnColour = OWN_COLOURS[0];

/** From now on the own dragon of this screen wears `colour`. */
export function setOwnColour(colour: OwnColour): void {
  ownColour = colour;
}

export function isOwnColour(value: unknown): value is OwnColour {
  return OWN_COLOURS.includes(value as OwnColour);
}

/** What the own dragon would be filled with. */
export function ownFill(colour: OwnColour): string {
  return OWN_HUES[colour].alive.fill;
}

/** What tells one dragon from another. */
export interface DragonIdentity {
  readonly seat: number;
  readonly own: boolean;
  readonly npc: boolean;
  readonly dead?: boolean;
}

/** The look of a seat, the same object each time. Eight players in turn differ in hue or pattern, four NPCs in pattern. */
export function lookOf(identity: DragonIdentity): Look {
  const seat = Math.max(0, identity.seat);
  const looks = LOOKS.get(hueOf(identity))!;
  return looks[(identity.npc ? seat : seat >> 1) % looks.length]!;
}

function hueOf({ seat, own: isOwn, npc, dead }: DragonIdentity): Hue {
  if (isOwn) return dead ? OWN_HUES[ownColour].dead : OWN_HUES[ownColour].alive;
  if (dead) return DEAD_HUE;
  return npc ? NPC_HUE : RIVAL_HUES[Math.max(0, seat) % RIVAL_HUES.length]!;
}

/** The look of a living dragon on this seat, also after it has left the arena. @param ownSeat -1 for a spectator */
export function lookOfSeat(seat: SeatId, ownSeat: SeatId): Look {
  return lookOf({ seat, own: seat === ownSeat, npc: seat >= PLAYER_SEATS });
}
