/**
 * The page's URL: /play#CODE invites a player into a room, /watch#CODE a spectator. The code stands behind the #, so it
 * never reaches a server's log. On a server with several games, each is below its name: /NAME/play#CODE.
 */

const ROOM_LENGTH = 4;

export interface PageUrl {
  /** Four letters A–Z; empty if the URL names no room. */
  readonly room: string;
  readonly spectate: boolean;
}

/** The first four letters A–Z of `text` as capitals: "#play", "Play!" and " p-l-a-y" all are PLAY. */
export function sanitizeRoomCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, "").slice(0, ROOM_LENGTH);
}

export function isRoomCode(code: string): boolean {
  return code.length === ROOM_LENGTH;
}

/** The path of the game's page: "/" for a game that is hosted alone, otherwise "/NAME/". */
export function basePathOf({ pathname }: { pathname: string }): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}

/** The game's name in the URL; empty for a game that is hosted alone. */
export function gameNameOf(url: { pathname: string }): string {
  return basePathOf(url).slice(1, -1);
}

export function parsePageUrl({ pathname, hash }: { pathname: string; hash: string }): PageUrl {
  const room = sanitizeRoomCode(hash);
  return { room: isRoomCode(room) ? room : "", spectate: pathname.endsWith("/watch") };
}

/** @param present the page's URL; its base and its query, if it has one, stay */
export function formatPageUrl(
  { room, spectate }: PageUrl,
  { search = "", ...present }: { pathname: string; search?: string },
): string {
  return `${basePathOf(present)}${spectate ? "watch" : "play"}${search}#${room}`;
}

/** A random code for a new room. @param random uniform in 0 … 1 without 1 */
export function newRoomCode(random: () => number): string {
  return Array.from({ length: ROOM_LENGTH }, () => String.fromCharCode(65 + Math.floor(random() * 26))).join("");
}
