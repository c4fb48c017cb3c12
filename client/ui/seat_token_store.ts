/**
 * Keeps the token for this tab's seat across a reload, so that the player resumes the seat. Other
 * tabs cannot read it, so two tabs are two players.
 */
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { hostedName } from "./home.ts";

/**
 * Makes the token's key. It contains the game, because rooms of several games on one server can
 * share a code.
 */
function keyOf(room: string, game: string): string {
  return `wyvern.seat.${game === "" ? "" : `${game}.`}${room}`;
}

const TOKEN = /^[0-9a-f]{32}$/;

/**
 * Loads the token for this tab's seat in the room; undefined for none.
 * @param game by default the page's own
 */
export function loadSeatToken(room: string, game = hostedName()): ResumeToken | undefined {
  try {
    const token = sessionStorage.getItem(keyOf(room, game)) ?? "";
    return TOKEN.test(token) ? token : undefined;
  } catch {
    // Storage is switched off, so after a reload the player gets a new seat.
    return undefined;
  }
}

/** @param game as for `loadSeatToken` */
export function saveSeatToken(room: string, token: ResumeToken, game = hostedName()): void {
  try {
    sessionStorage.setItem(keyOf(room, game), token);
  } catch {
    // As above.
  }
}
