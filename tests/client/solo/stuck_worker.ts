/** A practice match whose rules do not end any more after two seconds. */
import { runPractice } from "../../../client/package/practice.ts";
import { game } from "../../../shared/game_kit/templates/top/game.ts";

const STUCK_TICK = 40;

runPractice({
  ...game,
  start(options, seed) {
    const simulation = game.start(options, seed);
    const step = simulation.step.bind(simulation);
    simulation.step = (commands) => {
      while (simulation.tick >= STUCK_TICK);
      step(commands);
    };
    return simulation;
  },
});
