/** The server's entry. It is the only file of the server that names the game. */
import { describedDragonGame } from "../shared/games/dragons/schema/described_game.ts";
import { runServer } from "./run_server.ts";

if (import.meta.main) Deno.exit(await runServer(describedDragonGame, Deno.args));
