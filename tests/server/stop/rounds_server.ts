/**
 * The real server with the counter game in rounds: two seconds of play, and one second between two
 * rounds. Its first argument is the URL of the folder with a page; flags follow.
 */
import { runServer } from "../../../server/run_server.ts";
import { roundsGame } from "../../tools/lab/results/rounds_game.ts";

const [folder, ...flags] = Deno.args;
Deno.exit(
  await runServer({ counter: () => Promise.resolve({ game: roundsGame }) }, flags, {
    staticFolder: new URL(folder!),
  }),
);
