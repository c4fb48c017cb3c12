/**
 * The server's entry. It is the only file of the server that names games: those of the registry.
 */
import { GAMES } from "../shared/games/registry.ts";
import { runServer } from "./run_server.ts";

const files = {
  trialModule: new URL("./trial/main.ts", import.meta.url),
  builtProgram: new URL("./dist/main.js", import.meta.url),
};

if (import.meta.main) Deno.exit(await runServer(GAMES, Deno.args, files));
