/**
 * How each dragon looks: the kit's hue for its seat, and a pattern. A screen has at most three
 * saturated hues: the player's own, orange and gold for rivals, and grey for NPCs. Without any
 * colour, names distinguish rivals from NPCs, and the own dragon has a thick light outline.
 */
import { PLAYER_SEATS, type SeatId } from "../../../../shared/netcode/game.ts";
import { type Hue, type Pattern, patternOf, PATTERNS } from "../../../presentation/picture/hues.ts";
import type { DragonFrame } from "../presenters/presenter.ts";

/**
 * Colours as CSS text: legs, wing bones and rider have the shade; the belly and the near wing have
 * the light.
 */
export interface Look extends Hue {
  readonly pattern: Pattern;
}

/** A rival without a rider. */
const DEAD_HUE: Hue = { fill: "#666b76", shade: "#484d58", light: "#878c96", mark: "#3a3e48" };
/** What makes an own hue pale, and how much of it: 0 … 255, for each of a hue's colours. */
const PALE = { fill: 150, shade: 120, light: 193, mark: 91 };
const PALE_SHARE = 0.55;

const LOOKS = new WeakMap<Hue, readonly Look[]>();
const PALE_HUES = new WeakMap<Hue, Hue>();

/** The properties that determine a dragon's look. */
export interface DragonIdentity {
  readonly hue: Hue;
  readonly seat: SeatId;
  readonly own: boolean;
  readonly npc: boolean;
  readonly dead: boolean;
}

/**
 * The look of a dragon: the same object each time. Eight successive player seats all differ, and
 * four NPC seats. The own dragon is pale while it is dead, as no other one is, because its player
 * searches for it.
 */
export function lookOf({ hue, seat, own, npc, dead }: DragonIdentity): Look {
  const shown = !dead ? hue : own ? paleOf(hue) : DEAD_HUE;
  let looks = LOOKS.get(shown);
  if (looks === undefined) {
    looks = PATTERNS.map((pattern) => ({ ...shown, pattern }));
    LOOKS.set(shown, looks);
  }
  return looks[PATTERNS.indexOf(patternOf({ seat, npc }))]!;
}

/** The look of a living dragon on this seat, also after it has left the arena. */
export function lookOfSeat(frame: Pick<DragonFrame, "hueOfSeat" | "own">, seat: SeatId): Look {
  const own = seat === frame.own?.seat;
  return lookOf({ hue: frame.hueOfSeat(seat), seat, own, npc: seat >= PLAYER_SEATS, dead: false });
}

function paleOf(hue: Hue): Hue {
  let pale = PALE_HUES.get(hue);
  if (pale === undefined) {
    const { fill, shade, light, mark } = hue;
    pale = {
      fill: paled(fill, PALE.fill),
      shade: paled(shade, PALE.shade),
      light: paled(light, PALE.light),
      mark: paled(mark, PALE.mark),
    };
    PALE_HUES.set(hue, pale);
  }
  return pale;
}

/** @param colour "#rrggbb", as all own hues are */
function paled(colour: string, grey: number): string {
  const channels = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16);
    return Math.round(value + (grey - value) * PALE_SHARE).toString(16).padStart(2, "0");
  });
  return `#${channels.join("")}`;
}
