/**
 * `deno task new NAME`: copies one of the game kit's templates into a new game, and registers it.
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { GAMES } from "../../shared/games/registry.ts";
import { NAME_RULE } from "../../shared/game_names.ts";
import { EXIT_UNUSABLE, UsageError } from "../../shared/usage_error.ts";
import {
  checkGameName,
  chosenTemplate,
  filesOfGame,
  linesOf,
  readNewGameArgs,
  TEMPLATE_USAGE,
  writeNew,
} from "../create/templates.ts";

const ROOT = new URL("../../", import.meta.url);
const REGISTRY = new URL("shared/games/registry.ts", ROOT);

const USAGE = [
  "Usage: deno task new NAME [--template TEMPLATE]",
  `  NAME        ${NAME_RULE}`,
  TEMPLATE_USAGE,
].join("\n");

/** Adds a line to the registry's text. @throws UsageError if there is no place for the line */
function withLine(registry: string, name: string): string {
  const end = registry.lastIndexOf("\n};");
  if (end < 0) {
    throw new UsageError(
      "shared/games/registry.ts has no end of its list: add the game's line by hand",
    );
  }
  const line = `\n  ${name}: () => import("./${name}/game.ts"),`;
  return registry.slice(0, end) + line + registry.slice(end);
}

/**
 * Writes the game's files. @param name one that a game can have
 * @throws UsageError if a file is in the way; then nothing is written
 */
async function createGame(name: string, template: string): Promise<void> {
  const registry = withLine(await readFile(REGISTRY, "utf8"), name);
  const files = await filesOfGame(template, {
    name,
    rules: `shared/games/${name}/`,
    view: `client/games/${name}/`,
  });
  await writeNew(ROOT, files);
  await writeFile(REGISTRY, registry);

  const paths = files.map(({ path }) => path).join(" and ");
  console.log(
    `${name} has ${linesOf(files)} lines in ${paths}. Next:
  1. deno task dev --games ${name}    play it at the address that this prints; pages reload when you save
  2. change the rules in game.ts and the picture in view.ts; docs/first_game.md says how
  3. deno task prove game ${name}     prove that it rolls back exactly, in this and in other engines`,
  );
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { name, template } = readNewGameArgs(args, { usage: USAGE });
    if (name === undefined) throw new UsageError(`one name is needed\n${USAGE}`);
    checkGameName(name, USAGE);
    if (Object.hasOwn(GAMES, name)) {
      throw new UsageError(`there is a game ${name} already, in shared/games/${name}`);
    }
    await createGame(name, await chosenTemplate(template));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`new: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
