/**
 * The real server with the hill. Its first argument is the URL of the built pages' folder; flags
 * follow.
 */
import { runServer } from "../../../server/run_server.ts";

const GAMES = { hill: () => import("../../shared/game_kit/tune/hill_game.ts") };
const [folder, ...flags] = Deno.args;
Deno.exit(await runServer(GAMES, flags, { staticFolder: new URL(folder!) }));
