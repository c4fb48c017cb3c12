/** A player's name as they may enter it. */

/** In characters, as many as fit on the scoreboard and in the arena's labels. */
export const PLAYER_NAME_LENGTH_MAX = 12;

/**
 * Puts `text` on one line without needless space, at most `PLAYER_NAME_LENGTH_MAX` characters;
 * empty if nothing is left.
 */
export function sanitizeName(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...oneLine].slice(0, PLAYER_NAME_LENGTH_MAX).join("").trim();
}
