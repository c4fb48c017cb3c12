/** The program behind `wyvern bots`: bots that play the project's games, as their NPCs would. */
import process from "node:process";
import { ownGames } from "../../server/package/own_games.ts";
import { runBotProgram } from "../bots/program.ts";

const options = { games: ownGames(), ownBots: {}, command: "wyvern bots" };
process.exit(await runBotProgram(process.argv.slice(2), options));
