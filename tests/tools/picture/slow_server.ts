/** The real server in slow time. Its arguments are the slowdown, and flags. */
import { runServer } from "../../../server/run_server.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { slowTime } from "./slow_time.ts";

const [slowdown, ...flags] = Deno.args;
slowTime({ slowdown: Number(slowdown) });
Deno.exit(await runServer(GAMES, flags));
