/** The real server with Puck, whose page is in another folder. Flags follow. */
import { runServer } from "../../../server/run_server.ts";

const [folder, ...flags] = Deno.args;
const games = { puck: () => import("../../../shared/games/puck/game.ts") };
Deno.exit(await runServer(games, flags, { staticFolder: new URL(folder!) }));
