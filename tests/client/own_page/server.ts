/** The real server with the yard. Its first argument is the URL of the pages' folder; flags follow. */
import { runServer } from "../../../server/run_server.ts";

const [folder, ...flags] = Deno.args;
Deno.exit(
  await runServer({ yard: () => import("./game.ts") }, flags, { staticFolder: new URL(folder!) }),
);
