/**
 * What the page's address asks for, and the address of what is played: /play#CODE is an invitation, /watch#CODE a seat beside the
 * arena. The code stands behind the #, so that it never reaches a server's log.
 */

const ROOM_LENGTH = 4;

export interface PageUrl {
  /** Four letters A–Z; empty where the address names no room. */
  readonly room: string;
  readonly spectate: boolean;
}

/** The letters A–Z of `text` as capitals, the first four of them: "#play", "Play!" and " p-l-a-y" all are PLAY. */
export function sanitizeRoomCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, "").slice(0, ROOM_LENGTH);
}

export function isRoomCode(code: string): boolean {
  return code.length === ROOM_LENGTH;
}

/** @param address the page's `location` */
export function parsePageUrl({ pathname, hash }: { pathname: string; hash: string }): PageUrl {
  const room = sanitizeRoomCode(hash);
  return { room: isRoomCode(room) ? room : "", spectate: pathname === "/watch" };
}

/** @param search what the address has behind its "?" stays */
export function formatPageUrl({ room, spectate }: PageUrl, search = ""): string {
  return `/${spectate ? "watch" : "play"}${search}#${room}`;
}

/** A code that nobody has to think of. @param random uniform in 0 … 1, without 1 */
export function newRoomCode(random: () => number): string {
  return Array.from({ length: ROOM_LENGTH }, () => String.fromCharCode(65 + Math.floor(random() * 26))).join("");
}
