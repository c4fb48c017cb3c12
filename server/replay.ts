/** `deno task replay FILE`: plays the log of a match of this repository's games again. */
import { GAMES } from "../shared/games/registry.ts";
import { runReplay } from "./replay_program.ts";

Deno.exit(await runReplay(Deno.args, { games: GAMES, command: "deno task replay" }));
