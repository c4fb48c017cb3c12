/** The program behind `wyvern replay`: plays the log of a match of the project's games again. */
import { runReplay } from "../replay_program.ts";
import { ownGames } from "./own_games.ts";

Deno.exit(await runReplay(Deno.args, { games: ownGames(), command: "wyvern replay" }));
