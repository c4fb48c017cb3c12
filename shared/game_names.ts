/** The names of games, which are folders and parts of addresses: `/NAME/play#CODE`. */

/** What people read about a game's name. */
export const NAME_RULE = "1 to 16 small letters, digits and underscores; a letter first";

/** A game's name: 1 to 16 small letters, digits and underscores, of which the first is a letter. */
export const GAME_NAME = /^[a-z][a-z0-9_]{0,15}$/;

/** No game can have such a name: these are paths of the server. */
export const RESERVED_NAMES: readonly string[] = [
  "api",
  "dev",
  "healthz",
  "metrics",
  "play",
  "socket",
  "watch",
];

/** @returns why a game cannot have this name, as a sentence's end; undefined if it can */
export function gameNameFault(name: string): string | undefined {
  if (RESERVED_NAMES.includes(name)) return "is a path of the server; choose another name";
  if (GAME_NAME.test(name)) return undefined;
  return `is no name for a game: ${NAME_RULE}`;
}

/** A game's id without the version of its rules: "dragons-10" is "dragons". */
export function withoutVersion(gameId: string): string {
  return gameId.replace(/-\d+$/, "");
}

/** How people read a name: "air_hockey" is "Air hockey". */
export function titleOf(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}
