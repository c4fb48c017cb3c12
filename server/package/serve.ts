/** The program behind `wyvern serve`: hosts the project's games, whose pages are built already. */
import { runServer } from "../run_server.ts";
import { ownGames, PAGES } from "./own_games.ts";

Deno.exit(await runServer(ownGames(), Deno.args, { staticFolder: PAGES }));
