/**
 * The games of a project of one's own: those of the folder `games`, where each has a folder with
 * its rules and its view. They are in the order of their names.
 */
import { existsSync, readdirSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gameNameFault } from "../../shared/game_names.ts";
import type { Game } from "../../shared/netcode/game.ts";
import { gamesSetting } from "../settings/hosted_games.ts";

/** Loads the modules of games, by the games' names. */
type OwnGames = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** Finds a file of the project, in whose folder the command runs. */
export function projectFile(path: string): URL {
  return new URL(path, pathToFileURL("./"));
}

/** The folder of a game. */
export function gameFolder(name: string): URL {
  return projectFile(`games/${name}/`);
}

/** Where the pages of the project's games are built. */
export const PAGES: URL = projectFile(".wyvern/pages/");

/**
 * The games that a server of the project will host.
 * @param flags of the server
 * @returns undefined if one of them is not here; the server refuses it
 */
export function wantedGames(flags: readonly string[]): readonly string[] | undefined {
  const names = Object.keys(ownGames());
  const setting = gamesSetting(flags, (name) => process.env[name]) ?? names[0]!;
  const wanted = setting === "all" ? names : setting.split(",");
  return wanted.every((name) => names.includes(name)) ? wanted : undefined;
}

/** Whether the project has a page for a game: without `view.ts` it is played on other sites. */
export function hasPage(name: string): boolean {
  return existsSync(new URL("view.ts", gameFolder(name)));
}

/**
 * The folders that the project's programs read when they run: the project, and this package, which
 * may be a link.
 */
export const PROGRAM_FOLDERS: readonly string[] = [
  fileURLToPath(projectFile("")),
  fileURLToPath(new URL("../../../", import.meta.url)),
];

/** The project's games; empty if there is no folder of games. */
export function ownGames(): OwnGames {
  const folder = projectFile("games/");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const games = names.filter((name) =>
    gameNameFault(name) === undefined && existsSync(new URL("game.ts", gameFolder(name)))
  );
  return Object.fromEntries(
    games.map((name) => [name, () => import(new URL("game.ts", gameFolder(name)).href)]),
  );
}
