/**
 * The program behind `wyvern dev`: the development server of a project. The server restarts if the
 * rules of a hosted game have another fingerprint, so neither for a view nor for a comment.
 */
import { readdirSync } from "node:fs";
import { type DevProject, runDevServer } from "../dev/dev_server.ts";
import { projectFile, wantedGames } from "./own_games.ts";
import { denoArgs } from "./programs.ts";

/** Folders of a project that no game is made of: packages, matches, and what begins with a dot. */
const NO_SOURCES = /^(\.|(node_modules|data)$)/;

/** A line of the build with the fingerprint of a game's rules. */
const RULES = /^Rules of \w+: \w+$/gm;

/** @param games the hosted ones */
function projectOf(games: readonly string[]): DevProject {
  const folders = readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_SOURCES.test(entry.name));
  let served = "";
  return {
    root: projectFile(""),
    folders: folders.map(({ name }) => name),
    buildArgs: () => Promise.resolve([...denoArgs("build"), "--dev", ...games]),
    serveArgs: () => Promise.resolve(denoArgs("serve")),
    isStale({ built }) {
      const before = served;
      served = (built.match(RULES) ?? []).join("\n");
      return served !== before;
    },
  };
}

// The server says what is wrong with games that are not here.
const project = projectOf(wantedGames(Deno.args) ?? []);
Deno.exit(await runDevServer(project, Deno.args));
