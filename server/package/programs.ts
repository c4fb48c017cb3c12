/** The programs of the command `wyvern`, each with the permissions that it needs. */
import { fileURLToPath } from "node:url";
import { UNSTABLE } from "../supervision/child_command.ts";

/** One program of the command. */
interface Program {
  readonly about: string;
  readonly file: string;
  /** Deno's permissions for it. */
  readonly permissions: readonly string[];
  readonly needsDeno: boolean;
  /** Whether it has nothing to do in a project without a game. */
  readonly needsGames: boolean;
}

const SOCKET_VARIABLES = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";

export const PROGRAMS: Readonly<Record<string, Program>> = {
  serve: {
    about: "build the pages of the hosted games, then host matches: --help lists the settings",
    file: "serve.js",
    permissions: [
      ...UNSTABLE,
      "--allow-net",
      "--allow-read",
      "--allow-write=data",
      "--allow-run",
      `--allow-env=WYVERN_*,${SOCKET_VARIABLES}`,
    ],
    needsDeno: true,
    needsGames: true,
  },
  dev: {
    about: "serve, and follow changes: rebuild, reload open pages, check types, restart",
    file: "dev.js",
    permissions: ["--allow-read", "--allow-run", "--allow-env"],
    needsDeno: true,
    needsGames: true,
  },
  build: {
    about: "build the pages of all games, or of those that are named",
    file: "build.js",
    permissions: ["--allow-read", "--allow-write=.wyvern", "--allow-env", "--allow-run"],
    needsDeno: true,
    needsGames: true,
  },
  bots: {
    about: "load a server with bots, which are headless clients: --help lists the flags",
    file: "bots.js",
    permissions: ["--allow-net", "--allow-read", `--allow-env=${SOCKET_VARIABLES}`],
    needsDeno: false,
    needsGames: true,
  },
  new: {
    about: "copy a template of a game into the folder games: NAME --template blank|side|top|duel",
    file: "new.js",
    permissions: ["--allow-read", "--allow-write=games"],
    needsDeno: false,
    needsGames: false,
  },
  check: {
    about: "check types, rollbacks and commands of all games, or of those that are named: --json",
    file: "check.js",
    permissions: ["--allow-read", "--allow-env", "--allow-run"],
    needsDeno: true,
    needsGames: true,
  },
  replay: {
    about: "play the log of a match again, and check every tick: FILE --info --to-tick --json",
    file: "replay.js",
    permissions: ["--allow-read"],
    needsDeno: true,
    needsGames: true,
  },
};

/** The file of a program of the package. @param name one of `PROGRAMS` */
export function programPath(name: string): string {
  // Bundles keep the places of their sources, which are beside `dist`.
  return fileURLToPath(new URL(`../../../dist/${PROGRAMS[name]!.file}`, import.meta.url));
}

/** Deno's arguments to run a program, before the program's own. @param name one of `PROGRAMS` */
export function denoArgs(name: string): readonly string[] {
  return ["run", "--no-prompt", ...PROGRAMS[name]!.permissions, programPath(name)];
}
