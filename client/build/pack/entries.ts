/**
 * What the package `wyvern` exports: names that others import, and the modules behind them. Games of
 * this repository import the same modules (`tests/tidy/walls.ts`).
 */

/** The modules of the package, by the subpath that an import names. Paths begin at the root. */
export const LIBRARIES = {
  ".": "shared/game_kit/game_kit.ts",
  "./view": "client/game_kit/client_kit.ts",
  "./physics": "shared/package/physics.ts",
  "./netcode": "client/package/netcode.ts",
} as const satisfies Readonly<Record<string, string>>;

/** A subpath of the package. */
export type Library = keyof typeof LIBRARIES;

/** The file of a library in the package's folders, without its ending: "physics". */
export function fileNameOf(library: string): string {
  return library === "." ? "wyvern" : library.slice("./".length);
}

/** What an import names: "wyvern/physics". */
export function importNameOf(library: string): string {
  return `wyvern${library.slice(1)}`;
}
