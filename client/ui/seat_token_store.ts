/**
 * The seat of this tab, remembered over a reload of the page: the token that brings it back. Another tab does not see it, so
 * two tabs are two players.
 */
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";

const KEY = "wyvern.seat.";
const TOKEN = /^[0-9a-f]{16}$/;

/** The token of the room's newest seat; undefined where there is none. */
export function loadSeatToken(room: string): ResumeToken | undefined {
  try {
    const token = sessionStorage.getItem(KEY + room) ?? "";
    return TOKEN.test(token) ? token : undefined;
  } catch {
    // Storage is switched off: a reload is a new player.
    return undefined;
  }
}

export function saveSeatToken(room: string, token: ResumeToken): void {
  try {
    sessionStorage.setItem(KEY + room, token);
  } catch {
    // As above.
  }
}
