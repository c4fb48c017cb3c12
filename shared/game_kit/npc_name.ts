/** What players, pages and stored results call an NPC. */
import { PLAYER_SEATS, type SeatId } from "../netcode/game.ts";

/** The word for NPCs of a game that declares no kinds. */
const NPC_WORD = "Bot";

/**
 * Names the NPC on a seat: "Hunter 3".
 * @param words the declaration's `npcs`
 * @param kind undefined for a game without kinds
 */
export function npcNameOf(
  words: Readonly<Record<string, string>> | undefined,
  { kind, seat }: { readonly kind: string | undefined; readonly seat: SeatId },
): string {
  const word = (kind === undefined ? undefined : words?.[kind]) ?? NPC_WORD;
  return `${word} ${seat - PLAYER_SEATS + 1}`;
}
