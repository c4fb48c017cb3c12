/** The program behind `wyvern new`: copies one of the kit's templates into the folder `games`. */
import process from "node:process";
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
import { ownGames, projectFile } from "./own_games.ts";

const USAGE = [
  "Usage: wyvern new NAME [--template TEMPLATE]",
  `  NAME        ${NAME_RULE}`,
  TEMPLATE_USAGE,
].join("\n");

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  try {
    const { name, template } = readNewGameArgs(args, { usage: USAGE });
    if (name === undefined) throw new UsageError(`one name is needed\n${USAGE}`);
    checkGameName(name, USAGE);
    if (Object.hasOwn(ownGames(), name)) {
      throw new UsageError(`there is a game ${name} already, in games/${name}`);
    }

    const folder = `games/${name}/`;
    const chosen = await chosenTemplate(template);
    const files = await filesOfGame(chosen, { name, rules: folder, view: folder });
    await writeNew(projectFile("./"), files);
    console.log(`games/${name} has ${linesOf(files)} lines in game.ts and view.ts. Next:
  1. npx wyvern dev --games ${name}    play it at the address that this prints
  2. change the rules in game.ts and the picture in view.ts; the page follows`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`wyvern new: ${error.message}`);
    return EXIT_UNUSABLE;
  }
}

process.exit(await main(process.argv.slice(2)));
