#!/usr/bin/env node
/**
 * The program of the package `create-wyvern`: `npm create wyvern my-game` writes a project with a
 * game, which two commands play. It runs on Node, imports no package, and asks for what is not
 * given if a person sits at the terminal.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { quoted } from "../../shared/quoted.ts";
import { NAME_RULE } from "../../shared/game_names.ts";
import { EXIT_UNUSABLE, UsageError } from "../../shared/usage_error.ts";
import { filesOfProject } from "./project.ts";
import {
  ask,
  checkGameName,
  chosenTemplate,
  readNewGameArgs,
  TEMPLATE_USAGE,
  writeNew,
} from "./templates.ts";

const USAGE = [
  "Usage: npm create wyvern FOLDER -- [--template TEMPLATE] [--wyvern VERSION]",
  `  FOLDER      an empty or new one, named as the game: ${NAME_RULE}; hyphens may stand for them`,
  TEMPLATE_USAGE,
  "  --wyvern    what package.json says for the package wyvern: a version, or file:PATH [this one's]",
].join("\n");

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { name: given, template, others } = readNewGameArgs(args, {
      usage: USAGE,
      others: ["wyvern"],
    });
    const folder = given ?? await ask("Which folder?", "my-game");
    const path = resolve(folder);
    const name = gameNameOf(path);
    checkGameName(name, USAGE);
    checkIsEmpty(path, folder);

    const chosen = await chosenTemplate(template);
    await writeNew(
      pathToFileURL(`${path}/`),
      await filesOfProject(chosen, { name, wyvern: others["wyvern"] }),
    );
    console.log(`${folder} has the game ${name}. Next:
  cd ${folder}
  npm install
  npm run dev     play it at the address that this prints; the page follows your changes`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`create-wyvern: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

/** The game's name: that of its folder, in which people like hyphens. */
function gameNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .toLowerCase().replaceAll("-", "_");
}

/** @throws UsageError for a folder that has files; a repository's own do not count */
function checkIsEmpty(path: string, shown: string): void {
  let names: string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`${quoted(shown)} is no folder`);
  }
  const other = names.find((name) => name !== ".git");
  if (other !== undefined) {
    throw new UsageError(`${quoted(shown)} is not empty: it has ${quoted(other)}`);
  }
}

process.exit(await main(process.argv.slice(2)));
