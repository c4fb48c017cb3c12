/**
 * Runs the replay page of one game. The browser's clock and frames are read here and nowhere else.
 *
 * `wyvernReplay` in the console is the page: the tick that it shows, its state's hash, the log, and the fork.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { View } from "../presentation/view.ts";
import { ReplayPage } from "./replay_page.ts";
import type { TrialPort } from "./trial/replay_trial.ts";
import { TRIAL_WORKER } from "./trial/trial_worker.ts";

export function runReplayPage<Command, Sim extends Simulation<Command>, Frame>(
  game: Game<Command, Sim>,
  view: View<Command, Sim, Frame>,
): void {
  const page = new ReplayPage(game, view, { clock: { now: () => performance.now() }, openTrial });
  const draw = () => {
    requestAnimationFrame(draw);
    try {
      page.draw();
    } catch (error) {
      console.error(error);
      page.fail(error);
    }
  };
  requestAnimationFrame(draw);
  Object.defineProperty(globalThis, "wyvernReplay", { value: page });
}

/** The build writes the worker's name into a data attribute of replay.html. */
function openTrial(): TrialPort {
  const script = new URL(document.body.dataset["trialWorker"]!, import.meta.url);
  return new Worker(script, { type: "module", name: TRIAL_WORKER });
}
