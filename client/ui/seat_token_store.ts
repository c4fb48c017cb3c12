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
function keyOf(room: string): string {
  const game = hostedName();
  return `wyvern.seat.${game === "" ? "" : `${game}.`}${room}`;
}

const TOKEN = /^[0-9a-f]{32}$/;

/** Loads the token for this tab's seat in the room; undefined for none. */
export function loadSeatToken(room: string): ResumeToken | undefined {
  try {
    const token = sessionStorage.getItem(keyOf(room)) ?? "";
    return TOKEN.test(token) ? token : undefined;
  } catch {
    // Storage is switched off, so after a reload the player gets a new seat.
    return undefined;
  }
}

export function saveSeatToken(room: string, token: ResumeToken): void {
  try {
    sessionStorage.setItem(keyOf(room), token);
  } catch {
    // As above.
  }
}
