/**
 * The colours of each seat. A screen has at most three saturated hues: the player's own, orange and
 * gold for rivals, and grey for NPCs. Players choose their own hue for their own screen. The choice
 * is not sent: on other screens they have a rival's hue, or there would be more than three.
 * Patterns distinguish dragons of the same hue.
 *
 * The fills are at least 29 apart in CIE Lab under simulated protanopia, deuteranopia and
 * tritanopia (matrices of Machado, Oliveira and Fernandes 2009). Without any colour, names
 * distinguish rivals from NPCs, and the own dragon has a thick light outline.
 */
import { PLAYER_SEATS, type SeatId } from "../../../../shared/netcode/game.ts";
import {
  type Hue,
  MINT,
  NPC_HUE,
  type Pattern,
  PATTERNS,
  RIVAL_HUES,
  SKY,
  SNOW,
} from "../../../presentation/picture/hues.ts";

/**
 * Colours as CSS text: legs, wing bones and rider have the shade; the belly and the near wing have
 * the light.
 */
export interface Look extends Hue {
  readonly pattern: Pattern;
}

export const OWN_COLOURS = ["sky", "mint", "snow"] as const;
export type OwnColour = typeof OWN_COLOURS[number];

/**
 * Each with its pale version for a dead dragon, which no other dragon has: a player who fell
 * searches for it.
 */
const OWN_HUES: Readonly<Record<OwnColour, { readonly alive: Hue; readonly dead: Hue }>> = {
  sky: {
    alive: SKY,
    dead: { fill: "#7fa3c4", shade: "#54789a", light: "#b6cfe4", mark: "#35536f" },
  },
  mint: {
    alive: MINT,
    dead: { fill: "#8fbda6", shade: "#5d8a74", light: "#c0dccf", mark: "#3a5f4d" },
  },
  snow: {
    alive: SNOW,
    dead: { fill: "#c3c8d4", shade: "#8d94a5", light: "#dfe3ea", mark: "#596074" },
  },
};
const DEAD_HUE: Hue = { fill: "#666b76", shade: "#484d58", light: "#878c96", mark: "#3a3e48" };

const LOOKS = new Map<Hue, readonly Look[]>(
  [
    ...Object.values(OWN_HUES).flatMap(({ alive, dead }) => [alive, dead]),
    ...RIVAL_HUES,
    NPC_HUE,
    DEAD_HUE,
  ]
    .map((hue) => [hue, PATTERNS.map((pattern) => ({ ...hue, pattern }))]),
);

/** One choice for the whole screen: arena, scores and lobby. */
let ownColour: OwnColour = OWN_COLOURS[0];

/** From now on the own dragon of this screen has this colour. */
export function setOwnColour(colour: OwnColour): void {
  ownColour = colour;
}

export function isOwnColour(value: unknown): value is OwnColour {
  return OWN_COLOURS.includes(value as OwnColour);
}

/** The fill of the own dragon in this colour. */
export function ownFill(colour: OwnColour): string {
  return OWN_HUES[colour].alive.fill;
}

/** The properties that determine a dragon's look. */
export interface DragonIdentity {
  readonly seat: number;
  readonly own: boolean;
  readonly npc: boolean;
  readonly dead?: boolean;
}

/**
 * The look of a dragon: the same object each time. Eight successive player seats all differ, and
 * four NPC seats.
 */
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

/**
 * The look of a living dragon on this seat, also after it has left the arena.
 * @param ownSeat -1 for a spectator
 */
export function lookOfSeat(seat: SeatId, ownSeat: SeatId): Look {
  return lookOf({ seat, own: seat === ownSeat, npc: seat >= PLAYER_SEATS });
}
