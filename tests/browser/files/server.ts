/**
 * The real server with the cave. Its first argument is the URL of the built pages' folder; flags
 * follow.
 */
import { runServer } from "../../../server/run_server.ts";

const [folder, ...flags] = Deno.args;
Deno.exit(
  await runServer({ cave: () => import("./game.ts") }, flags, { staticFolder: new URL(folder!) }),
);
