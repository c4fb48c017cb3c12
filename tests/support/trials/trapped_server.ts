/**
 * The real server of dragons, of which matches with the seed of a trap are traps. Flags are the
 * arguments.
 */
import { runServer } from "../../../server/run_server.ts";
import { TRAPPED_GAMES } from "./trapped_games.ts";

const trialModule = new URL("trapped_threads.ts", import.meta.url);
if (import.meta.main) Deno.exit(await runServer(TRAPPED_GAMES, Deno.args, { trialModule }));
