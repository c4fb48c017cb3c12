/**
 * Runs one game's replay page. Only this file reads the browser's clock and frames.
 *
 * `wyvernReplay` in the console is the page: the tick that it shows, its state's hash, the log, and
 * the fork.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { View } from "../presentation/view.ts";
import { runPadFocus } from "../input/pad_focus.ts";
import { ReplayPage } from "./replay_page.ts";
import type { TrialPort } from "./trial/replay_trial.ts";
import { TRIAL_WORKER } from "./trial/trial_worker.ts";

export function runReplayPage<Command, Sim extends Simulation<Command>, Frame>(
  game: Game<Command, Sim>,
  view: View<Command, Sim, Frame>,
): void {
  const page = new ReplayPage(game, view, {
    clock: { now: () => performance.now() },
    openTrial: trialWorkers(),
  });
  runPadFocus();
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

/**
 * Returns a function that gives out a worker for one trial. It starts a worker ahead of each file,
 * so that a file can be played even when the server that the page came from is away. The build
 * writes the worker's name into a data attribute in replay.html.
 */
function trialWorkers(): () => TrialPort {
  const script = new URL(document.body.dataset["trialWorker"]!, import.meta.url);
  let spare: Worker | undefined;
  const start = () => {
    const worker = new Worker(script, { type: "module", name: TRIAL_WORKER });
    // Do not give out a worker that could not load its script; the next trial starts another one,
    // and says what is wrong.
    worker.onerror = () => spare = undefined;
    return worker;
  };
  spare = start();

  return () => {
    const worker = spare ?? start();
    spare = start();
    return worker;
  };
}
