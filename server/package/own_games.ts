/**
 * The games of a project of one's own: those of the folder `games`, where each has a folder with
 * its rules and its view. They are in the order of their names.
 */
import { existsSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Game } from "../../shared/netcode/game.ts";

/** The registry's rule for names. */
const NAME = /^[a-z][a-z0-9_]{0,15}$/;

/** Loads the modules of games, by the games' names. */
type OwnGames = Readonly<Record<string, () => Promise<{ readonly game: Game<unknown> }>>>;

/** Finds a file of the project, in whose folder the command runs. */
function projectFile(path: string): URL {
  return new URL(path, pathToFileURL("./"));
}

/** The folder of a game. */
export function gameFolder(name: string): URL {
  return projectFile(`games/${name}/`);
}

/** Where the pages of the project's games are built. */
export const PAGES: URL = projectFile(".wyvern/pages/");

/** The project's games; empty if there is no folder of games. */
export function ownGames(): OwnGames {
  const folder = projectFile("games/");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const games = names.filter((name) =>
    NAME.test(name) && existsSync(new URL("game.ts", gameFolder(name)))
  );
  return Object.fromEntries(
    games.map((name) => [name, () => import(new URL("game.ts", gameFolder(name)).href)]),
  );
}
