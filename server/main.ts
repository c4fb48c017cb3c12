/** The server's entry, and the only server file that knows the registry's games. */
import { GAMES } from "../shared/games/registry.ts";
import { runServer } from "./run_server.ts";

const files = {
  trialModule: new URL("./trial/main.ts", import.meta.url),
  builtProgram: new URL("./dist/main.js", import.meta.url),
};

if (import.meta.main) Deno.exit(await runServer(GAMES, Deno.args, files));
