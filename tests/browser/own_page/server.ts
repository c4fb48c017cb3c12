/** The real server with the yard of a template, whose page is elsewhere. Flags follow. */
import { runServer } from "../../../server/run_server.ts";

const [folder, ...flags] = Deno.args;
const games = { yard: () => import("../../../shared/game_kit/templates/top/game.ts") };
Deno.exit(await runServer(games, flags, { staticFolder: new URL(folder!) }));
