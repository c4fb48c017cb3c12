/**
 * What the package `wyvern` exports: names that others import, and the modules behind them. Games of
 * this repository import the same modules (`tests/tidy/walls.ts`).
 */
import { fileURLToPath } from "node:url";

/** The modules of the package, by the subpath that an import names. Paths begin at the root. */
export const LIBRARIES = {
  ".": "shared/game_kit/game_kit.ts",
  "./view": "client/game_kit/client_kit.ts",
  "./physics": "shared/package/physics.ts",
  "./netcode": "client/package/netcode.ts",
} as const satisfies Readonly<Record<string, string>>;

/** A subpath of the package. */
export type Library = keyof typeof LIBRARIES;

const ROOT = new URL("../../", import.meta.url);

/** The libraries' files by the names of imports, for the bundles of games that name them. */
export const LIBRARY_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LIBRARIES).map(([library, path]) => [
    importNameOf(library),
    fileURLToPath(new URL(path, ROOT)),
  ]),
);

/** The file of a library in the package's folders, without its ending: "physics". */
export function fileNameOf(library: string): string {
  return library === "." ? "wyvern" : library.slice("./".length);
}

/** What an import names: "wyvern/physics". */
export function importNameOf(library: string): string {
  return `wyvern${library.slice(1)}`;
}

/** The modules of the package's programs, by their files in `dist`. */
export const PACKAGE_PROGRAMS: Readonly<Record<string, string>> = {
  "server/package/command.ts": "command",
  "server/package/serve.ts": "serve",
  "client/package/build.ts": "build",
  "client/package/bots.ts": "bots",
  "server/supervision/watchdog_thread.ts": "watchdog_thread",
};
