import { runPractice } from "wyvern/practice";
import { game } from "../../../../shared/game_kit/templates/top/game.ts";

runPractice(game);
