/**
 * The page's URL: /play#CODE invites a player into a room, /watch#CODE a spectator. A private room
 * needs a key: /play#CODE.KEY. A room that a player's page hosts is /play#CODE.page. An operator's link carries a ticket: /watch#CODE.TICKET. All of it
 * stands behind the #, so it never reaches a server's log. On a server with several games, each is
 * below its name: /NAME/play#CODE. A page on another site is one file at any path, so it watches by
 * its query: /any/path?watch#CODE.
 */

const ROOM_LENGTH = 4;

export interface PageUrl {
  /** Four letters A–Z; empty if the URL names no room. */
  readonly room: string;
  /** The letters of a code that is not whole, so that `room` is empty. */
  readonly partialCode?: string;
  readonly spectate: boolean;
  /** A private room's key: 128 bits. */
  readonly key?: string;
  /** A ticket for one use. */
  readonly ticket?: string;
  /** Whether a player's page hosts the room. */
  readonly isPageRoom?: boolean | undefined;
}

/**
 * A key or a ticket may follow the code and a dot. A ticket contains another dot, and behind an "@"
 * the other process's address if it is valid there.
 */
const PAGE_ROOM = "page";
const KEY = /^[\w-]{22}$/;
const TICKET = /^[\w-]+\.[\w-]{43}(@[\w:./-]+)?$/;

/**
 * Takes the first four letters A–Z in `text` as capitals: "#play", "Play!" and " p-l-a-y" all
 * become PLAY.
 */
export function sanitizeRoomCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, "").slice(0, ROOM_LENGTH);
}

export function isRoomCode(code: string): boolean {
  return code.length === ROOM_LENGTH;
}

/** Finds the path of the game's page: "/" for a game that is hosted alone, otherwise "/NAME/". */
export function basePathOf({ pathname }: { pathname: string }): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}

/** Finds the game's name in the URL; empty for a game that is hosted alone. */
export function gameNameOf(url: { pathname: string }): string {
  return basePathOf(url).slice(1, -1);
}

export function parsePageUrl(
  { pathname, search = "", hash }: { pathname: string; search?: string; hash: string },
): PageUrl {
  const at = hash.indexOf(".");
  const secret = at < 0 ? "" : hash.slice(at + 1);
  const code = sanitizeRoomCode(at < 0 ? hash : hash.slice(0, at));
  const room = isRoomCode(code) ? code : "";
  const isKey = room !== "" && KEY.test(secret);
  const isTicket = room !== "" && TICKET.test(secret);
  return {
    room,
    spectate: pathname.endsWith("/watch") || new URLSearchParams(search).has("watch"),
    ...room === "" && code !== "" && { partialCode: code },
    ...isKey && { key: secret },
    ...isTicket && { ticket: secret },
    ...room !== "" && secret === PAGE_ROOM && { isPageRoom: true },
  };
}

/**
 * The inverse of `parsePageUrl` for a room and its key.
 * @param present the page's URL, from which the base and the query stay
 */
export function formatPageUrl(
  { room, spectate, ...more }: PageUrl,
  { search = "", ...present }: { pathname: string; search?: string },
): string {
  return `${basePathOf(present)}${spectate ? "watch" : "play"}${search}${hashOf(room, more)}`;
}

/**
 * As `formatPageUrl`, for a page on another site, where no path but its own leads to it.
 * @param present the page's URL, from which the path and the rest of the query stay
 */
export function formatUrlElsewhere(
  { room, spectate, ...more }: PageUrl,
  { pathname, search }: { pathname: string; search: string },
): string {
  const query = new URLSearchParams(search);
  if (spectate) query.set("watch", "");
  else query.delete("watch");
  const text = query.size === 0 ? "" : `?${query}`;
  return `${pathname}${text}${hashOf(room, more)}`;
}

/** Makes the part behind the #; empty without a room. */
function hashOf(room: string, { key, isPageRoom }: Pick<PageUrl, "key" | "isPageRoom">): string {
  if (room === "") return "";
  const secret = isPageRoom ? PAGE_ROOM : key;
  return secret === undefined ? `#${room}` : `#${room}.${secret}`;
}

/** Draws a code for a new room. @param random uniform in 0 … 1 without 1 */
export function newRoomCode(random: () => number): string {
  return Array.from(
    { length: ROOM_LENGTH },
    () => String.fromCharCode(65 + Math.floor(random() * 26)),
  ).join("");
}

/** Draws a key for a new private room: 128 random bits. */
export function newRoomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).slice(0, -2).replaceAll("+", "-").replaceAll("/", "_");
}
