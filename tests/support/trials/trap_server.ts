/** The real server with the game of traps. Its first argument is the URL of the folder with a page; flags follow. */
import { runServer } from "../../../server/run_server.ts";
import { trapGame } from "./trap_game.ts";

const [folder, ...flags] = Deno.args;
const staticFolder = new URL(folder!), trialModule = new URL("trap_threads.ts", import.meta.url);
Deno.exit(await runServer({ trap: () => Promise.resolve({ game: trapGame }) }, flags, { staticFolder, trialModule }));
