/**
 * Keeps the token of this tab's seat over a reload of the page, so that the player resumes the
 * seat. Other tabs cannot read it, so two tabs are two players.
 */
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { gameNameOf } from "./page_url.ts";

/** The token's key. Rooms of several games on one server can have the same code. */
function keyOf(room: string): string {
  const game = gameNameOf(location);
  return `wyvern.seat.${game === "" ? "" : `${game}.`}${room}`;
}

const TOKEN = /^[0-9a-f]{32}$/;

/** The token of the seat that this tab had in the room; undefined if there is none. */
export function loadSeatToken(room: string): ResumeToken | undefined {
  try {
    const token = sessionStorage.getItem(keyOf(room)) ?? "";
    return TOKEN.test(token) ? token : undefined;
  } catch {
    // Storage is switched off: after a reload the player gets a new seat.
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
