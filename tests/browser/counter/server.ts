/** The real server with the counter game. Its first argument is the URL of the built page's folder; flags follow. */
import { runServer } from "../../../server/run_server.ts";
import { counterGame } from "../../lab/counter_game.ts";

const [folder, ...flags] = Deno.args;
Deno.exit(await runServer(counterGame, flags, new URL(folder!)));
