import { runPractice } from "../../../client/package/practice.ts";
import { game } from "../../../shared/game_kit/templates/top/game.ts";

runPractice(game);
