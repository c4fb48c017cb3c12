/**
 * Names one match's players so that no two look alike, and none looks like an NPC. Players who give
 * no name get one of `DRAWN_NAMES`. If a name is taken, it gets a number: "Rook", "Rook 2", "Rook
 * 3".
 */
import { type GameDescription, SEATS } from "../../../shared/netcode/game.ts";
import type { Random } from "../../../shared/random.ts";

/** Names for players who give none. */
export const DRAWN_NAMES: readonly string[] = [
  "Ember",
  "Ash",
  "Talon",
  "Gale",
  "Flint",
  "Rook",
  "Wren",
  "Cinder",
];

/** How many characters of a name pages show. A number behind a longer name would be invisible. */
const SHOWN_CHARACTERS = 12;

/**
 * @returns what a name looks like: names that share a form look alike; the first form is empty if
 *   nothing is visible
 */
export type NameForms = (name: string) => readonly string[];

/**
 * Finds a name that does not resemble any other.
 * @param wanted the player's choice; empty, or invisible, if they made none
 * @param options.taken names in use
 * @param options.random draws a name if there is no choice
 * @returns at most as many characters as `wanted` has, or 12 if that is more
 */
export function freeName(
  wanted: string,
  { taken, nameForms, random }: { taken: Iterable<string>; nameForms: NameForms; random: Random },
): string {
  const takenForms = new Set(Array.from(taken, nameForms).flat());
  const isFree = (name: string) => !nameForms(name).some((form) => takenForms.has(form));
  if (nameForms(wanted)[0] !== "") return isFree(wanted) ? wanted : numbered(wanted, isFree);

  // No choice: drawn names in order, starting with a random one
  const first = random.below(DRAWN_NAMES.length);
  const drawn = [...DRAWN_NAMES.slice(first), ...DRAWN_NAMES.slice(0, first)];
  return drawn.find(isFree) ?? numbered(drawn[0]!, isFree);
}

/** The names that NPCs may bear; none if the game does not describe them. */
export function npcNamesOf({ npcNames }: Pick<GameDescription, "npcNames">): readonly string[] {
  if (npcNames === undefined) return [];
  const { firstSeat, words, names = [] } = npcNames;
  return Array.from(
    { length: SEATS - firstSeat },
    (_, i) => words.map((word) => `${word} ${names[i] ?? i + 1}`),
  ).flat();
}

/** Adds the first free number from 2, in place of a number that the name may already end with. */
function numbered(name: string, isFree: (name: string) => boolean): string {
  const base = [...name.replace(/ \d+$/, "")];
  const lengthMax = Math.max(SHOWN_CHARACTERS, [...name].length);
  for (let number = 2;; number++) {
    const suffix = ` ${number}`;
    const candidate = base.slice(0, lengthMax - suffix.length).join("").trimEnd() + suffix;
    if (isFree(candidate)) return candidate;
  }
}
