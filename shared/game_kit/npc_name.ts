/** What players, pages and stored results call an NPC. */
import { PLAYER_SEATS, type SeatId } from "../netcode/game.ts";

/** The word for NPCs of a game that declares no kinds. */
const NPC_WORD = "Bot";

/** What a declaration says of NPCs' names. */
interface NamedNpcs {
  /** The word for each kind. */
  readonly npcs?: Readonly<Record<string, string>> | undefined;
  /** Each seat's own name. */
  readonly npcNames?: readonly string[] | undefined;
}

/**
 * Names the NPC on a seat by the word for its kind, and its own name or a number: "Hunter Ash",
 * "Bot 3".
 * @param kind undefined for a game without kinds
 */
export function npcNameOf(
  { npcs, npcNames }: NamedNpcs,
  { kind, seat }: { readonly kind: string | undefined; readonly seat: SeatId },
): string {
  const word = (kind === undefined ? undefined : npcs?.[kind]) ?? NPC_WORD;
  const index = seat - PLAYER_SEATS;
  return `${word} ${npcNames?.[index] ?? index + 1}`;
}
