/** The program behind `wyvern serve`: hosts the project's games, whose pages are built already. */
import { runServer } from "../run_server.ts";
import { hasPage, ownGames, PAGES, PROGRAM_FOLDERS } from "./own_games.ts";

const options = {
  command: "wyvern serve",
  staticFolder: PAGES,
  hasPage,
  trialModule: new URL("./trial.ts", import.meta.url),
  reads: PROGRAM_FOLDERS,
};

Deno.exit(await runServer(ownGames(), Deno.args, options));
