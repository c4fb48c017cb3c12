/**
 * The program behind `wyvern build`: builds the pages of the project's games into `.wyvern/pages`.
 * With `--dev` it builds for `wyvern dev`, and prints the fingerprint of each game's rules.
 */
import { gameFolder, hasPage, ownGames, PAGES } from "../../server/package/own_games.ts";
import { buildPages } from "../build/build.ts";
import { fingerprintOf } from "../build/fingerprint.ts";
import { pageIn } from "../build/game_page.ts";

const isDevelopment = Deno.args.includes("--dev");
const given = Deno.args.filter((arg) => arg !== "--dev");
const names = given.length > 0 ? given : Object.keys(ownGames());
const rulesOf = (name: string) => new URL("game.ts", gameFolder(name));
try {
  const rules = isDevelopment
    ? await Promise.all(names.map((name) => fingerprintOf(rulesOf(name))))
    : [];
  const withPage = names.filter(hasPage);
  const sources = await Promise.all(
    withPage.map((name) => pageIn(gameFolder(name), { name, game: rulesOf(name) })),
  );
  await buildPages(sources, PAGES, { isDevelopment, hasList: names.length > 1 });
  for (const name of names) {
    console.log(
      withPage.includes(name)
        ? `Built the page of ${name}`
        : `${name} has no view.ts, so it has no page here`,
    );
  }
  for (const [i, fingerprint] of rules.entries()) {
    console.log(`Rules of ${names[i]}: ${fingerprint}`);
  }
} catch (error) {
  console.error(`wyvern: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
