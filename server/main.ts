/** The server's entry. It is the only file of the server that names the game. */
import { streamedDragonGame } from "../shared/games/dragons/body_stream.ts";
import { runServer } from "./run_server.ts";

if (import.meta.main) Deno.exit(await runServer(streamedDragonGame, Deno.args));
