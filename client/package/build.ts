/** The program behind `wyvern build`: builds the pages of the project's games into `.wyvern/pages`. */
import { gameFolder, ownGames, PAGES } from "../../server/package/own_games.ts";
import { buildPage } from "../build/build.ts";
import { pageIn } from "../build/game_page.ts";

const names = Deno.args.length > 0 ? Deno.args : Object.keys(ownGames());
try {
  for (const name of names) {
    const folder = gameFolder(name);
    const source = await pageIn(folder, { name, game: new URL("game.ts", folder) });
    await buildPage(source, new URL(`${name}/`, PAGES));
    console.log(`Built the page of ${name}`);
  }
} catch (error) {
  console.error(`wyvern: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
