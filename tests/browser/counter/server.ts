/**
 * The real server with the counter game, or with `--games all` with the dragon game, too. Its first
 * argument is the URL of the built pages' folder; flags follow.
 */
import { runServer } from "../../../server/run_server.ts";
import { GAMES } from "../../../shared/games/registry.ts";

const [folder, ...flags] = Deno.args;
const games = {
  counter: () => import("../../tools/lab/counter_game.ts"),
  dragons: GAMES["dragons"]!,
};
Deno.exit(await runServer(games, flags, { staticFolder: new URL(folder!) }));
