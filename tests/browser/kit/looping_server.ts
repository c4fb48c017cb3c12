/**
 * The real server with the game that hangs. Its first argument is the URL of the built pages'
 * folder; flags follow.
 */
import { runServer } from "../../../server/run_server.ts";

const [folder, ...flags] = Deno.args;
Deno.exit(
  await runServer({ yard: () => import("./looping_game.ts") }, flags, {
    staticFolder: new URL(folder!),
  }),
);
