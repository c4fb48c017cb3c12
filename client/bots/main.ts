/** `deno task bots`: the bots of this project's games. */
import { GAMES } from "../../shared/games/registry.ts";
import { type OwnBots, runBotProgram } from "./program.ts";

const ownBots: OwnBots = { dragons: () => import("../games/dragons/bot.ts") };

if (import.meta.main) {
  Deno.exit(await runBotProgram(Deno.args, { games: GAMES, ownBots, command: "deno task bots" }));
}
