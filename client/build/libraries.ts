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
  "./session": "client/package/session.ts",
  "./page": "client/package/page.ts",
  "./practice": "client/package/practice.ts",
  "./rooms": "client/package/rooms.ts",
  "./server": "server/package/server.ts",
} as const satisfies Readonly<Record<string, string>>;

/** The modules that take the place of a library under Node, Bun and Deno, by their files in `dist`. */
export const NODE_LIBRARIES: Readonly<Partial<Record<Library, string>>> = {
  "./session": "client/package/session_node.ts",
};

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

/** The file that takes a library's place under Node: "session_node". */
export function nodeFileNameOf(library: string): string {
  return `${fileNameOf(library)}_node`;
}

/** What an import names: "wyvern/physics". */
export function importNameOf(library: string): string {
  return `wyvern${library.slice(1)}`;
}

/**
 * Parts of libraries that many programs do without. Each has files of its own in `dist`, because a
 * bundler that sees no use of a file leaves it out, but keeps tables at the top of one that it uses.
 */
export const OPTIONAL_PARTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "shared/physics/chains/feature.ts",
    "shared/physics/events/touches.ts",
    "shared/physics/joints/feature.ts",
    "shared/physics/joints/joints_of.ts",
    "shared/physics/rounded/feature.ts",
    "shared/physics/snapshot/labels.ts",
    "shared/physics/stage/describe.ts",
    "shared/physics/stage/kinematic_paths.ts",
    "shared/physics/stage/properties.ts",
    "shared/physics/stage/queries.ts",
  ].map((path) => [path, path.slice("shared/physics/".length, -".ts".length).replace("/", "_")]),
);

/** The modules of the package's programs, by their files in `dist`. */
export const PACKAGE_PROGRAMS: Readonly<Record<string, string>> = {
  "server/package/command.ts": "command",
  "server/package/serve.ts": "serve",
  "server/package/trial.ts": "trial",
  "server/package/new.ts": "new",
  "server/package/check.ts": "check",
  "server/package/replay.ts": "replay",
  "server/package/dev.ts": "dev",
  "client/package/build.ts": "build",
  "client/package/bots.ts": "bots",
  "server/supervision/watchdog_thread.ts": "watchdog_thread",
};
